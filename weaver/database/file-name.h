/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Matches file names as users write them: in a pointcut, a <within>, after --in and --within. */
#ifndef WV_FILE_NAME_H
#define WV_FILE_NAME_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether the source file @name matches @wanted. @wanted is either the last components of a path
 * ("ipv4/tcp.c"); or, if it begins with "/" or "./", the whole path from the top of the tree
 * ("/kernel/signal.c"); or, if it ends in '/', a folder counted from the top of the tree that
 * contains the file at any depth ("net/ipv4/"). Each component may have * and ?.
 */
bool wv_file_is(const char *name, const char *wanted);

/* The part of the path @name that is compared with the file @wanted: the whole, or its end. */
const char *wv_file_part(const char *name, const char *wanted);

/* Whether @wanted is a folder (ends in '/'); whether @wanted has * or ?. */
bool wv_file_is_folder(const char *wanted);
bool wv_is_pattern(const char *wanted);

/*
 * Copies as many leading components of @name as the folder @wanted has into @buffer; "" if @name
 * has fewer. Returns @buffer.
 */
const char *wv_file_folder(const char *name, const char *wanted, char *buffer, size_t size);

#endif /* WV_FILE_NAME_H */
