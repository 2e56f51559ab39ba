/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of tests: read whole, written whole, in a folder that goes when the program ends. */
#ifndef WEFT_TESTS_FILES_H
#define WEFT_TESTS_FILES_H

#include <stddef.h>

/* The bytes of the file at @path; the caller frees. Fails the test when it cannot be read. */
unsigned char *files_read(const char *path, size_t *size_ret);

/*
 * Writes a file of this name in the test's folder; returns its path, valid until the program ends.
 */
const char *files_write(const char *name, const void *bytes, size_t n);

/* The path of a file of this name in the test's folder, whether it exists or not. */
const char *files_path(const char *name);

/* The number of files in the test's folder. */
size_t files_count(void);

#endif /* WEFT_TESTS_FILES_H */
