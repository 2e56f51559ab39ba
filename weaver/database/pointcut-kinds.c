// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of pointcut kinds; see pointcut-kinds.h. A new kind needs a row here, an enum
 * wv_pointcut_type (pointcut.h) and, if no existing file finds its joinpoints, a file find-KIND.c.
 */
#include <string.h>

#include "database/find.h"
#include "database/pointcut-kinds.h"

static const struct wv_pointcut_kind kinds[] = {
	[WV_POINTCUT_MEMBER] = {
		.subject = WV_SUBJECT_MEMBER, .picks = WV_PICKS_ACCESSES,
		.find = wv_find_accesses, .explain = wv_explain_member,
		.form = "STRUCT.MEMBER",
		.help = "accesses of a struct's member: sk_buff.destructor; also by its path, "
			"task_struct.se.vruntime; .sym of structs without a name; with @exact at "
			"the end only exact shadows",
	},
	[WV_POINTCUT_ENTRY] = {
		.subject = WV_SUBJECT_FUNCTION, .picks = WV_PICKS_ENTRIES,
		.word = "entry", .precision = WEFT_PRECISION_SYMBOL,
		.find = wv_find_entries, .explain = wv_explain_entry,
		.form = "FUNCTION",
		.help = "a function's entry and its inlined instances: vfs_read",
		.parts = {
			{ .name = "entry", .in_xml = true },
			{ .name = "inlined", .inlined = true, .only_inlined = true, .in_xml = true,
			  .help = "only these" },
		},
	},
	[WV_POINTCUT_EXIT] = {
		.subject = WV_SUBJECT_FUNCTION, .picks = WV_PICKS_EXITS,
		.word = "exit", .precision = WEFT_PRECISION_SYMBOL, .by_address = true,
		.find = wv_find_exits, .explain = wv_explain_part,
		.parts = {
			{ .name = "exit", .in_xml = true, .help = "its returns and tail calls" },
		},
	},
	[WV_POINTCUT_BLOCK] = {
		.subject = WV_SUBJECT_FUNCTION, .picks = WV_PICKS_BLOCKS,
		.word = "block", .precision = WEFT_PRECISION_SYMBOL, .by_address = true,
		.find = wv_find_blocks, .explain = wv_explain_part,
		.parts = { { .name = "blocks", .help = "its basic blocks" } },
	},
	[WV_POINTCUT_CALLS] = {
		.subject = WV_SUBJECT_FUNCTION, .picks = WV_PICKS_CALLS,
		.word = "callsite", .precision = WEFT_PRECISION_SYMBOL, .by_address = true,
		.find = wv_find_calls, .explain = wv_explain_part,
		.parts = { { .name = "calls", .help = "the calls that it makes" } },
	},
	[WV_POINTCUT_CALLERS] = {
		.subject = WV_SUBJECT_FUNCTION, .picks = WV_PICKS_CALLS,
		.word = "callsite", .precision = WEFT_PRECISION_SYMBOL, .by_address = true,
		.find = wv_find_callers, .explain = wv_explain_part,
		.elsewhere = true,
		.parts = { { .name = "callers", .help = "the calls of it" } },
	},
	[WV_POINTCUT_LINE] = {
		.subject = WV_SUBJECT_LINE, .picks = WV_PICKS_INSTRUCTIONS,
		.word = "line", .precision = WEFT_PRECISION_LINE,
		.find = wv_find_lines, .explain = wv_explain_line,
		.form = "FILE:LINE",
		.help = "a line, each range of its code: fs/namei.c:2404",
	},
	[WV_POINTCUT_INSTRUCTION] = {
		.subject = WV_SUBJECT_INSTRUCTION, .picks = WV_PICKS_INSTRUCTIONS,
		.word = "instruction", .precision = WEFT_PRECISION_SYMBOL,
		.find = wv_find_instruction, .explain = wv_explain_instruction,
		.form = "SYMBOL+OFFSET",
		.help = "an instruction: vfs_read+0x5",
	},
	[WV_POINTCUT_TRACEPOINT] = {
		.subject = WV_SUBJECT_TRACEPOINT, .picks = WV_PICKS_TRACEPOINTS,
		.word = "tracepoint", .precision = WEFT_PRECISION_SYMBOL,
		.find = wv_find_tracepoints, .explain = wv_explain_tracepoint,
		.form = WV_TRACEPOINT_PREFIX "NAME",
		.help = "a tracepoint of the kernel, its arguments by name: "
			"tracepoint:sched_switch",
	},
	[WV_POINTCUT_FILE] = {
		.subject = WV_SUBJECT_FILE, .picks = WV_PICKS_ACCESSES,
		.find = wv_find_accesses, .explain = wv_explain_file,
	},
};

