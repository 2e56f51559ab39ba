// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parses the text of pointcuts on the command line; see pointcut-parse.h. The form decides the
 * kind: ':' means a line, '+' an instruction, '.' a member, '%' a part of a function, "tracepoint:"
 * a tracepoint.
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "database/file-name.h"
#include "database/pointcut-kinds.h"
#include "database/pointcut-parse.h"
#include "database/within.h"

/* Returns whether @c may be in a C identifier or in a pattern of one. */
static bool is_in_name(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_*?", c));
}

static size_t identifier_length(const char *text)
{
	size_t n = 0;

	if (isdigit((unsigned char)text[0]))
		return 0;
	while (is_in_name(text[n]))
		n++;
	return n;
}

/* Returns whether the text is a symbol's name, which may have dots: foo.cold, foo.isra.0. */
static bool is_symbol(const char *text, size_t length)
{
	size_t n = identifier_length(text);

	while (n && n < length && (is_in_name(text[n]) || (text[n] == '.' && n + 1 < length)))
		n++;
	return n && n == length;
}

/*
 * Returns whether the text looks like the name of a source file, such as "namei.c": it has a slash,
 * or it ends in .c or .S. The caller has parsed a text of the form FILE:LINE before.
 */
static bool is_source_file(const char *text)
{
	const char *suffix = strrchr(text, '.');

	return strchr(text, '/') || (suffix && (!strcmp(suffix, ".c") || !strcmp(suffix, ".S")));
}

/*
 * If *@text begins with "MODULE:", stores the module in @ret and moves *@text after the colon. Does
 * nothing if the text before the colon has a dot or a slash, because *@text is then FILE:LINE.
 */
static int take_module(const char **text, struct wv_pointcut *ret, struct wv_error *error)
{
	size_t n = 0;

	while (is_in_name((*text)[n]) || (n && (*text)[n] == '-'))
		n++;
	if (!n || (*text)[n] != ':')
		return 0;
	if (isdigit((unsigned char)(*text)[n + 1]))
		return wv_fail(error, WV_E_USAGE,
			       "'%s' is not a line: '%.*s', with neither a dot nor a slash, is a "
			       "module; write FILE:LINE, as in fs/namei.c:2404", *text, (int)n,
			       *text);
	ret->module = strndup(*text, n);
	*text += n + 1;
	return ret->module ? 0 : wv_no_memory(error);
}

static int parse_line(const char *text, const char *colon, struct wv_pointcut *ret,
		      struct wv_error *error)
{
	unsigned long line;
	char *end;

	errno = 0;
	line = strtoul(colon + 1, &end, 10);
	if (colon == text || !isdigit((unsigned char)colon[1]) || *end || !line || errno ||
	    line > INT32_MAX)
		return wv_fail(error, WV_E_USAGE,
			       "'%s' is not a line; write FILE:LINE, as in fs/namei.c:2404", text);
	ret->type = WV_POINTCUT_LINE;
	ret->line = line;
	ret->file = strndup(text, colon - text);
	return ret->file ? 0 : wv_no_memory(error);
}

static int parse_instruction(const char *text, const char *plus, struct wv_pointcut *ret,
			     struct wv_error *error)
{
	char *end;

	errno = 0;
	ret->offset = strtoull(plus + 1, &end, 0);
	if (!is_symbol(text, plus - text) || !isdigit((unsigned char)plus[1]) || *end || errno ||
	    ret->offset > INT32_MAX)
		return wv_fail(error, WV_E_USAGE,
			       "'%s' is not an instruction; write SYMBOL+OFFSET, as in "
			       "vfs_read+0x5",
			       text);
	if (wv_is_pattern(text))
		return wv_fail(
			error, WV_E_USAGE,
			"'%s' has a pattern: an offset is of one function, as in vfs_read+0x5",
			text);
	ret->type = WV_POINTCUT_INSTRUCTION;
	ret->symbol = strndup(text, plus - text);
	return ret->symbol ? 0 : wv_no_memory(error);
}

