/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the errors of an aspect, for every command that reads an aspect. All errors are printed,
 * so that the author can correct them in one pass.
 */
#ifndef WV_ASPECT_ERRORS_H
#define WV_ASPECT_ERRORS_H

#include "aspect/language/aspect-model.h"
#include "aspect/xml/errors.h"

/*
 * Prints all of @errors except the last one, and frees @errors. The command returns the last error,
 * and main() prints it.
 */
void wv_print_errors(struct wv_errors *errors);

/* Prints an error that the command does not return. */
void wv_print_error(const struct wv_error *error);

/*
 * Reads the aspect's file @path. If the aspect has errors, prints all of them but the last one, and
 * returns the last one in @error.
 */
int wv_aspect_open(const char *path, struct wv_aspect **ret, struct wv_error *error);

#endif /* WV_ASPECT_ERRORS_H */