_Static_assert(sizeof(kinds) / sizeof(*kinds) == WV_POINTCUT_TYPES, "a row for each type");

const struct wv_pointcut_kind *wv_pointcut_kind(enum wv_pointcut_type type)
{
	return &kinds[type];
}

const struct wv_function_part *wv_function_part(size_t i, enum wv_pointcut_type *type_ret)
{
	for (size_t type = 0; type < WV_POINTCUT_TYPES; type++) {
		const struct wv_function_part *part = kinds[type].parts;

		for (; part->name; part++) {
			if (i--)
				continue;
			if (type_ret)
				*type_ret = type;
			return part;
		}
	}
	return NULL;
}

const struct wv_function_part *wv_function_part_find(const char *name, size_t n,
						     enum wv_pointcut_type *type_ret)
{
	const struct wv_function_part *part;

	for (size_t i = 0; (part = wv_function_part(i, type_ret)); i++)
		if (strlen(part->name) == n && !strncmp(part->name, name, n))
			return part;
	return NULL;
}

void wv_function_parts_text(bool only_in_xml, const char *mark, const char *last,
			    struct wv_str *out)
{
	const struct wv_function_part *part, *next = NULL;

	for (size_t i = 0; (part = wv_function_part(i, NULL)); i++) {
		if (only_in_xml && !part->in_xml)
			continue;
		if (next)
			wv_str_addf(out, "%s%s%s", out->n ? ", " : "", mark, next->name);
		next = part;
	}
	if (next)
		wv_str_addf(out, "%s%s%s", out->n ? last : "", mark, next->name);
}

/* ---- writing the help ------------------------------------------------------------------------ */

enum { HELP_COLUMN = 19, HELP_WIDTH = 80 };

/* Adds an entry of the help: @form, and @text in the columns from HELP_COLUMN to HELP_WIDTH. */
static void add_help(const char *form, const char *text, struct wv_str *out)
{
	size_t at = HELP_COLUMN;

	wv_str_addf(out, "  %-*s", HELP_COLUMN - 2, form);
	while (*text) {
		size_t n = strcspn(text, " ");

		if (at > HELP_COLUMN && at + 1 + n > HELP_WIDTH) {
			wv_str_addf(out, "\n%*s", HELP_COLUMN, "");
			at = HELP_COLUMN;
		}
		wv_str_addf(out, "%s%.*s", at > HELP_COLUMN ? " " : "", (int)n, text);
		at += n + (at > HELP_COLUMN);
		text += n;
		text += *text == ' ';
	}
	wv_str_add(out, "\n");
}

static void add_parts(struct wv_str *out)
{
	_cleanup_str_ struct wv_str text = { 0 };
	const struct wv_function_part *part;
	const char *separator = "vfs_read%";

	for (size_t i = 0; (part = wv_function_part(i, NULL)); i++) {
		wv_str_addf(&text, "%s%s", separator, part->name);
		if (part->help)
			wv_str_addf(&text, ": %s", part->help);
		separator = part->help ? "; %" : ", %";
	}
	out->failed |= text.failed;
	if (!text.failed)
		add_help("FUNCTION%PART", text.data, out);
}

void wv_pointcut_help(struct wv_str *out)
{
	for (size_t type = 0; type < WV_POINTCUT_TYPES; type++) {
		const struct wv_pointcut_kind *kind = &kinds[type];

		if (kind->form)
			add_help(kind->form, kind->help, out);
		if (kind->form && kind->parts->name)
			add_parts(out);
	}
	add_help("MODULE:POINTCUT", "any of these in one module: nf_conntrack:nf_ct_*; "
		 "vmlinux is the kernel without its modules", out);
}
