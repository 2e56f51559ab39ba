// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Redirects the kernel's call of exc_int3(); see int3-hook.h.
 *
 * Through the die notifiers an int3 costs some 340 instructions: exc_int3() enters as for an NMI,
 * asks kprobes, takes the RCU read lock and walks the notifier chain. asm_exc_int3 calls exc_int3()
 * right after it has saved the registers. That call is redirected to this stub:
 *
 * 	push %rdi			struct pt_regs
 * 	call claim
 * 	pop  %rdi
 * 	test %al, %al
 * 	jne  1f
 * 	jmp  exc_int3			not ours: continue as without the stub
 * 1:	jmp  wk_return			ours: return to the entry code, which resumes where claim()
 *	has set the instruction pointer
 *
 * wk_return() is in weft.ko's own text, whose returns the module loader has patched as this
 * processor needs them (text/thunks.h). A ret instruction in the stub would lack the mitigations.
 *
 * claim() needs none of the work of exc_int3(). It looks in a hash table and sets the instruction
 * pointer, as the kernel's own poke_int3_handler() does at the beginning of exc_int3(). It is just
 * as restricted: no RCU, no lock, nothing that may be spliced.
 *
 * Why it is safe to rewrite this call:
 *  - It cannot be done with an int3, which would be met while an int3 is handled. So only the
 *    call's displacement is written, by one store of an aligned word of eight bytes, which is
 *    atomic on all processors. The bytes of the displacement that change must lie in one such word.
 *  - If the four bytes of the displacement lie in two words, the call is redirected to an address
 *    for which only the bytes in one word change: to the padding before exc_int3(), which kernels
 *    with CONFIG_CALL_PADDING have. A jump to the stub is written there first, over nops that no
 *    CPU executes, also by one such store.
 *  - If there is no such padding, or the call does not look as expected, nothing is written and the
 *    die notifier is used. It is also used on a processor that enters the kernel by FRED, where
 *    int3s do not come through asm_exc_int3.
 *  - All other CPUs are stopped meanwhile (stop_machine()). Only an NMI that meets an int3 may
 *    fetch the instruction; it sees the old call or the new one, and both work at any time.
 *  - The word is written through a second mapping of its page (text-alias.h). The address for it is
 *    reserved when the call is redirected, since restoring the call must not fail.
 *  - A CPU in the stub has interrupts off, so text_poke_sync() after the call was restored waits
 *    for it. The stub jumps to exc_int3(), so a task that sleeps in exc_int3() has no address of
 *    the stub on its stack.
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/kernel.h>
#include <linux/stop_machine.h>
#include <linux/string.h>

#include "compat/cpu.h"
#include "splice/exec-mem.h"
#include "splice/int3-hook.h"
#include "splice/perf-events.h"
#include "splice/text-alias.h"
#include "text/insn.h"
#include "text/text.h"
#include "text/thunks.h"
#include "base/unexported.h"

enum {
	OP_PUSH_RDI = 0x57,
	OP_POP_RDI = 0x5f,
	OP_CALL = 0xe8,
	OP_JUMP = 0xe9,
	OP_TEST = 0x84,
	MODRM_AL_AL = 0xc0,
	OP_JUMP_NOT_ZERO = 0x75,
	OP_NOP = 0x90,
	ENTRY_MAX = 128, /* bytes of asm_exc_int3 */
	PADDING_MAX = 16, /* bytes before exc_int3 that are searched for padding */
};

/*
 * Eight aligned bytes of the kernel's text. One store changes them, so no CPU sees a half-written
 * branch.
 */
union word {
	u64 value;
	u8 bytes[8];
};

struct branch {
	u8 opcode;
	s32 distance;
} __packed;

/* The bytes of the stub that is shown at the top of this file. */
struct stub {
	u8 push;
	struct branch call;
	u8 pop, test[2], jump_if[2];
	struct branch other, back;
} __packed;

/* Bytes of text that one store changes. */
struct change {
	unsigned long address; /* live address of the word */
	union word old, new;
	struct wk_text_alias alias;
};

