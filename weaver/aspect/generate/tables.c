// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the tables of an aspect's module; see tables.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/generate/tables.h"
#include "aspect/generate/write-advices.h"
#include "aspect/language/advice-code.h"
#include "aspect/resolve/dwarf-expression.h"
#include "base/notation.h"
#include "base/pool.h"
#include "runtime/frame.h"
#include "splice/refusal.h"

static const char *const precision_names[] = {
	[WEFT_PRECISION_EXACT] = "WEFT_PRECISION_EXACT",
	[WEFT_PRECISION_COLUMN] = "WEFT_PRECISION_COLUMN",
	[WEFT_PRECISION_OPERAND] = "WEFT_PRECISION_OPERAND",
	[WEFT_PRECISION_LINE] = "WEFT_PRECISION_LINE",
	[WEFT_PRECISION_SYMBOL] = "WEFT_PRECISION_SYMBOL",
};

static const char *const when_names[] = {
	[WEFT_BEFORE] = "WEFT_BEFORE",
	[WEFT_AFTER] = "WEFT_AFTER",
	[WEFT_RETURNED] = "WEFT_RETURNED",
	[WEFT_LEAVING] = "WEFT_LEAVING",
	[WEFT_CALLING] = "WEFT_CALLING",
	[WEFT_AROUND] = "WEFT_AROUND",
	[WEFT_AROUND_CALL] = "WEFT_AROUND_CALL",
};

/* ---- making the tables ----------------------------------------------------------------------- */

/* The table of strings while it is made: each text is in it once. */
struct strings {
	struct wv_pool pool;
	WV_VEC(uint32_t) offsets; /* of each text in @bytes; index: the text's number in @pool */
	struct wv_str *bytes;
	bool failed; /* memory ran out */
};

/* Returns the offset of @text in the table of strings, to which it is added if it is new. */
static uint32_t string(struct strings *strings, const char *text)
{
	const char *known = text ? text : "";
	uint32_t number = wv_pool_add(&strings->pool, known);
	uint32_t *offset;

	if (number == WV_POOL_FAILED) {
		strings->failed = true;
		return 0;
	}
	if (number == strings->offsets.n) {
		offset = wv_vec_push(&strings->offsets);
		if (!offset) {
			strings->failed = true;
			return 0;
		}
		*offset = strings->bytes->n;
		wv_str_add_n(strings->bytes, known, strlen(known) + 1);
	}
	return strings->offsets.data[number];
}

/*
 * Returns those live registers of the joinpoint that C code may change. The others need not be
 * saved by a trampoline.
 */
static uint32_t live_of(const struct wv_selected *joinpoint)
{
	return joinpoint->live == WEFT_LIVE_UNKNOWN
		       ? WEFT_LIVE_UNKNOWN
		       : joinpoint->live & (WR_CALLER_SAVED | WR_BIT(WR_FLAGS));
}

static void make_joinpoint(const struct wv_aspect *aspect, const struct wv_selected *from,
			   struct strings *strings, struct weft_joinpoint *ret)
{
	const struct wv_match *match = from->match;

	ret->text_offset = from->text_offset;
	ret->symbol = string(strings, match->symbol);
	ret->symbol_offset = match->symbol_offset;
	ret->what = string(strings, from->what);
	ret->function = string(strings, match->function);
	ret->file = string(strings, match->file);
	ret->line = match->line;
	ret->column = match->column;
	ret->live = live_of(from);
	ret->before = from->displaced ? from->before : 0;
	ret->displaced = from->displaced;
	ret->slot = from->slot;
	ret->c_size = from->c_size;
	ret->slot_c_size = from->slot_c_size;
	ret->required = wv_advice_is_required(&aspect->advices.data[from->advice]);
	ret->part = from->part;
	ret->advice = from->advice;
	ret->precision = match->precision;
	ret->access = match->joinpoint && from->when != WEFT_CALLING;
	ret->tracepoint = from->tracepoint;
	ret->when = from->when;
	ret->returns = from->returns;
	ret->refusal = from->refusal;
}

static void make_part(const struct wv_text_part *from, struct strings *strings,
		      struct weft_text_part *ret)
{
	const uint32_t module = string(strings, from->module);
	const uint32_t section = string(strings, from->section);
	const uint32_t anchor = string(strings, from->anchor);

