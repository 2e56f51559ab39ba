// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Chooses splices; see choose.h. Handles shadows in ascending order. If a displaced range that was
 * already chosen covers the shadow, the shadow shares this range. Otherwise these ranges are tried
 * in order, of which none may overlap a range that was already chosen: a range that begins at the
 * shadow; a range that begins before it, as close as possible; the previous range, extended to the
 * shadow. If no range of five bytes fits, a range of two bytes is tried (a springboard).
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/abi.h"
#include "runtime/trampoline.h"
#include "splice/choose.h"
#include "x86/relocate.h"

enum {
	/* Reach of a two-byte jump, in bytes from the jump's end. */
	SHORT_JUMP_BACK = 128,
	SHORT_JUMP_FORWARD = 127,
};

struct wv_chooser {
	uint64_t start;
	size_t size;
	struct wv_displaceable *displaceable;
	wv_padding_list paddings;
	bool *calls;	    /* for each byte: a direct call of five bytes begins here */
	uint8_t refusals[]; /* enum weft_refusal of the instruction that begins at each byte */
};

/* Consecutive instructions, from .start up to, but not including, .end. */
struct run {
	uint64_t start, end;
	unsigned int instructions;
};

/* A displaced range that was chosen; .slot and .donor as in struct wv_choice. */
struct displaced {
	struct run run;
	enum wv_splice splice;
	uint64_t slot;
	uint8_t donor;
};

typedef WV_VEC(struct run) runs;

struct choosing {
	const struct wv_chooser *chooser;
	const struct wv_slot_source *source;
	struct displaced last; /* the range chosen last; the next shadow may extend it */
	uint64_t floor;	    /* end of .last; no later range begins before it */
	struct wv_choice *first; /* first shadow of .last; NULL: no range was chosen yet */
	/* .displaced: chosen ranges except donors. .donors: all donors, also those after .last. */
	runs displaced, donors;
	struct wv_error *error;
};

const char *wv_splice_name(enum wv_splice splice)
{
	static const char *const names[WV_SPLICES] = { "call", "jump", "springboard", "trap",
						       "refused" };

	return splice < WV_SPLICES ? names[splice] : "?";
}

int16_t wv_choice_slot(const struct wv_choice *choice)
{
	uint64_t end = choice->address - choice->before + WEFT_SHORT_SIZE;

	return choice->splice == WV_SPLICE_SPRINGBOARD ? (int16_t)(choice->slot - end) : 0;
}

bool wv_padding_holds(const wv_padding_list *paddings, uint64_t address)
{
	wv_vec_for_each(padding, paddings)
		if (address >= padding->start && address < padding->end)
			return true;
	return false;
}

/* ---- collecting facts about each instruction ------------------------------------------------- */

static uint8_t blacklisted_at(const struct wv_function_info *function, uint64_t address)
{
	for (size_t i = 0; i < function->nr_blacklist; i++)
		if (address >= function->blacklist[i].start && address < function->blacklist[i].end)
			return function->blacklist[i].refusal;
	return WEFT_REFUSAL_NONE;
}

/*
 * Returns the refusal for rewritten text in the @length bytes at @address. In successive calls
 * @address must ascend. *@from is the index in function->rewritten of the first piece that may
 * still overlap.
 */
static uint8_t owned_at(const struct wv_function_info *function, uint64_t address, size_t length,
			size_t *from)
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

/*
 * Returns the refusal that counts if an instruction has several; weft.ko has the same order
 * (kmod/text/text-check.c).
 */
static uint8_t refusal_of(uint8_t blacklisted, uint8_t owned, uint8_t instruction)
{
	if (blacklisted)
		return blacklisted;
	if (owned == WEFT_REFUSAL_EXCEPTION)
		return owned;
	return instruction ? instruction : owned;
}

static void judge(struct wv_chooser *chooser, const struct wv_function_info *function,
		  struct wv_decoder *decoder)
{
	size_t owner = 0, at = 0;

