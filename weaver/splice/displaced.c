// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Windows: one sweep over the function notes, for each of its bytes, what begins, arrives and is owned there; a query walks on
 * from the shadow. Arrivals are kept by byte, not by instruction: code does jump behind a lock prefix.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/abi.h"
#include "splice/displaced.h"

enum {
	ARRIVAL = 1,
	OWNED = 2,
	/* Of the instruction that begins at the byte. */
	ENDBR = 4,
	CALL = 8,
	STOPS = 16, /* control does not go on behind it, or nothing says so */
	LEAVES = 32, /* and that is certain */
	PADDING = 64,
};

struct place {
	uint8_t length; /* of the instruction that begins here; 0: none */
	uint8_t what;
};

struct wv_windows {
	uint64_t start;
	size_t size;
	bool known; /* all that can arrive is marked */
	struct place places[];
};

static void mark(struct wv_windows *windows, uint64_t address, uint8_t what)
{
	if (address - windows->start < windows->size)
		windows->places[address - windows->start].what |= what;
}

static bool is_endbr(const uint8_t *bytes, size_t length)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };

	return length == sizeof(endbr64) && !memcmp(bytes, endbr64, sizeof(endbr64));
}

/* A jump to a thunk is one to wherever a register says. */
static bool is_understood(const struct wv_function *function, const struct wv_insn *insn)
{
	unsigned int reg;

	if (!insn->direct)
		return function->resolved;
	return !function->assembler || insn->target - function->start < function->size ||
	       function->callee(function->context, insn->target, &reg) != WV_CALLEE_THUNK;
}

static void note(struct wv_windows *windows, const struct wv_function *function, size_t at,
		 const struct wv_insn *insn)
{
	struct place *place = &windows->places[at];

	place->length = insn->length;
	if (is_endbr(function->bytes + at, insn->length))
		place->what |= ENDBR;
	if (insn->flow == WV_FLOW_CALL)
		place->what |= CALL;
	if (insn->flow == WV_FLOW_JUMP || insn->flow == WV_FLOW_RETURN || insn->flow == WV_FLOW_TRAP)
		place->what |= STOPS;
	if (insn->flow == WV_FLOW_JUMP || insn->flow == WV_FLOW_RETURN)
		place->what |= LEAVES;
	if (insn->padding)
		place->what |= PADDING;
	if (insn->flow == WV_FLOW_CALL && insn->direct && function->hook && insn->target == function->hook)
		for (size_t i = 0; i < insn->length; i++)
			place[i].what |= OWNED;
	/* A call to the function's own middle arrives as a branch does. */
	if (insn->direct)
		mark(windows, insn->target, ARRIVAL);
	if (insn->flow == WV_FLOW_JUMP || insn->flow == WV_FLOW_BRANCH)
		windows->known &= is_understood(function, insn);
}

static void note_rewritten(struct wv_windows *windows, const struct wv_rewritten *rewritten)
{
	uint32_t size = rewritten->size ? rewritten->size : 1;

	/* A jump label's target, or a fixup; others have none. */
	mark(windows, rewritten->target, ARRIVAL);
	for (uint32_t i = 0; i < size; i++)
		mark(windows, rewritten->address + i, OWNED);
}

int wv_windows_create(const struct wv_function *function, const uint64_t *outside, size_t nr_outside,
		      struct wv_decoder *decoder, struct wv_windows **ret, struct wv_error *error)
{
	struct wv_windows *windows =
		calloc(1, sizeof(*windows) + function->size * sizeof(windows->places[0]));

	*ret = NULL;
	if (!windows)
		return wv_no_memory(error);
	windows->start = function->start;
	windows->size = function->size;
	/* Assembly may keep addresses of its own middle anywhere. */
	windows->known = function->compiled || function->closed;
	for (size_t at = 0; at < function->size;) {
		struct wv_insn insn;

		if (!wv_decode(decoder, function->bytes + at, function->size - at,
			       function->start + at, &insn)) {
			windows->known = false; /* whatever is behind may branch as well */
			break;
		}
		note(windows, function, at, &insn);
		at += insn.length;
	}
	for (size_t i = 0; i < function->nr_rewritten; i++)
		note_rewritten(windows, &function->rewritten[i]);
	for (size_t i = 0; i < nr_outside; i++)
		mark(windows, outside[i], ARRIVAL);
	*ret = windows;
	return 0;
}

void wv_windows_destroy(struct wv_windows *windows)
{
	free(windows);
}

/* The instruction at @at as part of a window that begins @before bytes earlier. */
static enum wv_window_answer check(const struct wv_windows *windows, size_t at, size_t before)
{
	const struct place *place = &windows->places[at];

	if (place->what & ENDBR)
		return WV_WINDOW_ENDBR;
	for (size_t i = 0; i < place->length; i++) {
		if (place[i].what & OWNED)
			return WV_WINDOW_OWNED;
		if (before + i && place[i].what & ARRIVAL)
			return WV_WINDOW_ARRIVAL;
	}
	return before && !windows->known ? WV_WINDOW_UNKNOWN : WV_WINDOW_FITS;
}

struct wv_spot wv_windows_spot(const struct wv_windows *windows, uint64_t address)
{
	const size_t at = address - windows->start;
	uint8_t what;

	if (at >= windows->size)
		return (struct wv_spot){ 0 };
	what = windows->places[at].what;
	return (struct wv_spot){
		.length = windows->places[at].length,
		.arrival = what & ARRIVAL,
		.owned = what & OWNED,
		.endbr = what & ENDBR,
		.call = what & CALL,
		.stops = what & STOPS,
		.leaves = what & LEAVES,
		.padding = what & PADDING,
	};
}

enum wv_window_answer wv_windows_check(const struct wv_windows *windows, uint64_t address, bool first)
{
	const size_t at = address - windows->start;

	if (at >= windows->size || !windows->places[at].length)
		return WV_WINDOW_BOUNDARY;
	return check(windows, at, !first);
}

bool wv_windows_known(const struct wv_windows *windows)
{
	return windows->known;
}

void wv_window_at(const struct wv_windows *windows, uint64_t address, struct wv_window *ret)
{
	const size_t start = address - windows->start;
	uint8_t length = 0, instructions = 0;
	enum wv_window_answer answer = WV_WINDOW_FITS;

	*ret = (struct wv_window){ .answer = WV_WINDOW_BOUNDARY };
	if (start >= windows->size || !windows->places[start].length)
		return;
	while (answer == WV_WINDOW_FITS) {
		const struct place *place = &windows->places[start + length];

		answer = check(windows, start + length, length);
		length += place->length;
		instructions++;
		if (answer != WV_WINDOW_FITS || length >= WEFT_JUMP_SIZE)
			break;
		if (place->what & CALL)
			answer = WV_WINDOW_RETURN;
		else if (place->what & STOPS || start + length >= windows->size)
			answer = WV_WINDOW_END;
		else if (!windows->places[start + length].length)
			answer = WV_WINDOW_UNKNOWN;
	}
	ret->answer = answer;
	ret->length = answer == WV_WINDOW_FITS ? length : windows->places[start].length;
	ret->instructions = answer == WV_WINDOW_FITS ? instructions : 1;
}
