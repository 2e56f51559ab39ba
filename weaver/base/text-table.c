// SPDX-License-Identifier: GPL-2.0-or-later
/* Text tables; see text-table.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text-table.h"

#define GAP 2
#define CELL_MAX 512

void wv_text_table_deinit(struct wv_text_table *table)
{
	wv_str_deinit(&table->text);
	wv_vec_deinit(&table->cells);
}

void wv_text_table_add(struct wv_text_table *table, const char *format, ...)
{
	char text[CELL_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	wv_text_table_text(table, text);
}

struct wv_str *wv_text_table_begin(struct wv_text_table *table)
{
	size_t *start = wv_vec_push(&table->cells);

	if (start)
		*start = table->text.n;
	else
		table->text.failed = true;
	return &table->text;
}

void wv_text_table_end(struct wv_text_table *table)
{
	struct wv_str *text = &table->text;
	size_t start;

	wv_str_add_n(text, "", 1);
	if (text->failed)
		return;
	start = table->cells.data[table->cells.n - 1];
	if (text->n - start > CELL_MAX)
		text->data[start + CELL_MAX - 1] = '\0';
	text->n = start + wv_one_line(text->data + start) + 1;
}

void wv_text_table_text(struct wv_text_table *table, const char *cell)
{
	wv_str_add_n(wv_text_table_begin(table), cell, strnlen(cell, CELL_MAX - 1));
	wv_text_table_end(table);
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

/* Returns the length of cell @cell, without its NUL. The cell ends where the next one begins. */
static size_t length(const struct wv_text_table *table, size_t cell)
{
	size_t end = cell + 1 < table->cells.n ? table->cells.data[cell + 1] : table->text.n;

	return end - table->cells.data[cell] - 1;
}

static size_t width(const struct wv_text_table *table, size_t column)
{
	size_t widest = 0;

	for (size_t i = column; i < table->cells.n; i += table->n) {
		size_t n = length(table, i);

		if (n > widest)
			widest = n;
	}
	return widest;
}

void wv_text_table_print(const struct wv_text_table *table, struct wv_str *out)
{
	size_t *widths = calloc(table->n + 1, sizeof(*widths));

	if (!widths || table->text.failed || !table->n) {
		out->failed |= !widths || table->text.failed;
		free(widths);
		return;
	}
	for (size_t i = 0; i < table->n; i++)
		widths[i] = width(table, i);
	for (size_t i = 0; i + table->n <= table->cells.n; i += table->n) {
		size_t owed = 0; /* spaces to write before the next nonempty cell of the row */

		for (size_t k = 0; k < table->n; k++) {
			const char *cell = table->text.data + table->cells.data[i + k];
			size_t n = length(table, i + k);

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
