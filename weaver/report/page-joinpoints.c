// SPDX-License-Identifier: GPL-2.0-or-later
/* Collects joinpoints and their source; see page-joinpoints.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json-writer.h"
#include "base/notation.h"
#include "report/page-joinpoints.h"
#include "splice/refusal.h"
#include "splice/totals.h"

enum {
	/* number of lines of source before and after a joinpoint; page/source.js has it, too */
	LINES_AROUND = 3,
	SOURCE_MAX = 256 * 1024,     /* maximum number of bytes of source in a page */
	LINE_MAX_BYTES = 200,	     /* length in bytes at which lines are cut */
};

/* ---- collecting joinpoints ------------------------------------------------------------------- */

static int add_joinpoint(const struct wv_aspect_module *module, size_t index,
			 struct wv_page_joinpoints *ret, struct wv_error *error)
{
	const struct weft_joinpoint *joinpoint = &module->joinpoints[index];
	struct wv_page_joinpoint *new = wv_vec_push(&ret->list);

	if (!new)
		return wv_no_memory(error);
	new->splice = "";
	new->text.index = (uint32_t)index;
	new->text.line = joinpoint->line;
	new->text.column = joinpoint->column;
	new->text.symbol_offset = joinpoint->symbol_offset;
	snprintf(new->text.what, sizeof(new->text.what), "%s",
		 wv_aspect_module_string(module, joinpoint->what));
	snprintf(new->text.symbol, sizeof(new->text.symbol), "%s",
		 wv_aspect_module_string(module, joinpoint->symbol));
	snprintf(new->text.function, sizeof(new->text.function), "%s",
		 wv_aspect_module_string(module, joinpoint->function));
	snprintf(new->text.file, sizeof(new->text.file), "%s",
		 wv_aspect_module_string(module, joinpoint->file));
	return 0;
}

int wv_page_joinpoints_of_module(const struct wv_aspect_module *module,
				 const struct wv_summary *summary,
				 struct wv_page_joinpoints *ret, struct wv_error *error)
{
	int err = 0;

	memset(ret, 0, sizeof(*ret));
	ret->all = module->n;
	for (size_t i = 0; !err && i < module->n && i < WV_PAGE_JOINPOINTS_MAX; i++)
		err = add_joinpoint(module, i, ret, error);
	if (err) {
		wv_page_joinpoints_deinit(ret);
		return err;
	}
	wv_vec_for_each(splice, &summary->woven.splices)
		if (splice->joinpoint < ret->list.n)
			ret->list.data[splice->joinpoint].splice =
				wv_splice_name(wv_splice_of_kind(splice->kind));
	wv_vec_for_each(splice, &summary->refused.splices)
		if (splice->joinpoint < ret->list.n)
			ret->list.data[splice->joinpoint].splice =
				wv_refusal_name(splice->refusal);
	return 0;
}

int wv_page_joinpoints_of_kernel(const struct wv_device *device, const struct weft_status *status,
				 struct wv_page_joinpoints *ret, struct wv_error *error)
{
	memset(ret, 0, sizeof(*ret));
	ret->all = status->nr_joinpoints;
	for (uint32_t i = 0; i < status->nr_joinpoints && i < WV_PAGE_JOINPOINTS_MAX; i++) {
		struct wv_page_joinpoint *new = wv_vec_push(&ret->list);

		if (!new) {
			wv_page_joinpoints_deinit(ret);
			return wv_no_memory(error);
		}
		new->splice = "";
		wv_device_joinpoint(device, status->name, i, &new->text);
	}
	return 0;
}

void wv_page_joinpoints_deinit(struct wv_page_joinpoints *joinpoints)
{
	wv_vec_deinit(&joinpoints->list);
}

