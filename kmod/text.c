// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading live text and asking every other owner of it first; see text.h. */
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "forbidden.h"
#include "insn.h"
#include "splice.h"
#include "symbols.h"
#include "text.h"

enum { INT3 = 0xcc, NEAR_JUMP_SIZE = 5 };

/* Text that was there at boot and still is: init text lies behind _etext and is freed. */
static bool in_kernel_text(unsigned long address, unsigned int size)
{
	return address >= wk_symbols.stext && address < wk_symbols.etext &&
	       size <= wk_symbols.etext - address;
}

int wk_text_read(unsigned long address, u8 *buffer, unsigned int size, bool original)
{
	if (!in_kernel_text(address, size))
		return -EFAULT;
	if (copy_from_kernel_nofault(buffer, (void *)address, size))
		return -EFAULT;
	if (original)
		wk_splice_overlay(address, buffer, size);
	return 0;
}

/* As many bytes as one instruction may have, fewer at the end of the text. */
static unsigned int read_insn(unsigned long address, u8 *buffer)
{
	unsigned int size = min_t(unsigned long, WEFT_INSN_MAX, wk_symbols.etext - address);

	return wk_text_read(address, buffer, size, true) ? 0 : size;
}

/* Preemption is off because get_kprobe() walks an RCU list. */
static bool kprobe_at(unsigned long address)
{
	bool found;

	preempt_disable();
	found = wk_symbols.get_kprobe((void *)address);
	preempt_enable();
	return found;
}

/*
 * Is @address where an instruction begins? Decodes from the function's start, as kprobes'
 * can_probe() does: there is no other way to know. An int3 on the way that is not weft's hides the
 * instruction under it, so what follows cannot be trusted unless it is the filling behind a jump or
 * return, which decodes as one byte anyway.
 */
static enum weft_refusal check_boundary(unsigned long address, struct wk_text_cursor *cursor)
{
	unsigned long size, offset, at;
	u8 bytes[WEFT_INSN_MAX];

	if (!wk_symbols.kallsyms_lookup_size_offset(address, &size, &offset))
		return WEFT_REFUSAL_NOT_TEXT;
	if (cursor->function != address - offset || cursor->next > address) {
		cursor->function = address - offset;
		cursor->next = cursor->function;
	}
	for (at = cursor->next; at < address;) {
		unsigned int room = read_insn(at, bytes), length;

		if (!room)
			return WEFT_REFUSAL_NOT_TEXT;
		if (bytes[0] == INT3 && kprobe_at(at))
			return WEFT_REFUSAL_KPROBE;
		length = wk_insn_length(bytes, room);
		if (!length)
			return WEFT_REFUSAL_UNDECODABLE;
		at += length;
	}
	cursor->next = at == address ? address : cursor->function;
	return at == address ? WEFT_REFUSAL_NONE : WEFT_REFUSAL_BOUNDARY;
}

bool wk_text_kprobe(unsigned long address, unsigned int size)
{
	bool owns = false;

	for (unsigned long at = address - NEAR_JUMP_SIZE + 1; at < address + size && !owns; at++)
		owns = kprobe_at(at);
	return owns;
}

/*
 * A jump label is one instruction, a jump or a nop, so one that overlaps a whole instruction at a
 * known boundary is that instruction: only those two are worth the kernel's walk over all labels,
 * which costs millions of instructions. The list of modules' labels may only be walked under the
 * jump label lock.
 */
static bool jump_label_owns(const struct wr_insn *insn)
{
	void *start = (void *)insn->address, *end = start + insn->length - 1;
	bool owns;

	if (!wk_symbols.jump_label_text_reserved ||
	    !(insn->kind == WR_INSN_JUMP || wk_insn_is_nop(insn)))
		return false;
	wk_symbols.jump_label_lock();
	preempt_disable();
	owns = wk_symbols.jump_label_text_reserved(start, end);
	preempt_enable();
	wk_symbols.jump_label_unlock();
	return owns;
}

static bool alternative_owns(void *start, void *end)
{
	bool owns;

	if (!wk_symbols.alternatives_text_reserved)
		return false;
	mutex_lock(wk_symbols.text_mutex);
	owns = wk_symbols.alternatives_text_reserved(start, end);
	mutex_unlock(wk_symbols.text_mutex);
	return owns;
}

static enum weft_refusal check_owners(const struct wr_insn *insn)
{
	void *start = (void *)insn->address, *end = start + insn->length - 1;

	if (wk_text_kprobe(insn->address, insn->length))
		return WEFT_REFUSAL_KPROBE;
	if (wk_symbols.ftrace_text_reserved && wk_symbols.ftrace_text_reserved(start, end))
		return WEFT_REFUSAL_FTRACE;
	if (jump_label_owns(insn))
		return WEFT_REFUSAL_JUMP_LABEL;
	if (wk_symbols.static_call_text_reserved &&
	    wk_symbols.static_call_text_reserved(start, end))
		return WEFT_REFUSAL_STATIC_CALL;
	if (alternative_owns(start, end))
		return WEFT_REFUSAL_ALTERNATIVE;
	return WEFT_REFUSAL_NONE;
}

/*
 * What the kernel forbids for kprobes holds for us: the trap takes the same way in. So do the
 * thunks of every return, and what forbidden.c lists.
 */
static enum weft_refusal check_forbidden(unsigned long address)
{
	enum weft_refusal refusal = wk_forbidden(address);

	if (refusal)
		return refusal;
	if (wk_symbols.within_kprobe_blacklist(address))
		return WEFT_REFUSAL_BLACKLISTED;
	if (address >= wk_symbols.thunk_start && address < wk_symbols.thunk_end)
		return WEFT_REFUSAL_BLACKLISTED;
	if (wk_symbols.search_exception_tables(address))
		return WEFT_REFUSAL_EXCEPTION;
	return WEFT_REFUSAL_NONE;
}

enum weft_refusal wk_text_check(unsigned long address, struct wk_text_cursor *cursor,
				struct wr_insn *ret)
{
	u8 bytes[WEFT_INSN_MAX];
	enum weft_refusal refusal;
	unsigned int room;

	if (within_module(address, THIS_MODULE))
		return WEFT_REFUSAL_OWN_TEXT;
	if (!in_kernel_text(address, 1))
		return WEFT_REFUSAL_NOT_TEXT;
	refusal = check_boundary(address, cursor);
	if (!refusal)
		refusal = check_forbidden(address);
	if (refusal)
		return refusal;
	room = read_insn(address, bytes);
	refusal = room ? wk_insn_decode(address, bytes, room, ret) : WEFT_REFUSAL_NOT_TEXT;
	if (refusal == WEFT_REFUSAL_BREAKPOINT && wk_text_kprobe(address, 1))
		return WEFT_REFUSAL_KPROBE;
	if (refusal)
		return refusal;
	return check_owners(ret);
}
