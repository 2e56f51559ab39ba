/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One instruction as wv_decode() fills it (decode.h). */
#ifndef WV_INSTRUCTION_H
#define WV_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/x86-rules.h"

#define WV_NO_REGISTER 0xff

struct wv_insn {
	struct wr_fields fields; /* as runtime/x86-rules.h decodes the bytes */
	uint8_t length;
	enum wr_control control;
	bool direct;	     /* a call, branch or jump whose target is an address, .target */
	uint64_t target;
	bool table;	     /* an indirect jump through an indexed table */
	enum wr_filling filling;
	bool lea;
	/* there is a memory operand that has a base register and no segment register */
	bool has_memory;
	bool reads, writes;  /* how the instruction accesses that operand */
	int64_t displacement;
	bool relative;	     /* a memory operand is relative to %rip; .operand is its address */
	uint64_t operand;
	/*
	 * there is an immediate operand that is no branch target; .constant is the last such
	 * operand
	 */
	bool has_constant;
	int64_t constant;
	/*
	 * WR_BIT()s (runtime/frame.h). .uses: a superset of the registers that the instruction
	 * reads. .kills: a subset of the registers that it writes as a whole.
	 */
	uint32_t uses, kills;
	/* WR_BIT()s: a superset of the registers, but not flags, that the instruction changes */
	uint32_t changes;
	/*
	 * the numbers of both registers if the instruction copies one whole register to another;
	 * else WV_NO_REGISTER
	 */
	uint8_t from, to;
	/* register that holds the target of an indirect call or jump; else WV_NO_REGISTER */
	uint8_t through;
};

#endif /* WV_INSTRUCTION_H */
