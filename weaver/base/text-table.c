// SPDX-License-Identifier: GPL-2.0-or-later
/* Text tables; see text-table.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text-table.h"

#define GAP 2
#define CELL_MAX 512

void wv_text_table_deinit(struct wv_text_table *columns)
{
	wv_str_deinit(&columns->text);
	wv_vec_deinit(&columns->cells);
}

void wv_text_table_add(struct wv_text_table *columns, const char *format, ...)
{
	char text[CELL_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	wv_text_table_text(columns, text);
}

struct wv_str *wv_text_table_begin(struct wv_text_table *columns)
{
	size_t *start = wv_vec_push(&columns->cells);

	if (start)
		*start = columns->text.n;
	else
		columns->text.failed = true;
	return &columns->text;
}

void wv_text_table_end(struct wv_text_table *columns)
{
	struct wv_str *text = &columns->text;
	size_t start;

	wv_str_add_n(text, "", 1);
	if (text->failed)
		return;
	start = columns->cells.data[columns->cells.n - 1];
	if (text->n - start > CELL_MAX)
		text->data[start + CELL_MAX - 1] = '\0';
	text->n = start + wv_one_line(text->data + start) + 1;
}

void wv_text_table_text(struct wv_text_table *columns, const char *cell)
{
	wv_str_add_n(wv_text_table_begin(columns), cell, strnlen(cell, CELL_MAX - 1));
	wv_text_table_end(columns);
}

static void add_spaces(struct wv_str *out, size_t n)
{
	static const char spaces[] =
		"                                                                ";

	for (size_t some; n; n -= some) {
		some = n < sizeof(spaces) - 1 ? n : sizeof(spaces) - 1;
		wv_str_add_n(out, spaces, some);
	}
}

/* The length of a cell without its NUL, which is the byte before the next cell. */
static size_t length(const struct wv_text_table *columns, size_t cell)
{
	size_t end = cell + 1 < columns->cells.n ? columns->cells.data[cell + 1] : columns->text.n;

	return end - columns->cells.data[cell] - 1;
}

static size_t width(const struct wv_text_table *columns, size_t column)
{
	size_t widest = 0;

	for (size_t i = column; i < columns->cells.n; i += columns->n) {
		size_t n = length(columns, i);

		if (n > widest)
			widest = n;
	}
	return widest;
}

void wv_text_table_print(const struct wv_text_table *columns, struct wv_str *out)
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
		size_t owed = 0; /* spaces to write before the next cell that is not empty */

		for (size_t k = 0; k < columns->n; k++) {
			const char *cell = columns->text.data + columns->cells.data[i + k];
			size_t n = length(columns, i + k);

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
