// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The trampoline emitter; trampoline.h shows the code that it emits.
 *
 * A *site*, in this file, is a piece of the trampoline: the code before one of the displaced
 * instructions, or after the last. It saves registers, has one block of code for each advice call
 * there, and restores the registers. Around-advice ends a site, since no registers may be saved on
 * the stack while it runs; another site may follow it before the same instruction.
 */
#include "encode.h"
#include "frame.h"
#include "trampoline.h"

enum {
	FRAME_SIZE = sizeof(struct weft_frame),
	FRAME_REGISTERS = WR_NR_REGISTERS * 8,
	RED_ZONE = 128,
	HALF_LINE = 32,
	OP_RETURN = 0xc3,
	REX = 0x40,
	REX_B = 0x01,
	OP_GROUP5 = 0xff,
	MODRM_REGISTER = 0xc0,
	MODRM_REG_MASK = 0x38,
	MODRM_REG_JUMP = 0x20, /* ff /4, an indirect jump; ff /2 is the indirect call */
	BOUND_LINK = 13 + 1 + 8 + 1 + 5,
	/*
	 * Upper bounds in bytes. SITE: the code that saves and restores registers at a site. BLOCK,
	 * DETOURS: a block, and its out-of-line part. INSN: a relocated instruction.
	 */
	BOUND_SITE = 8 + 1 + 1 + 3 + 8 + WR_NR_REGISTERS * 5 + 8 + 9 * 5 + 8 + 1 + 8 + BOUND_LINK,
	/* the instructions that set the guard, hit, frame and shadow, and call the advice */
	BOUND_ADVICE = 9 + 9 + 5 + 10 + 5,
	/* the instructions that set shadow and stack pointer, call .asks, test and jump */
	BOUND_QUESTION = 10 + 8 + 5 + 2 + 6,
	BOUND_BLOCK = BOUND_QUESTION + 9 + 8 + 10 + 6 + BOUND_ADVICE + 13 + 9 + 6,
	BOUND_DETOURS = 8 + 6 + 3 + 2 + 6 + 2 + 6 + 8 + BOUND_ADVICE + 8 + 5 + 9 + 5 + 5 + 5,
	/*
	 * the instructions that set the return address and the target of a call with around-advice,
	 * and the relocated instruction. The jump and endbr64 of around-advice take less
	 */
	BOUND_INSN = 5 + 8 + 10 + WEFT_INSN_MAX,
	/* Half a cache line before a return or an indirect jump, and the int3 after it. */
	BOUND_END = 5 + HALF_LINE + 1,
};

#define REGISTERS (WR_BIT(WR_NR_REGISTERS) - 1)

/* What the code at one site has to do. */
struct site {
	__u32 saved; /* WR_BIT()s of the registers to save and restore */
	__u32 needs; /* WR_BIT()s of what is stored in the frame */
	bool sanitize, save_flags;
	bool frame; /* the site builds a struct weft_frame; false: it pushes registers */
	bool link; /* the site builds a stack frame that links to the callers */
	/* the register for the address of a counter that wr_is_near() is not true for */
	unsigned int scratch;
	__s32 size; /* bytes of the registers and flags that are saved; set by emit_save() */
	__u64 address; /* live address of the instruction at this site */
};

static bool counts_far(const struct wr_call *call)
{
	return !call->entry && !call->notes && !wr_is_near(call->hits);
}

/*
 * Returns a register that the code may change. If the site makes calls, that is rax, since all
 * caller-saved registers are saved there. Otherwise it is a caller-saved register that is not live,
 * or rax if all of them are live; the caller must then save rax.
 */
static unsigned int scratch_register(__u32 live, __u32 clobbered)
{
	unsigned int reg = WR_RAX;

	while (reg < WR_NR_REGISTERS && !(WR_CALLER_SAVED & ~live & WR_BIT(reg)))
		reg++;
	return clobbered || reg == WR_NR_REGISTERS ? WR_RAX : reg;
}

