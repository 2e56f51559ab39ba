// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses the messages of the compiler and of modpost; see diagnose.h. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "module/diagnose.h"
#include "aspect/generate/generate.h"
#include "aspect/language/advice-code.h"
#include "module/headers.h"
#include "aspect/language/lexer.h"
#include "module/wording.h"
#include "base/notation.h"

/* A message in GCC's format, "FILE:LINE:COLUMN: KIND: TEXT". */
struct message {
	char file[256], kind[16], text[512];
	struct wv_text_location location;
};

struct diagnosis {
	const struct wv_aspect *aspect;
	const char *kernel;
	struct wv_str *report;
	/*
	 * The last message whose location is in a macro or a header, if .has_inside. GCC adds a
	 * note "in expansion of macro", whose location is the line of the XML. The message is
	 * reported at that line.
	 */
	struct message inside;
	bool has_inside;
	size_t errors; /* number of errors with a location in the XML */
	/* the type whose header was searched last, and that header; "": none found */
	char type[128], header[256];
	char other[512]; /* the first error with no location in the XML; "": none */
};

static bool parse_number(const char **text, unsigned int *ret)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	*ret = strtoul(*text, &end, 10);
	if (*end != ':')
		return false;
	*text = end + 1;
	return true;
}

static bool parse_message(const char *line, struct message *ret)
{
	static const char *const kinds[] = { "error", "fatal error", "warning", "note" };
	const char *colon = strchr(line, ':'), *rest;

	memset(ret, 0, sizeof(*ret));
	if (!colon)
		return false;
	rest = colon + 1;
	if (!parse_number(&rest, &ret->location.line))
		return false;
	parse_number(&rest, &ret->location.column);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t n = strlen(kinds[i]);

		if (strncmp(rest, " ", 1) || strncmp(rest + 1, kinds[i], n) ||
		    strncmp(rest + 1 + n, ": ", 2))
			continue;
		snprintf(ret->file, sizeof(ret->file), "%.*s", (int)(colon - line), line);
		snprintf(ret->kind, sizeof(ret->kind), "%s",
			 strstr(kinds[i], "error") ? "error" : kinds[i]);
		snprintf(ret->text, sizeof(ret->text), "%s", rest + 1 + n + 2);
		return true;
	}
	return false;
}

/*
 * Appends the message, the line of the XML that the message is about, and a caret below the column.
 * Tabs before the caret are kept, so that the caret is below the right character.
 */
static void report(struct diagnosis *diagnosis, const char *kind, struct wv_text_location location,
		   const char *text)
{
	const struct wv_xml *xml = diagnosis->aspect->xml;
	_cleanup_str_ struct wv_str message = { 0 };
	const char *line;

	wv_str_add_source(&message, diagnosis->aspect->path, location.line, location.column);
	wv_str_addf(&message, ": %s: %s\n", kind, text);
	/* C that occurs twice in the module gives each message twice: report it once. */
	if (message.failed ||
	    (diagnosis->report->data && strstr(diagnosis->report->data, message.data)))
		return;
	diagnosis->errors += !strcmp(kind, "error");
	wv_str_add(diagnosis->report, message.data);
	if (!location.line || location.line > xml->lines.n)
		return;
	line = xml->bytes + xml->lines.data[location.line - 1];
	wv_str_addf(diagnosis->report, "    %.*s\n    ", (int)strcspn(line, "\r\n"), line);
	for (unsigned int i = 1; i < location.column && line[i - 1] && line[i - 1] != '\n'; i++)
		wv_str_add(diagnosis->report, line[i - 1] == '\t' ? "\t" : " ");
	wv_str_add(diagnosis->report, "^\n");
}

static bool is_of_xml(const struct diagnosis *diagnosis, const struct message *message)
{
	return !strcmp(message->file, wv_base_name(diagnosis->aspect->path));
}

/*
 * If the message is "linux/nothing.h: No such file or directory", reports it at the <include> that
 * names this header. False: no <include> does.
 */
