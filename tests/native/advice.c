// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The advice that the tests weave into libraries (declared in advice.h). It is compiled with
 * -mgeneral-regs-only, since trampolines do not save vector registers.
 */
#include "advice.h"
#include "advice-entry.h"
#include "cpu.h"
#include "weave.h"

struct record *advice_record_to;
const struct shadow *advice_shadows;

ADVICE_ENTRY(advice_clobber, clobber);
ADVICE_ENTRY(advice_clobber_frame, clobber_frame);
ADVICE_ENTRY(advice_record, record);

IN_ADVICE uint64_t clobber(const struct weft_frame *frame, size_t shadow);
IN_ADVICE uint64_t clobber_frame(const struct weft_frame *frame, size_t shadow);
IN_ADVICE uint64_t record(const struct weft_frame *frame, size_t shadow);

uint64_t clobber(const struct weft_frame *frame, size_t shadow)
{
	struct cpu *cpu = this_cpu();

	cpu->counts[shadow].ran++;
	return advice_rubbish(cpu);
}

/*
 * Checks that @frame lies on the woven code's stack, less than NEAR bytes below the stack pointer
 * that it has noted: the red zone and what the trampoline has pushed lie in between.
 */
uint64_t clobber_frame(const struct weft_frame *frame, size_t shadow)
{
	enum { NEAR = 4096 };
	uint64_t distance = frame->reg[WR_RSP] - (uintptr_t)frame;
	struct cpu *cpu = this_cpu();

	if (distance < NEAR)
		cpu->counts[shadow].ran++;
	return advice_rubbish(cpu);
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
	return advice_rubbish(cpu);
}