/* Decides what the site before instruction @i, with its @n calls, has to do. */
static struct site site_of(const struct wr_trampoline *trampoline, __u32 i,
			   const struct wr_call *calls, __u32 n)
{
	const struct wr_insn *insn = &trampoline->insns[i < trampoline->nr_insns ? i : i - 1];
	struct site site = { .address = i < trampoline->nr_insns ? insn->address
								 : insn->address + insn->length };
	__u32 live = 0, clobbered = 0;
	bool far = false;

	for (i = 0; i < n; i++) {
		live |= calls[i].live;
		far |= counts_far(&calls[i]);
		if (calls[i].asks)
			clobbered = WR_CALLER_SAVED;
		if (!calls[i].entry)
			continue;
		site.needs |= calls[i].needs & (REGISTERS | WR_BIT(WR_FLAGS));
		site.link |= calls[i].needs & WR_BIT(WR_CALLERS) &&
			     trampoline->platform->flags & WR_PLATFORM_FRAMES;
		clobbered = WR_CALLER_SAVED;
	}
	site.scratch = scratch_register(live, clobbered);
	site.saved = live & (clobbered | (far ? WR_BIT(site.scratch) : 0));
	site.sanitize = clobbered && trampoline->flags & WR_TRAMPOLINE_SANITIZE;
	site.save_flags = site.sanitize || live & WR_BIT(WR_FLAGS);
	site.frame = site.needs;
	return site;
}

/*
 * Returns the size in bytes of the link to the callers. If the splice is a call, the return address
 * is on the stack already.
 */
static __s32 link_size(const struct wr_trampoline *trampoline)
{
	return trampoline->flags & WR_TRAMPOLINE_CALLED ? 8 : 16;
}

static void emit_link(struct wr_code *code, const struct wr_trampoline *trampoline,
		      const struct site *site)
{
	if (!(trampoline->flags & WR_TRAMPOLINE_CALLED)) {
		if (trampoline->platform->flags & WR_PLATFORM_HIGH)
			wr_push_high_address(code, site->address + 1);
		else
			wr_push_address(code, site->address + 1);
	}
	wr_push(code, WR_RBP);
}

static void emit_unlink(struct wr_code *code, const struct wr_trampoline *trampoline)
{
	wr_pop(code, WR_RBP);
	if (!(trampoline->flags & WR_TRAMPOLINE_CALLED))
		wr_lea_stack(code, WR_RSP, 8);
}

/*
 * Returns the distance in bytes from the stack pointer after @size bytes of saved registers to the
 * stack pointer at the shadow. If the splice is a call, that is the stack pointer before the return
 * address was pushed.
 */
static __s32 stack_distance(const struct wr_trampoline *trampoline, const struct site *site,
			    __s32 size)
{
	return size + (trampoline->flags & WR_TRAMPOLINE_CALLED ? 8 : 0) +
	       (trampoline->platform->flags & WR_PLATFORM_RED_ZONE ? RED_ZONE : 0) +
	       (site->link ? link_size(trampoline) : 0);
}

static void store_registers(struct wr_code *code, const struct wr_trampoline *trampoline,
			    const struct site *site)
{
	__s32 distance = stack_distance(trampoline, site, FRAME_SIZE);

	for (unsigned int reg = 0; reg < WR_NR_REGISTERS; reg++)
		if ((site->saved | site->needs) & WR_BIT(reg) && reg != WR_RSP)
			wr_store(code, reg, reg * 8);
	if (site->needs & WR_BIT(WR_RSP)) {
		/* rax is stored already, or dead. */
		wr_lea_stack(code, WR_RAX, distance);
		wr_store(code, WR_RAX, WR_RSP * 8);
	}
}

/*
 * Emits the code of @site that saves registers, and flags if need be. The flags are the last member
 * of struct weft_frame, at its highest address, so pushfq can store them there.
 */
static void emit_save(struct wr_code *code, const struct wr_trampoline *trampoline,
		      struct site *site)
{
	bool flags = site->save_flags || site->needs & WR_BIT(WR_FLAGS);
	__s32 size = flags ? 8 : 0;