static bool blame_include(struct diagnosis *diagnosis, const struct message *message)
{
	wv_vec_for_each(include, &diagnosis->aspect->includes) {
		size_t n = strlen(include->header);
		struct wv_suggestion suggestion;
		char hint[512], text[sizeof(message->text) + sizeof(hint)];

		if (strncmp(message->text, include->header, n) || message->text[n] != ':')
			continue;
		wv_headers_suggest(diagnosis->kernel, include->header, &suggestion);
		snprintf(text, sizeof(text), "%s%s", message->text,
			 wv_suggestion_text(&suggestion, hint, sizeof(hint)));
		report(diagnosis, "error", include->location, text);
		return true;
	}
	return false;
}

/* Extracts the undefined type from a message about one, without quotes. False: another message. */
static bool find_undefined(const char *text, char *ret, size_t size)
{
	static const char *const words[] = { "undefined type '", "incomplete type '" };
	const char *at = NULL;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words) && !at; i++) {
		at = strstr(text, words[i]);
		at = at ? at + strlen(words[i]) : NULL;
	}
	if (!at)
		return false;
	at += strncmp(at, "const ", 6) ? 0 : 6;
	snprintf(ret, size, "%.*s", (int)strcspn(at, "'"), at);
	return !strncmp(ret, "struct ", 7) || !strncmp(ret, "union ", 6);
}

/*
 * Returns the header that defines @type; "" if none was found. The result of the last search is
 * cached, because one missing type often causes many messages.
 */
static const char *header_of(struct diagnosis *diagnosis, const char *type)
{
	if (strcmp(type, diagnosis->type)) {
		snprintf(diagnosis->type, sizeof(diagnosis->type), "%s", type);
		wv_headers_define(diagnosis->kernel, type, diagnosis->header,
				  sizeof(diagnosis->header));
	}
	return diagnosis->header;
}

/*
 * Reports a message of GCC at a location of the XML. If a type is undefined, adds the name of the
 * header that defines it.
 */
static void report_c(struct diagnosis *diagnosis, const struct message *message,
		     struct wv_text_location location)
{
	char type[sizeof(diagnosis->type)],
		text[sizeof(message->text) + sizeof(diagnosis->header) + 64];

	snprintf(text, sizeof(text), "%s", message->text);
	wv_wording(diagnosis->aspect, location, text, sizeof(text));
	if (!strcmp(message->kind, "error") && find_undefined(message->text, type, sizeof(type)) &&
	    *header_of(diagnosis, type))
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "; write <include header=\"%s\"/>", diagnosis->header);
	report(diagnosis, message->kind, location, text);
}

/*
 * Returns whether the message says nothing new. If the C for the address of an object is wrong, GCC
 * reports it, and then also fails at the check of the object's size, which is generated code
 * (write_object() in aspect/generate/write-tags.c).
 */
static bool is_known(const struct message *message)
{
	return strstr(message->text, "'weft_object_") ||
	       strstr(message->text, "expression in static assertion is not an integer") ||
	       strstr(message->text, "is reported only once");
}

static void on_message(struct diagnosis *diagnosis, const struct message *message)
{
	bool is_error = !strcmp(message->kind, "error");

	if (is_of_xml(diagnosis, message)) {
		bool expansion = strstr(message->text, "in expansion of macro");

		if (diagnosis->has_inside && expansion) {
			report_c(diagnosis, &diagnosis->inside, message->location);
			diagnosis->has_inside = false;
		} else if (!expansion && !is_known(message)) {
			report_c(diagnosis, message, message->location);
		}
		return;
	}
	if (!strcmp(message->kind, "note") || (is_error && blame_include(diagnosis, message)))
		return;
	diagnosis->inside = *message;
	diagnosis->has_inside = true;
	if (is_error && !*diagnosis->other)
		snprintf(diagnosis->other, sizeof(diagnosis->other), "%.200s: %.200s",
			 wv_source_text(message->file, message->location.line, 0).text,
			 message->text);
}

