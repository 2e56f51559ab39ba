// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the aspect of `weft ktrace`; see ktrace-aspect.h. */
#include <stdio.h>
#include <string.h>

#include "aspect/oneliner/ktrace-aspect.h"
#include "base/suggest.h"

static const char event_mark[] = "  <!-- event ", variable_mark[] = "  <!-- variable ";
static const char aspect_line[] = "<aspect name=\"ktrace\">\n";

/* ---- the sections of the file ---------------------------------------------------------------- */

static bool begins(const char *at, const char *with)
{
	return !strncmp(at, with, strlen(with));
}

static const char *line_end(const char *at)
{
	at += strcspn(at, "\n");
	return *at ? at + 1 : at;
}

/* Reads the line "<!-- event NAME of EVENT, EVENT: WHAT -->" at @at, if it is one. */
static bool read_section(const char *at, struct wv_ktrace_section *ret)
{
	*ret = (struct wv_ktrace_section){ .is_event = begins(at, event_mark) };
	if (!ret->is_event && !begins(at, variable_mark))
		return false;
	at += strlen(ret->is_event ? event_mark : variable_mark);
	ret->name = at;
	ret->name_n = strcspn(at, " :");
	at += ret->name_n;
	if (begins(at, " of ")) {
		ret->of = at + 4;
		ret->of_n = strcspn(ret->of, ":");
		at = ret->of + ret->of_n;
	}
	ret->what = at + strspn(at, ": ");
	ret->what_n = (size_t)(strstr(ret->what, " -->") - ret->what);
	return true;
}

bool wv_ktrace_next_section(const char **at, struct wv_ktrace_section *ret)
{
	bool found = false;

	while (!found && **at) {
		found = read_section(*at, ret);
		*at = line_end(*at);
	}
	return found;
}

bool wv_ktrace_names(const char *names, const char *name, size_t n)
{
	if (!strcmp(names, "all"))
		return true;
	while (*names) {
		const size_t length = strcspn(names, ", ");

		if (length == n && !memcmp(names, name, n))
			return true;
		names += length;
		names += strspn(names, ", ");
	}
	return false;
}

static bool is_chosen(const struct wv_ktrace_asked *asked, const struct wv_ktrace_section *section)
{
	const char *variables = asked->variables ? asked->variables : WV_KTRACE_USUAL;

	return wv_ktrace_names(section->is_event ? asked->events : variables, section->name,
			       section->name_n);
}

/* ---- checks of what is asked for ------------------------------------------------------------- */

/* Returns whether the file has an event (@events), or else a variable, with this name. */
static bool is_known(bool events, const char *name, size_t n, struct wv_suggestion *suggestion)
{
	const char *at = wv_ktrace_whole;
	struct wv_ktrace_section section;

	while (wv_ktrace_next_section(&at, &section)) {
		char text[64];

		if (section.is_event != events)
			continue;
		if (section.name_n == n && !memcmp(section.name, name, n))
			return true;
		snprintf(text, sizeof(text), "%.*s", (int)section.name_n, section.name);
		wv_suggestion_offer(suggestion, text);
	}
	return false;
}

static int check_names(bool events, const char *names, struct wv_error *error)
{
	if (!strcmp(names, "all"))
		return 0;
	names += strspn(names, ", ");
	if (events && !*names)
		return wv_fail(error, WV_E_USAGE, "--events names no event");
	while (*names) {
		const size_t n = strcspn(names, ", ");
		char wanted[64], hint[256];
		struct wv_suggestion suggestion = { .wanted = wanted };

		snprintf(wanted, sizeof(wanted), "%.*s", (int)n, names);
		if (!is_known(events, names, n, &suggestion))
			return wv_fail(error, WV_E_USAGE, "no %s '%s'%s",
				       events ? "event" : "variable", wanted,
				       wv_suggestion_text(&suggestion, hint, sizeof(hint)));
		names += n;
		names += strspn(names, ", ");
	}
	return 0;
}

/*
 * Returns whether the variable @section will be stored: each event stores it, or one of the events
 * that were asked for does.
 */
static bool is_stored(const struct wv_ktrace_asked *asked, const struct wv_ktrace_section *section)
{
	const char *of = section->of, *end = of + section->of_n;

	if (!section->of_n)
		return true;
	while (of < end) {
		const size_t n = strcspn(of, ",:");

		if (wv_ktrace_names(asked->events, of, n))
			return true;
		of += n;
		of += strspn(of, ", ");
	}
	return false;
}

