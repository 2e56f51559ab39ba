// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints errors of aspects on standard error; see aspect-errors.h. */
#include <stdio.h>

#include "aspect/language/load.h"
#include "cmds/aspect-errors.h"
#include "cmds/show-progress.h"

void wv_print_error(const struct wv_error *error)
{
	char text[1200];

	wv_progress_end();
	fprintf(stderr, "weft: %s\n", wv_error_text(error, text, sizeof(text)));
}

void wv_print_errors(struct wv_errors *errors)
{
	for (size_t i = 0; i + 1 < errors->list.n; i++)
		wv_print_error(&errors->list.data[i]);
	wv_errors_deinit(errors);
}

int wv_aspect_open(const char *path, struct wv_aspect **ret, struct wv_error *error)
{
	struct wv_errors errors = { 0 };
	int failed = wv_aspect_load_all(path, ret, &errors, error);

	if (failed && errors.list.n)
		*error = errors.list.data[errors.list.n - 1];
	wv_print_errors(&errors);
	return failed;
}
