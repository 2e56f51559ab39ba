/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds what an asm statement does to an operand in memory, from its template (x86, AT&T syntax).
 * Constraints do not show it: `lock bts %1,%0` has its memory as an input.
 */
#ifndef WEFT_ASM_TEMPLATE_H
#define WEFT_ASM_TEMPLATE_H

#include "runtime/joinpoint-table.h"

struct wp_asm_use {
	bool mentioned; /* an instruction has the operand */
	bool known;	/* exactly one instruction has the operand, and what it does is known */
	bool first;	/* that instruction is the first one, so that the asm begins with it */
	enum weft_access_effect effect; /* load, store or rmw */
};

/* Returns what the asm with template @text does to its memory operand number @operand. */
wp_asm_use wp_asm_use_of(const char *text, unsigned operand);

#endif /* WEFT_ASM_TEMPLATE_H */
