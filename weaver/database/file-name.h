/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is meant by a file that somebody names: in a pointcut, a <within>, after --in and --within.
 */
#ifndef WV_FILE_NAME_H
#define WV_FILE_NAME_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether the source file @name is what @wanted says: the components that it ends in
 * ("ipv4/tcp.c"), or, with a '/' at the end, the folder, from the top of the tree on, that it lies
 * in at whatever depth ("net/ipv4/"). Each component may have * and ?.
 */
bool wv_file_is(const char *name, const char *wanted);

/* Whether @wanted is a folder; whether it has * or ?. */
bool wv_file_is_folder(const char *wanted);
bool wv_is_pattern(const char *wanted);

/*
 * As many components of @name as the folder @wanted has, into @buffer: "" where it has not as many.
 * Returns @buffer.
 */
const char *wv_file_folder(const char *name, const char *wanted, char *buffer, size_t size);

#endif /* WV_FILE_NAME_H */
