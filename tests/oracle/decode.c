// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The weaver's decoder against objdump's: reads what `objdump -d --insn-width=15` prints and compares each instruction's
 * length and, of direct calls, jumps and branches, the target. What either calls no instruction is counted apart.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decode.h"

enum { LENGTH_MAX = 15, COMPLAINTS = 20 };

struct line {
	uint64_t address;
	uint8_t bytes[LENGTH_MAX];
	size_t length;
	char *text; /* mnemonic and operands */
};

struct totals {
	unsigned long lengths, targets, wrong, bad;
};

/* "ffffffff81000000:\t48 8d 25 51 3f c0 00 \tlea ..."; false for what is no instruction's line. */
static bool parse(char *from, struct line *ret)
{
	char *at, *end;

	*ret = (struct line){ 0 };
	while (*from == ' ')
		from++;
	ret->address = strtoull(from, &at, 16);
	if (at == from || at[0] != ':' || at[1] != '\t')
		return false;
	for (at += 2; ret->length < LENGTH_MAX && isxdigit((unsigned char)*at); at = end + 1) {
		ret->bytes[ret->length++] = strtoul(at, &end, 16);
		if (*end != ' ')
			return false;
	}
	at += strspn(at, " ");
	if (!ret->length || *at != '\t')
		return false;
	ret->text = at + 1;
	return true;
}

/* "call   ffffffff81000000 <name>" names a target, "call *%rax" does not. */
static bool target_of(const char *text, uint64_t *ret)
{
	const char *operand = strstr(text, " <");
	char *end;

	if (!operand || strchr(text, '%') || strchr(text, '*') || strchr(text, '$'))
		return false;
	while (operand > text && isxdigit((unsigned char)operand[-1]))
		operand--;
	*ret = strtoull(operand, &end, 16);
	return end != operand;
}

static void complain(struct totals *totals, const struct line *line, const char *what, uint64_t ours)
{
	if (totals->wrong++ < COMPLAINTS)
		printf("%s: ours is %#lx: %#lx, %zu bytes: %s", what, (unsigned long)ours,
		       (unsigned long)line->address, line->length, line->text);
}

/* Bytes that objdump takes for none, and the one that it prints as one: finit is fwait and fninit. */
static bool is_none(const char *text)
{
	return strstr(text, "(bad)") || !strncmp(text, ".byte", 5) || !strcmp(text, "rex.W\n") ||
	       !strncmp(text, "finit", 5);
}

static void compare(struct wv_decoder *decoder, const struct line *line, struct totals *totals)
{
	struct wv_insn insn;
	uint64_t target;
	size_t length;

	if (is_none(line->text)) {
		totals->bad++;
		return;
	}
	length = wv_decode(decoder, line->bytes, line->length, line->address, &insn);
	totals->lengths++;
	if (length != line->length) {
		complain(totals, line, "length", length);
		return;
	}
	if (!target_of(line->text, &target)) {
		if (insn.direct)
			complain(totals, line, "target that is none", insn.target);
		return;
	}
	totals->targets++;
	if (!insn.direct || insn.target != target)
		complain(totals, line, "target", insn.target);
}

int main(void)
{
	_cleanup_decoder_ struct wv_decoder *decoder = NULL;
	struct totals totals = { 0 };
	struct wv_error error = { 0 };
	char *text = NULL;
	size_t size = 0;
	struct line line;
	bool passed;

	if (wv_decoder_create(&decoder, &error))
		return 1;
	while (getline(&text, &size, stdin) > 0)
		if (parse(text, &line))
			compare(decoder, &line, &totals);
	free(text);
	printf("%lu lengths and %lu targets compared, %lu differ, %lu no instruction to objdump\n",
	       totals.lengths, totals.targets, totals.wrong, totals.bad);
	passed = totals.lengths && totals.targets && !totals.wrong;
	printf("%d passed, %d failed, 0 skipped\n", passed, !passed);
	return !passed;
}
