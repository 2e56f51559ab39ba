/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel and the database that are meant where the command line names none. */
#ifndef WV_DEFAULTS_H
#define WV_DEFAULTS_H

/*
 * $WEFT_KERNEL, or the running kernel's folder, where distributions and `make modules_install` put
 * the link to it; NULL where there is neither. Valid until the next call.
 */
const char *wv_default_kernel(void);

/*
 * $WEFT_DB, or the vmlinux.weft of the folder @kernel (NULL: of none), or NULL. Valid until the
 * next call.
 */
const char *wv_default_database(const char *kernel);

/* For a command that needs one, and there is none. */
#define WV_WHICH_DATABASE                                                                  \
	"which database? give --db DB, or set WEFT_DB, or WEFT_KERNEL to a folder with a " \
	"vmlinux.weft"

#endif /* WV_DEFAULTS_H */
