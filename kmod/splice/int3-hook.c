// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Redirects the kernel's call of exc_int3(); see int3-hook.h.
 *
 * Through the die notifiers an int3 costs some 340 instructions: exc_int3() enters as for an NMI,
 * asks kprobes, takes the RCU read lock and walks the notifier chain. It is called by asm_exc_int3,
 * right after the registers were saved. That call is redirected to this stub:
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
 * processor needs them (text/thunks.h). A ret of the stub's own would lack the mitigations.
 *
 * claim() needs none of that work. It looks in a hash table and sets the instruction pointer, as
 * the kernel's own poke_int3_handler() does at the beginning of exc_int3(). It is just as
 * restricted: no RCU, no lock, nothing that may be spliced.
 *
 * Why it is safe to rewrite this call:
 *  - It cannot be done with an int3, which would be met while an int3 is handled. So only the
 *    call's displacement is written, with one store of four bytes. They must lie in one aligned
 *    word of eight bytes, which makes the store atomic on all processors. If they do not, or the
 *    call is not the one that we know, nothing is written and the notifier is used.
 *  - All other CPUs are stopped meanwhile (stop_machine()). Only an NMI that meets an int3 may
 *    fetch the instruction; it sees the old call or the new one, and both work at any time.
 *  - It is written through a second mapping of its page (text-alias.h). The address for it is
 *    reserved when the call is redirected, since restoring the call must not fail.
 *  - A CPU in the stub has interrupts off, so text_poke_sync() after the call was restored waits
 *    for it. The stub jumps to exc_int3(), so a task that sleeps in there has no address of the
 *    stub on its stack.
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/kernel.h>
#include <linux/stop_machine.h>
#include <linux/string.h>

#include "splice/exec-mem.h"
#include "splice/int3-hook.h"
#include "splice/perf-events.h"
#include "splice/text-alias.h"
#include "text/insn.h"
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
	ENTRY_MAX = 128, /* bytes of asm_exc_int3 */
	ATOMIC = 8,
};

struct branch {
	u8 opcode;
	s32 distance;
} __packed;

/* The stub above. */
struct stub {
	u8 push;
	struct branch call;
	u8 pop, test[2], jump_if[2];
	struct branch other, back;
} __packed;

static struct {
	struct wk_exec_mem *memory;	/* the stub; NULL: not hooked */
	unsigned long call;	/* live address of the call instruction in asm_exc_int3 */
	unsigned long original; /* its original target, exc_int3 */
	struct wk_text_alias alias; /* of the call's displacement */
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

static bool is_atomic(unsigned long call)
{
	unsigned long first = call + offsetof(struct branch, distance);

	return first / ATOMIC == (first + sizeof(s32) - 1) / ATOMIC;
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

static int reserve_alias(void)
{
	const struct branch *call = (void *)hook.call;

	return wk_text_alias_reserve(&hook.alias, (unsigned long)&call->distance,
				     sizeof(call->distance));
}

/* Runs on one CPU; the others wait with interrupts off. */
static int turn_call(void *distance)
{
	const struct branch *call = (void *)hook.call;

	wk_text_alias_store(&hook.alias, (unsigned long)&call->distance, distance,
			    sizeof(call->distance));
	return 0;
}

/*
 * Must be called without text_mutex: stop_machine() takes the CPU hotplug lock, and bringing a CPU
 * online takes text_mutex inside that lock. Other writers of text are stopped meanwhile, and none
 * of them writes to this call.
 */
static void point_call_at(unsigned long target)
{
	const struct branch *call = (void *)hook.call;
	const struct branch old = *call;
	s32 distance = target - (unsigned long)(call + 1);

	stop_machine(turn_call, &distance, NULL);
	wk_call(text_poke_sync)();
	wk_perf_text(hook.call, &old, call, sizeof(old));
}

int wk_int3_hook_init(bool (*claim)(struct pt_regs *regs))
{
	struct wk_exec_mem *memory;
	int ret;

	hook.original = wk_call(find)("exc_int3");
	hook.call = find_call(wk_call(find)("asm_exc_int3"), hook.original);
	if (!hook.call || !is_atomic(hook.call))
		return -ENOTSUPP;
	memory = wk_exec_mem_create(sizeof(struct stub));
	if (!memory)
		return -ENOMEM;
	write_stub((struct stub *)memory->base, claim);
	memory->used = sizeof(struct stub);
	ret = wk_exec_mem_seal(memory);
	if (!ret)
		ret = reserve_alias();
	if (ret) {
		wk_exec_mem_destroy(memory);
		return ret;
	}
	point_call_at((unsigned long)memory->base);
	hook.memory = memory;
	return 0;
}

bool wk_int3_hook_call(u64 *address, u64 *target, u8 *old)
{
	const struct branch call = branch_to(OP_CALL, (void *)hook.call, hook.original);

	static_assert(sizeof(call) == WEFT_JUMP_SIZE);
	if (!hook.memory)
		return false;
	*address = hook.call;
	*target = (unsigned long)hook.memory->base;
	memcpy(old, &call, sizeof(call));
	return true;
}

void wk_int3_hook_deinit(void)
{
	const struct branch *call = (void *)hook.call;

	if (!hook.memory)
		return;
	/*
	 * Other code may have redirected the call as well, to something that ends in our stub. Then
	 * the stub and claim() would have to stay; instead, its redirection is overwritten.
	 */
	if ((unsigned long)(call + 1) + call->distance != (unsigned long)hook.memory->base)
		pr_warn("the kernel's call of exc_int3 was redirected again by other code, which "
			"no longer gets int3s\n");
	point_call_at(hook.original);
	wk_text_alias_release(&hook.alias);
	wk_exec_mem_destroy(hook.memory);
	hook.memory = NULL;
}