	if (trampoline->platform->flags & WR_PLATFORM_RED_ZONE)
		wr_lea_stack(code, WR_RSP, -RED_ZONE);
	if (site->link)
		emit_link(code, trampoline, site);
	if (flags)
		wr_pushfq(code);
	if (site->sanitize) {
		wr_cld(code);
		if (trampoline->platform->flags & WR_PLATFORM_CLAC)
			wr_clac(code);
	}
	if (site->frame) {
		wr_lea_stack(code, WR_RSP, flags ? -FRAME_REGISTERS : -FRAME_SIZE);
		store_registers(code, trampoline, site);
		size = FRAME_SIZE;
	}
	for (unsigned int reg = 0; reg < WR_NR_REGISTERS && !site->frame; reg++) {
		if (!(site->saved & WR_BIT(reg)))
			continue;
		wr_push(code, reg);
		size += 8;
	}
	site->size = size;
	if (site->link)
		wr_lea_stack(code, WR_RBP, size);
}

static void emit_restore(struct wr_code *code, const struct wr_trampoline *trampoline,
			 const struct site *site)
{
	if (site->frame) {
		for (unsigned int reg = 0; reg < WR_NR_REGISTERS; reg++)
			if (site->saved & WR_BIT(reg))
				wr_load(code, reg, reg * 8);
		wr_lea_stack(code, WR_RSP, site->save_flags ? FRAME_REGISTERS : FRAME_SIZE);
	} else {
		for (unsigned int reg = WR_NR_REGISTERS; reg--;)
			if (site->saved & WR_BIT(reg))
				wr_pop(code, reg);
	}
	if (site->save_flags)
		wr_popfq(code);
	if (site->link)
		emit_unlink(code, trampoline);
	if (trampoline->platform->flags & WR_PLATFORM_RED_ZONE)
		wr_lea_stack(code, WR_RSP, RED_ZONE);
}

/*
 * Emits code that takes the guard and calls the advice. @pushed: bytes pushed since the frame was
 * made. eax holds the preemption count.
 */
static void emit_advice(struct wr_code *code, const struct wr_trampoline *trampoline,
			const struct wr_call *call, __s32 pushed)
{
	wr_store_variable(code, WR_RAX, trampoline->platform->guard);
	wr_inc64(code, call->hits);
	if (call->framed)
		wr_lea_stack(code, WR_RDI, pushed);
	wr_mov_imm(code, WR_RSI, call->shadow);
	wr_call(code, call->entry);
}

static void emit_counter(struct wr_code *code, const struct site *site, const struct wr_call *call)
{
	if (!counts_far(call)) {
		wr_inc64(code, call->hits);
		return;
	}
	wr_mov_imm(code, site->scratch, call->hits);
	wr_inc64_at(code, site->scratch);
}

/*
 * emit_inc_count() emits code that disables preemption, emit_dec_count() code that enables it
 * again: afterwards the zero flag is set if a reschedule is due.
 */
static void emit_inc_count(struct wr_code *code, const struct wr_platform *platform)
{
	if (platform->flags & WR_PLATFORM_COUNT64)
		wr_inc64(code, platform->preempt_count);
	else
		wr_inc32(code, platform->preempt_count);
}

static void emit_dec_count(struct wr_code *code, const struct wr_platform *platform)
{
	if (platform->flags & WR_PLATFORM_COUNT64)
		wr_dec64(code, platform->preempt_count);
	else
		wr_dec32(code, platform->preempt_count);
}

/*
 * Emits the call of the function call->asks, and a conditional jump that leaves the block: if the
 * function returns false or, in a block that only notes calls, if it returns true. Returns the end
 * of that jump, for wr_land().
 */
static __u32 emit_question(struct wr_code *code, const struct wr_trampoline *trampoline,
			   const struct site *site, const struct wr_call *call)
{
	/*
	 * wr_trampoline_shadow() recognizes a call of advice by the instruction before it, `mov
	 * $shadow, %rsi`. The call here is none of advice, so another instruction must come right
	 * before it.
	 */
	wr_mov_imm(code, WR_RDI, call->shadow);
	wr_lea_stack(code, WR_RSI, stack_distance(trampoline, site, site->size));
	wr_call(code, call->asks);
	wr_test_al(code);
	return wr_jump_if_forward(code, call->notes ? WR_IF_NOT_ZERO : WR_IF_ZERO);
}

