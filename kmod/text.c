// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading live text and asking every other owner of it first; see text.h. */
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "forbidden.h"
#include "function.h"
#include "insn.h"
#include "sites.h"
#include "slot.h"
#include "splice.h"
#include "symbols.h"
#include "text.h"
#include "window.h"

enum { NEAR_JUMP_SIZE = 5 };

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
	if (original) {
		wk_slot_overlay(address, buffer, size);
		wk_splice_overlay(address, buffer, size);
	}
	return 0;
}

bool wk_text_is(unsigned long address, const u8 *bytes, unsigned int size)
{
	u8 live[256];

	for (unsigned int at = 0, n; at < size; at += n) {
		n = min_t(unsigned int, size - at, sizeof(live));
		if (wk_text_read(address + at, live, n, true) || memcmp(live, bytes + at, n))
			return false;
	}
	return true;
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

bool wk_text_kprobe_in(unsigned long address, unsigned int size)
{
	bool found = false;

	for (unsigned long at = address; at != address + size && !found; at++)
		found = kprobe_at(at);
	return found;
}

bool wk_text_kprobe(unsigned long address, unsigned int size)
{
	return wk_text_kprobe_in(address - NEAR_JUMP_SIZE + 1, size + NEAR_JUMP_SIZE - 1);
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

enum weft_refusal wk_text_owner(unsigned long address, unsigned int size)
{
	void *start = (void *)address, *end = start + size - 1;
	enum weft_refusal refusal;

	if (wk_text_kprobe(address, size))
		return WEFT_REFUSAL_KPROBE;
	if (wk_symbols.ftrace_text_reserved && wk_symbols.ftrace_text_reserved(start, end))
		return WEFT_REFUSAL_FTRACE;
	refusal = wk_sites_owner(address, size);
	if (refusal)
		return refusal;
	return alternative_owns(start, end) ? WEFT_REFUSAL_ALTERNATIVE : WEFT_REFUSAL_NONE;
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

/* The instruction at @address, which lies in the function. */
static enum weft_refusal read_insn(const struct wk_function *function, unsigned long address,
				   struct wr_insn *ret)
{
	unsigned int at = address - function->start;
	unsigned int room = min_t(unsigned int, function->size - at, WEFT_INSN_MAX);
	enum weft_refusal refusal = wk_function_boundary(function, address);

	if (!refusal)
		refusal = check_forbidden(address);
	if (!refusal)
		refusal = wk_insn_decode(address, function->text + at, room, ret);
	if (refusal == WEFT_REFUSAL_BREAKPOINT && wk_text_kprobe(address, 1))
		return WEFT_REFUSAL_KPROBE;
	return refusal;
}

/* Is @window, of whole instructions, what a splice of @kind may cover? */
static bool fits(const struct wk_window *window, enum weft_splice_kind kind)
{
	switch (kind) {
	case WEFT_SPLICE_TRAP:
		return window->nr == 1;
	case WEFT_SPLICE_CALL:
		return window->nr == 1 && window->insns[0].kind == WR_INSN_CALL && window->length == WEFT_JUMP_SIZE;
	case WEFT_SPLICE_JUMP:
		return window->length >= WEFT_JUMP_SIZE;
	case WEFT_SPLICE_BOUNCE:
		return window->length >= WEFT_SHORT_SIZE;
	default:
		return false;
	}
}

/* To the end of the splice, @length bytes of which are known. */
static void widen(const struct weft_splice *splice, const struct wk_function *function, unsigned int length,
		  struct wr_insn *insn)
{
	unsigned int at = splice->address + length - function->start;

	if (length < splice->length && splice->length - length <= function->size - at)
		wk_insn_widen(insn, function->text + at, splice->length - length);
}

/* The instructions that the splice would cover. */
static enum weft_refusal read_window(const struct weft_splice *splice, const struct wk_function *function,
				     struct wk_window *window)
{
	window->nr = window->length = 0;
	while (window->length < splice->length) {
		struct wr_insn *insn = &window->insns[window->nr];
		unsigned long address = splice->address + window->length;
		enum weft_refusal refusal;

		/* None that something else may come between. */
		if (window->nr == WR_WINDOW_INSNS || (window->nr && insn[-1].ends) ||
		    address - function->start >= function->size)
			return WEFT_REFUSAL_KIND;
		refusal = read_insn(function, address, insn);
		if (refusal)
			return refusal;
		widen(splice, function, window->length + insn->length, insn);
		window->length += insn->length;
		window->nr++;
	}
	return window->length == splice->length ? WEFT_REFUSAL_NONE : WEFT_REFUSAL_KIND;
}

static bool begins_in(const struct wk_window *window, unsigned long address)
{
	for (unsigned int i = 0; i < window->nr; i++)
		if (window->insns[i].address == address)
			return true;
	return false;
}

enum weft_refusal wk_text_check(const struct weft_splice *splice, unsigned long shadow,
				const struct wk_function **function_ret, struct wk_window *ret)
{
	const struct wk_splice *covering;
	struct wk_function *function;
	enum weft_refusal refusal;

	if (within_module(splice->address, THIS_MODULE))
		return WEFT_REFUSAL_OWN_TEXT;
	if (!in_kernel_text(splice->address, splice->length))
		return WEFT_REFUSAL_NOT_TEXT;
	*function_ret = function = wk_function_at(splice->address);
	if (!function)
		return WEFT_REFUSAL_NOT_TEXT;
	refusal = read_window(splice, function, ret);
	if (!refusal && ret->nr > 1)
		refusal = wk_window_is_closed(function, splice->address + 1, ret->length - 1) ? WEFT_REFUSAL_NONE :
												  WEFT_REFUSAL_WINDOW;
	if (!refusal)
		refusal = wk_text_owner(splice->address, ret->length);
	if (refusal)
		return refusal;
	if (!begins_in(ret, shadow))
		return WEFT_REFUSAL_BOUNDARY;
	covering = wk_splice_covering(shadow);
	if (covering)
		return covering->stuck ? WEFT_REFUSAL_KPROBE : WEFT_REFUSAL_NONE;
	if (wk_splice_overlaps(splice->address, splice->length) ||
	    wk_slot_overlaps(splice->address, splice->length, NULL))
		return WEFT_REFUSAL_OVERLAP;
	return fits(ret, splice->kind) ? WEFT_REFUSAL_NONE : WEFT_REFUSAL_KIND;
}
