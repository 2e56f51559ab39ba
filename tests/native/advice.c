// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The advice; see advice.h. Compiled with -mgeneral-regs-only. The entries align the stack for C,
 * which the code around keeps aligned only at calls.
 */
#include "advice.h"
#include "cpu.h"
#include "weave.h"

struct record *advice_record_to;
const struct shadow *advice_shadows;

/* Each sets other flags, among them overflow. */
#define ENTRY(name, body)                              \
	asm(".pushsection advice_text, \"ax\"\n"       \
	    ".globl " #name "\n" #name ":	push %rbp\n" \
	    "		mov %rsp, %rbp\n"                       \
	    "		and $-16, %rsp\n"                       \
	    "		call " #body "\n"              \
	    "		mov %rax, %rcx\n"                       \
	    "		mov %rax, %rdx\n"                       \
	    "		not %rdx\n"                             \
	    "		mov %rax, %rsi\n"                       \
	    "		bswap %rsi\n"                           \
	    "		mov %rdx, %rdi\n"                       \
	    "		bswap %rdi\n"                           \
	    "		mov %rax, %r8\n"                        \
	    "		ror $13, %r8\n"                         \
	    "		mov %rax, %r9\n"                        \
	    "		ror $29, %r9\n"                         \
	    "		mov %rax, %r10\n"                       \
	    "		ror $41, %r10\n"                        \
	    "		mov %rax, %r11\n"                       \
	    "		leave\n"                                \
	    "		add %r11, %r11\n"                       \
	    "		ret\n"                                  \
	    ".popsection\n")

ENTRY(advice_clobber, clobber);
ENTRY(advice_clobber_frame, clobber_frame);
ENTRY(advice_record, record);

#define IN_ADVICE __attribute__((section("advice_text")))

IN_ADVICE uint64_t clobber(const struct weft_frame *frame, size_t shadow);
IN_ADVICE uint64_t clobber_frame(const struct weft_frame *frame, size_t shadow);
IN_ADVICE uint64_t record(const struct weft_frame *frame, size_t shadow);

IN_ADVICE static uint64_t rubbish(struct cpu *cpu)
{
	cpu->seed ^= cpu->seed << 13;
	cpu->seed ^= cpu->seed >> 7;
	cpu->seed ^= cpu->seed << 17;
	return cpu->seed;
}

uint64_t clobber(const struct weft_frame *frame, size_t shadow)
{
	struct cpu *cpu = this_cpu();

	cpu->counts[shadow].ran++;
	return rubbish(cpu);
}

/* A frame lies right below the stack of the code around, but for the red zone. */
uint64_t clobber_frame(const struct weft_frame *frame, size_t shadow)
{
	enum { NEAR = 4096 };
	uint64_t distance = frame->reg[WR_RSP] - (uintptr_t)frame;
	struct cpu *cpu = this_cpu();

	if (distance < NEAR)
		cpu->counts[shadow].ran++;
	return rubbish(cpu);
}

uint64_t record(const struct weft_frame *frame, size_t shadow)
{
	struct record *to = advice_record_to;
	struct cpu *cpu = this_cpu();

	cpu->counts[shadow].ran++;
	if (to->n < to->size) {
		to->states[to->n].address = advice_shadows[shadow].address;
		to->states[to->n].frame = *frame;
	}
	to->n++;
	return rubbish(cpu);
}