/* Emits the rest of a block, after the call of .asks if there is one. */
static void emit_answered(struct wr_code *code, const struct wr_trampoline *trampoline,
			  const struct site *site, struct wr_call *call)
{
	const struct wr_platform *platform = trampoline->platform;

	if (call->notes) {
		wr_inc64(code, call->missed);
		return;
	}
	if (!call->entry) {
		emit_counter(code, site, call);
		return;
	}
	if (platform->flags & WR_PLATFORM_COUNTS)
		emit_inc_count(code, platform);
	wr_load_variable(code, WR_RAX, platform->preempt_count);
	wr_compare_variable(code, platform->guard, WR_GUARD_IDLE);
	call->from_nested = wr_jump_if_forward(code, WR_IF_NOT_ZERO);
	emit_advice(code, trampoline, call, 0);
	wr_set_variable(code, platform->guard, WR_GUARD_IDLE);
	call->leave = code->n;
	if (platform->flags & WR_PLATFORM_COUNTS) {
		emit_dec_count(code, platform);
		if (platform->reschedule)
			call->from_reschedule = wr_jump_if_forward(code, WR_IF_ZERO);
	}
}

static void emit_block(struct wr_code *code, const struct wr_trampoline *trampoline,
		       const struct site *site, struct wr_call *call)
{
	__u32 from_question = 0;

	call->start = code->n;
	call->from_nested = call->from_reschedule = 0;
	call->framed = site->frame;
	if (call->asks)
		from_question = emit_question(code, trampoline, site, call);
	emit_answered(code, trampoline, site, call);
	if (from_question)
		wr_land(code, from_question);
	call->end = code->n;
}

/*
 * Emits the out-of-line code for when advice is running on this CPU already. The code may use ecx
 * and edx, which C may clobber, and which are therefore saved if live.
 */
static void emit_nested(struct wr_code *code, const struct wr_trampoline *trampoline,
			const struct wr_call *call)
{
	const struct wr_platform *platform = trampoline->platform;
	__u32 from_missed;

	wr_land(code, call->from_nested);
	wr_load_variable(code, WR_RCX, platform->guard);
	wr_and(code, WR_RCX, platform->context_mask);
	wr_move(code, WR_RDX, WR_RAX);
	wr_and(code, WR_RDX, platform->context_mask);
	wr_shift(code, WR_RDX, WR_GUARD_SHIFT);
	wr_compare(code, WR_RCX, WR_RDX);
	from_missed = wr_jump_if_forward(code, WR_IF_NOT_BELOW);
	wr_push_variable(code, platform->guard);
	emit_advice(code, trampoline, call, 8);
	wr_pop_variable(code, platform->guard);
	wr_jump(code, code->address + call->leave);
	wr_land(code, from_missed);
	wr_inc64(code, call->missed);
	wr_jump(code, code->address + call->leave);
}

static void emit_return_address(struct wr_code *code, const struct wr_trampoline *trampoline,
				const struct wr_insn *insn)
{
	__u64 address = insn->address + insn->length;

	if (trampoline->platform->flags & WR_PLATFORM_HIGH)
		wr_push_high_address(code, address);
	else
		wr_push_address(code, address);
}

static void emit_landing(struct wr_code *code, const struct wr_platform *platform)
{
	if (platform->flags & WR_PLATFORM_ENDBR)
		wr_endbr64(code);
}

static void emit_detours(struct wr_code *code, const struct wr_trampoline *trampoline,
			 struct wr_call *call)
{
	if (call->around && !call->original) {
		call->original = code->n;
		emit_landing(code, trampoline->platform);
		emit_return_address(code, trampoline, trampoline->insns);
		wr_jump(code, code->address + call->end);
	}
	if (call->from_nested)
		emit_nested(code, trampoline, call);
	if (call->from_reschedule) {
		wr_land(code, call->from_reschedule);
		wr_call(code, trampoline->platform->reschedule);
		wr_jump(code, code->address + call->end);
	}
}

/*
 * Emits the instruction's bytes, and adjusts its rip-relative displacement if it has one. @jump:
 * turns the indirect call (ff /2) into an indirect jump (ff /4).
 */
static void emit_copy(struct wr_code *code, const struct wr_insn *insn, bool jump)
{
	for (unsigned int i = 0; i < insn->length; i++) {
		if (insn->disp_offset && i == insn->disp_offset) {
			wr_put_relative(code, insn->target, insn->length - i - 4);
			i += 3;
		} else if (jump && i == insn->modrm_offset) {
			wr_put(code, (insn->bytes[i] & ~MODRM_REG_MASK) | MODRM_REG_JUMP);
		} else {
			wr_put(code, insn->bytes[i]);
		}
	}
}

