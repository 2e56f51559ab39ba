// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses and writes the points of one-liners; see point.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/oneliner/point.h"
#include "base/cleanup.h"
#include "database/pointcut-parse.h"
#include "runtime/joinpoint-table.h"

static const char blanks[] = " \t\n";

static int parse(const char *text, const char *kinds, uint32_t usual, struct wv_point *ret,
		 struct wv_error *error)
{
	_cleanup_free_ char *first = NULL, *own = NULL;
	size_t n;
	int failed;

	text += strspn(text, blanks);
	n = strcspn(text, blanks);
	first = strndup(text, n);
	text += n;
	text += strspn(text, blanks);
	own = strndup(text, strcspn(text, blanks));
	if (!first || !own)
		return wv_no_memory(error);
	text += strlen(own);
	if (text[strspn(text, blanks)])
		return wv_fail(error, WV_E_USAGE,
			       "'%s' has more than a pointcut and its kinds, as in 'sock.sk_state "
			       "set|rmw'", ret->text);
	if (*own && kinds)
		return wv_fail(error, WV_E_USAGE, "the kinds are given twice: '%s' and --kind %s",
			       own, kinds);
	kinds = *own ? own : kinds;
	failed = kinds ? wv_kinds_parse(kinds, &usual, error) : 0;
	if (!failed)
		failed = wv_pointcut_parse(first, usual, &ret->pointcut, error);
	if (!failed && *own && ret->pointcut.type != WV_POINTCUT_MEMBER)
		return wv_fail(error, WV_E_USAGE, "'%s' is a kind of member accesses, and '%s' is "
			       "not a member", own, first);
	ret->kinds_given = kinds;
	return failed;
}

int wv_point_parse(const char *text, const char *kinds, uint32_t usual, struct wv_point *ret,
		   struct wv_error *error)
{
	int failed;

	*ret = (struct wv_point){ .text = text };
	failed = parse(text, kinds, usual, ret, error);
	if (!failed && ret->pointcut.type == WV_POINTCUT_CALLERS && ret->pointcut.module)
		failed = wv_fail(error, WV_E_USAGE,
				 "'%s': calls of a function are wherever its callers are; leave "
				 "out the module", text);
	if (failed)
		wv_point_deinit(ret);
	return failed;
}

void wv_point_deinit(struct wv_point *point)
{
	wv_pointcut_deinit(&point->pointcut);
}

/* ---- writing XML ----------------------------------------------------------------------------- */

static void write_member(const struct wv_pointcut *pointcut, struct wv_xml_writer *writer)
{
	_cleanup_str_ struct wv_str kinds = { 0 };

	for (unsigned int kind = 0; kind < WEFT_KIND_COUNT; kind++)
		if (pointcut->kinds & WV_KIND_BIT(kind))
			wv_str_addf(&kinds, "%s%s", kinds.n ? "|" : "", wv_kind_name(kind));
	writer->out->failed |= kinds.failed;
	wv_xml_begin(writer, "member-access");
	wv_xml_attribute(writer, "struct", pointcut->structure);
	wv_xml_attribute(writer, "name", pointcut->member);
	wv_xml_attribute(writer, "kind", wv_str_text(&kinds));
	wv_xml_attribute(writer, "precision", pointcut->exact ? "exact" : NULL);
	wv_xml_end(writer, "member-access");
}

static void write_function(const struct wv_pointcut *pointcut, struct wv_xml_writer *writer)
{
	const char *at = pointcut->type == WV_POINTCUT_EXIT ? "exit" :
			 pointcut->only_inlined		    ? "inlined" :
			 pointcut->inlined		    ? "entry|inlined" :
							      "entry";

	wv_xml_begin(writer, "function");
	wv_xml_attribute(writer, "name", pointcut->symbol);
	wv_xml_attribute(writer, "at", at);
	wv_xml_end(writer, "function");
}

static void write_numbered(const struct wv_pointcut *pointcut, struct wv_xml_writer *writer)
{
	const bool line = pointcut->type == WV_POINTCUT_LINE;
	const char *element = line ? "line" : "instruction";
	char number[32];

	snprintf(number, sizeof(number), line ? "%" PRIu64 : "%#" PRIx64,
		 line ? (uint64_t)pointcut->line : pointcut->offset);
	wv_xml_begin(writer, element);
	wv_xml_attribute(writer, line ? "file" : "symbol",
			 line ? pointcut->file : pointcut->symbol);
	wv_xml_attribute(writer, line ? "line" : "offset", number);
	wv_xml_end(writer, element);
}

static void write_symbol(const char *element, const char *attribute,
			 const struct wv_pointcut *pointcut, struct wv_xml_writer *writer)
{
	wv_xml_begin(writer, element);
	wv_xml_attribute(writer, attribute, pointcut->symbol);
	wv_xml_end(writer, element);
}

static void write_pointcut(const struct wv_pointcut *pointcut, struct wv_xml_writer *writer)
{
	switch (pointcut->type) {
	case WV_POINTCUT_MEMBER:
		write_member(pointcut, writer);
		break;
	case WV_POINTCUT_ENTRY:
	case WV_POINTCUT_EXIT:
		write_function(pointcut, writer);
		break;
	case WV_POINTCUT_TRACEPOINT:
		write_symbol("tracepoint", "name", pointcut, writer);
		break;
	case WV_POINTCUT_BLOCK:
		write_symbol("block", "function", pointcut, writer);
		break;
	case WV_POINTCUT_CALLS:
		write_symbol("call", "from", pointcut, writer);
		break;
	case WV_POINTCUT_CALLERS:
		write_symbol("call", "function", pointcut, writer);
		break;
	default:
		write_numbered(pointcut, writer);
	}
}

/*
 * Writes a <within> for @within and for the module @module; each may be NULL. @within has the same
 * meaning as in `weft points --within`: with a slash or a dot it is a file, else a function.
 */
static void write_within(const char *within, const char *module, struct wv_xml_writer *writer)
{
	const bool file = within && strpbrk(within, "/.");

	if (!within && !module)
		return;
	wv_xml_begin(writer, "within");
	wv_xml_attribute(writer, "function", file ? NULL : within);
	wv_xml_attribute(writer, "file", file ? within : NULL);
	wv_xml_attribute(writer, "module", module);
	wv_xml_end(writer, "within");
}

void wv_point_write(const struct wv_point *point, const char *within, struct wv_xml_writer *writer)
{
	const char *module = point->pointcut.type == WV_POINTCUT_TRACEPOINT ?
				     NULL : point->pointcut.module;
	const bool narrow = within || module;

	if (narrow)
		wv_xml_begin(writer, "and");
	write_pointcut(&point->pointcut, writer);
	if (!narrow)
		return;
	write_within(within, module, writer);
	wv_xml_end(writer, "and");
}
