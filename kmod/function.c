// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decoding a function; see function.h. There is no other way to know where instructions begin than from the function's
 * start, as kprobes' can_probe() does. An int3 on the way that is a kprobe's hides the instruction under it, so nothing behind
 * it can be trusted; any other is the filling behind a jump or return.
 */
#include <linux/bitmap.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "forbidden.h"
#include "function.h"
#include "insn.h"
#include "symbols.h"
#include "text.h"

enum { INT3 = 0xcc };

void wk_function_deinit(struct wk_function *function)
{
	kvfree(function->text);
	kvfree(function->begins);
	kvfree(function->entered);
	kvfree(function->padding);
	memset(function, 0, sizeof(*function));
}

static void decode(struct wk_function *function)
{
	unsigned int at = 0;

	while (at < function->size) {
		const u8 *bytes = function->text + at;
		unsigned int room = min_t(unsigned int, function->size - at, WEFT_INSN_MAX);
		unsigned int length = wk_insn_length(bytes, room);

		if (bytes[0] == INT3 && wk_text_kprobe_in(function->start + at, 1))
			function->why = WEFT_REFUSAL_KPROBE;
		else if (!length)
			function->why = WEFT_REFUSAL_UNDECODABLE;
		if (function->why)
			break;
		__set_bit(at, function->begins);
		function->careful |= wk_insn_is_careful(bytes, room);
		at += length;
		cond_resched();
	}
	function->known = at;
	/* Where a part is unknown, anything may be in it. */
	function->careful |= function->why || wk_forbidden_careful(function->start);
}

enum weft_refusal wk_function_read(struct wk_function *function, unsigned long address)
{
	unsigned long size, offset;

	if (function->size && address - function->start < function->size)
		return WEFT_REFUSAL_NONE;
	wk_function_deinit(function);
	if (!wk_symbols.kallsyms_lookup_size_offset(address, &size, &offset))
		return WEFT_REFUSAL_NOT_TEXT;
	function->start = address - offset;
	size = min(size, wk_symbols.etext - function->start);
	function->text = kvmalloc(size, GFP_KERNEL);
	function->begins = kvcalloc(BITS_TO_LONGS(size), sizeof(long), GFP_KERNEL);
	if (!function->text || !function->begins ||
	    wk_text_read(function->start, function->text, size, true)) {
		wk_function_deinit(function);
		return WEFT_REFUSAL_NOT_TEXT;
	}
	function->size = size;
	decode(function);
	return WEFT_REFUSAL_NONE;
}

enum weft_refusal wk_function_boundary(const struct wk_function *function, unsigned long address)
{
	unsigned int at = address - function->start;

	if (at >= function->known)
		return function->why;
	return test_bit(at, function->begins) ? WEFT_REFUSAL_NONE : WEFT_REFUSAL_BOUNDARY;
}