static struct {
	struct wk_exec_mem *memory;	/* the stub; NULL: not hooked */
	unsigned long call;	/* live address of the call instruction in asm_exc_int3 */
	unsigned long original; /* original target of that call, exc_int3 */
	unsigned long padding; /* live address of the jump in padding; 0: there is none */
	struct change redirect, jump; /* the changes of the call and of the padding */
} hook;

static struct branch branch_to(u8 opcode, const struct branch *from, unsigned long to)
{
	struct branch branch = { .opcode = opcode, .distance = to - (unsigned long)(from + 1) };

	return branch;
}

/* Finds the call of @target in the function at @entry. Returns 0 unless there is exactly one. */
static unsigned long find_call(unsigned long entry, unsigned long target)
{
	unsigned long size, offset, found = 0, at;

	if (!entry || !target ||
	    !wk_call(kallsyms_lookup_size_offset)(entry, &size, &offset) || offset)
		return 0;
	size = min_t(unsigned long, size, ENTRY_MAX);
	for (at = entry; at < entry + size;) {
		unsigned int length = wk_insn_length(
			(void *)at, min_t(unsigned long, entry + size - at, WEFT_INSN_MAX));
		const struct branch *branch = (void *)at;

		if (!length)
			break;
		if (branch->opcode == OP_CALL && length == sizeof(*branch) &&
		    (unsigned long)(branch + 1) + branch->distance == target) {
			if (found)
				return 0;
			found = at;
		}
		at += length;
	}
	return found;
}

/*
 * Computes the store that turns the bytes at @address into @branch. Returns false if more than one
 * aligned store of eight bytes is necessary.
 */
static bool plan_change(unsigned long address, const struct branch *branch, struct change *ret)
{
	const u8 *new = (const u8 *)branch, *old = (const u8 *)address;
	unsigned int first = 0, last = sizeof(*branch) - 1;

	while (first < last && new[first] == old[first])
		first++;
	while (last > first && new[last] == old[last])
		last--;
	ret->address = round_down(address + first, sizeof(ret->old));
	if (ret->address != round_down(address + last, sizeof(ret->old)))
		return false;
	ret->old.value = *(const u64 *)ret->address;
	ret->new = ret->old;
	memcpy(ret->new.bytes + (address + first - ret->address), new + first, last - first + 1);
	return true;
}

static bool plan_redirect(unsigned long to)
{
	struct branch call = branch_to(OP_CALL, (void *)hook.call, to);

	return plan_change(hook.call, &call, &hook.redirect);
}

/* Are the five bytes at @address, before exc_int3(), nops that belong to no function? */
static bool is_padding(unsigned long address)
{
	for (unsigned int i = 0; i < WEFT_JUMP_SIZE; i++)
		if (*(const u8 *)(address + i) != OP_NOP)
			return false;
	return wk_text_contains(address, WEFT_JUMP_SIZE);
}

static bool plan_padding(unsigned long stub)
{
	unsigned long end = hook.original;

	for (unsigned long at = end - PADDING_MAX; at + WEFT_JUMP_SIZE <= end; at++) {
		struct branch jump = branch_to(OP_JUMP, (void *)at, stub);

		if (!is_padding(at) || !plan_change(at, &jump, &hook.jump) || !plan_redirect(at))
			continue;
		hook.padding = at;
		return true;
	}
	return false;
}

static void write_stub(struct stub *stub, bool (*claim)(struct pt_regs *regs))
{
	stub->push = OP_PUSH_RDI;
	stub->call = branch_to(OP_CALL, &stub->call, (unsigned long)claim);
	stub->pop = OP_POP_RDI;
	stub->test[0] = OP_TEST;
	stub->test[1] = MODRM_AL_AL;
	stub->jump_if[0] = OP_JUMP_NOT_ZERO;
	stub->jump_if[1] = sizeof(stub->other);
	stub->other = branch_to(OP_JUMP, &stub->other, hook.original);
	stub->back = branch_to(OP_JUMP, &stub->back, (unsigned long)wk_return);
}

static int reserve(struct change *change)
{
	return wk_text_alias_reserve(&change->alias, change->address, sizeof(change->new));
}

static void release(struct change *change)
{
	wk_text_alias_release(&change->alias);
}

/* The argument of turn(): what to write (->to), and where (the address of ->change). */
struct turn {
	const struct change *change;
	const union word *to;
};

