// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Redirecting the kernel's call of exc_int3(); see int3-hook.h.
 *
 * Through the die notifiers an int3 costs some 340 instructions: exc_int3() enters as for an NMI,
 * asks kprobes, takes the RCU read lock and walks the chain. The call that leads there is in
 * asm_exc_int3, right after the registers were saved. Turned to
 *
 * 	push %rdi			struct pt_regs
 * 	call claim
 * 	pop  %rdi
 * 	test %al, %al
 * 	jne  1f
 * 	jmp  exc_int3			not ours: as if nothing had been
 * 1:	jmp  __x86_return_thunk         ours: back to the entry code, which returns to where claim()
 *	has set the pointer
 *
 * it needs none of that: claim() looks in a hash table and sets the instruction pointer, as
 * text_poke's own poke_int3_handler() does at this very place, with as little help: no RCU, no
 * lock, nothing that may be spliced.
 *
 * Why it is safe to write there:
 *  - An int3 cannot be used to write it, as one would be met while being handled. So only the
 *    call's displacement is written, in one store of four bytes that lie in one aligned word of
 *    eight, which every processor makes at once. Where the call lies otherwise, or is not the call
 *    we know, nothing is written and the notifier has to do.
 *  - All other CPUs stand still meanwhile (stop_machine()): nobody fetches the instruction but an
 *    NMI that meets an int3, and that finds the old call or the new one. Both are right at any
 *    time.
 *  - It is written at a second address of its page. That address is reserved when the call is
 *    redirected, since restoring it must not fail. But nothing is mapped there except during the
 *    store, so there is no writable address of the text at other times.
 *  - A CPU in our instructions has interrupts off; the sync after the call was restored waits for
 *    it. exc_int3() is jumped to, so a task that sleeps in it has no address of ours on its
 *    stack.
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/stop_machine.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <asm/pgtable.h>

#include "splice/exec-mem.h"
#include "splice/int3-hook.h"
#include "text/insn.h"
#include "base/unexported.h"

enum {
	OP_PUSH_RDI = 0x57,
	OP_POP_RDI = 0x5f,
	OP_CALL = 0xe8,
	OP_JUMP = 0xe9,
	OP_RET = 0xc3,
	OP_INT3 = 0xcc,
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

/* The instructions above; with a plain return if the kernel has no thunk for it. */
struct stub {
	u8 push;
	struct branch call;
	u8 pop, test[2], jump_if[2];
	struct branch other, back;
} __packed;

static struct {
	struct wk_exec_mem *area;	/* the stub; NULL: not hooked */
	unsigned long call;	/* live address of the call in asm_exc_int3 */
	unsigned long original; /* where it goes */
	void *alias;		/* where its displacement is written: see point_call_at() */
	pte_t *slot;		/* what maps the alias; empty but during the store */
	pte_t page;		/* what the slot holds then */
} hook;

static struct branch branch_to(u8 opcode, const struct branch *from, unsigned long to)
{
	struct branch branch = { .opcode = opcode, .distance = to - (unsigned long)(from + 1) };

	return branch;
}

/* The one call of exc_int3 in asm_exc_int3; 0 where there is none, or another one. */
static unsigned long find_call(unsigned long entry, unsigned long target)
{
	unsigned long size, offset, found = 0, at;

	if (!entry || !target ||
	    !wk_unexported.kallsyms_lookup_size_offset(entry, &size, &offset) || offset)
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
	unsigned long thunk = wk_unexported.find("__x86_return_thunk");

	stub->push = OP_PUSH_RDI;
	stub->call = branch_to(OP_CALL, &stub->call, (unsigned long)claim);
	stub->pop = OP_POP_RDI;
	stub->test[0] = OP_TEST;
	stub->test[1] = MODRM_AL_AL;
	stub->jump_if[0] = OP_JUMP_NOT_ZERO;
	stub->jump_if[1] = sizeof(stub->other);
	stub->other = branch_to(OP_JUMP, &stub->other, hook.original);
	if (thunk) {
		stub->back = branch_to(OP_JUMP, &stub->back, thunk);
	} else {
		memset(&stub->back, OP_INT3, sizeof(stub->back));
		stub->back.opcode = OP_RET;
	}
}

/* Nobody has used the address before the slot is emptied, so no CPU remembers what it mapped. */
static int reserve_alias(void)
{
	const struct branch *call = (void *)hook.call;
	unsigned long at = (unsigned long)&call->distance;
	struct page *page = virt_to_page((void *)at);
	void *base = vmap(&page, 1, VM_MAP, PAGE_KERNEL);
	unsigned int level;

	if (!base)
		return -ENOMEM;
	hook.slot = lookup_address((unsigned long)base, &level);
	if (!hook.slot || level != PG_LEVEL_4K) {
		vunmap(base);
		return -ENOTSUPP;
	}
	hook.alias = base + offset_in_page(at);
	hook.page = *hook.slot;
	set_pte(hook.slot, __pte(0));
	return 0;
}

static void release_alias(void)
{
	vunmap((void *)((unsigned long)hook.alias & PAGE_MASK));
}

/* Runs on one CPU; the others wait with interrupts off, and do not know the address. */
static int turn_call(void *distance)
{
	set_pte(hook.slot, hook.page);
	mb(); /* the store needs what was written before */
	WRITE_ONCE(*(s32 *)hook.alias, *(const s32 *)distance);
	set_pte(hook.slot, __pte(0));
	asm volatile("invlpg (%0)" : : "r"(hook.alias) : "memory");
	return 0;
}

/*
 * Called without text_mutex: stop_machine() takes the CPU hotplug lock, and bringing a CPU up takes
 * text_mutex inside that lock. Other writers of text are stopped, and write elsewhere.
 */
static void point_call_at(unsigned long target)
{
	const struct branch *call = (void *)hook.call;
	s32 distance = target - (unsigned long)(call + 1);

	stop_machine(turn_call, &distance, NULL);
	wk_unexported.text_poke_sync();
}

int wk_int3_hook_init(bool (*claim)(struct pt_regs *regs))
{
	struct wk_exec_mem *area;
	int ret;

	hook.original = wk_unexported.find("exc_int3");
	hook.call = find_call(wk_unexported.find("asm_exc_int3"), hook.original);
	if (!hook.call || !is_atomic(hook.call))
		return -ENOTSUPP;
	area = wk_exec_mem_create(sizeof(struct stub));
	if (!area)
		return -ENOMEM;
	write_stub((struct stub *)area->base, claim);
	ret = wk_exec_mem_seal(area);
	if (!ret)
		ret = reserve_alias();
	if (ret) {
		wk_exec_mem_destroy(area);
		return ret;
	}
	point_call_at((unsigned long)area->base);
	hook.area = area;
	return 0;
}

void wk_int3_hook_deinit(void)
{
	const struct branch *call = (void *)hook.call;

	if (!hook.area)
		return;
	/*
	 * The call was redirected again by other code that goes through our stub: for it, the stub
	 * and claim() would have to stay. It is overwritten.
	 */
	if ((unsigned long)(call + 1) + call->distance != (unsigned long)hook.area->base)
		pr_warn("the kernel's call of exc_int3 was redirected again by other code, which "
			"no longer gets int3s\n");
	point_call_at(hook.original);
	release_alias();
	wk_exec_mem_destroy(hook.area);
	hook.area = NULL;
}