	if (from->module) {
		ret->module = module;
		ret->section = section;
		ret->anchor = anchor;
		ret->anchor_offset = from->anchor_offset;
		ret->size = from->size;
	}
	memcpy(ret->build_id, from->build_id, from->build_id_size);
	ret->build_id_size = from->build_id_size;
}

static void make_all(const struct wv_aspect *aspect, const struct wv_selection *selection,
		     struct strings *strings, struct wv_tables *ret)
{
	string(strings, ""); /* so that offset 0 means the empty string */
	wv_vec_for_each(joinpoint, &selection->list) {
		struct weft_joinpoint *made = wv_vec_push(&ret->joinpoints);

		strings->failed |= !made;
		if (!made)
			return;
		make_joinpoint(aspect, joinpoint, strings, made);
	}
	wv_vec_for_each(part, &selection->parts) {
		struct weft_text_part *made = wv_vec_push(&ret->parts);

		strings->failed |= !made;
		if (!made)
			return;
		make_part(part, strings, made);
	}
}

int wv_tables_make(const struct wv_aspect *aspect, const struct wv_selection *selection,
		   struct wv_tables *ret, struct wv_error *error)
{
	struct strings strings = { .bytes = &ret->strings };

	*ret = (struct wv_tables){ 0 };
	wv_vec_for_each(part, &selection->parts)
		if (!part->build_id_size || part->build_id_size > WEFT_BUILD_ID_MAX)
			return wv_fail(error, WV_E_FORMAT,
				       "a build-id of %s: 1 to %u are possible",
				       wv_count_text(part->build_id_size, "byte").text,
				       WEFT_BUILD_ID_MAX);
	make_all(aspect, selection, &strings, ret);
	wv_pool_deinit(&strings.pool);
	wv_vec_deinit(&strings.offsets);
	if (strings.failed || ret->strings.failed)
		return wv_fail_errno(error, ENOMEM, "%s", aspect->path);
	return 0;
}

void wv_tables_deinit(struct wv_tables *tables)
{
	wv_vec_deinit(&tables->parts);
	wv_vec_deinit(&tables->joinpoints);
	wv_str_deinit(&tables->strings);
}

/*
 * ---- writing the tables as C -------------------------------------------------------------------
 */

static const char *string_at(const struct wv_tables *tables, uint32_t offset)
{
	return tables->strings.data + offset;
}

void wv_tables_write_strings(const struct wv_tables *tables, struct wv_str *out)
{
	const struct wv_str *strings = &tables->strings;

	wv_str_add(out,
		   "\nstatic const char weft_strings[] __used __section(\"" WEFT_SECTION_STRINGS
		   "\") =");
	for (size_t at = 0; at < strings->n; at += strlen(string_at(tables, at)) + 1) {
		wv_str_add(out, "\n\t");
		wv_str_add_c(out, string_at(tables, at));
		if (out->n && !out->failed)
			/* remove the closing quote, to write the string's NUL before it */
			out->n--;
		wv_str_add(out, "\\0\"");
	}
	wv_str_add(out, ";\n");
}

static void write_part(const struct wv_tables *tables, const struct weft_text_part *part,
		       struct wv_str *out)
{
	wv_str_add(out, "\t{");
	if (part->module) {
		wv_str_addf(out, " .module = %u, .section = %u, /* ", part->module, part->section);
		wv_str_add_comment(out, string_at(tables, part->module));
		wv_str_add(out, ", ");
		wv_str_add_comment(out, string_at(tables, part->section));
		wv_str_addf(out,
			    " */\n\t  .anchor = %u, .anchor_offset = 0x%llx, .size = 0x%llx,\n\t ",
			    part->anchor, (unsigned long long)part->anchor_offset,
			    (unsigned long long)part->size);
	}
	wv_str_add(out, " .build_id = {");
	for (size_t i = 0; i < part->build_id_size; i++)
		wv_str_addf(out, "%s0x%02x,", i % 10 ? " " : "\n\t\t", part->build_id[i]);
	wv_str_addf(out, "\n\t  },\n\t  .build_id_size = %u },\n", part->build_id_size);
}