	while (at < function->size) {
		const uint64_t address = function->start + at;
		struct wv_insn_info info = wv_displaceable_insn(chooser->displaceable, address);
		struct wr_insn insn;
		uint8_t refusal, owned;

		if (!info.length)
			break; /* the bytes from here on were not decoded */
		refusal = wv_relocate(decoder, function->bytes + at, function->size - at, address,
				      &insn);
		owned = owned_at(function, address, info.length, &owner);
		if (insn.kind == WR_INSN_CALL && function->fentry &&
		    insn.target == function->fentry)
			owned = WEFT_REFUSAL_FTRACE;
		chooser->refusals[at] =
			refusal_of(blacklisted_at(function, address), owned, refusal);
		chooser->calls[at] = insn.kind == WR_INSN_CALL && info.length == WEFT_JUMP_SIZE;
		at += info.length;
	}
}

/* Adds @length bytes at @start to the padding that ends there, or starts a new padding. */
static int extend_padding(struct wv_chooser *chooser, uint64_t start, uint8_t length)
{
	struct wv_padding *padding =
		chooser->paddings.n ? &chooser->paddings.data[chooser->paddings.n - 1] : NULL;

	if (padding && padding->end == start) {
		padding->end += length;
		return 0;
	}
	padding = wv_vec_push(&chooser->paddings);
	if (!padding)
		return -1;
	*padding = (struct wv_padding){ start, start + length };
	return 0;
}

/* Finds padding by the rule of runtime/x86-rules.h, as kmod/text/padding.c does. */
static int find_padding(struct wv_chooser *chooser, struct wv_error *error)
{
	const uint64_t end = chooser->start + chooser->size;
	enum wr_before before = WR_BEFORE_REACHED;
	struct wv_insn_info info;

	for (uint64_t at = chooser->start; at < end; at += info.length) {
		bool blocked, leaves;

		info = wv_displaceable_insn(chooser->displaceable, at);
		if (!info.length)
			break;
		blocked =
			info.owned || info.branch_target ||
			wv_displaceable_check(chooser->displaceable, at, true) != WV_DISPLACE_FITS;
		/*
		 * A jump label's jump may become a nop at any time, and control goes on after a
		 * nop.
		 */
		leaves = info.leaves &&
			 chooser->refusals[at - chooser->start] != WEFT_REFUSAL_JUMP_LABEL;
		if (wr_padding_next(&before, info.filling, blocked, leaves) &&
		    extend_padding(chooser, at, info.length))
			return wv_no_memory(error);
	}
	return 0;
}

int wv_chooser_create(const struct wv_function_info *function, const uint64_t *outside,
		      size_t nr_outside, struct wv_decoder *decoder, struct wv_chooser **ret,
		      struct wv_error *error)
{
	struct wv_chooser *chooser = calloc(1, sizeof(*chooser) + function->size);
	int failed;

	*ret = NULL;
	if (!chooser)
		return wv_no_memory(error);
	chooser->start = function->start;
	chooser->size = function->size;
	chooser->calls = calloc(function->size + 1, sizeof(*chooser->calls));
	failed = chooser->calls ? wv_displaceable_create(function, outside, nr_outside, decoder,
						    &chooser->displaceable, error) :
				  wv_no_memory(error);
	if (!failed) {
		judge(chooser, function, decoder);
		failed = wv_displaceable_known(chooser->displaceable) ? find_padding(chooser, error)
								      : 0;
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
	wv_vec_deinit(&chooser->paddings);
	wv_displaceable_destroy(chooser->displaceable);
	free(chooser->calls);
	free(chooser);
}

const wv_padding_list *wv_chooser_padding(const struct wv_chooser *chooser)
{
	return &chooser->paddings;
}

const struct wv_displaceable *wv_chooser_displaceable(const struct wv_chooser *chooser)
{
	return chooser->displaceable;
}

static uint8_t refusal_at(const struct wv_chooser *chooser, uint64_t address)
{
	return chooser->refusals[address - chooser->start];
}

/* ---- finding runs of instructions ------------------------------------------------------------ */

/*
 * Returns WV_DISPLACE_FITS, or why a displaced range of several instructions cannot contain the
 * instruction at @address, as its first one or (@first is false) as a later one.
 */
static enum wv_displace_answer check(const struct wv_chooser *chooser, uint64_t address, bool first)
{
	enum wv_displace_answer answer =
		wv_displaceable_check(chooser->displaceable, address, first);

