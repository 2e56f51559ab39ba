// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The advice of the random aspects (declared in live-advice.h), compiled with -mgeneral-regs-only
 * since trampolines do not save vector registers.
 */
#include "advice-entry.h"
#include "base/unexported.h"
#include "live-advice.h"
#include "runtime/advice.h"

ADVICE_ENTRY(live_advice, live_called);
ADVICE_ENTRY(live_advice_frame, live_called_with_frame);

IN_ADVICE uint64_t live_called(const struct weft_frame *frame, const struct weft_shadow *shadow);
IN_ADVICE uint64_t live_called_with_frame(const struct weft_frame *frame,
					  const struct weft_shadow *shadow);

/*
 * The memory of a shadow or a joinpoint is overwritten when it is freed. So advice that is called
 * too late finds a wrong number or address, and is counted as LIVE_WRONG.
 */
uint64_t live_called(const struct weft_frame *frame, const struct weft_shadow *shadow)
{
	const struct weft_joinpoint *joinpoint = shadow->joinpoint;
	struct cpu *cpu = this_cpu();
	u32 aspect = joinpoint->what;

	if (aspect >= LIVE_ASPECTS ||
	    shadow->address != wk_unexported.text + joinpoint->text_offset)
		cpu->counts[LIVE_WRONG].ran++;
	else
		cpu->counts[LIVE_CALLED + aspect].ran++;
	return advice_rubbish(cpu);
}

/*
 * Checks that @frame lies on the woven code's stack, less than NEAR bytes below the stack pointer
 * that it has noted: the red zone and what the trampoline has pushed lie in between.
 */
uint64_t live_called_with_frame(const struct weft_frame *frame, const struct weft_shadow *shadow)
{
	enum { NEAR = 4096 };

	if (frame->reg[WR_RSP] - (uintptr_t)frame >= NEAR)
		this_cpu()->counts[LIVE_WRONG].ran++;
	return live_called(frame, shadow);
}
