/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses the kernel and the database of a command if the command line names none. */
#ifndef WV_DEFAULTS_H
#define WV_DEFAULTS_H

/*
 * Returns $WEFT_KERNEL; else the running kernel's build folder, to which /lib/modules/RELEASE/build
 * leads, if it exists; else the folder of its headers, if `weft prepare` has unpacked them; else
 * NULL. Valid until the next call.
 */
const char *wv_default_kernel(void);

/*
 * Returns $WEFT_DB; else vmlinux.weft in the folder @kernel, if there is one; else the database
 * that `weft prepare` has made for the kernel of that folder, or for the running kernel if @kernel
 * is NULL; else NULL. Valid until the next call.
 */
const char *wv_default_database(const char *kernel);

/* Error message of a command that needs a database, if there is no default either. */
#define WV_WHICH_DATABASE                                                                  \
	"which database? run `weft prepare`, or give --db DB, or set WEFT_DB, or WEFT_KERNEL " \
	"to a folder with a vmlinux.weft"

#endif /* WV_DEFAULTS_H */
