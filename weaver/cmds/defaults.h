/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The default kernel and database, if the command line names none. */
#ifndef WV_DEFAULTS_H
#define WV_DEFAULTS_H

/*
 * $WEFT_KERNEL, or the running kernel's build folder, to which distributions and `make
 * modules_install` set a link; NULL if there is neither. Valid until the next call.
 */
const char *wv_default_kernel(void);

/*
 * $WEFT_DB, or the vmlinux.weft in the folder @kernel (which may be NULL), or NULL. Valid until the
 * next call.
 */
const char *wv_default_database(const char *kernel);

/* Error message of a command that needs a database if none was found. */
#define WV_WHICH_DATABASE                                                                  \
	"which database? give --db DB, or set WEFT_DB, or WEFT_KERNEL to a folder with a " \
	"vmlinux.weft"

#endif /* WV_DEFAULTS_H */
