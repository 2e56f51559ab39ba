// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decodes functions; see function.h. Instruction boundaries can only be found by decoding from the
 * function's start, as can_probe() in the kernel's kprobes does. The text is read as it was before
 * kprobes wrote to it (text.c).
 *
 * Some kernels do not give these original bytes. There a kprobe's int3 hides the instruction under
 * it, and the jump of an optimized kprobe, which leads to module memory, hides several. Nothing
 * after either of them can be trusted. Other int3s and jumps to module memory do no harm: such an
 * int3 is filler after a jump or return, and such a jump leads to a thunk (thunks.h). A kprobe's
 * are found by asking whether a kprobe is registered at the address; an optimized kprobe stays
 * registered as long as its jump is there.
 */
#include <linux/bitmap.h>
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "base/table-memory.h"
#include "text/blacklist.h"
#include "text/function.h"
#include "text/insn.h"
#include "text/module-text.h"
#include "base/unexported.h"
#include "text/text.h"
#include "base/lock.h"

/*
 * TEXT_MOST: how much text, in bytes, may stay decoded from one request to the next. The limit is
 * checked when a request begins; one aspect usually touches a small part of so much text.
 * EXITS_MORE: by how many elements the array ->exits grows.
 * ENTRY_SIZE: bytes of ftrace's instruction at a function's entry.
 */
enum {
	INT3 = 0xcc,
	TABLE_BITS = 13,
	TEXT_MOST = 32 << 20,
	EXITS_MORE = 8,
	ENTRY_SIZE = 5,
	ENDBR_SIZE = 4
};

static struct hlist_head table[1 << TABLE_BITS];
static struct wk_function *last; /* the function that was looked up last */
static size_t text_kept;
static u64 request;

static struct hlist_head *head_of(unsigned long start)
{
	return &table[hash_long(start, TABLE_BITS)];
}

static void destroy(struct wk_function *function)
{
	kvfree(function->text);
	kvfree(function->begins);
	kvfree(function->entered);
	kvfree(function->padding);
	kfree(function->exits);
	kfree(function);
}

static void forget(struct wk_function *function)
{
	hlist_del(&function->node);
	text_kept -= function->size;
	destroy(function);
}

void wk_functions_deinit(void)
{
	struct wk_function *function;
	struct hlist_node *next;

	for (unsigned int i = 0; i < ARRAY_SIZE(table); i++)
		hlist_for_each_entry_safe(function, next, &table[i], node)
			forget(function);
	last = NULL;
}

void wk_functions_begin(void)
{
	wk_assert_locked();
	request++;
	last = NULL;
	if (text_kept > TEXT_MOST)
		wk_functions_deinit();
}

void wk_functions_forget(unsigned long start, unsigned long end)
{
	struct wk_function *function;
	struct hlist_node *next;

	wk_assert_locked();
	last = NULL;
	for (unsigned int i = 0; i < ARRAY_SIZE(table); i++)
		hlist_for_each_entry_safe(function, next, &table[i], node)
			if (function->start - start < end - start)
				forget(function);
}

/* ---- decoding a function --------------------------------------------------------------------- */

static void note_exit(struct wk_function *function, unsigned long target)
{
	if (function->nr_exits % EXITS_MORE == 0) {
		size_t size = (function->nr_exits + EXITS_MORE) * sizeof(*function->exits);
		s32 *exits = krealloc(function->exits, size, WK_GFP_TABLE);

		if (!exits) {
			function->lost = true;
			return;
		}
		function->exits = exits;
	}
	function->exits[function->nr_exits++] = target - function->start;
}

static void note_step(struct wk_function *function, const struct wk_step *step)
{
	function->sanitize |= step->sanitize;
	function->lost |= step->lost;
	if (!step->jumps && !step->calls)
		return;
	if (wk_function_holds(function, step->target))
		__set_bit(step->target - function->start, function->entered);
	else if (step->jumps)
		note_exit(function, step->target);
}