/* Returns the length of the path, identifiers with dots between them, at the beginning of @text. */
static size_t path_length(const char *text)
{
	size_t n = identifier_length(text), next;

	while (n && text[n] == '.' && (next = identifier_length(text + n + 1)))
		n += 1 + next;
	return n;
}

/*
 * Returns whether the text is the name of a cold part: it ends in ".cold". Other symbols with a dot
 * end in a number.
 */
static bool is_cold(const char *text)
{
	const char *last = strrchr(text, '.');

	return last > text && !strcmp(last, ".cold");
}

/*
 * Parses a text with dots. Identifiers with dots between them are a member or the path to a member;
 * everything else is a symbol. If the text begins with a dot, the member is of a struct without a
 * name.
 */
static int parse_dotted(const char *text, uint32_t kinds, struct wv_pointcut *ret,
			struct wv_error *error)
{
	const char *dot = strchr(text, '.');
	size_t structure = dot - text;
	size_t member = structure ? path_length(dot + 1) : identifier_length(dot + 1);

	if (!is_cold(text) && identifier_length(text) == structure && member &&
	    !dot[1 + member]) {
		ret->type = WV_POINTCUT_MEMBER;
		ret->kinds = kinds;
		ret->structure = strndup(text, structure);
		ret->member = strdup(dot + 1);
		return ret->structure && ret->member ? 0 : wv_no_memory(error);
	}
	if (is_source_file(text))
		return wv_fail(error, WV_E_USAGE,
			       "'%s' is a file; write %s:LINE for a line of it, or `weft points "
			       "--in %s` for all its accesses",
			       text, text, text);
	/* A symbol with a suffix from the compiler ends in a number, like foo.isra.0. */
	if (!is_symbol(text, strlen(text)) ||
	    (!is_cold(text) && !isdigit((unsigned char)strrchr(text, '.')[1])))
		return wv_fail(error, WV_E_USAGE,
			       "'%s' is not a member; write STRUCT.MEMBER with the innermost or "
			       "the outermost struct, or the whole path, as in sock.skc_state or "
			       "sock.__sk_common.skc_state",
			       text);
	ret->type = WV_POINTCUT_ENTRY;
	ret->inlined = true;
	ret->symbol = strdup(text);
	return ret->symbol ? 0 : wv_no_memory(error);
}

/* Parses FUNCTION%PART. @mark is the '%' in @text. */
static int parse_part(const char *text, const char *mark, struct wv_pointcut *ret,
		      struct wv_error *error)
{
	_cleanup_str_ struct wv_str parts = { 0 };
	const struct wv_function_part *part;

	part = wv_function_part_find(mark + 1, strlen(mark + 1), &ret->type);
	if (part && is_symbol(text, mark - text)) {
		ret->inlined = part->inlined;
		ret->only_inlined = part->only_inlined;
		ret->symbol = strndup(text, mark - text);
		return ret->symbol ? 0 : wv_no_memory(error);
	}
	wv_function_parts_text(false, "%", " or ", &parts);
	return wv_fail(error, WV_E_USAGE, "'%s' is not a part of a function; write FUNCTION%s",
		       text, parts.failed ? "%PART" : parts.data);
}

/* Parses STRUCT.MEMBER@exact. @mark is the '@' in @text. */
static int parse_exact(const char *text, const char *mark, uint32_t kinds, struct wv_pointcut *ret,
		       struct wv_error *error)
{
	_cleanup_str_ struct wv_str member = { 0 };
	int failed;

	wv_str_add_n(&member, text, mark - text);
	if (member.failed)
		return wv_no_memory(error);
	if (strcmp(mark, "@exact") || !strchr(wv_str_text(&member), '.'))
		return wv_fail(error, WV_E_USAGE,
			       "'%s' demands no precision; write STRUCT.MEMBER@exact", text);
	failed = parse_dotted(member.data, kinds, ret, error);
	if (!failed && ret->type != WV_POINTCUT_MEMBER)
		return wv_fail(error, WV_E_USAGE, "'%s' is not a member: @exact is for members",
			       text);
	ret->exact = true;
	return failed;
}

