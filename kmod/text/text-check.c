// SPDX-License-Identifier: GPL-2.0-or-later
/* Checks text, and asks its other owners, before it is spliced; see text-check.h. */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/static_call_types.h>
#include <linux/string.h>

#include "text/blacklist.h"
#include "text/function.h"
#include "text/insn.h"
#include "text/kgdb.h"
#include "text/module-text.h"
#include "text/sites.h"
#include "base/unexported.h"
#include "text/text.h"
#include "text/text-check.h"
#include "text/single-entry.h"
#include "base/lock.h"

/*
 * ENTRY_LAST: the greatest offset of ftrace's instruction from a function's start (after an endbr).
 */
enum { FENTRY_SIZE = 5, ENTRY_LAST = 4, ENDBR_SIZE = 4 };

static bool alternative_owns(void *start, void *end)
{
	bool owns;

	if (!wk_has(alternatives_text_reserved))
		return false;
	mutex_lock(wk_unexported.text_mutex);
	owns = wk_call(alternatives_text_reserved)(start, end);
	mutex_unlock(wk_unexported.text_mutex);
	return owns;
}

static bool ask_ftrace(unsigned long address, unsigned int size)
{
	return wk_has(ftrace_text_reserved) &&
	       wk_call(ftrace_text_reserved)((void *)address, (void *)address + size - 1);
}

/*
 * Finds which of the function's bytes ftrace owns. Usually that is the first instruction, or the
 * one after an endbr.
 */
static void find_ftrace_entry(struct wk_function *function)
{
	unsigned int at = 0;

	function->ftrace = WK_FTRACE_NONE;
	if (!ask_ftrace(function->start, function->size))
		return;
	function->ftrace = WK_FTRACE_ASK;
	while (at <= ENTRY_LAST && at < function->size && !ask_ftrace(function->start, at + 1))
		at++;
	if (at > ENTRY_LAST || at + FENTRY_SIZE > function->size)
		return;
	function->entry_at = at;
	at += FENTRY_SIZE;
	if (at == function->size || !ask_ftrace(function->start + at, function->size - at))
		function->ftrace = WK_FTRACE_ENTRY;
}

static bool ftrace_owns(struct wk_function *function, unsigned long address, unsigned int size)
{
	unsigned int at = address - function->start;

	if (function->ftrace == WK_FTRACE_UNKNOWN)
		find_ftrace_entry(function);
	if (function->ftrace == WK_FTRACE_ASK || at >= function->size || size > function->size - at)
		return ask_ftrace(address, size);
	return function->ftrace == WK_FTRACE_ENTRY && at < function->entry_at + FENTRY_SIZE &&
	       at + size > function->entry_at;
}

/*
 * May there be a patch site, or an instruction with an entry in the exception table, in the @size
 * bytes at @address? For most functions the answer is that of the first call for @function: the
 * tables do not change as long as the function's text is there.
 */
static __always_inline bool may_have_sites(struct wk_function *function, unsigned long address,
					   unsigned int size)
{
	unsigned long at = address - function->start;

	if (unlikely(function->sites == WK_SITES_UNKNOWN))
		function->sites = wk_sites_none(function->start, function->size) ? WK_SITES_NONE
										 : WK_SITES_SOME;
	return function->sites != WK_SITES_NONE || at + size > function->size;
}

enum weft_refusal wk_text_owner(struct wk_function *function, unsigned long address,
				unsigned int size)
{
	void *start = (void *)address, *end = start + size - 1;
	enum weft_refusal refusal;

	wk_assert_locked();
	if (wk_text_kprobe(address, size))
		return WEFT_REFUSAL_KPROBE;
	if (wk_kgdb_breakpoint_in(address, size))
		return WEFT_REFUSAL_BREAKPOINT;
	if (ftrace_owns(function, address, size))
		return WEFT_REFUSAL_FTRACE;
	if (may_have_sites(function, address, size)) {
		refusal = wk_sites_owner(address, size);
		if (refusal)
			return refusal;
	}
	return alternative_owns(start, end) ? WEFT_REFUSAL_ALTERNATIVE : WEFT_REFUSAL_NONE;
}

/*
 * Returns why text of a module at @address must not be spliced, or NONE. Text of weft.ko and of
 * aspects is refused, since no advice runs in advice. A static call's trampoline is refused, too:
 * the kernel rewrites this jump as a whole. In the kernel proper these trampolines are one range,
 * which is blacklisted; in a module only the names of their symbols show what they are.
 */
static enum weft_refusal ask_module(unsigned long address)
{
	const struct module *owner = wk_module_text_owner(address);
	char name[KSYM_SYMBOL_LEN];

