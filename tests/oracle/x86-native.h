/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Executes instructions both where they are and in a trampoline (runtime/trampoline.c), from the
 * same registers, flags, vector registers and memory. Both must have the same outcome, even if it
 * is a fault.
 *
 * Children execute them, one step at a time by the trap flag. A child can make no system calls but
 * sigreturn and exit, and writes to nothing except a few pages.
 */
#ifndef WEFT_ORACLE_X86_NATIVE_H
#define WEFT_ORACLE_X86_NATIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/trampoline.h"

/*
 * The address of each original. An instruction must be decoded for this address before it is
 * tested.
 */
#define NATIVE_ADDRESS 0x20000000ul

enum native_verdict {
	NATIVE_NOT_RUN, /* The case has not run yet. */
	NATIVE_SAME, /* The outcomes are the same, as far as they are compared. */
	NATIVE_SAME_FAULT, /* The outcomes are the same fault. */
	/* wr_trampoline_emit() has refused the instruction, since its target is too far away. */
	NATIVE_UNREACHED,
	NATIVE_REGISTERS, /* The outcomes differ in the registers. */
	NATIVE_FLAGS, /* The outcomes differ in the flags. */
	NATIVE_VECTORS, /* The outcomes differ in vector registers. */
	NATIVE_MEMORY, /* The outcomes differ in memory. */
	/* After the two runs control goes on at different addresses, or the faults differ. */
	NATIVE_GOES,
	NATIVE_DIED, /* The child has died. */
	NATIVE_VERDICTS, /* The number of verdicts. */
};

struct native_case {
	struct wr_insn insn; /* The instruction to be moved and executed. */
	/* The result depends on a clock or on chance, so only where control goes on is compared. */
	bool volatile_result;
	uint8_t verdict;      /* The result, an enum native_verdict. */
};

const char *native_verdict_name(enum native_verdict verdict);

/* Runs @n @cases, which native_cases() has allocated. Returns false if no child can be started. */
bool native_run(struct native_case *cases, size_t n);

/* Allocates @n cases in memory that is shared with children, all zero. */
struct native_case *native_cases(size_t n);
void native_free(struct native_case *cases, size_t n);

#endif /* WEFT_ORACLE_X86_NATIVE_H */
