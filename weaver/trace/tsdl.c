// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes a recording's metadata; see tsdl.h. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/notation.h"
#include "trace/argument-names.h"
#include "trace/tsdl.h"

enum { EVENT_WORDS = 40 }; /* maximum bytes of an event's name after "ASPECT:" */

static void add_quoted(struct wv_str *out, const char *text)
{
	wv_str_add(out, "\"");
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			wv_str_add(out, "\\");
		wv_str_add_n(out, (unsigned char)*text < ' ' ? " " : text, 1);
	}
	wv_str_add(out, "\"");
}

static void add_uuid(struct wv_str *out, const uint8_t uuid[WV_UUID_SIZE])
{
	wv_str_add(out, "\"");
	for (size_t i = 0; i < WV_UUID_SIZE; i++)
		wv_str_addf(out, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
			    uuid[i]);
	wv_str_add(out, "\"");
}

static void add_types(struct wv_str *out)
{
	for (unsigned int size = 8; size <= 64; size *= 2)
		wv_str_addf(out,
			    "typealias integer { size = %u; align = %u; signed = false; } := "
			    "uint%u_t;\n",
			    size, size, size);
	wv_str_add(out, "\n");
}

static void add_trace(const struct wv_trace_about *about, struct wv_str *out)
{
	wv_str_add(out, "trace {\n\tmajor = 1;\n\tminor = 8;\n\tuuid = ");
	add_uuid(out, about->uuid);
	wv_str_add(out, ";\n\tbyte_order = le;\n"
			"\tpacket.header := struct {\n"
			"\t\tuint32_t magic;\n"
			"\t\tuint8_t uuid[16];\n"
			"\t\tuint32_t stream_id;\n"
			"\t};\n"
			"};\n\n"
			"env {\n"
			"\tdomain = \"kernel\";\n"
			"\ttracer_name = \"weft\";\n"
			"\ttracer_major = 1;\n"
			"\thostname = ");
	add_quoted(out, about->host);
	wv_str_add(out, ";\n\tkernel_release = ");
	add_quoted(out, about->release);
	wv_str_add(out, ";\n\tkernel_build_id = ");
	add_quoted(out, about->build_id);
	wv_str_add(out, ";\n\taspect = ");
	add_quoted(out, about->aspect);
	wv_str_addf(out,
		    ";\n};\n\n"
		    "clock {\n"
		    "\tname = monotonic;\n"
		    "\tdescription = \"CLOCK_MONOTONIC of the kernel\";\n"
		    "\tfreq = 1000000000;\n"
		    "\toffset_s = %" PRIu64 ";\n"
		    "\toffset = %" PRIu64 ";\n"
		    "};\n\n",
		    about->offset / 1000000000, about->offset % 1000000000);
	for (unsigned int size = 16; size <= 64; size *= 2)
		wv_str_addf(out,
			    "typealias integer {\n"
			    "\tsize = %u; align = 1; signed = false; map = clock.monotonic.value;\n"
			    "} := nanoseconds%u_t;\n\n",
			    size, size);
}

/*
 * Adds an enumeration, joinpoint8_t, joinpoint16_t or joinpoint32_t by @bits, that gives each
 * number of a joinpoint a label: the location of its shadow. The joinpoints of several advices at
 * one shadow have equal labels.
 */
static void add_joinpoints(const struct wv_aspect_module *module, unsigned int bits,
			   struct wv_str *out)
{
	const size_t n = bits < 32 && module->n > 1u << bits ? 1u << bits : module->n;

	wv_str_addf(out, "typealias enum : uint%u_t {\n", bits);
	for (size_t i = 0; i < n; i++) {
		const struct weft_joinpoint *point = &module->joinpoints[i];
		const char *symbol = wv_aspect_module_string(module, point->symbol);

		wv_str_add(out, "\t");
		add_quoted(out, wv_symbol_text(symbol, point->symbol_offset).text);
		wv_str_addf(out, " = %zu,\n", i);
	}
	if (bits == 32)
		wv_str_addf(out,
			    "\t\"start block\" = %" PRIu32 ",\n\t\"end block\" = %" PRIu32 ",\n",
			    WEFT_JOINPOINT_START, WEFT_JOINPOINT_END);
	/* Narrow records are never of start or end blocks. But an enumeration must not be empty. */
	else if (!n)
		wv_str_add(out, "\t\"none\" = 0,\n");
	wv_str_addf(out, "} := joinpoint%u_t;\n\n", bits);
}

