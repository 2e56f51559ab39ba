// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes and reads a recording's table; see table.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole-file.h"
#include "trace/table.h"

enum { VERSION = 3, VALUES_MAX = 10, STATEMENT_MOST = 0xffd };

/* ---- writing the table ----------------------------------------------------------------------- */

static void add_value(struct wv_str *out, const char *text)
{
	wv_str_add(out, "\t");
	for (; *text; text++) {
		if (*text == '\\')
			wv_str_add(out, "\\\\");
		else if (*text == '\t')
			wv_str_add(out, "\\t");
		else if (*text == '\n')
			wv_str_add(out, "\\n");
		else
			wv_str_add_n(out, text, 1);
	}
}

static void add_hex(struct wv_str *out, const uint8_t *bytes, size_t n)
{
	wv_str_add(out, "\t");
	for (size_t i = 0; i < n; i++)
		wv_str_addf(out, "%02x", bytes[i]);
}

void wv_trace_write_about(const struct wv_trace_about *about, struct wv_str *out)
{
	wv_str_addf(out, "weft\t%d\naspect", VERSION);
	add_value(out, about->aspect);
	wv_str_add(out, "\nhost");
	add_value(out, about->host);
	wv_str_add(out, "\nrelease");
	add_value(out, about->release);
	wv_str_add(out, "\nbuild-id");
	add_value(out, about->build_id);
	wv_str_add(out, "\nuuid");
	add_hex(out, about->uuid, sizeof(about->uuid));
	wv_str_addf(out, "\noffset\t%" PRIu64 "\npacked\t%" PRIu32 "\n", about->offset,
		    about->packed);
}

void wv_trace_write_joinpoints(const struct wv_aspect_module *module, struct wv_str *out)
{
	for (size_t i = 0; i < module->n; i++) {
		const struct weft_joinpoint *point = &module->joinpoints[i];
		const struct weft_text_part *part = &module->parts[point->part];

		wv_str_add(out, "joinpoint");
		add_value(out, wv_aspect_module_string(module, point->what));
		add_value(out, wv_aspect_module_string(module, point->symbol));
		add_value(out, wv_aspect_module_string(module, point->function));
		add_value(out, wv_aspect_module_string(module, point->file));
		add_value(out, wv_aspect_module_string(module, part->module));
		wv_str_addf(out, "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\n", point->symbol_offset,
			    point->line, point->column);
	}
}

void wv_trace_write_statement(const struct wv_trace_statement *statement, struct wv_str *out)
{
	wv_str_addf(out, "statement\t%" PRIu32 "\t%d", statement->index, (int)statement->content);
	add_value(out, statement->format);
	add_value(out, statement->names);
	wv_str_add(out, "\n");
}

void wv_trace_write_symbol(const struct wv_trace_symbol *symbol, struct wv_str *out)
{
	wv_str_addf(out, "symbol\t%" PRIu64 "\t%" PRIu64, symbol->begin, symbol->end);
	add_value(out, symbol->name);
	add_value(out, symbol->module);
	wv_str_add(out, "\n");
}

/* ---- reading the table ----------------------------------------------------------------------- */

struct line {
	const char *path;
	unsigned int number;
	char *word, *values[VALUES_MAX];
	size_t n;
};

static int damaged(const struct line *line, const char *what, struct wv_error *error)
{
	return wv_fail_at(error, WV_E_FORMAT, line->path, line->number, 0,
			  "not a recording's table: %s", what);
}

/* Undoes the escapes that add_value() writes, in place. */
static void unescape(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (*text == '\\' && text[1]) {
			text++;
			*to++ = *text == 't' ? '\t' : *text == 'n' ? '\n' : *text;
		} else {
			*to++ = *text;
		}
	}
	*to = '\0';
}

static int split(struct line *line, char *text, struct wv_error *error)
{
	line->word = strsep(&text, "\t");
	for (line->n = 0; text; line->n++) {
		if (line->n == VALUES_MAX)
			return damaged(line, "too many values", error);
		line->values[line->n] = strsep(&text, "\t");
		unescape(line->values[line->n]);
	}
	return 0;
}

static bool number_of(const char *text, uint64_t most, uint64_t *ret)
{
	char *end;

	errno = 0;
	*ret = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno && *ret <= most;
}

static bool bytes_of(const char *text, uint8_t *ret, size_t n)
{
	if (strlen(text) != 2 * n || strspn(text, "0123456789abcdef") != 2 * n)
		return false;
	for (size_t i = 0; i < n; i++)
		ret[i] = (uint8_t)strtoul((char[]){ text[2 * i], text[2 * i + 1], '\0' }, NULL, 16);
	return true;
}

static int read_joinpoint(struct wv_trace_table *table, const struct line *line,
			  struct wv_error *error)
{
	struct wv_trace_joinpoint *point;
	uint64_t numbers[3];

	if (line->n != 8)
		return damaged(line, "a joinpoint with other values", error);
	for (size_t i = 0; i < 3; i++)
		if (!number_of(line->values[5 + i], UINT32_MAX, &numbers[i]))
			return damaged(line, "a joinpoint with no number", error);
	point = wv_vec_push(&table->joinpoints);
	if (!point)
		return wv_no_memory(error);
	*point = (struct wv_trace_joinpoint){
		.what = line->values[0],
		.symbol = line->values[1],
		.function = line->values[2],
		.file = line->values[3],
		.module = line->values[4],
		.symbol_offset = (uint32_t)numbers[0],
		.line = (uint32_t)numbers[1],
		.column = (uint32_t)numbers[2],
	};
	return 0;
}