	return answer == WV_DISPLACE_FITS && refusal_at(chooser, address) ? WV_DISPLACE_FIXED
									  : answer;
}

static bool is_within_limits(const struct run *run)
{
	return run->end - run->start <= WEFT_DISPLACED_MAX &&
	       run->instructions <= WR_DISPLACED_INSNS;
}

static const struct run *find_overlap(const runs *list, uint64_t start, uint64_t end)
{
	for (size_t i = list->n; i--;)
		if (list->data[i].start < end && start < list->data[i].end)
			return &list->data[i];
	return NULL;
}

/*
 * Appends instructions to @run until it has at least @wanted bytes, and returns WV_DISPLACE_FITS.
 * If an instruction is in the way, returns why, and @run keeps the instructions before it. A run
 * that has no instructions yet begins at run->start.
 */
static struct wv_why extend_forward(const struct choosing *choosing, struct run *run,
				    unsigned int wanted)
{
	const struct wv_chooser *chooser = choosing->chooser;
	struct wv_insn_info last = { 0 };

	if (run->instructions) {
		uint64_t at = run->start;

		for (unsigned int i = 1; i < run->instructions; i++)
			at += wv_displaceable_insn(chooser->displaceable, at).length;
		last = wv_displaceable_insn(chooser->displaceable, at);
	}
	while (run->end - run->start < wanted) {
		struct wv_insn_info info = wv_displaceable_insn(chooser->displaceable, run->end);
		struct run longer = { run->start, run->end + info.length, run->instructions + 1 };
		enum wv_displace_answer answer = WV_DISPLACE_FITS;

		if (last.call)
			answer = WV_DISPLACE_RETURN;
		else if (last.stops || run->end >= chooser->start + chooser->size)
			answer = WV_DISPLACE_END;
		else if (run->instructions && !wv_displaceable_known(chooser->displaceable))
			answer = WV_DISPLACE_UNKNOWN;
		else
			answer = check(chooser, run->end, !run->instructions);
		if (answer == WV_DISPLACE_FITS && !is_within_limits(&longer))
			answer = WV_DISPLACE_LONG;
		if (answer == WV_DISPLACE_FITS &&
		    find_overlap(&choosing->donors, run->end, longer.end))
			answer = WV_DISPLACE_TAKEN;
		if (answer != WV_DISPLACE_FITS)
			return (struct wv_why){ answer, run->end };
		last = info;
		*run = longer;
	}
	return (struct wv_why){ WV_DISPLACE_FITS, 0 };
}

/* The address of the instruction that ends right before @address; 0: there is none. */
static uint64_t instruction_before(const struct wv_chooser *chooser, uint64_t address)
{
	for (unsigned int length = 1; length <= WEFT_INSN_MAX && length <= address - chooser->start;
	     length++)
		if (wv_displaceable_insn(chooser->displaceable, address - length).length == length)
			return address - length;
	return 0;
}

/* Like extend_forward(), but adds instructions before @run, none below @floor. */
static struct wv_why extend_back(const struct choosing *choosing, struct run *run,
				 unsigned int wanted, uint64_t floor)
{
	const struct wv_chooser *chooser = choosing->chooser;

	while (run->end - run->start < wanted) {
		struct wv_insn_info info = wv_displaceable_insn(chooser->displaceable, run->start);
		uint64_t before = instruction_before(chooser, run->start);
		struct run longer = { before, run->end, run->instructions + 1 };
		enum wv_displace_answer answer;

		if (info.branch_target)
			return (struct wv_why){ WV_DISPLACE_BRANCH_TARGET, run->start };
		if (!wv_displaceable_known(chooser->displaceable))
			return (struct wv_why){ WV_DISPLACE_UNKNOWN, run->start };
		/* Padding is never executed, so nothing is displaced; it is kept for slots. */
		if (!before || wv_padding_holds(&chooser->paddings, before))
			return (struct wv_why){ WV_DISPLACE_END, run->start };
		if (before < floor || find_overlap(&choosing->donors, before, run->start))
			return (struct wv_why){ WV_DISPLACE_TAKEN, before };
		info = wv_displaceable_insn(chooser->displaceable, before);
		if (info.call)
			return (struct wv_why){ WV_DISPLACE_RETURN, before };
		if (info.stops)
			return (struct wv_why){ WV_DISPLACE_END, before };
		answer = check(chooser, before, true);
		if (answer == WV_DISPLACE_FITS && !is_within_limits(&longer))
			answer = WV_DISPLACE_LONG;
		if (answer != WV_DISPLACE_FITS)
			return (struct wv_why){ answer, before };
		*run = longer;
	}
	return (struct wv_why){ WV_DISPLACE_FITS, 0 };
}

/*
 * Finds a run of at least @wanted bytes that contains the shadow or, for attaches_before, ends
 * where the shadow begins. The run must begin after the previous displaced range. Returns false if
 * there is none; @forward and @back then say what is in the way in each direction.
 */
static bool find_run(const struct choosing *choosing, const struct wv_choice *choice,
		     unsigned int wanted, struct run *ret, struct wv_why *forward,
		     struct wv_why *back)
{
	*ret = (struct run){ choice->address, choice->address, 0 };
	*back = (struct wv_why){ WV_DISPLACE_FITS, 0 };
	*forward = choice->attaches_before ? (struct wv_why){ WV_DISPLACE_FIXED, choice->address }
					   : extend_forward(choosing, ret, wanted);
	if (forward->answer == WV_DISPLACE_FITS)
		return true;
	/*
	 * If the shadow's own instruction does not fit, no range over it does: a branch target
	 * inside it, for example, is inside all of them.
	 */
	if (!ret->instructions && !choice->attaches_before)
		*back = *forward;
	else
		*back = extend_back(choosing, ret, wanted, choosing->floor);
	return back->answer == WV_DISPLACE_FITS;
}

/* ---- finding slots --------------------------------------------------------------------------- */

static bool is_taken(const wv_slots *slots, uint64_t slot)
{
	for (size_t i = slots->n; i--;) {
		if (slots->data[i] + WV_SPRINGBOARD_REACH * 3 < slot)
			break;
		if (slots->data[i] < slot + WEFT_JUMP_SIZE &&
		    slot < slots->data[i] + WEFT_JUMP_SIZE)
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
	return from + WEFT_SHORT_SIZE + SHORT_JUMP_FORWARD;
}

/* The first free slot in padding that a two-byte jump at @from reaches, or 0. */
static uint64_t find_slot(const struct choosing *choosing, uint64_t from)
{
	const uint64_t low = reach_low(from), high = reach_high(from);

	wv_vec_for_each(padding, choosing->source->paddings) {
		uint64_t slot = padding->start > low ? padding->start : low;

		for (; slot <= high && slot + WEFT_JUMP_SIZE <= padding->end; slot++)
			if (!is_taken(choosing->source->slots, slot))
				return slot;
	}
	return 0;
}

/*
 * Finds the first possible donor whose slot a two-byte jump at the start of @springboard reaches. A
 * displaced range that was already chosen cannot be a donor. Returns false if there is no donor.
 */
static bool find_donor(const struct choosing *choosing, const struct run *springboard,
		       struct run *ret)
{
	const struct wv_chooser *chooser = choosing->chooser;
	const uint64_t low = reach_low(springboard->start), high = reach_high(springboard->start);
	uint64_t at = low > chooser->start + WEFT_JUMP_SIZE ? low - WEFT_JUMP_SIZE : chooser->start;

	for (; at + WEFT_JUMP_SIZE <= high && at < chooser->start + chooser->size; at++) {
		*ret = (struct run){ at, at, 0 };
		/* Padding needs no donor: it holds slots itself. */
		if (!wv_displaceable_insn(chooser->displaceable, at).length ||
		    at + WEFT_JUMP_SIZE < low || wv_padding_holds(&chooser->paddings, at) ||
		    extend_forward(choosing, ret, WV_DONOR_MIN).answer != WV_DISPLACE_FITS)
			continue;
		if (!find_overlap(&choosing->displaced, ret->start, ret->end) &&
		    (ret->end <= springboard->start || ret->start >= springboard->end))
			return true;
	}
	return false;
}

static int add_run(const struct choosing *choosing, runs *list, const struct run *run)
{
	struct run *added = wv_vec_push(list);

	if (!added)
		return wv_no_memory(choosing->error);
	*added = *run;
	return 0;
}

static int take_slot(const struct choosing *choosing, uint64_t slot)
{
	uint64_t *added = wv_vec_push(choosing->source->slots);

	if (!added)
		return wv_no_memory(choosing->error);
	/* Keep the slots ascending; most are added in this order. */
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

/* ---- choosing a splice ----------------------------------------------------------------------- */

/* Stores the last displaced range in its shadows: from choosing->first up to @end. */
static void store_last(const struct choosing *choosing, const struct wv_choice *end)
{
	const struct displaced *displaced = &choosing->last;

	for (struct wv_choice *choice = choosing->first; choice && choice < end; choice++) {
		if (choice->displaced)
			continue; /* the shadow is refused, or is_in_donor() has filled it in */
		choice->splice = displaced->splice;
		choice->before = choice->address - displaced->run.start;
		choice->displaced = displaced->run.end - displaced->run.start;
		choice->instructions = displaced->run.instructions;
		choice->slot = displaced->slot;
		choice->donor = displaced->donor;
	}
}

static void refuse(struct wv_choice *choice)
{
	choice->splice = WV_SPLICE_REFUSED;
	choice->attaches_before = false;
	choice->displaced = choice->length ? choice->length : 1;
}

static int start_displaced(struct choosing *choosing, struct wv_choice *choice,
			   enum wv_splice splice, const struct run *run)
{
	store_last(choosing, choice);
	choosing->last = (struct displaced){ .run = *run, .splice = splice };
	choosing->floor = run->end;
	choosing->first = choice;
	return add_run(choosing, &choosing->displaced, run);
}

/*
 * Extends the last displaced range up to @end, which is the start or the end of the next shadow. A
 * springboard or a trap may become a jump. Returns false if the range cannot be extended.
 */
static bool extend_last(struct choosing *choosing, uint64_t end)
{
	struct displaced *last = &choosing->last;
	struct run run = last->run;
	uint64_t wanted = end - run.start;

	/* A range that got a donor is not extended, since the donor would remain as a splice. */
	if (!choosing->first || last->splice == WV_SPLICE_CALL || last->donor || end <= run.end ||
	    wanted > WEFT_DISPLACED_MAX)
		return false;
	if (wanted < WEFT_JUMP_SIZE)
		wanted = WEFT_JUMP_SIZE;
	if (check(choosing->chooser, run.start, true) != WV_DISPLACE_FITS ||
	    extend_forward(choosing, &run, wanted).answer != WV_DISPLACE_FITS)
		return false;
	if (last->slot)
		drop_slot(choosing, last->slot);
	*last = (struct displaced){ .run = run, .splice = WV_SPLICE_JUMP };
	choosing->floor = run.end;
	choosing->displaced.data[choosing->displaced.n - 1] = run;
	return true;
}

static int springboard_or_trap(struct choosing *choosing, struct wv_choice *choice)
{
	struct run run = { choice->address, choice->address + choice->length, 1 };
	struct run found, donor = { 0 };
	struct wv_why forward, back;
	uint64_t slot = 0;
	int ret;

	if (choice->attaches_before)
		run = (struct run){ instruction_before(choosing->chooser, choice->address),
				    choice->address, 1 };
	if (!find_run(choosing, choice, WEFT_SHORT_SIZE, &found, &forward, &back))
		return start_displaced(choosing, choice, WV_SPLICE_TRAP, &run);
	slot = find_slot(choosing, found.start);
	choice->no_slot =
		!slot && !(choosing->source->donors && find_donor(choosing, &found, &donor));
	if (choice->no_slot)
		return start_displaced(choosing, choice, WV_SPLICE_TRAP, &run);
	ret = start_displaced(choosing, choice, WV_SPLICE_SPRINGBOARD, &found);
	if (!ret && !slot)
		ret = add_run(choosing, &choosing->donors, &donor);
	choosing->last.slot = slot ? slot : donor.start + WEFT_JUMP_SIZE;
	choosing->last.donor = donor.end - donor.start;
	return ret || !slot ? ret : take_slot(choosing, slot);
}

/*
 * If a donor's range covers the shadow, fills in @choice and returns true: the shadow shares the
 * donor's trampoline. So does a shadow with .attaches_before that begins where the range ends.
 */
static bool is_in_donor(const struct choosing *choosing, struct wv_choice *choice)
{
	const uint64_t at = choice->address - choice->attaches_before;
	const struct run *donor = find_overlap(&choosing->donors, at, at + 1);

	if (!donor)
		return false;
	choice->splice = WV_SPLICE_JUMP;
	choice->before = choice->address - donor->start;
	choice->displaced = donor->end - donor->start;
	choice->instructions = donor->instructions;
	return true;
}

/*
 * Returns whether advice may be attached before a refused shadow: it runs at the end of a displaced
 * range that ends where the shadow begins. The shadow's own bytes stay as they are, so it does not
 * matter who owns them. But each execution of the shadow must come from the instruction before it.
 * Therefore the shadow must certainly be no branch target. Nor may the instruction before it be a
 * call, because the call would return directly to the shadow. Instructions that affect the next one
 * (`sti`) cannot be in the range, because they are refused, and refused instructions are never
 * moved. In a blacklisted function the code before the shadow is blacklisted as well.
 */
static bool may_attach_before(const struct wv_chooser *chooser, const struct wv_choice *choice)
{
	const uint64_t before = instruction_before(chooser, choice->address);
	const struct wv_insn_info info = wv_displaceable_insn(chooser->displaceable, before);

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
	return before && !wv_padding_holds(&chooser->paddings, before) &&
	       wv_displaceable_known(chooser->displaceable) &&
	       !wv_displaceable_insn(chooser->displaceable, choice->address).branch_target &&
	       !info.call && !info.stops && check(chooser, before, true) == WV_DISPLACE_FITS;
}

/*
 * Finds a displaced range that ends where a refused shadow begins, or extends the previous range up
 * to there. If the previous range is in the way, the shadow stays refused.
 */
static int choose_attach_before(struct choosing *choosing, struct wv_choice *choice)
{
	struct run run;

	choice->attaches_before = true;
	if (choice->address <= choosing->floor || is_in_donor(choosing, choice))
		return 0;
	if (find_run(choosing, choice, WEFT_JUMP_SIZE, &run, &choice->forward, &choice->back))
		return start_displaced(choosing, choice, WV_SPLICE_JUMP, &run);
	if (extend_last(choosing, choice->address))
		return 0;
	if (instruction_before(choosing->chooser, choice->address) >= choosing->floor)
		return springboard_or_trap(choosing, choice);
	refuse(choice);
	return 0;
}

static int choose_one(struct choosing *choosing, struct wv_choice *choice)
{
	const struct wv_chooser *chooser = choosing->chooser;
	struct wv_insn_info info = wv_displaceable_insn(chooser->displaceable, choice->address);
	struct run run = { choice->address, choice->address + info.length, 1 };
	bool is_whole = wv_displaceable_check(chooser->displaceable, choice->address, true) !=
			WV_DISPLACE_BRANCH_TARGET;

	*choice = (struct wv_choice){ .address = choice->address, .length = info.length };
	if (!info.length)
		choice->refusal = WEFT_REFUSAL_BOUNDARY;
	else
		choice->refusal = refusal_at(chooser, choice->address);
	if (choice->refusal && may_attach_before(chooser, choice))
		return choose_attach_before(choosing, choice);
	if (choice->refusal) {
		refuse(choice);
		return 0;
	}
	if (choice->address < choosing->floor || is_in_donor(choosing, choice))
		return 0; /* the last displaced range, or a donor's, covers the shadow */
	if (info.length >= WEFT_JUMP_SIZE && is_whole) {
		bool call = chooser->calls[choice->address - chooser->start];

		return start_displaced(choosing, choice, call ? WV_SPLICE_CALL : WV_SPLICE_JUMP,
				       &run);
	}
	if (find_run(choosing, choice, WEFT_JUMP_SIZE, &run, &choice->forward, &choice->back))
		return start_displaced(choosing, choice, WV_SPLICE_JUMP, &run);
	if (extend_last(choosing, choice->address + info.length))
		return 0;
	return springboard_or_trap(choosing, choice);
}

int wv_choose(const struct wv_chooser *chooser, const struct wv_slot_source *source,
	      struct wv_choice *choices, size_t n, struct wv_error *error)
{
	struct choosing choosing = { .chooser = chooser, .source = source, .error = error };
	int ret = 0;

	for (size_t i = 0; i < n && !ret; i++)
		ret = choose_one(&choosing, &choices[i]);
	store_last(&choosing, choices + n);
	wv_vec_deinit(&choosing.displaced);
	wv_vec_deinit(&choosing.donors);
	return ret;
}