	if (!owner)
		return WEFT_REFUSAL_NONE;
	if (wk_module_is_ours(owner))
		return WEFT_REFUSAL_OWN_TEXT;
	sprint_symbol_no_offset(name, address);
	return strstarts(name, STATIC_CALL_TRAMP_PREFIX_STR) ? WEFT_REFUSAL_STATIC_CALL
							     : WEFT_REFUSAL_NONE;
}

/*
 * Returns why text at @address is blacklisted, or NONE. Three kinds of text are: what blacklist.c
 * lists, with the return and indirect-call thunks; some text of modules (ask_module()); and what
 * the kernel blacklists for kprobes, because weft's trap is entered in the same way as a kprobe's.
 */
static enum weft_refusal ask_blacklist(unsigned long address)
{
	enum weft_refusal refusal = wk_blacklist(address);

	if (refusal)
		return refusal;
	refusal = ask_module(address);
	if (refusal)
		return refusal;
	return wk_call(within_kprobe_blacklist)(address) ? WEFT_REFUSAL_BLACKLISTED
							   : WEFT_REFUSAL_NONE;
}

/*
 * Returns what ask_blacklist() returns, but asks only once for each function if possible. The
 * kernel's own check is slow: it walks a list, then looks up the names of symbols. What is
 * blacklisted is a whole function, or a range at least as long as one. So if the result is the same
 * for the first and the last byte of a function, it holds for all of its bytes.
 */
static enum weft_refusal check_blacklist(struct wk_function *function, unsigned long address)
{
	if (function->blacklisted == WK_BLACKLIST_UNKNOWN) {
		function->blacklist_refusal = ask_blacklist(function->start);
		function->blacklisted =
			function->blacklist_refusal ==
					ask_blacklist(function->start + function->size - 1)
				? WK_BLACKLIST_WHOLE
				: WK_BLACKLIST_PART;
	}
	if (function->blacklisted == WK_BLACKLIST_PART)
		return ask_blacklist(address);
	return function->blacklist_refusal;
}

/*
 * Decodes the instruction at @address, which lies in @function. Returns NONE and fills @ret, or
 * returns the refusal.
 */
static enum weft_refusal read_insn(struct wk_function *function, unsigned long address,
				   struct wr_insn *ret)
{
	unsigned int at = address - function->start;
	unsigned int room = min_t(unsigned int, function->size - at, WEFT_INSN_MAX);
	enum weft_refusal refusal = wk_function_boundary(function, address);

	if (!refusal)
		refusal = check_blacklist(function, address);
	if (!refusal && may_have_sites(function, address, 1) && wk_sites_faults(address))
		refusal = WEFT_REFUSAL_EXCEPTION;
	if (!refusal)
		refusal = wk_insn_decode(address, function->text + at, room, ret);
	if (refusal == WEFT_REFUSAL_BREAKPOINT && wk_text_kprobe(address, 1))
		return WEFT_REFUSAL_KPROBE;
	return refusal;
}

/*
 * Extends the return @insn, which is at @at in @function, by the int3s after it (wk_insn_widen()).
 */
static void widen(const struct wk_function *function, unsigned long at, struct wr_insn *insn)
{
	enum { REST = WEFT_JUMP_SIZE - 1 };
	unsigned int after = at + insn->length - function->start;

	if (after + REST <= function->size)
		wk_insn_widen(insn, function->text + after, REST);
}

enum weft_refusal wk_text_displaced(struct wk_function *function, unsigned long address,
				 unsigned int least, struct wk_displaced *ret)
{
	ret->nr = ret->length = 0;
	while (ret->length < least) {
		struct wr_insn *insn = &ret->insns[ret->nr];
		unsigned long at = address + ret->length;
		enum weft_refusal refusal;

		/*
		 * After an instruction that ends the range (->ends), control may not continue at
		 * the next instruction, or other code may run in between.
		 */
		if (ret->nr == WR_DISPLACED_INSNS || (ret->nr && insn[-1].ends) ||
		    at - function->start >= function->size)
			return WEFT_REFUSAL_KIND;
		refusal = read_insn(function, at, insn);
		if (refusal)
			return refusal;
		if (ret->length + insn->length < least)
			widen(function, at, insn);
		ret->length += insn->length;
		ret->nr++;
	}
	return WEFT_REFUSAL_NONE;
}

/*
 * Checks a shadow that begins right after @displaced. Its advice is *attached before*: it runs at
 * the end of the trampoline, which then continues at the shadow. The shadow's own bytes are not
 * written, moved or copied. So it does not matter who owns them, whether a fault in the instruction
 * is handled by its address, or whether the instruction could run elsewhere. It may be a jump
 * label, a static call, an access to user memory or a ud2.
 *
 * The advice must run before each execution of the shadow. So control must reach the shadow only
 * from the last displaced instruction:
 * - The shadow must not be a branch target, nor the target of a fixup or a jump label.
 * - It must not be an endbr, since an endbr marks a target of indirect branches.
 * - No call may return there.
 *
 * The shadow's address is checked against the blacklist like any other address.
 */
