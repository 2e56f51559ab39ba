// SPDX-License-Identifier: GPL-2.0-or-later
/* Collects the content of a session's page; see session-page.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/replace.h"
#include "cmds/session-page.h"

enum { RECORDS_MAX = 256 * 1024 }; /* maximum number of bytes of records in a page */

static void count_splices(const struct wv_summary *summary, struct wv_totals *ret)
{
	memset(ret, 0, sizeof(*ret));
	wv_vec_for_each(splice, &summary->woven.splices)
		wv_totals_add(ret, wv_splice_of_kind(splice->kind), WEFT_REFUSAL_NONE);
	wv_vec_for_each(splice, &summary->refused.splices)
		wv_totals_add(ret, WV_SPLICE_REFUSED, splice->refusal);
	ret->uprobes = summary->uprobes;
	ret->matched += summary->uprobes;
}

int wv_session_page_begin(struct wv_session_page *page, const struct wv_page_wanted *wanted,
			  const struct wv_device *device, const struct wv_aspect_module *module,
			  const struct wv_summary *summary, struct wv_error *error)
{
	memset(page, 0, sizeof(*page));
	page->wanted = wanted;
	if (!wanted->path)
		return 0;
	page->printer.device = device;
	page->printer.aspect = module->header.name;
	page->printer.json = true;
	count_splices(summary, &page->totals);
	wv_samples_begin(&page->samples, wv_clock_ns(), WV_INTERVAL_NS);
	return wv_page_joinpoints_of_module(module, summary, &page->places, error);
}

int wv_session_page_sample(struct wv_session_page *page, const char *name, struct wv_error *error)
{
	struct wv_readings readings;
	int err;

	if (!page->wanted || !page->wanted->path ||
	    !wv_samples_are_due(&page->samples, wv_clock_ns()))
		return 0;
	err = wv_readings_get(page->printer.device, name, &readings, error);
	if (err)
		return err == -WV_E_STATE ? 0 : err;
	err = wv_samples_add(&page->samples, &readings, wv_clock_ns(), error);
	wv_readings_deinit(&readings);
	return err;
}

int wv_session_page_records(struct wv_session_page *page, const void *buffer, size_t used,
			    struct wv_error *error)
{
	_cleanup_free_ char *text = NULL;
	FILE *stream;
	size_t n = 0;
	int err;

	if (!page->wanted || !page->wanted->path)
		return 0;
	stream = open_memstream(&text, &n);
	if (!stream)
		return wv_no_memory(error);
	err = wv_records_print(&page->printer, stream, buffer, used, error);
	if (fclose(stream) && !err)
		err = wv_no_memory(error);
	for (char *line = text, *end; !err && line && *line; line = end) {
		end = strchrnul(line, '\n');
		end += *end == '\n';
		if (!page->left_out && page->records.n + (size_t)(end - line) <= RECORDS_MAX)
			wv_str_add_n(&page->records, line, (size_t)(end - line));
		else
			page->left_out++;
	}
	return !err && page->records.failed ? wv_no_memory(error) : err;
}

static void add_command(char **command, struct wv_str *out)
{
	for (; command && *command; command++)
		wv_str_addf(out, "%s%s", out->n ? " " : "", *command);
}

int wv_session_page_write(struct wv_session_page *page, const struct weft_status *status,
			  const struct wv_readings *readings, const struct wv_once *once,
			  struct wv_error *error)
{
	_cleanup_str_ struct wv_str text = { 0 }, command = { 0 };
	struct wv_page_facts facts;
	int err;

	if (!page->wanted || !page->wanted->path)
		return 0;
	err = wv_samples_add(&page->samples, readings, wv_clock_ns(), error);
	if (err)
		return err;
	add_command(page->wanted->command, &command);
	wv_page_facts_get(&facts);
	wv_page_html(&(struct wv_page){ .facts = &facts, .status = status, .totals = &page->totals,
					.readings = readings, .once = once,
					.places = &page->places, .samples = &page->samples,
					.command = command.data, .xml = page->wanted->xml,
					.records = page->records.data,
					.records_left_out = page->left_out,
					.drill = page->wanted->drill ? page->wanted->drill->data :
								       NULL,
					.tree = page->wanted->tree },
		     &text);
	if (text.failed || command.failed)
		return wv_no_memory(error);
	return wv_replace_file(page->wanted->path, (const unsigned char *)text.data, text.n, error);
}

void wv_session_page_deinit(struct wv_session_page *page)
{
	wv_page_joinpoints_deinit(&page->places);
	wv_samples_deinit(&page->samples);
	wv_record_printer_deinit(&page->printer);
	wv_str_deinit(&page->records);
}
