// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The choice; see choose.h. Shadows come in ascending order and each takes, of what is left behind the windows before it, the
 * first that fits: the window that covers it already; one that begins at it; one that begins before it, as much as has to be; the
 * window before it, made longer. Only then two bytes are asked for instead of five.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/abi.h"
#include "runtime/trampoline.h"
#include "splice/choose.h"
#include "x86/relocate.h"

enum {
	SHORT_JUMP_BACK = 128, /* bytes back from behind it */
	SHORT_JUMP_AHEAD = 127,
	OP_CALL = 0xe8,
	OP_INT3 = 0xcc,
};

struct wv_chooser {
	uint64_t start;
	size_t size;
	struct wv_windows *windows;
	wv_gaps gaps;
	bool *calls;	    /* a direct call of five bytes begins at the byte */
	uint8_t refusals[]; /* of the instruction that begins at the byte; enum weft_refusal */
};

/* Instructions that follow each other. */
struct run {
	uint64_t start, end;
	unsigned int instructions;
};

/* A window of the aspect. */
struct window {
	struct run run;
	enum wv_splice splice;
	uint64_t slot;
	uint8_t host;
};

typedef WV_VEC(struct run) runs;

struct choosing {
	const struct wv_chooser *chooser;
	const struct wv_slot_source *source;
	struct window last; /* the window before; all others are complete */
	uint64_t floor;	    /* where it ends */
	struct wv_choice *first; /* of its shadows */
	runs windows, hosts; /* all windows up to the last; hosts, also those ahead */
	struct wv_error *error;
};

const char *wv_splice_name(enum wv_splice splice)
{
	static const char *const names[WV_SPLICES] = { "call", "jump", "bounce", "trap", "refused" };

	return splice < WV_SPLICES ? names[splice] : "?";
}

int16_t wv_choice_slot(const struct wv_choice *choice)
{
	uint64_t behind = choice->address - choice->before + WEFT_SHORT_SIZE;

	return choice->splice == WV_SPLICE_BOUNCE ? (int16_t)(choice->slot - behind) : 0;
}

bool wv_gaps_hold(const wv_gaps *gaps, uint64_t address)
{
	wv_vec_for_each(gap, gaps)
		if (address >= gap->start && address < gap->end)
			return true;
	return false;
}

/* ---- what is known of each instruction ------------------------------------------------------- */

static uint8_t forbidden_at(const struct wv_function *function, uint64_t address)
{
	for (size_t i = 0; i < function->nr_forbidden; i++)
		if (address >= function->forbidden[i].start && address < function->forbidden[i].end)
			return function->forbidden[i].refusal;
	return WEFT_REFUSAL_NONE;
}

/* Owners come ascending; @from is the first that may still matter. */
static uint8_t owned_at(const struct wv_function *function, uint64_t address, size_t length, size_t *from)
{
	uint8_t refusal = WEFT_REFUSAL_NONE;

	for (size_t i = *from; i < function->nr_rewritten; i++) {
		const struct wv_rewritten *rewritten = &function->rewritten[i];
		uint64_t end = rewritten->address + (rewritten->size ? rewritten->size : 1);

		if (rewritten->address >= address + length)
			break;
		if (end <= address)
			*from += i == *from;
		else if (!refusal || rewritten->refusal == WEFT_REFUSAL_EXCEPTION)
			refusal = rewritten->refusal;
	}
	return refusal;
}

/* In the order in which weft.ko asks (kmod/text/text.c). */
static uint8_t refusal_of(uint8_t forbidden, uint8_t owned, uint8_t instruction)
{
	if (forbidden)
		return forbidden;
	if (owned == WEFT_REFUSAL_EXCEPTION)
		return owned;
	return instruction ? instruction : owned;
}

