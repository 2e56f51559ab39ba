// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checks the weaver's decoder against objdump. Reads the output of `objdump -d --insn-width=15`,
 * and compares each instruction's length and the target of direct calls, jumps and branches. Bytes
 * that only one of the two decoders takes for an instruction are counted separately.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "x86/decode.h"
#include "listing.h"

enum { REPORTED_MOST = 20 };

struct totals {
	unsigned long lengths, targets, wrong, bad;
};

/*
 * Returns whether the text names a target: "call   ffffffff81000000 <name>" does, "call *%rax" does
 * not.
 */
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

static void report(struct totals *totals, const struct line *line, const char *what, uint64_t ours)
{
	if (totals->wrong++ < REPORTED_MOST)
		printf("%s: ours is %#lx: %#lx, %zu bytes: %s", what, (unsigned long)ours,
		       (unsigned long)line->address, line->length, line->text);
}

static void compare(struct wv_decoder *decoder, const struct line *line, struct totals *totals)
{
	struct wv_insn insn;
	uint64_t target;
	size_t length;

	if (listing_is_none(line->text)) {
		totals->bad++;
		return;
	}
	length = wv_decode(decoder, line->bytes, line->length, line->address, &insn);
	totals->lengths++;
	if (length != line->length) {
		report(totals, line, "length", length);
		return;
	}
	if (!target_of(line->text, &target)) {
		if (insn.direct)
			report(totals, line, "target that is none", insn.target);
		return;
	}
	totals->targets++;
	if (!insn.direct || insn.target != target)
		report(totals, line, "target", insn.target);
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
		if (listing_parse(text, &line))
			compare(decoder, &line, &totals);
	free(text);
	printf("%lu lengths and %lu targets compared, %lu differ, %lu no instruction to objdump\n",
	       totals.lengths, totals.targets, totals.wrong, totals.bad);
	passed = totals.lengths && totals.targets && !totals.wrong;
	printf("%d passed, %d failed, 0 skipped\n", passed, !passed);
	return !passed;
}