/*
 * Adds one of the two classes of state records. A state record says of which task the records after
 * it are. The number of the class in CTF is made of the 14 bits that say that a record is a state
 * record, and of the 16 bits of its event number after them.
 */
static void add_task(unsigned int event, struct wv_str *out)
{
	wv_str_addf(out, "event {\n\tname = \"weft:task\";\n\tid = %u;\n",
		    WEFT_HEAD_EVENT(WEFT_EVENT_EXTENDED) | event << (16 - WEFT_HEAD_BITS));
	wv_str_add(out, "\tstream_id = 0;\n"
			"\tfields := struct {\n"
			"\t\tuint32_t _tid;\n"
			"\t\tuint32_t _pid;\n"
			"\t\tuint32_t _uid;\n"
			"\t\tuint32_t _lost;\n"
			"\t\tinteger { size = 8; align = 8; encoding = UTF8; } _comm[16];\n"
			"\t};\n"
			"};\n");
}

/*
 * CTF takes the last field called `id` for the number of the event: the one of the chosen struct,
 * not the two bits that choose it.
 */
void wv_tsdl_begin(const struct wv_trace_about *about, const struct wv_aspect_module *module,
		   struct wv_str *out)
{
	wv_str_add(out, "/* CTF 1.8 */\n\n");
	add_types(out);
	add_trace(about, out);
	add_joinpoints(module, 8, out);
	add_joinpoints(module, 16, out);
	add_joinpoints(module, 32, out);
	wv_str_add(out, "stream {\n"
			"\tid = 0;\n"
			"\tpacket.context := struct {\n"
			"\t\tnanoseconds64_t timestamp_begin;\n"
			"\t\tnanoseconds64_t timestamp_end;\n"
			"\t\tuint64_t content_size;\n"
			"\t\tuint64_t packet_size;\n"
			"\t\tuint64_t events_discarded;\n"
			"\t\tuint32_t cpu_id;\n"
			"\t};\n"
			"\tevent.header := struct {\n"
			"\t\tenum : integer { size = 2; align = 1; signed = false; } {\n"
			"\t\t\tplain = 0, tight = 1, extended = 3\n"
			"\t\t} id;\n"
			"\t\tvariant <id> {\n"
			"\t\t\tstruct {\n"
			"\t\t\t\tinteger { size = 14; align = 1; signed = false; } id;\n"
			"\t\t\t\tnanoseconds32_t timestamp;\n"
			"\t\t\t} plain;\n"
			"\t\t\tstruct {\n"
			"\t\t\t\tinteger { size = 6; align = 1; signed = false; } id;\n"
			"\t\t\t\tnanoseconds16_t timestamp;\n"
			"\t\t\t} tight;\n"
			"\t\t\tstruct {\n"
			"\t\t\t\tinteger { size = 30; align = 1; signed = false; } id;\n"
			"\t\t\t\tnanoseconds64_t timestamp;\n"
			"\t\t\t} extended;\n"
			"\t\t} v;\n"
			"\t} align(32);\n"
			"};\n\n");
	add_task(WEFT_EVENT_TASK, out);
	add_task(WEFT_EVENT_OPEN, out);
}

/* ---- describing the classes of events -------------------------------------------------------- */

/*
 * Adds the @n bytes of C at @text as a part of a name. Each run of characters that are neither
 * letters nor digits becomes one underscore. Adds at most about @most bytes.
 */
static void add_name(struct wv_str *out, const char *text, size_t n, size_t most)
{
	const size_t begin = out->n;
	bool apart = false;

	for (size_t i = 0; i < n && out->n - begin < most; i++) {
		if (isalnum((unsigned char)text[i])) {
			if (apart && out->n > begin)
				wv_str_add(out, "_");
			wv_str_add_n(out, text + i, 1);
			apart = false;
		} else {
			apart = true;
		}
	}
}