/* Parses the text after "tracepoint:". */
static int parse_tracepoint(const char *name, struct wv_pointcut *ret, struct wv_error *error)
{
	const char *colon = strrchr(name, ':');

	if (colon && is_symbol(colon + 1, strlen(colon + 1)))
		return wv_fail(error, WV_E_USAGE,
			       "a tracepoint is named without its group: write "
			       WV_TRACEPOINT_PREFIX "%s", colon + 1);
	if (!*name || identifier_length(name) != strlen(name))
		return wv_fail(error, WV_E_USAGE,
			       "'" WV_TRACEPOINT_PREFIX "%s' is not a tracepoint; write "
			       WV_TRACEPOINT_PREFIX "NAME, as in "
			       WV_TRACEPOINT_PREFIX "sched_switch",
			       name);
	return wv_pointcut_of_tracepoint(name, ret, error);
}

static int parse(const char *text, uint32_t kinds, struct wv_pointcut *ret, struct wv_error *error)
{
	const size_t prefix = strlen(WV_TRACEPOINT_PREFIX);
	const char *mark;
	int failed;

	if (!strncmp(text, WV_TRACEPOINT_PREFIX, prefix))
		return parse_tracepoint(text + prefix, ret, error);
	failed = take_module(&text, ret, error);
	if (failed)
		return failed;
	mark = strchr(text, '@');
	if (mark)
		return parse_exact(text, mark, kinds, ret, error);
	mark = strchr(text, '%');
	if (mark)
		return parse_part(text, mark, ret, error);
	mark = strrchr(text, ':');
	if (mark)
		return parse_line(text, mark, ret, error);
	mark = strchr(text, '+');
	if (mark)
		return parse_instruction(text, mark, ret, error);
	if (strchr(text, '.'))
		return parse_dotted(text, kinds, ret, error);
	if (!is_symbol(text, strlen(text)))
		return wv_fail(error, WV_E_USAGE,
			       "'%s' is not a pointcut; write STRUCT.MEMBER, FUNCTION, "
			       "FUNCTION%%exit, FILE:LINE or SYMBOL+OFFSET, or MODULE: and one of "
			       "these",
			       text);
	ret->type = WV_POINTCUT_ENTRY;
	ret->inlined = true;
	ret->symbol = strdup(text);
	return ret->symbol ? 0 : wv_no_memory(error);
}

int wv_pointcut_parse(const char *text, uint32_t kinds, struct wv_pointcut *ret,
		      struct wv_error *error)
{
	int failed;

	memset(ret, 0, sizeof(*ret));
	failed = parse(text, kinds, ret, error);
	if (failed)
		wv_pointcut_deinit(ret);
	return failed;
}

int wv_pointcut_of_file(const char *file, uint32_t kinds, struct wv_pointcut *ret,
			struct wv_error *error)
{
	int failed;

	*ret = (struct wv_pointcut){ .type = WV_POINTCUT_FILE, .kinds = kinds };
	failed = take_module(&file, ret, error);
	if (failed)
		return failed;
	ret->file = strdup(file);
	if (!ret->file)
		wv_pointcut_deinit(ret);
	return ret->file ? 0 : wv_no_memory(error);
}

int wv_pointcut_of_function(const char *text, struct wv_pointcut *ret, struct wv_error *error)
{
	int failed;

	*ret = (struct wv_pointcut){ .type = WV_POINTCUT_ENTRY };
	failed = take_module(&text, ret, error);
	if (failed)
		return failed;
	ret->symbol = strdup(text);
	if (!ret->symbol)
		wv_pointcut_deinit(ret);
	return ret->symbol ? 0 : wv_no_memory(error);
}

int wv_pointcut_of_tracepoint(const char *name, struct wv_pointcut *ret, struct wv_error *error)
{
	*ret = (struct wv_pointcut){ .type = WV_POINTCUT_TRACEPOINT };
	ret->symbol = strdup(name);
	ret->module = strdup(WV_VMLINUX);
	if (ret->symbol && ret->module)
		return 0;
	wv_pointcut_deinit(ret);
	return wv_no_memory(error);
}