/* As emit_copy(), for a return or an indirect jump or call; see WR_PLATFORM_UPPER_HALF. */
static void emit_leaving(struct wr_code *code, const struct wr_platform *platform,
			 const struct wr_insn *insn)
{
	/* A return may be followed by int3s already, which count as part of it. */
	__u64 last = wr_here(code) + (insn->bytes[0] == OP_RETURN ? 0 : insn->length - 1);

	if (platform->flags & WR_PLATFORM_UPPER_HALF && !(last & HALF_LINE))
		wr_skip(code, HALF_LINE - last % HALF_LINE);
	emit_copy(code, insn, insn->kind == WR_INSN_CALL_INDIRECT);
	wr_int3(code);
}

static void emit_relocated(struct wr_code *code, const struct wr_trampoline *trampoline,
			   const struct wr_insn *insn)
{
	switch (insn->kind) {
	case WR_INSN_PLAIN:
	case WR_INSN_RIP:
		if (insn->ends)
			emit_leaving(code, trampoline->platform, insn);
		else
			emit_copy(code, insn, false);
		break;
	case WR_INSN_JUMP:
		wr_jump(code, insn->target);
		break;
	case WR_INSN_JUMP_COND:
		wr_jump_if(code, insn->condition, insn->target);
		break;
	case WR_INSN_CALL:
		if (!(trampoline->flags & WR_TRAMPOLINE_CALLED))
			emit_return_address(code, trampoline, insn);
		wr_jump(code, insn->target);
		break;
	case WR_INSN_CALL_INDIRECT:
		emit_return_address(code, trampoline, insn);
		emit_leaving(code, trampoline->platform, insn);
		break;
	}
}

/* Counts the calls from @first on that run before instruction @insn, up to around-advice. */
static __u32 calls_before(const struct wr_trampoline *trampoline, __u32 first, __u32 insn)
{
	__u32 n = 0;

	while (first + n < trampoline->nr_calls && trampoline->calls[first + n].at == insn &&
	       !trampoline->calls[first + n].around)
		n++;
	return n;
}

static bool is_around(const struct wr_trampoline *trampoline, __u32 call, __u32 insn)
{
	return call < trampoline->nr_calls && trampoline->calls[call].at == insn &&
	       trampoline->calls[call].around && !trampoline->calls[call].of_call;
}

/* Counts the around-advices of the call that is instruction @insn, from call @first on. */
static __u32 around_calls(const struct wr_trampoline *trampoline, __u32 first, __u32 insn)
{
	__u32 n = 0;

	while (first + n < trampoline->nr_calls && trampoline->calls[first + n].at == insn &&
	       trampoline->calls[first + n].of_call)
		n++;
	return n;
}

/*
 * Emits the jump to around-advice. The first byte after it is reached when the jump is skipped
 * (wr_trampoline_skip()), and, if a return address need not be pushed again, from the advice.
 */
static void emit_around(struct wr_code *code, const struct wr_trampoline *trampoline,
			struct wr_call *call)
{
	const bool unknown = trampoline->flags & WR_TRAMPOLINE_CALLED && !call->of_call;

	call->from_nested = call->from_reschedule = 0;
	call->start = code->n;
	if (unknown)
		wr_lea_stack(code, WR_RSP, 8);
	wr_jump(code, call->around);
	call->end = code->n;
	call->original = unknown ? 0 : code->n; /* 0: emit_detours() sets it */
	if (!unknown)
		emit_landing(code, trampoline->platform);
}

/* Emits the jump to the target of the call, or tail call, around which @call's advice runs. */
static void emit_through(struct wr_code *code, const struct wr_platform *platform,
			 const struct wr_call *call, unsigned int through)
{
	const struct wr_insn jump = {
		.bytes = { REX | (through >= WR_R8 ? REX_B : 0), OP_GROUP5,
			   MODRM_REGISTER | MODRM_REG_JUMP | (through & 7) },
		.length = 3,
	};

	if (call->target->kind == WR_TARGET_FIXED)
		wr_jump(code, call->target->value);
	else if (call->thunk)
		wr_jump(code, call->thunk);
	else
		emit_leaving(code, platform, &jump);
}

