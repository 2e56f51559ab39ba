/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Chooses the kernel and the database of a command if the command line names none. */
#ifndef WV_DEFAULTS_H
#define WV_DEFAULTS_H

/*
 * Returns the folder of the kernel if the command line names none. This is the first of these:
 * - $WEFT_KERNEL, if it is set
 * - the running kernel's build folder, if /lib/modules/RELEASE/build leads to one
 * - the folder of its headers, if `weft prepare` has unpacked them
 *
 * Returns NULL if there is none of these. The result is valid until the next call.
 */
const char *wv_default_kernel(void);

/*
 * Returns the database if the command line names none. This is the first of these:
 * - $WEFT_DB, if it is set
 * - vmlinux.weft in the folder @kernel, if it exists
 * - the database that `weft prepare` has made for the kernel of that folder or, if @kernel is NULL,
 *   for the running kernel
 *
 * Returns NULL if there is none of these. The result is valid until the next call.
 */
const char *wv_default_database(const char *kernel);

/* Error message of a command that needs a database, if there is no default either. */
#define WV_WHICH_DATABASE                                                                  \
	"which database? run `weft prepare`, or give --db DB, or set WEFT_DB, or WEFT_KERNEL " \
	"to a folder with a vmlinux.weft"

#endif /* WV_DEFAULTS_H */
