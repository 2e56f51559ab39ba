/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The errors of an aspect, as every command that reads one shows them: all of them, so that they
 * are mended in one go.
 */
#ifndef WV_ASPECT_ERRORS_H
#define WV_ASPECT_ERRORS_H

#include "aspect/language/aspect-model.h"
#include "aspect/xml/errors.h"

/*
 * Prints all but the last, which is left to be reported as the command's failure, and empties the
 * list.
 */
void wv_print_errors(struct wv_errors *errors);

/* Prints one that is not the command's failure. */
void wv_print_error(const struct wv_error *error);

/* The aspect of a file. What else is wrong with it is printed; the last error is @error. */
int wv_aspect_open(const char *path, struct wv_aspect **ret, struct wv_error *error);

#endif /* WV_ASPECT_ERRORS_H */