void wv_page_joinpoints_json(const struct wv_page_joinpoints *joinpoints, struct wv_str *out)
{
	struct wv_json json = WV_JSON(out);

	wv_vec_for_each(joinpoint, &joinpoints->list) {
		const struct weft_joinpoint_text *text = &joinpoint->text;

		if (!text->symbol[0])
			continue;
		wv_json_begin_object(&json, NULL);
		wv_json_text(&json, "shadow",
			     wv_symbol_text(text->symbol, text->symbol_offset).text);
		wv_json_text(&json, "file", text->file);
		wv_json_unsigned(&json, "line", text->line);
		wv_json_end_object(&json);
	}
}

/* ---- writing source lines -------------------------------------------------------------------- */

static int by_source(const void *a, const void *b)
{
	const struct weft_joinpoint_text *const *left = a, *const *right = b;
	int order = strcmp((*left)->file, (*right)->file);

	return order ? order : ((*left)->line > (*right)->line) - ((*left)->line < (*right)->line);
}

/*
 * Adds the line @line, number @number of the file @file, to the JSON object that is open. If none
 * is open, begins one with this line, and sets *@open.
 */
static void add_line(const char *file, unsigned int number, char *line, bool *open,
		     struct wv_json *json)
{
	line[strcspn(line, "\n")] = '\0';
	if (strlen(line) > LINE_MAX_BYTES)
		line[LINE_MAX_BYTES] = '\0';
	if (!*open) {
		wv_json_begin_object(json, NULL);
		wv_json_text(json, "source", file);
		wv_json_unsigned(json, "first", number);
		wv_json_begin_array(json, "lines");
		*open = true;
	}
	wv_json_text(json, NULL, line);
}

static void close_lines(bool *open, struct wv_json *json)
{
	if (*open) {
		wv_json_end_array(json);
		wv_json_end_object(json);
	}
	*open = false;
}

/* Adds the lines around @n joinpoints of one file. @texts is sorted by line. */
static void add_file(const char *tree, const struct weft_joinpoint_text *const *texts, size_t n,
		     struct wv_str *out)
{
	_cleanup_str_ struct wv_str path = { 0 };
	_cleanup_fclose_ FILE *stream = NULL;
	_cleanup_free_ char *line = NULL;
	struct wv_json json = WV_JSON(out);
	const char *file = texts[0]->file;
	size_t room = 0, at = 0;
	bool open = false;

	if (*file == '/')
		wv_str_add(&path, file);
	else
		wv_str_addf(&path, "%s/%s", tree, file);
	stream = path.failed ? NULL : fopen(path.data, "re");
	if (!stream)
		return;
	for (unsigned int number = 1; getline(&line, &room, stream) >= 0; number++) {
		while (at < n && texts[at]->line + LINES_AROUND < number)
			at++;
		if (at == n || out->n > SOURCE_MAX)
			break;
		if (texts[at]->line && texts[at]->line <= number + LINES_AROUND)
			add_line(file, number, line, &open, &json);
		else
			close_lines(&open, &json);
	}
	close_lines(&open, &json);
}

void wv_page_joinpoints_source(const struct wv_page_joinpoints *joinpoints, const char *tree,
			       struct wv_str *out)
{
	_cleanup_free_ const struct weft_joinpoint_text **texts = NULL;
	_cleanup_str_ struct wv_str source = { 0 };
	size_t n = 0;

	texts = tree ? calloc(joinpoints->list.n + 1, sizeof(*texts)) : NULL;
	if (!texts)
		return;
	wv_vec_for_each(joinpoint, &joinpoints->list)
		if (joinpoint->text.file[0])
			texts[n++] = &joinpoint->text;
	qsort(texts, n, sizeof(*texts), by_source);
	for (size_t i = 0, end; i < n && source.n <= SOURCE_MAX; i = end) {
		for (end = i + 1; end < n && !strcmp(texts[end]->file, texts[i]->file); end++)
			;
		add_file(tree, texts + i, end - i, &source);
	}
	out->failed |= source.failed;
	wv_str_add_n(out, wv_str_text(&source), source.n);
}