static void write_live(uint32_t live, struct wv_str *out)
{
	if (live == WEFT_LIVE_UNKNOWN) {
		wv_str_add(out, "\t  .live = WEFT_LIVE_UNKNOWN,\n");
		return;
	}
	wv_str_add(out, "\t  .live = ");
	wv_registers_write(live, out);
	wv_str_add(out, ",\n");
}

static void write_joinpoint(const struct weft_joinpoint *joinpoint, struct wv_str *out)
{
	wv_str_addf(out, "\t{ .text_offset = 0x%llx, .symbol = %u, .symbol_offset = 0x%x,\n",
		    (unsigned long long)joinpoint->text_offset, joinpoint->symbol,
		    joinpoint->symbol_offset);
	wv_str_addf(out, "\t  .what = %u, .function = %u, .file = %u, .line = %u, .column = %u,\n",
		    joinpoint->what, joinpoint->function, joinpoint->file, joinpoint->line,
		    joinpoint->column);
	write_live(joinpoint->live, out);
	if (joinpoint->displaced)
		wv_str_addf(out, "\t  .before = %u, .displaced = %u,\n", joinpoint->before,
			    joinpoint->displaced);
	if (joinpoint->slot)
		wv_str_addf(out, "\t  .slot = %d,\n", joinpoint->slot);
	if (joinpoint->c_size)
		wv_str_addf(out, "\t  .c_size = %u,\n", joinpoint->c_size);
	if (joinpoint->slot_c_size)
		wv_str_addf(out, "\t  .slot_c_size = %u,\n", joinpoint->slot_c_size);
	if (joinpoint->required)
		wv_str_add(out, "\t  .required = 1,\n");
	if (joinpoint->part)
		wv_str_addf(out, "\t  .part = %u,\n", joinpoint->part);
	wv_str_addf(out, "\t  .advice = %u, .precision = %s", joinpoint->advice,
		    precision_names[joinpoint->precision]);
	if (joinpoint->access)
		wv_str_add(out, ", .access = 1");
	if (joinpoint->tracepoint)
		wv_str_add(out, ", .tracepoint = 1");
	if (joinpoint->when != WEFT_BEFORE)
		wv_str_addf(out, ", .when = %s", when_names[joinpoint->when]);
	if (joinpoint->returns)
		wv_str_addf(out, ", .returns = %u", joinpoint->returns);
	if (joinpoint->refusal)
		wv_str_addf(out, ",\n\t  .refusal = %u /* %s */", joinpoint->refusal,
			    wv_refusal_name(joinpoint->refusal));
	wv_str_add(out, " },\n");
}

void wv_tables_write(const struct wv_tables *tables, struct wv_str *out)
{
	wv_str_add(out, "\nstatic const struct weft_text_part weft_parts[] __used __section(\""
			WEFT_SECTION_PARTS "\") = {\n");
	wv_vec_for_each(part, &tables->parts)
		write_part(tables, part, out);
	wv_str_add(out, "};\n");
	wv_str_add(out, "\nstatic const struct weft_joinpoint weft_joinpoints[] __used __section(\""
			WEFT_SECTION_JOINPOINTS "\") = {\n");
	wv_vec_for_each(joinpoint, &tables->joinpoints)
		write_joinpoint(joinpoint, out);
	wv_str_add(out, "};\n");
}

size_t wv_tables_room(const struct wv_tables *tables)
{
	size_t room = 1024;

	while (room <= tables->strings.n)
		room *= 2;
	return room;
}

void wv_tables_write_empty(const struct wv_tables *tables, struct wv_str *out)
{
	wv_str_addf(out,
		    "\nstatic const char weft_strings[%zu] __used __section(\"" WEFT_SECTION_STRINGS
		    "\");\n"
		    "static const struct weft_text_part weft_parts[1] __used\n"
		    "\t__section(\"" WEFT_SECTION_PARTS "\");\n"
		    "static const struct weft_joinpoint weft_joinpoints[1] __used\n"
		    "\t__section(\"" WEFT_SECTION_JOINPOINTS "\");\n",
		    wv_tables_room(tables));
}
