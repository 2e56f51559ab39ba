/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Matches file names as users write them: in a pointcut, in a <within>, and after the options --in
 * and --within.
 */
#ifndef WV_FILE_NAME_H
#define WV_FILE_NAME_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns whether the source file @name matches @wanted. The form of @wanted says what it is:
 * - "ipv4/tcp.c" is the last components of a path. It matches each file whose path ends in them.
 * - "/kernel/signal.c" or "./kernel/signal.c" is a whole path from the top of the source tree.
 * - "net/ipv4/", with a '/' at its end, is a folder from the top of the source tree. It matches
 *   each file in the folder, at any depth.
 * Each component of @wanted may have * and ?.
 */
bool wv_file_is(const char *name, const char *wanted);

/*
 * Returns the part of the path @name that is to be compared with @wanted: the whole path, or its
 * end.
 */
const char *wv_file_part(const char *name, const char *wanted);

/*
 * wv_file_is_folder() returns whether @wanted ends in '/', and so is a folder. wv_is_pattern()
 * returns whether it has * or ?.
 */
bool wv_file_is_folder(const char *wanted);
bool wv_is_pattern(const char *wanted);

/*
 * Copies the first components of the path @name to @buffer: as many as the folder @wanted has.
 * Copies "" if @name has fewer components. Returns @buffer.
 */
const char *wv_file_folder(const char *name, const char *wanted, char *buffer, size_t size);

#endif /* WV_FILE_NAME_H */