/* Is the instruction at offset @at the int3 or jump that a kprobe wrote over another one? */
static bool is_kprobe(const struct wk_function *function, unsigned int at,
		      const struct wk_step *step)
{
	if (function->text[at] != INT3 &&
	    !(step->jumps && step->target >= MODULES_VADDR && step->target < MODULES_END))
		return false;
	return wk_text_kprobe_wrote(function->start + at);
}

static void decode(struct wk_function *function)
{
	unsigned int at = 0;

	while (at < function->size) {
		unsigned int room = min_t(unsigned int, function->size - at, WEFT_INSN_MAX);
		struct wk_step step;

		if (!wk_insn_step(function->start + at, function->text + at, room, &step))
			function->why = WEFT_REFUSAL_UNDECODABLE;
		else if (is_kprobe(function, at, &step))
			function->why = WEFT_REFUSAL_KPROBE;
		if (function->why)
			break;
		__set_bit(at, function->begins);
		note_step(function, &step);
		at += step.length;
		cond_resched();
	}
	function->known = at;
	function->passing = function->why == WEFT_REFUSAL_KPROBE;
	/* The text that could not be decoded may contain any instruction. */
	function->sanitize |= function->why || wk_text_needs_sanitize(function->start);
}

static struct wk_function *create(unsigned long start, unsigned int size)
{
	struct wk_function *function = kzalloc(sizeof(*function), WK_GFP_TABLE);

	if (!function)
		return NULL;
	function->start = start;
	function->size = size;
	function->request = request;
	function->text = kvmalloc(size, WK_GFP_TABLE);
	function->begins = kvcalloc(BITS_TO_LONGS(size), sizeof(long), WK_GFP_TABLE);
	function->entered = kvcalloc(BITS_TO_LONGS(size), sizeof(long), WK_GFP_TABLE);
	if (!function->text || !function->begins || !function->entered ||
	    wk_text_read(start, function->text, size, true)) {
		destroy(function);
		return NULL;
	}
	decode(function);
	hlist_add_head(&function->node, head_of(start));
	text_kept += size;
	return function;
}

/* ---- looking up functions -------------------------------------------------------------------- */

static struct wk_function *find(unsigned long start)
{
	struct wk_function *function;

	hlist_for_each_entry(function, head_of(start), node)
		if (function->start == start)
			return function;
	return NULL;
}

/* Is the text still the same as when it was decoded? Checked once per request. */
static bool is_current(struct wk_function *function)
{
	if (function->request == request)
		return true;
	if (function->passing || !wk_text_is(function->start, function->text, function->size))
		return false;
	function->request = request;
	return true;
}

/*
 * Finds the decoded function that holds @address without searching the kernel's symbols. That
 * succeeds only if @address is the function's first byte, or follows ftrace's instruction at the
 * function's entry (before which there may be an endbr). Displaced ranges often begin there.
 */
static struct wk_function *find_by_entry(unsigned long address)
{
	static const unsigned int distances[] = { ENTRY_SIZE, ENTRY_SIZE + ENDBR_SIZE, 0 };

	for (unsigned int i = 0; i < ARRAY_SIZE(distances); i++) {
		struct wk_function *function = find(address - distances[i]);

		if (function && wk_function_holds(function, address))
			return function;
	}
	return NULL;
}

struct wk_function *wk_function_at(unsigned long address)
{
	unsigned long size, offset, start, end;
	struct wk_function *function;

	wk_assert_locked();
	if (last && wk_function_holds(last, address))
		return last;
	function = find_by_entry(address);
	if (function) {
		start = function->start;
		size = function->size;
	} else {
		if (!wk_call(kallsyms_lookup_size_offset)(address, &size, &offset))
			return NULL;
		start = address - offset;
		end = wk_text_end(address);
		if (!end)
			return NULL;
		size = min(size, end - start);
		function = find(start);
	}
	if (function && !is_current(function)) {
		forget(function);
		function = NULL;
	}
	if (!function)
		function = create(start, size);
	last = function;
	return function;
}

enum weft_refusal wk_function_boundary(const struct wk_function *function, unsigned long address)
{
	unsigned int at = address - function->start;

	if (at >= function->known)
		return function->why;
	return test_bit(at, function->begins) ? WEFT_REFUSAL_NONE : WEFT_REFUSAL_BOUNDARY;
}