static enum weft_refusal check_attach_before(struct wk_function *function,
					     const struct wk_displaced *displaced,
					     unsigned long shadow, u32 c_size)
{
	unsigned int at = shadow - function->start;
	enum weft_refusal refusal;
	struct wr_insn insn;

	if (!wk_function_holds(function, shadow))
		return WEFT_REFUSAL_BOUNDARY;
	refusal = wk_function_boundary(function, shadow);
	if (!refusal)
		refusal = check_blacklist(function, shadow);
	if (refusal)
		return refusal;
	if (wk_insn_decode(shadow, function->text + at,
			   min_t(unsigned int, function->size - at, WEFT_INSN_MAX),
			   &insn) == WEFT_REFUSAL_ENDBR)
		return WEFT_REFUSAL_ENDBR;
	if (displaced->insns[displaced->nr - 1].ends)
		return WEFT_REFUSAL_BRANCH_TARGET;
	return wk_is_single_entry(function, shadow, 1, c_size) ? WEFT_REFUSAL_NONE
								 : WEFT_REFUSAL_BRANCH_TARGET;
}

static bool begins_in(const struct wk_displaced *displaced, unsigned long address)
{
	for (unsigned int i = 0; i < displaced->nr; i++)
		if (displaced->insns[i].address == address)
			return true;
	return false;
}

enum weft_refusal wk_text_check(const struct weft_splice *planned, unsigned long shadow,
				u32 c_size, const struct wk_function **function_ret,
				struct wk_displaced *ret)
{
	const bool attaches_before =
		wk_text_attaches_before(planned->address, planned->length, shadow);
	struct wk_function *function;
	enum weft_refusal refusal;

	wk_assert_locked();
	if (within_module(planned->address, THIS_MODULE))
		return WEFT_REFUSAL_OWN_TEXT;
	if (!wk_text_contains(planned->address, planned->length))
		return WEFT_REFUSAL_NOT_TEXT;
	*function_ret = function = wk_function_at(planned->address);
	if (!function)
		return WEFT_REFUSAL_NOT_TEXT;
	refusal = wk_text_displaced(function, planned->address, planned->length, ret);
	if (!refusal && ret->length != planned->length)
		refusal = WEFT_REFUSAL_KIND;
	if (!refusal && ret->nr > 1 &&
	    !wk_is_single_entry(function, planned->address + 1, ret->length - 1, c_size))
		refusal = WEFT_REFUSAL_BRANCH_TARGET;
	if (!refusal && attaches_before)
		refusal = check_attach_before(function, ret, shadow, c_size);
	if (!refusal)
		refusal = wk_text_owner(function, planned->address, ret->length);
	if (refusal)
		return refusal;
	return attaches_before || begins_in(ret, shadow) ? WEFT_REFUSAL_NONE
							 : WEFT_REFUSAL_BOUNDARY;
}

/*
 * Does @function begin with an endbr64, or with the instruction that the kernel writes over an
 * endbr64 which no indirect branch needs (gen_endbr_poison())?
 */
static bool begins_with_endbr(const struct wk_function *function)
{
	static const u8 endbr64[ENDBR_SIZE] = { 0xf3, 0x0f, 0x1e, 0xfa };
	static const u8 poison[ENDBR_SIZE] = { 0x66, 0x0f, 0x1f, 0x00 };

	return function->size > ENDBR_SIZE &&
	       (!memcmp(function->text, endbr64, ENDBR_SIZE) ||
		!memcmp(function->text, poison, ENDBR_SIZE));
}

enum weft_refusal wk_text_check_entry(unsigned long shadow, u32 c_size)
{
	struct wk_function *function = wk_function_at(shadow);
	unsigned int at;

	wk_assert_locked();
	if (!function)
		return WEFT_REFUSAL_NOT_TEXT;
	if (function->ftrace == WK_FTRACE_UNKNOWN)
		find_ftrace_entry(function);
	if (function->ftrace == WK_FTRACE_ENTRY)
		at = function->entry_at + FENTRY_SIZE;
	else
		at = begins_with_endbr(function) ? ENDBR_SIZE : 0;
	return shadow == function->start + at && wk_is_single_entry(function, shadow, 1, c_size)
		       ? WEFT_REFUSAL_NONE
		       : WEFT_REFUSAL_NOT_ENTRY;
}