static int check(const struct wv_ktrace_asked *asked, struct wv_error *error)
{
	int err = check_names(true, asked->events, error);
	const char *at = wv_ktrace_whole;
	struct wv_ktrace_section section;

	if (err || !asked->variables)
		return err;
	err = check_names(false, asked->variables, error);
	while (!err && wv_ktrace_next_section(&at, &section))
		if (!section.is_event && strcmp(asked->variables, "all") &&
		    is_chosen(asked, &section) && !is_stored(asked, &section))
			err = wv_fail(error, WV_E_USAGE,
				      "the variable %.*s is stored at the events %.*s alone",
				      (int)section.name_n, section.name, (int)section.of_n,
				      section.of);
	return err;
}

/* ---- the aspect ------------------------------------------------------------------------------ */

/*
 * Returns whether the line @line belongs to a variable that was not asked for, or that none of the
 * events stores. Such a line begins with ktrace_NAME(). NAME is the variable's name, with '_' for
 * each '-'.
 */
static bool is_left_out(const struct wv_ktrace_asked *asked, const char *line)
{
	const char *at = wv_ktrace_whole;
	struct wv_ktrace_section section;

	line += strspn(line, " ");
	if (!begins(line, "ktrace_"))
		return false;
	line += strlen("ktrace_");
	while (wv_ktrace_next_section(&at, &section)) {
		size_t n = 0;

		if (section.is_event)
			continue;
		while (n < section.name_n &&
		       line[n] == (section.name[n] == '-' ? '_' : section.name[n]))
			n++;
		if (n == section.name_n && line[n] == '(')
			return !is_chosen(asked, &section) || !is_stored(asked, &section);
	}
	return false;
}

static void add_lines(const struct wv_ktrace_asked *asked, const char *at, struct wv_str *out)
{
	struct wv_ktrace_section section;
	bool skip = false;

	for (const char *end; *at; at = end) {
		end = line_end(at);
		if (read_section(at, &section))
			skip = !is_chosen(asked, &section) || !is_stored(asked, &section);
		/* If the last section was left out, also remove the empty line before it. */
		if (begins(at, "</aspect>") && out->n > 1 && out->data[out->n - 2] == '\n')
			out->data[--out->n] = '\0';
		if (!skip && !is_left_out(asked, at))
			wv_str_addf(out, "%.*s", (int)(end - at), at);
		/* A section ends at an empty line; the last one ends before </aspect>. */
		if (*at == '\n' || begins(end, "</aspect>"))
			skip = false;
	}
}

int wv_ktrace_make(const struct wv_ktrace_asked *asked, struct wv_oneliner_made *ret,
		   struct wv_error *error)
{
	const char *name = asked->name ? asked->name : "ktrace";
	int err;

	*ret = (struct wv_oneliner_made){ 0 };
	err = check(asked, error);
	if (err)
		return err;
	snprintf(ret->file, sizeof(ret->file), "%s.xml", name);
	wv_str_addf(&ret->xml, "<aspect name=\"%s\">\n", name);
	add_lines(asked, strstr(wv_ktrace_whole, aspect_line) + strlen(aspect_line), &ret->xml);
	if (!ret->xml.failed)
		return 0;
	wv_oneliner_made_deinit(ret);
	return wv_no_memory(error);
}

/* ---- help ------------------------------------------------------------------------------------ */

static void list(bool events, struct wv_str *out)
{
	const char *at = wv_ktrace_whole;
	struct wv_ktrace_section section;

	while (wv_ktrace_next_section(&at, &section)) {
		if (section.is_event != events)
			continue;
		wv_str_addf(out, "  %-16.*s %.*s", (int)section.name_n, section.name,
			    (int)section.what_n, section.what);
		if (section.of_n)
			wv_str_addf(out, " (%.*s)", (int)section.of_n, section.of);
		wv_str_add(out, "\n");
	}
}

void wv_ktrace_list(struct wv_str *out)
{
	wv_str_add(out, "The events:\n");
	list(true, out);
	wv_str_add(out, "\nThe variables (in brackets: the events that alone store it):\n");
	list(false, out);
	wv_str_add(out, "\n");
}
