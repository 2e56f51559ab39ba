// SPDX-License-Identifier: GPL-2.0-or-later
/* Pointcuts as data, and the words for kinds of access; see pointcut.h. */
#include <stdlib.h>
#include <string.h>

#include "runtime/joinpoint-table.h"
#include "base/suggest.h"
#include "database/pointcut.h"
#include "runtime/abi.h"

static char *copy_text(const char *text, bool *failed)
{
	char *copy = text ? strdup(text) : NULL;

	*failed |= text && !copy;
	return copy;
}

int wv_pointcut_copy(const struct wv_pointcut *pointcut, struct wv_pointcut *ret)
{
	bool failed = false;

	*ret = *pointcut;
	ret->module = copy_text(pointcut->module, &failed);
	ret->structure = copy_text(pointcut->structure, &failed);
	ret->member = copy_text(pointcut->member, &failed);
	ret->symbol = copy_text(pointcut->symbol, &failed);
	ret->file = copy_text(pointcut->file, &failed);
	if (failed)
		wv_pointcut_deinit(ret);
	return failed ? -1 : 0;
}

void wv_pointcut_deinit(struct wv_pointcut *pointcut)
{
	free(pointcut->module);
	free(pointcut->structure);
	free(pointcut->member);
	free(pointcut->symbol);
	free(pointcut->file);
	memset(pointcut, 0, sizeof(*pointcut));
}

const char *wv_member_last(const char *member)
{
	const char *dot = strrchr(member, '.');

	return dot ? dot + 1 : member;
}

static const char *const kind_names[WEFT_KIND_COUNT] = {
	[WEFT_KIND_GET] = "get",	 [WEFT_KIND_SET] = "set",   [WEFT_KIND_RMW] = "rmw",
	[WEFT_KIND_ADDRESS] = "address", [WEFT_KIND_CALL] = "call", [WEFT_KIND_INIT] = "init",
};

static const char *const precision_names[] = {
	[WEFT_PRECISION_EXACT] = "exact",     [WEFT_PRECISION_COLUMN] = "column",
	[WEFT_PRECISION_OPERAND] = "operand", [WEFT_PRECISION_LINE] = "line",
	[WEFT_PRECISION_SYMBOL] = "symbol",   [WEFT_PRECISION_OPTIMIZED_OUT] = "optimized-out",
};

static const char *const fate_names[] = {
	[WEFT_FATE_COALESCED] = "coalesced", [WEFT_FATE_DEAD] = "dead",
	[WEFT_FATE_REGISTERS] = "in registers", [WEFT_FATE_COPIED] = "copied whole",
	[WEFT_FATE_CONSTANT] = "constant",
};

const char *wv_kind_name(unsigned int kind)
{
	return kind < WEFT_KIND_COUNT ? kind_names[kind] : "unknown";
}

const char *wv_precision_name(unsigned int precision)
{
	return precision <= WEFT_PRECISION_OPTIMIZED_OUT ? precision_names[precision] : "unknown";
}

const char *wv_fate_name(unsigned int fate)
{
	return fate < WEFT_FATE_COUNT ? fate_names[fate] : "unknown";
}

static int unknown_kind(const char *text, size_t n, struct wv_error *error)
{
	char hint[256];

	wv_suggestion_of(text, n, kind_names, WEFT_KIND_COUNT, hint, sizeof(hint));
	return wv_fail(error, WV_E_USAGE,
		       "unknown kind '%.*s'%s kinds are get, set, rmw, address, call and init, "
		       "several with '|' between",
		       (int)n, text, *hint ? strcat(hint, " The") : "; the");
}

int wv_kinds_parse(const char *text, uint32_t *ret, struct wv_error *error)
{
	*ret = 0;
	for (;;) {
		size_t n = strcspn(text, "|");
		unsigned int kind = 0;

		while (kind < WEFT_KIND_COUNT &&
		       (strlen(kind_names[kind]) != n || strncmp(kind_names[kind], text, n)))
			kind++;
		if (kind == WEFT_KIND_COUNT)
			return unknown_kind(text, n, error);
		*ret |= WV_KIND_BIT(kind);
		if (!text[n])
			return 0;
		text += n + 1;
	}
}