static int read_statement(struct wv_trace_table *table, const struct line *line,
			  struct wv_error *error)
{
	struct wv_trace_statement *statement;
	uint64_t index, content;

	if (line->n != 4 || !number_of(line->values[0], STATEMENT_MOST, &index) ||
	    !number_of(line->values[1], WEFT_CONTENT_PACKED, &content))
		return damaged(line, "a statement with other values", error);
	if (wv_trace_statement_find(table, (uint32_t)index))
		return damaged(line, "a statement that is there already", error);
	statement = wv_vec_push(&table->statements);
	if (!statement)
		return wv_no_memory(error);
	*statement = (struct wv_trace_statement){
		.index = (uint32_t)index,
		.content = (enum weft_content)content,
		.format = line->values[2],
		.names = line->values[3],
	};
	return wv_fields_of_format(statement->format, statement->content, table->about.packed,
				   &statement->fields, error);
}

static int read_symbol(struct wv_trace_table *table, const struct line *line,
		       struct wv_error *error)
{
	const struct wv_trace_symbol *before =
		table->symbols.n ? &table->symbols.data[table->symbols.n - 1] : NULL;
	struct wv_trace_symbol *symbol;
	uint64_t begin, end;

	if (line->n != 4 || !number_of(line->values[0], UINT64_MAX, &begin) ||
	    !number_of(line->values[1], UINT64_MAX, &end) || begin >= end ||
	    (before && begin < before->end))
		return damaged(line, "a symbol with other values", error);
	symbol = wv_vec_push(&table->symbols);
	if (!symbol)
		return wv_no_memory(error);
	*symbol = (struct wv_trace_symbol){ begin, end, line->values[2], line->values[3] };
	return 0;
}

static int read_about(struct wv_trace_table *table, const struct line *line, struct wv_error *error)
{
	struct wv_trace_about *about = &table->about;
	const struct {
		const char *word, **text;
	} texts[] = {
		{ "aspect", &about->aspect },
		{ "host", &about->host },
		{ "release", &about->release },
		{ "build-id", &about->build_id },
	};
	uint64_t number = 0;

	if (line->n != 1)
		return damaged(line, "a line with other values", error);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (!strcmp(line->word, texts[i].word)) {
			*texts[i].text = line->values[0];
			return 0;
		}
	}
	if (!strcmp(line->word, "uuid"))
		return bytes_of(line->values[0], about->uuid, sizeof(about->uuid))
			       ? 0
			       : damaged(line, "no uuid", error);
	if (strcmp(line->word, "offset") && strcmp(line->word, "packed"))
		return damaged(line, "a word that is not known", error);
	if (!number_of(line->values[0], *line->word == 'o' ? UINT64_MAX : UINT32_MAX, &number))
		return damaged(line, "no number", error);
	if (*line->word == 'o')
		about->offset = number;
	else
		about->packed = (uint32_t)number;
	return 0;
}

static int read_line(struct wv_trace_table *table, struct line *line, struct wv_error *error)
{
	uint64_t version;

	if (line->number == 1 && (strcmp(line->word, "weft") || line->n != 1))
		return damaged(line, "it does not begin as one", error);
	if (line->number == 1)
		return number_of(line->values[0], UINT32_MAX, &version) && version == VERSION
			       ? 0
			       : damaged(line, "it is of another version of weft", error);
	if (!strcmp(line->word, "joinpoint"))
		return read_joinpoint(table, line, error);
	if (!strcmp(line->word, "statement"))
		return read_statement(table, line, error);
	if (!strcmp(line->word, "symbol"))
		return read_symbol(table, line, error);
	return read_about(table, line, error);
}

int wv_trace_table_read(const char *path, struct wv_trace_table *ret, struct wv_error *error)
{
	struct line line = { .path = path };
	struct wv_str text = { 0 };
	int err = wv_whole_file(path, &text, error);
	char *at, *end;

	*ret = (struct wv_trace_table){ .about = { "", "", "", "" } };
	if (err) {
		wv_str_deinit(&text);
		return err;
	}
	ret->text = text.data;
	at = text.data ? text.data : (char[]){ "" };
	if (text.data && strlen(text.data) != text.n)
		err = damaged(&line, "it has a byte that is 0", error);
	for (; !err && (end = strchr(at, '\n')); at = end + 1) {
		*end = '\0';
		line.number++;
		err = split(&line, at, error);
		if (!err)
			err = read_line(ret, &line, error);
	}
	if (!err && !line.number)
		err = damaged(&line, "it is empty", error);
	if (err)
		wv_trace_table_deinit(ret);
	return err;
}

void wv_trace_table_deinit(struct wv_trace_table *table)
{
	wv_vec_deinit(&table->joinpoints);
	wv_vec_deinit(&table->statements);
	wv_vec_deinit(&table->symbols);
	free(table->text);
	table->text = NULL;
}

const struct wv_trace_statement *wv_trace_statement_find(const struct wv_trace_table *table,
							 uint32_t index)
{
	wv_vec_for_each(statement, &table->statements)
		if (statement->index == index)
			return statement;
	return NULL;
}

static int by_address(const void *address_, const void *symbol_)
{
	const uint64_t address = *(const uint64_t *)address_;
	const struct wv_trace_symbol *symbol = symbol_;

	return address < symbol->begin ? -1 : address >= symbol->end;
}

const struct wv_trace_symbol *wv_trace_symbol_find(const void *table_, uint64_t address)
{
	const struct wv_trace_table *table = table_;

	return table->symbols.n ? bsearch(&address, table->symbols.data, table->symbols.n,
					  sizeof(*table->symbols.data), by_address)
				: NULL;
}