static void judge(struct wv_chooser *chooser, const struct wv_function *function, struct wv_decoder *decoder)
{
	size_t owner = 0, at = 0;

	while (at < function->size) {
		const uint64_t address = function->start + at;
		struct wv_spot spot = wv_windows_spot(chooser->windows, address);
		struct wr_insn insn;
		uint8_t refusal, owned;

		if (!spot.length)
			break; /* what is behind was not decoded either */
		refusal = wv_relocate(decoder, function->bytes + at, function->size - at, address, &insn);
		owned = owned_at(function, address, spot.length, &owner);
		if (insn.kind == WR_INSN_CALL && function->hook && insn.target == function->hook)
			owned = WEFT_REFUSAL_FTRACE;
		chooser->refusals[at] = refusal_of(forbidden_at(function, address), owned, refusal);
		chooser->calls[at] = spot.length == WEFT_JUMP_SIZE && function->bytes[at] == OP_CALL;
		at += spot.length;
	}
}

/*
 * Padding behind what control leaves, as long as nothing arrives at it. An int3 right behind a jump or return stays what it is: it
 * stops what the processor runs there on speculation. The jump of a jump label may become a nop at any time: control goes on behind
 * it. (So does kmod/splice/slot.c.)
 */
static int find_gaps(struct wv_chooser *chooser, const uint8_t *bytes, struct wv_error *error)
{
	uint64_t at = chooser->start, end = chooser->start + chooser->size;
	struct wv_spot spot, before = { 0 };
	bool reached = true;

	while (at < end && (spot = wv_windows_spot(chooser->windows, at)).length) {
		bool free = !reached && spot.padding && !spot.owned &&
			    wv_windows_check(chooser->windows, at, true) == WV_WINDOW_FITS && !spot.arrival;
		bool stays = free && before.leaves && bytes[at - chooser->start] == OP_INT3;
		struct wv_gap *last = chooser->gaps.n ? &chooser->gaps.data[chooser->gaps.n - 1] : NULL;

		if (free && !stays && last && last->end == at) {
			last->end += spot.length;
		} else if (free && !stays) {
			struct wv_gap *gap = wv_vec_push(&chooser->gaps);

			if (!gap)
				return wv_no_memory(error);
			*gap = (struct wv_gap){ at, at + spot.length };
		}
		if (chooser->refusals[at - chooser->start] == WEFT_REFUSAL_JUMP_LABEL)
			spot.leaves = false;
		reached = !free && !spot.leaves;
		before = spot;
		at += spot.length;
	}
	return 0;
}

int wv_chooser_create(const struct wv_function *function, const uint64_t *outside, size_t nr_outside,
		      struct wv_decoder *decoder, struct wv_chooser **ret, struct wv_error *error)
{
	struct wv_chooser *chooser = calloc(1, sizeof(*chooser) + function->size);
	int failed;

	*ret = NULL;
	if (!chooser)
		return wv_no_memory(error);
	chooser->start = function->start;
	chooser->size = function->size;
	chooser->calls = calloc(function->size + 1, sizeof(*chooser->calls));
	failed = chooser->calls ? wv_windows_create(function, outside, nr_outside, decoder,
						    &chooser->windows, error) :
				  wv_no_memory(error);
	if (!failed) {
		judge(chooser, function, decoder);
		failed = wv_windows_known(chooser->windows) ? find_gaps(chooser, function->bytes, error) : 0;
	}
	if (failed)
		wv_chooser_destroy(chooser);
	else
		*ret = chooser;
	return failed;
}

void wv_chooser_destroy(struct wv_chooser *chooser)
{
	if (!chooser)
		return;
	wv_vec_deinit(&chooser->gaps);
	wv_windows_destroy(chooser->windows);
	free(chooser->calls);
	free(chooser);
}

const wv_gaps *wv_chooser_gaps(const struct wv_chooser *chooser)
{
	return &chooser->gaps;
}

const struct wv_windows *wv_chooser_windows(const struct wv_chooser *chooser)
{
	return chooser->windows;
}

