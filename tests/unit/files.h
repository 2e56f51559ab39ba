/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions for files of tests. The files are in a folder that is removed when the program ends. */
#ifndef WEFT_TESTS_FILES_H
#define WEFT_TESTS_FILES_H

#include <stddef.h>

/*
 * Returns the bytes of the file at @path; the caller frees them. Fails the test if it cannot be
 * read.
 */
unsigned char *files_read(const char *path, size_t *size_ret);

/*
 * Writes a file with this name in the test's folder; returns its path, valid until the program
 * ends.
 */
const char *files_write(const char *name, const void *bytes, size_t n);

/* Returns the path of this name in the test's folder, whether the file exists or not. */
const char *files_path(const char *name);

/* Returns the number of files in the test's folder. */
size_t files_count(void);

#endif /* WEFT_TESTS_FILES_H */
