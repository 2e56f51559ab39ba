/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the errors of an aspect in the same way for every command that reads one: all of them, so
 * that the author can correct them in one pass.
 */
#ifndef WV_ASPECT_ERRORS_H
#define WV_ASPECT_ERRORS_H

#include "aspect/language/aspect-model.h"
#include "aspect/xml/errors.h"

/*
 * Prints all errors but the last, which the command returns as its failure, and empties the list.
 */
void wv_print_errors(struct wv_errors *errors);

/* Prints an error that is not the command's failure. */
void wv_print_error(const struct wv_error *error);

/* Opens the aspect at @path. On failure @error is the last error; the others are printed. */
int wv_aspect_open(const char *path, struct wv_aspect **ret, struct wv_error *error);

#endif /* WV_ASPECT_ERRORS_H */