static uint8_t refusal_at(const struct wv_chooser *chooser, uint64_t address)
{
	return chooser->refusals[address - chooser->start];
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* May the instruction at @address be in a window of several? */
static enum wv_window_answer check(const struct wv_chooser *chooser, uint64_t address, bool first)
{
	enum wv_window_answer answer = wv_windows_check(chooser->windows, address, first);

	return answer == WV_WINDOW_FITS && refusal_at(chooser, address) ? WV_WINDOW_FIXED : answer;
}

static bool is_within_limits(const struct run *run)
{
	return run->end - run->start <= WEFT_WINDOW_MAX && run->instructions <= WR_WINDOW_INSNS;
}

static const struct run *find_overlap(const runs *list, uint64_t start, uint64_t end)
{
	for (size_t i = list->n; i--;)
		if (list->data[i].start < end && start < list->data[i].end)
			return &list->data[i];
	return NULL;
}

/*
 * Adds instructions behind @run until it has @wanted bytes. What it has got is in @run in any case. An empty one begins
 * at run->start.
 */
static struct wv_why extend_ahead(const struct choosing *choosing, struct run *run, unsigned int wanted)
{
	const struct wv_chooser *chooser = choosing->chooser;
	struct wv_spot last = { 0 };

	if (run->instructions) {
		uint64_t at = run->start;

		for (unsigned int i = 1; i < run->instructions; i++)
			at += wv_windows_spot(chooser->windows, at).length;
		last = wv_windows_spot(chooser->windows, at);
	}
	while (run->end - run->start < wanted) {
		struct wv_spot spot = wv_windows_spot(chooser->windows, run->end);
		struct run longer = { run->start, run->end + spot.length, run->instructions + 1 };
		enum wv_window_answer answer = WV_WINDOW_FITS;

		if (last.call)
			answer = WV_WINDOW_RETURN;
		else if (last.stops || run->end >= chooser->start + chooser->size)
			answer = WV_WINDOW_END;
		else if (run->instructions && !wv_windows_known(chooser->windows))
			answer = WV_WINDOW_UNKNOWN;
		else
			answer = check(chooser, run->end, !run->instructions);
		if (answer == WV_WINDOW_FITS && !is_within_limits(&longer))
			answer = WV_WINDOW_LONG;
		if (answer == WV_WINDOW_FITS && find_overlap(&choosing->hosts, run->end, longer.end))
			answer = WV_WINDOW_TAKEN;
		if (answer != WV_WINDOW_FITS)
			return (struct wv_why){ answer, run->end };
		last = spot;
		*run = longer;
	}
	return (struct wv_why){ WV_WINDOW_FITS, 0 };
}

/* The instruction that ends where @address begins; 0: none. */
static uint64_t instruction_before(const struct wv_chooser *chooser, uint64_t address)
{
	for (unsigned int length = 1; length <= WEFT_INSN_MAX && length <= address - chooser->start; length++)
		if (wv_windows_spot(chooser->windows, address - length).length == length)
			return address - length;
	return 0;
}

/* Adds instructions before @run, none below @floor, until it has @wanted bytes. */
static struct wv_why extend_back(const struct choosing *choosing, struct run *run, unsigned int wanted,
				 uint64_t floor)
{
	const struct wv_chooser *chooser = choosing->chooser;

	while (run->end - run->start < wanted) {
		struct wv_spot spot = wv_windows_spot(chooser->windows, run->start);
		uint64_t before = instruction_before(chooser, run->start);
		struct run longer = { before, run->end, run->instructions + 1 };
		enum wv_window_answer answer;

		if (spot.arrival)
			return (struct wv_why){ WV_WINDOW_ARRIVAL, run->start };
		if (!wv_windows_known(chooser->windows))
			return (struct wv_why){ WV_WINDOW_UNKNOWN, run->start };
		/* What nothing runs holds slots. */
		if (!before || wv_gaps_hold(&chooser->gaps, before))
			return (struct wv_why){ WV_WINDOW_END, run->start };
		if (before < floor || find_overlap(&choosing->hosts, before, run->start))
			return (struct wv_why){ WV_WINDOW_TAKEN, before };
		spot = wv_windows_spot(chooser->windows, before);
		if (spot.call)
			return (struct wv_why){ WV_WINDOW_RETURN, before };
		if (spot.stops)
			return (struct wv_why){ WV_WINDOW_END, before };
		answer = check(chooser, before, true);
		if (answer == WV_WINDOW_FITS && !is_within_limits(&longer))
			answer = WV_WINDOW_LONG;
		if (answer != WV_WINDOW_FITS)
			return (struct wv_why){ answer, before };
		*run = longer;
	}
	return (struct wv_why){ WV_WINDOW_FITS, 0 };
}

/* A run of @wanted bytes with the shadow in it, or one that leads up to it, behind the windows before. */
static bool find_run(const struct choosing *choosing, const struct wv_choice *choice, unsigned int wanted,
		     struct run *ret, struct wv_why *ahead, struct wv_why *back)
{
	*ret = (struct run){ choice->address, choice->address, 0 };
	*back = (struct wv_why){ WV_WINDOW_FITS, 0 };
	*ahead = choice->leads ? (struct wv_why){ WV_WINDOW_FIXED, choice->address } :
				 extend_ahead(choosing, ret, wanted);
	if (ahead->answer == WV_WINDOW_FITS)
		return true;
	/* What arrives in the middle of the shadow's own instruction does so in any window. */
	if (!ret->instructions && !choice->leads)
		*back = *ahead;
	else
		*back = extend_back(choosing, ret, wanted, choosing->floor);
	return back->answer == WV_WINDOW_FITS;
}

/* ---- slots ----------------------------------------------------------------------------------- */

static bool is_taken(const wv_slots *slots, uint64_t slot)
{
	for (size_t i = slots->n; i--;) {
		if (slots->data[i] + WV_BOUNCE_REACH * 3 < slot)
			break;
		if (slots->data[i] < slot + WEFT_JUMP_SIZE && slot < slots->data[i] + WEFT_JUMP_SIZE)
			return true;
	}
	return false;
}

static uint64_t reach_low(uint64_t from)
{
	return from + WEFT_SHORT_SIZE - SHORT_JUMP_BACK;
}

static uint64_t reach_high(uint64_t from)
{
	return from + WEFT_SHORT_SIZE + SHORT_JUMP_AHEAD;
}

/* The first free slot in padding that a two-byte jump at @from reaches, or 0. */
static uint64_t find_slot(const struct choosing *choosing, uint64_t from)
{
	const uint64_t low = reach_low(from), high = reach_high(from);

	wv_vec_for_each(gap, choosing->source->gaps) {
		uint64_t slot = gap->start > low ? gap->start : low;

		for (; slot <= high && slot + WEFT_JUMP_SIZE <= gap->end; slot++)
			if (!is_taken(choosing->source->slots, slot))
				return slot;
	}
	return 0;
}

/* The first host that a two-byte jump over @bounce reaches a slot of. Windows that there are, are no hosts. */
static bool find_host(const struct choosing *choosing, const struct run *bounce, struct run *ret)
{
	const struct wv_chooser *chooser = choosing->chooser;
	const uint64_t low = reach_low(bounce->start), high = reach_high(bounce->start);
	uint64_t at = low > chooser->start + WEFT_JUMP_SIZE ? low - WEFT_JUMP_SIZE : chooser->start;

	for (; at + WEFT_JUMP_SIZE <= high && at < chooser->start + chooser->size; at++) {
		*ret = (struct run){ at, at, 0 };
		/* What nothing runs holds slots itself. */
		if (!wv_windows_spot(chooser->windows, at).length || at + WEFT_JUMP_SIZE < low ||
		    wv_gaps_hold(&chooser->gaps, at) ||
		    extend_ahead(choosing, ret, WV_HOST_MIN).answer != WV_WINDOW_FITS)
			continue;
		if (!find_overlap(&choosing->windows, ret->start, ret->end) &&
		    (ret->end <= bounce->start || ret->start >= bounce->end))
			return true;
	}
	return false;
}

static int add_run(const struct choosing *choosing, runs *list, const struct run *run)
{
	struct run *slot = wv_vec_push(list);

	if (!slot)
		return wv_no_memory(choosing->error);
	*slot = *run;
	return 0;
}

static int take_slot(const struct choosing *choosing, uint64_t slot)
{
	uint64_t *added = wv_vec_push(choosing->source->slots);

	if (!added)
		return wv_no_memory(choosing->error);
	/* Most come in order. */
	for (; added > choosing->source->slots->data && added[-1] > slot; added--)
		*added = added[-1];
	*added = slot;
	return 0;
}

static void drop_slot(const struct choosing *choosing, uint64_t slot)
{
	size_t n = 0;

	for (size_t i = 0; i < choosing->source->slots->n; i++)
		if (choosing->source->slots->data[i] != slot)
			choosing->source->slots->data[n++] = choosing->source->slots->data[i];
	choosing->source->slots->n = n;
}

/* ---- the choice ------------------------------------------------------------------------------ */

/* Tells all shadows of the last window, up to @end, what it has become. */
static void tell(const struct choosing *choosing, const struct wv_choice *end)
{
	const struct window *window = &choosing->last;

	for (struct wv_choice *choice = choosing->first; choice && choice < end; choice++) {
		if (choice->window)
			continue; /* refused, or a host's */
		choice->splice = window->splice;
		choice->before = choice->address - window->run.start;
		choice->window = window->run.end - window->run.start;
		choice->instructions = window->run.instructions;
		choice->slot = window->slot;
		choice->host = window->host;
	}
}

static void refuse(struct wv_choice *choice)
{
	choice->splice = WV_SPLICE_REFUSED;
	choice->leads = false;
	choice->window = choice->length ? choice->length : 1;
}

static int start_window(struct choosing *choosing, struct wv_choice *choice, enum wv_splice splice,
			const struct run *run)
{
	tell(choosing, choice);
	choosing->last = (struct window){ .run = *run, .splice = splice };
	choosing->floor = run->end;
	choosing->first = choice;
	return add_run(choosing, &choosing->windows, run);
}

/* Makes the window before reach to @end, over the shadow or up to it; a bounce or a trap may become a jump that way. */
static bool extend_last(struct choosing *choosing, uint64_t end)
{
	struct window *last = &choosing->last;
	struct run run = last->run;
	uint64_t wanted = end - run.start;

	/* A host for it is a window that would stay. */
	if (!choosing->first || last->splice == WV_SPLICE_CALL || last->host || end <= run.end || wanted > WEFT_WINDOW_MAX)
		return false;
	if (wanted < WEFT_JUMP_SIZE)
		wanted = WEFT_JUMP_SIZE;
	if (check(choosing->chooser, run.start, true) != WV_WINDOW_FITS ||
	    extend_ahead(choosing, &run, wanted).answer != WV_WINDOW_FITS)
		return false;
	if (last->slot)
		drop_slot(choosing, last->slot);
	*last = (struct window){ .run = run, .splice = WV_SPLICE_JUMP };
	choosing->floor = run.end;
	choosing->windows.data[choosing->windows.n - 1] = run;
	return true;
}

static int bounce_or_trap(struct choosing *choosing, struct wv_choice *choice)
{
	struct run run = { choice->address, choice->address + choice->length, 1 };
	struct run found, host = { 0 };
	struct wv_why ahead, back;
	uint64_t slot = 0;
	int ret;

	if (choice->leads)
		run = (struct run){ instruction_before(choosing->chooser, choice->address), choice->address, 1 };
	if (!find_run(choosing, choice, WEFT_SHORT_SIZE, &found, &ahead, &back))
		return start_window(choosing, choice, WV_SPLICE_TRAP, &run);
	slot = find_slot(choosing, found.start);
	choice->no_slot = !slot && !(choosing->source->hosts && find_host(choosing, &found, &host));
	if (choice->no_slot)
		return start_window(choosing, choice, WV_SPLICE_TRAP, &run);
	ret = start_window(choosing, choice, WV_SPLICE_BOUNCE, &found);
	if (!ret && !slot)
		ret = add_run(choosing, &choosing->hosts, &host);
	choosing->last.slot = slot ? slot : host.start + WEFT_JUMP_SIZE;
	choosing->last.host = host.end - host.start;
	return ret || !slot ? ret : take_slot(choosing, slot);
}

/* A host's instructions are in its patch: advice of theirs goes there, and behind the last what it leads up to. */
static bool is_in_host(const struct choosing *choosing, struct wv_choice *choice)
{
	const uint64_t at = choice->address - choice->leads;
	const struct run *host = find_overlap(&choosing->hosts, at, at + 1);

	if (!host)
		return false;
	choice->splice = WV_SPLICE_JUMP;
	choice->before = choice->address - host->start;
	choice->window = host->end - host->start;
	choice->instructions = host->instructions;
	return true;
}

/*
 * May advice before the shadow, which is refused, run at the end of a window that ends where it begins? Not one of its bytes is touched
 * or moved, so it does not matter whose they are, what looks up their address, or that they can run nowhere else. What matters is
 * that every execution of it comes out of the instruction before, by running on: nothing arrives at it, that is known for certain, and
 * the instruction before is no call, which would return to it. Its registers, flags and stack are then what that one leaves, and between
 * the two there is nothing but advice, as there may be an interrupt; what depends on its neighbour (`sti`) is refused itself, and
 * nothing that is refused is moved. Where all of the function is forbidden, that holds for what comes before; ftrace's own is an entry,
 * and an endbr is arrived at.
 */
static bool may_lead(const struct wv_chooser *chooser, const struct wv_choice *choice)
{
	const uint64_t before = instruction_before(chooser, choice->address);
	const struct wv_spot spot = wv_windows_spot(chooser->windows, before);

	switch (choice->refusal) {
	case WEFT_REFUSAL_JUMP_LABEL:
	case WEFT_REFUSAL_STATIC_CALL:
	case WEFT_REFUSAL_BREAKPOINT:
	case WEFT_REFUSAL_UNRELOCATABLE:
	case WEFT_REFUSAL_EXCEPTION:
		break;
	default:
		return false;
	}
	return before && !wv_gaps_hold(&chooser->gaps, before) && wv_windows_known(chooser->windows) &&
	       !wv_windows_spot(chooser->windows, choice->address).arrival && !spot.call && !spot.stops &&
	       check(chooser, before, true) == WV_WINDOW_FITS;
}

/* Finds a window that leads up to a shadow which is refused; if all that is there belongs to another it stays so. */
static int choose_lead(struct choosing *choosing, struct wv_choice *choice)
{
	struct run run;

	choice->leads = true;
	if (choice->address <= choosing->floor || is_in_host(choosing, choice))
		return 0;
	if (find_run(choosing, choice, WEFT_JUMP_SIZE, &run, &choice->ahead, &choice->back))
		return start_window(choosing, choice, WV_SPLICE_JUMP, &run);
	if (extend_last(choosing, choice->address))
		return 0;
	if (instruction_before(choosing->chooser, choice->address) >= choosing->floor)
		return bounce_or_trap(choosing, choice);
	refuse(choice);
	return 0;
}

static int choose_one(struct choosing *choosing, struct wv_choice *choice)
{
	const struct wv_chooser *chooser = choosing->chooser;
	struct wv_spot spot = wv_windows_spot(chooser->windows, choice->address);
	struct run run = { choice->address, choice->address + spot.length, 1 };
	bool is_whole = wv_windows_check(chooser->windows, choice->address, true) != WV_WINDOW_ARRIVAL;

	*choice = (struct wv_choice){ .address = choice->address, .length = spot.length };
	if (!spot.length)
		choice->refusal = WEFT_REFUSAL_BOUNDARY;
	else
		choice->refusal = refusal_at(chooser, choice->address);
	if (choice->refusal && may_lead(chooser, choice))
		return choose_lead(choosing, choice);
	if (choice->refusal) {
		refuse(choice);
		return 0;
	}
	if (choice->address < choosing->floor || is_in_host(choosing, choice))
		return 0; /* the window before covers it */
	if (spot.length >= WEFT_JUMP_SIZE && is_whole) {
		bool call = chooser->calls[choice->address - chooser->start];

		return start_window(choosing, choice, call ? WV_SPLICE_CALL : WV_SPLICE_JUMP, &run);
	}
	if (find_run(choosing, choice, WEFT_JUMP_SIZE, &run, &choice->ahead, &choice->back))
		return start_window(choosing, choice, WV_SPLICE_JUMP, &run);
	if (extend_last(choosing, choice->address + spot.length))
		return 0;
	return bounce_or_trap(choosing, choice);
}

int wv_choose(const struct wv_chooser *chooser, const struct wv_slot_source *source, struct wv_choice *choices,
	      size_t n, struct wv_error *error)
{
	struct choosing choosing = { .chooser = chooser, .source = source, .error = error };
	int ret = 0;

	for (size_t i = 0; i < n && !ret; i++)
		ret = choose_one(&choosing, &choices[i]);
	tell(&choosing, choices + n);
	wv_vec_deinit(&choosing.windows);
	wv_vec_deinit(&choosing.hosts);
	return ret;
}
