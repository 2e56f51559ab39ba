// SPDX-License-Identifier: GPL-2.0-or-later
/* Collects the errors of a file; see errors.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/xml/errors.h"
#include "base/notation.h"

/*
 * Returns whether the error was reported already: C that two advices of a metric have in common is
 * checked twice.
 */
static bool is_reported(const struct wv_error_list *list, struct wv_text_location location,
		    const char *message)
{
	wv_vec_for_each(error, &list->errors.list)
		if (error->line == location.line && error->column == location.column &&
		    !strcmp(error->message, message))
			return true;
	return false;
}

void wv_report_error(struct wv_error_list *list, struct wv_text_location location,
		     const char *format, ...)
{
	struct wv_error *error;
	char message[sizeof(error->message)];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	if (is_reported(list, location, message))
		return;
	if (list->errors.list.n >= WV_ERRORS_MAX) {
		list->not_shown++;
		return;
	}
	error = wv_vec_push(&list->errors.list);
	if (!error) {
		list->no_memory = true;
		return;
	}
	wv_fail_at(error, WV_E_ASPECT, list->path, location.line, location.column, "%s", message);
}

static int compare(const void *a, const void *b)
{
	const struct wv_error *left = a, *right = b;

	if (left->line != right->line)
		return left->line < right->line ? -1 : 1;
	return left->column < right->column ? -1 : left->column > right->column;
}

int wv_error_list_finish(struct wv_error_list *list, struct wv_error *error)
{
	if (list->no_memory)
		return wv_fail_errno(error, ENOMEM, "%s", list->path);
	if (!list->errors.list.n)
		return 0;
	qsort(list->errors.list.data, list->errors.list.n, sizeof(*list->errors.list.data),
	      compare);
	if (list->not_shown) {
		struct wv_error *last = wv_vec_push(&list->errors.list);

		if (!last)
			return wv_fail_errno(error, ENOMEM, "%s", list->path);
		wv_fail_at(last, WV_E_ASPECT, list->path, 0, 0, "%s not shown",
			   wv_count_text(list->not_shown, "more error").text);
	}
	*error = list->errors.list.data[0];
	return -(int)error->code;
}

void wv_errors_deinit(struct wv_errors *errors)
{
	wv_vec_deinit(&errors->list);
}