/*
 * If @code contains @name, reports there that the kernel does not export the symbol @name to
 * modules. Returns false if @code, which may be empty, does not contain @name.
 */
static bool blame_code(struct diagnosis *diagnosis, const struct wv_aspect_code *code,
		       const char *name)
{
	const struct wv_str *bytes = &code->text.bytes;
	size_t offset = bytes->n ? wv_token_find_name(bytes->data, bytes->n, name) : (size_t)-1;
	char message[256];

	if (offset == (size_t)-1)
		return false;
	snprintf(message, sizeof(message), "the kernel does not export '%s' to modules", name);
	report(diagnosis, "error", wv_xml_text_location(&code->text, offset), message);
	return true;
}

/*
 * Reports that the kernel does not export the symbol @name, at each place where @advice has @name:
 * in its body, in the attributes of its metric or tag, or in an <xflow> of its pointcut. Returns
 * false if @advice does not have @name.
 */
static bool blame_advice(struct diagnosis *diagnosis, const struct wv_aspect_advice *advice,
			 const char *name)
{
	const struct wv_aspect_code *code;

	const struct wv_aspect *aspect = diagnosis->aspect;
	bool blamed = blame_code(diagnosis, &advice->code, name);

	for (size_t i = 0; !blamed && (code = wv_advice_code(aspect, advice, i)); i++)
		blamed = blame_code(diagnosis, code, name);
	wv_vec_for_each(use, &aspect->pointcuts.data[advice->pointcut].tagged)
		blamed = blamed || blame_code(diagnosis, &use->object, name);
	return blamed;
}

/*
 * Handles 'ERROR: modpost: "NAME" [...] undefined!': the kernel does not export this symbol.
 * Returns false if the line is another one, or if the name is not in the C that the author wrote.
 */
static bool on_modpost(struct diagnosis *diagnosis, const char *line)
{
	static const char start[] = "ERROR: modpost: \"";
	char name[128];

	if (strncmp(line, start, strlen(start)) || !strstr(line, "undefined!"))
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(line + strlen(start), "\""),
		 line + strlen(start));
	wv_vec_for_each(declare, &diagnosis->aspect->declares)
		if (blame_code(diagnosis, declare, name))
			return true;
	if (diagnosis->aspect->start.location.line &&
	    blame_code(diagnosis, &diagnosis->aspect->start, name))
		return true;
	if (diagnosis->aspect->end.location.line &&
	    blame_code(diagnosis, &diagnosis->aspect->end, name))
		return true;
	wv_vec_for_each(advice, &diagnosis->aspect->advices)
		if (blame_advice(diagnosis, advice, name))
			return true;
	return false;
}

static void on_line(struct diagnosis *diagnosis, const char *line)
{
	struct message message;

	if (parse_message(line, &message)) {
		on_message(diagnosis, &message);
	} else if (!on_modpost(diagnosis, line) && !*diagnosis->other &&
		   (strstr(line, "rror:") || strstr(line, "ERROR") || strstr(line, "***"))) {
		snprintf(diagnosis->other, sizeof(diagnosis->other), "%.500s", line);
	}
}

int wv_diagnose(const struct wv_aspect *aspect, const char *kernel, const char *log,
		struct wv_str *out, struct wv_error *error)
{
	struct diagnosis diagnosis = { .aspect = aspect, .kernel = kernel, .report = out };
	char line[2048];

	while (*log) {
		size_t n = strcspn(log, "\n");

		snprintf(line, sizeof(line), "%.*s", (int)n, log);
		log += n + (log[n] == '\n');
		on_line(&diagnosis, line);
	}
	if (diagnosis.errors)
		return wv_fail_at(error, WV_E_ADVICE, aspect->path, 0, 0, "no module: %s in its C",
				  wv_count_text(diagnosis.errors, "error").text);
	if (*diagnosis.other)
		return wv_fail(error, WV_E_FAILURE, "the module does not build: %s",
			       diagnosis.other);
	return 0;
}
