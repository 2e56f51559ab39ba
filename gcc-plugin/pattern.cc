// SPDX-License-Identifier: GPL-2.0-or-later
/* Keys of instructions, by what they do. */
#include "gcc-compat.h"
#include "map.h"
#include "pattern.h"

uint64_t wp_pattern_key(const rtx_insn *insn)
{
	subrtx_iterator::array_type array;
	uint64_t key = 1;

	FOR_EACH_SUBRTX(i, array, PATTERN(insn), ALL)
	{
		const_rtx it = *i;
		uint64_t what = 0;

		if (REG_P(it))
			what = REGNO(it);
		else if (CONST_INT_P(it))
			what = INTVAL(it);
		else if (GET_CODE(it) == LABEL_REF)
			what = (uintptr_t)label_ref_label(it);
		else if (GET_CODE(it) == SYMBOL_REF ||
			 !strcmp(GET_RTX_FORMAT(GET_CODE(it)), ""))
			what = (uintptr_t)it;
		else if (GET_CODE(it) == UNSPEC || GET_CODE(it) == UNSPEC_VOLATILE)
			what = XINT(it, 1);
		else if (GET_CODE(it) == ASM_OPERANDS)
			what = wp_key_of_string(ASM_OPERANDS_TEMPLATE(it));
		key = wp_key(key, GET_CODE(it) << 8 | GET_MODE(it), what);
	}
	return key;
}