/*
 * Emits the last instruction, which is a call or a jump to another function, with the @n advices
 * around this call; @n is at least 1.
 */
static void emit_around_call(struct wr_code *code, const struct wr_trampoline *trampoline,
			     struct wr_call *calls, __u32 n)
{
	const struct wr_insn *insn = &trampoline->insns[trampoline->nr_insns - 1];
	struct wr_target target = *calls->target;
	unsigned int through = WR_NONE;

	if ((insn->kind == WR_INSN_CALL || insn->kind == WR_INSN_CALL_INDIRECT) &&
	    !(trampoline->flags & WR_TRAMPOLINE_CALLED))
		emit_return_address(code, trampoline, insn);
	for (__u32 i = 0; i < n; i++) {
		if (calls[i].through != WR_NONE && calls[i].through != through) {
			through = calls[i].through;
			wr_mov_target(code, through, &target);
			if (target.kind != WR_TARGET_FIXED)
				target = (struct wr_target){ .kind = WR_TARGET_REGISTER,
							     .base = through };
		}
		emit_around(code, trampoline, &calls[i]);
	}
	emit_through(code, trampoline->platform, &calls[n - 1], through);
}

/* Emits the code before instruction @i, with its @n calls, none of which is around-advice. */
static void emit_site(struct wr_code *code, const struct wr_trampoline *trampoline, __u32 i,
		      struct wr_call *calls, __u32 n)
{
	struct site site = site_of(trampoline, i, calls, n);

	emit_save(code, trampoline, &site);
	for (__u32 j = 0; j < n; j++)
		emit_block(code, trampoline, &site, &calls[j]);
	emit_restore(code, trampoline, &site);
}

__u32 wr_trampoline_bound(__u32 insns, __u32 calls)
{
	return calls * (BOUND_SITE + BOUND_BLOCK + BOUND_DETOURS) + insns * BOUND_INSN + BOUND_END;
}

int wr_trampoline_emit(__u8 *buffer, __u32 size, __u64 address,
		       const struct wr_trampoline *trampoline)
{
	struct wr_code code = { .bytes = buffer, .size = size, .address = address };
	const struct wr_insn *last = &trampoline->insns[trampoline->nr_insns - 1];
	__u32 done = 0;

	for (__u32 i = 0; i <= trampoline->nr_insns; i++) {
		__u32 n;

		do {
			n = calls_before(trampoline, done, i);
			if (n)
				emit_site(&code, trampoline, i, &trampoline->calls[done], n);
			done += n;
			n = is_around(trampoline, done, i);
			if (n)
				emit_around(&code, trampoline, &trampoline->calls[done++]);
		} while (n);
		n = around_calls(trampoline, done, i);
		if (n)
			emit_around_call(&code, trampoline, &trampoline->calls[done], n);
		else if (i < trampoline->nr_insns)
			emit_relocated(&code, trampoline, &trampoline->insns[i]);
		done += n;
	}
	if (!last->ends)
		wr_jump(&code, last->address + last->length);
	for (__u32 j = 0; j < trampoline->nr_calls; j++)
		emit_detours(&code, trampoline, &trampoline->calls[j]);
	return code.error ? -code.error : (int)code.n;
}

int wr_trampoline_exit(__u8 *buffer, __u32 size, __u64 address, __u64 target)
{
	struct wr_code code = { .bytes = buffer, .size = size, .address = address };

	wr_endbr64(&code);
	wr_jump(&code, target);
	return code.error ? -code.error : (int)code.n;
}

int wr_trampoline_exit_call(__u8 *buffer, __u32 size, __u64 address,
			    const struct wr_platform *platform, const struct wr_call *call)
{
	struct wr_code code = { .bytes = buffer, .size = size, .address = address };

	wr_endbr64(&code);
	emit_through(&code, platform, call, call->through);
	return code.error ? -code.error : (int)code.n;
}

void wr_trampoline_skip(__u8 *buffer, const struct wr_call *call)
{
	struct wr_code code = { .bytes = buffer + call->start, .size = WR_SIZE_JUMP };

	wr_jump(&code, call->end - call->start);
}

__u64 wr_trampoline_shadow(const __u8 *end)
{
	return wr_imm_of_call(end, WR_RSI);
}