/*
 * Makes the write that @turn_, a struct turn, describes. stop_machine() runs this on one CPU; the
 * others wait with interrupts off.
 */
static int turn(void *turn_)
{
	const struct turn *turn = turn_;

	wk_text_alias_store(&turn->change->alias, turn->change->address, turn->to,
			    sizeof(*turn->to));
	return 0;
}

/*
 * Writes @to at the address of @change, while all other CPUs are stopped. The caller must not hold
 * text_mutex: stop_machine() takes the CPU hotplug lock, and a CPU that comes online takes
 * text_mutex inside that lock. No other writer of text runs while the CPUs are stopped, and none
 * writes to these words at other times.
 */
static void write_change(const struct change *change, const union word *to)
{
	const union word old = *(const union word *)change->address;
	struct turn arguments = { .change = change, .to = to };

	stop_machine(turn, &arguments, NULL);
	wk_call(text_poke_sync)();
	wk_perf_text(change->address, &old, to, sizeof(*to));
}

static bool find_place(void)
{
	unsigned long stub = (unsigned long)hook.memory->base;

	hook.padding = 0;
	return plan_redirect(stub) || plan_padding(stub);
}

static int place_stub(bool (*claim)(struct pt_regs *regs))
{
	int ret;

	write_stub((struct stub *)hook.memory->base, claim);
	hook.memory->used = sizeof(struct stub);
	ret = wk_exec_mem_seal(hook.memory);
	if (!ret && !find_place())
		ret = -ENOTSUPP;
	if (!ret)
		ret = reserve(&hook.redirect);
	if (!ret && hook.padding)
		ret = reserve(&hook.jump);
	return ret;
}

static void remove_stub(void)
{
	release(&hook.redirect);
	release(&hook.jump);
	wk_exec_mem_destroy(hook.memory);
	hook.memory = NULL;
}

int wk_int3_hook_init(bool (*claim)(struct pt_regs *regs))
{
	int ret;

	/* FRED calls exc_int3() from C; asm_exc_int3 is there all the same, and never runs. */
	if (wk_cpu_has_fred()) {
		pr_info("exceptions come by FRED, so the entry code's int3 is not hooked\n");
		return -ENOTSUPP;
	}
	hook.original = wk_call(find)("exc_int3");
	hook.call = find_call(wk_call(find)("asm_exc_int3"), hook.original);
	if (!hook.call)
		return -ENOTSUPP;
	hook.memory = wk_exec_mem_create(sizeof(struct stub));
	if (!hook.memory)
		return -ENOMEM;
	ret = place_stub(claim);
	if (ret) {
		remove_stub();
		return ret;
	}
	if (hook.padding)
		write_change(&hook.jump, &hook.jump.new);
	write_change(&hook.redirect, &hook.redirect.new);
	return 0;
}

bool wk_int3_hook_call(struct weft_shadow_status *ret)
{
	const struct branch call = branch_to(OP_CALL, (void *)hook.call, hook.original);

	static_assert(sizeof(call) == WEFT_JUMP_SIZE);
	if (!hook.memory)
		return false;
	ret->kind = WEFT_SPLICE_CALL;
	ret->address = hook.call;
	ret->trampoline = (unsigned long)hook.memory->base;
	ret->length = sizeof(call);
	memcpy(ret->old, &call, sizeof(call));
	if (hook.padding) {
		ret->slot = ret->freed = hook.padding;
		ret->freed_length = WEFT_JUMP_SIZE;
		memset(ret->freed_old, OP_NOP, WEFT_JUMP_SIZE);
	}
	return true;
}

void wk_int3_hook_deinit(void)
{
	if (!hook.memory)
		return;
	/*
	 * Other code may have redirected the call after weft.ko did, in such a way that it still
	 * ends in weft's stub. The stub and claim() could then not be freed. So this function
	 * restores the original call in any case, and the other code loses its redirection.
	 */
	if (*(const u64 *)hook.redirect.address != hook.redirect.new.value)
		pr_warn("the kernel's call of exc_int3 was redirected again by other code, which "
			"no longer gets int3s\n");
	write_change(&hook.redirect, &hook.redirect.old);
	if (hook.padding)
		write_change(&hook.jump, &hook.jump.old);
	remove_stub();
}
