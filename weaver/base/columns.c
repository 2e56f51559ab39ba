// SPDX-License-Identifier: GPL-2.0-or-later
/* The table for people; see columns.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"

#define GAP 2
#define CELL_MAX 512

void wv_columns_deinit(struct wv_columns *columns)
{
	wv_str_deinit(&columns->text);
	wv_vec_deinit(&columns->cells);
}

void wv_columns_add(struct wv_columns *columns, const char *format, ...)
{
	char text[CELL_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	wv_columns_text(columns, text);
}

void wv_columns_text(struct wv_columns *columns, const char *cell)
{
	struct wv_str *text = &columns->text;
	size_t *start = wv_vec_push(&columns->cells);

	if (!start) {
		text->failed = true;
		return;
	}
	*start = text->n;
	wv_str_add_n(text, cell, strnlen(cell, CELL_MAX - 1));
	wv_str_add_n(text, "", 1);
	if (text->failed)
		return;
	wv_one_line(text->data + *start);
	text->n = *start + strlen(text->data + *start) + 1;
}

static void add_spaces(struct wv_str *out, size_t n)
{
	static const char spaces[] = "                                                                ";

	for (size_t some; n; n -= some) {
		some = n < sizeof(spaces) - 1 ? n : sizeof(spaces) - 1;
		wv_str_add_n(out, spaces, some);
	}
}

static size_t width(const struct wv_columns *columns, size_t column)
{
	size_t widest = 0;

	for (size_t i = column; i < columns->cells.n; i += columns->n) {
		size_t n = strlen(columns->text.data + columns->cells.data[i]);

		if (n > widest)
			widest = n;
	}
	return widest;
}

void wv_columns_print(const struct wv_columns *columns, struct wv_str *out)
{
	size_t *widths = calloc(columns->n + 1, sizeof(*widths));

	if (!widths || columns->text.failed || !columns->n) {
		out->failed |= !widths || columns->text.failed;
		free(widths);
		return;
	}
	for (size_t i = 0; i < columns->n; i++)
		widths[i] = width(columns, i);
	for (size_t i = 0; i + columns->n <= columns->cells.n; i += columns->n) {
		size_t owed = 0; /* spaces, written when something follows them */

		for (size_t k = 0; k < columns->n; k++) {
			const char *cell = columns->text.data + columns->cells.data[i + k];
			size_t n = strlen(cell);

			if (n) {
				add_spaces(out, owed);
				wv_str_add_n(out, cell, n);
			}
			owed = (n ? 0 : owed) + widths[k] - n + (widths[k] ? GAP : 0);
		}
		wv_str_add(out, "\n");
	}
	free(widths);
}
