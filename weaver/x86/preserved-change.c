// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds changes of the registers that aspects never change; see preserved-change.h. */
#include <string.h>

#include "runtime/frame.h"
#include "x86/preserved-change.h"

/*
 * The registers that aspects never change, each with the names of its parts in an instruction's
 * text.
 */
static const struct {
	unsigned int reg;
	const char *names[5];
} preserved[] = {
	{ WR_RBX, { "%rbx", "%ebx", "%bx", "%bl", "%bh" } },
	{ WR_R12, { "%r12" } },
	{ WR_R13, { "%r13" } },
	{ WR_R14, { "%r14" } },
	{ WR_R15, { "%r15" } },
};
enum { NR_PRESERVED = sizeof(preserved) / sizeof(preserved[0]) };

/*
 * Returns whether the instruction with this text may change the register preserved[@which]: whether
 * the text names that register. Every instruction that changes one of these registers names it in
 * its text, with one exception: cpuid changes rbx.
 */
static bool names(const char *text, size_t which)
{
	for (size_t i = 0; i < 5 && preserved[which].names[i]; i++)
		if (strstr(text, preserved[which].names[i]))
			return true;
	return preserved[which].reg == WR_RBX && !strncmp(text, "cpuid", 5);
}

/*
 * insn->changes alone does not suffice: for an instruction that the decoder does not know, it has
 * all registers. So the instruction's text must also name the register.
 */
const char *wv_preserved_change(struct wv_decoder *decoder, const uint8_t *bytes, size_t n,
				uint64_t address, const struct wv_insn *insn)
{
	char text[128];

	for (size_t i = 0; i < NR_PRESERVED; i++) {
		if (!(insn->changes & WR_BIT(preserved[i].reg)))
			continue;
		wv_decode_text(decoder, bytes, n, address, NULL, NULL, text, sizeof(text));
		if (names(text, i))
			return preserved[i].names[0] + 1;
	}
	return NULL;
}
