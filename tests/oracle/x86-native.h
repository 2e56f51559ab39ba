/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions executed where they stand and as a trampoline has them (runtime/trampoline.c), from
 * the same registers, flags, vector registers and memory: what comes of it has to be the same, be
 * it a fault.
 *
 * In children, one step at a time by the trap flag. They can make no system call, and write to
 * nothing but a few pages.
 */
#ifndef WEFT_ORACLE_X86_NATIVE_H
#define WEFT_ORACLE_X86_NATIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/trampoline.h"

/* Where an instruction stands: what is tested is decoded for this address. */
#define NATIVE_ADDRESS 0x20000000ul

enum native_verdict {
	NATIVE_NOT_RUN,
	NATIVE_SAME,
	NATIVE_SAME_FAULT,
	NATIVE_UNREACHED, /* the emitter: its target is too far away from the trampoline */
	NATIVE_REGISTERS, /* they differ */
	NATIVE_FLAGS,
	NATIVE_VECTORS,
	NATIVE_MEMORY,
	NATIVE_GOES, /* it goes on elsewhere, or faults where the other does not */
	NATIVE_DIED, /* the child */
	NATIVE_VERDICTS,
};

struct native_case {
	struct wr_insn insn;
	bool volatile_result; /* a clock's, a random number: only where it goes on is compared */
	uint8_t verdict;      /* out: enum native_verdict */
};

const char *native_verdict_name(enum native_verdict verdict);

/* Runs @n cases, which @cases, shared with children, has. False: no children can be had. */
bool native_run(struct native_case *cases, size_t n);

/* Memory for so many, cleared. */
struct native_case *native_cases(size_t n);
void native_free(struct native_case *cases, size_t n);

#endif /* WEFT_ORACLE_X86_NATIVE_H */
