/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One instruction as wv_decode() fills it (decode.h). */
#ifndef WV_INSTRUCTION_H
#define WV_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/x86-rules.h"

#define WV_NO_REGISTER 0xff

struct wv_insn {
	struct wr_fields fields; /* for the rules */
	uint8_t length;
	enum wr_flow flow;
	bool direct;	     /* a call, branch or jump to .target */
	uint64_t target;
	bool table;	     /* an indirect jump through an indexed table */
	enum wr_filling filling;
	bool lea;
	/* an operand with base register and displacement, not relative to %rip or a segment */
	bool has_memory;
	bool reads, writes;  /* how it accesses that memory */
	int64_t displacement;
	bool relative;	     /* a memory operand is relative to %rip; its address is .operand */
	uint64_t operand;
	bool has_constant;   /* the last immediate operand that is not a branch target */
	int64_t constant;
	/*
	 * WR_BIT()s (runtime/frame.h). uses: a superset of the registers read; kills: a subset of
	 * those written as a whole.
	 */
	uint32_t uses, kills;
	uint32_t changes;     /* superset of the registers changed, except by control flow */
	/* register numbers, if it moves one whole register to another; else WV_NO_REGISTER */
	uint8_t from, to;
	/* register that holds the target of an indirect call or jump; else WV_NO_REGISTER */
	uint8_t through;
};

#endif /* WV_INSTRUCTION_H */
