/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which kernel and database commands use if the command line names none. */
#ifndef WV_DEFAULTS_H
#define WV_DEFAULTS_H

/*
 * $WEFT_KERNEL; else the running kernel's build folder, if /lib/modules/RELEASE/build leads to it;
 * else NULL. Valid until the next call.
 */
const char *wv_default_kernel(void);

/*
 * $WEFT_DB; else vmlinux.weft in the folder @kernel, which may be NULL; NULL if there is neither.
 * Valid until the next call.
 */
const char *wv_default_database(const char *kernel);

/* Error message of a command that needs a database, if there is no default either. */
#define WV_WHICH_DATABASE                                                                  \
	"which database? give --db DB, or set WEFT_DB, or WEFT_KERNEL to a folder with a " \
	"vmlinux.weft"

#endif /* WV_DEFAULTS_H */