void wv_tsdl_field_name(const char *names, size_t index, struct wv_str *out)
{
	struct wv_argument_name name = wv_argument_name(names, index);
	const size_t begin = out->n;

	add_name(out, name.start, (size_t)(name.end - name.start), SIZE_MAX);
	if (out->n == begin)
		wv_str_addf(out, "value%zu", index + 1);
	if (name.unit_end > name.unit) {
		wv_str_add(out, "_");
		add_name(out, name.unit, (size_t)(name.unit_end - name.unit), SIZE_MAX);
	}
}

static bool is_taken(const struct wv_str *names, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(wv_str_text(&names[i]), name))
			return true;
	return false;
}

/* Adds an event's name: the aspect's name, a colon, and the format without its conversions. */
static void add_event_name(const struct wv_trace_about *about, const char *format,
			   struct wv_str *out)
{
	_cleanup_str_ struct wv_str words = { 0 };
	_cleanup_str_ struct wv_str name = { 0 };
	struct wr_conversion conversion;
	size_t before;

	for (const char *at = format, *end; *at; at = end) {
		end = strchrnul(at, '%');
		wv_str_add_n(&words, at, (size_t)(end - at));
		if (*end) {
			wr_conversion_parse(end, &conversion);
			end = conversion.end;
			wv_str_add(&words, " ");
		}
	}
	wv_str_addf(&name, "%s:", about->aspect);
	before = name.n;
	add_name(&name, wv_str_text(&words), words.n, EVENT_WORDS);
	if (name.n == before)
		wv_str_add(&name, "log");
	add_quoted(out, wv_str_text(&name));
}

static void begin_event(const struct wv_trace_about *about,
			const struct wv_trace_statement *statement, enum weft_form form,
			struct wv_str *out)
{
	wv_str_add(out, "\nevent {\n\tname = ");
	add_event_name(about, statement->format, out);
	wv_str_addf(out,
		    ";\n\tid = %" PRIu32 ";\n\tstream_id = 0;\n"
		    "\tcontext := struct { joinpoint%d_t _joinpoint; };\n\tfields := struct {\n",
		    WEFT_EVENT(statement->index, form),
		    form == WEFT_FORM_TIGHT ? 8 : form == WEFT_FORM_NARROW ? 16 : 32);
}

static void add_field(const struct wv_argument_field *field, const char *name, struct wv_str *out)
{
	const int base = field->type == 'o' ? 8 : strchr("xXp", field->type) ? 16 : 10;

	if (!field->size)
		wv_str_addf(out, "\t\tstring { encoding = UTF8; } _%s;\n", name);
	else
		wv_str_addf(out,
			    "\t\tinteger { size = %d; align = %d; signed = %s; base = %d; } _%s;\n",
			    8 * field->size, 8 * field->align, field->is_signed ? "true" : "false",
			    field->role == WV_FIELD_VALUE ? base : 10, name);
}

static void add_event(const struct wv_trace_about *about,
		      const struct wv_trace_statement *statement, enum weft_form form,
		      struct wv_str *out)
{
	const struct wv_argument_fields *fields = &statement->fields;
	struct wv_str names[WR_ARGUMENTS_MAX] = { 0 };

	begin_event(about, statement, form, out);
	for (size_t i = 0; i < fields->n; i++) {
		wv_tsdl_field_name(statement->names, i, &names[i]);
		if (is_taken(names, i, wv_str_text(&names[i])))
			wv_str_addf(&names[i], "_%zu", i + 1);
		add_field(&fields->list[i], wv_str_text(&names[i]), out);
		out->failed |= names[i].failed;
	}
	for (size_t i = 0; i < fields->n; i++)
		wv_str_deinit(&names[i]);
	wv_str_add(out, "\t};\n};\n");
}

void wv_tsdl_statement(const struct wv_trace_about *about,
		       const struct wv_trace_statement *statement, struct wv_str *out)
{
	if (statement->content == WEFT_CONTENT_WORDS) {
		if (statement->index <= WEFT_STATEMENT_TIGHT_MAX)
			add_event(about, statement, WEFT_FORM_TIGHT, out);
		add_event(about, statement, WEFT_FORM_NARROW, out);
	}
	add_event(about, statement, WEFT_FORM_WIDE, out);
	if (statement->content != WEFT_CONTENT_PACKED)
		return;
	begin_event(about, statement, WEFT_FORM_TEXT, out);
	wv_str_add(out, "\t\tstring { encoding = UTF8; } _text;\n\t};\n};\n");
}
