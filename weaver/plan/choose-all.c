// SPDX-License-Identifier: GPL-2.0-or-later
/* Shadows to choices, extent by extent; see choose-all.h. */
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "plan/choose-all.h"

enum { INT3 = 0xcc };

struct wv_splices {
	struct wv_extents *extents;
	wv_slots slots;
	wv_gaps gaps;
};

int wv_splices_create(struct wv_db *db, struct wv_splices **ret, struct wv_error *error)
{
	struct wv_splices *splices = calloc(1, sizeof(*splices));
	int failed;

	*ret = NULL;
	if (!splices)
		return wv_no_memory(error);
	failed = wv_extents_create(db, &splices->extents, error);
	if (failed)
		wv_splices_destroy(splices);
	else
		*ret = splices;
	return failed;
}

void wv_splices_destroy(struct wv_splices *splices)
{
	if (!splices)
		return;
	wv_extents_destroy(splices->extents);
	wv_vec_deinit(&splices->slots);
	wv_vec_deinit(&splices->gaps);
	free(splices);
}

struct wv_extents *wv_splices_extents(struct wv_splices *splices)
{
	return splices->extents;
}

/* The extent at @address and, in splices->gaps, all gaps near it. */
static int look_at(struct wv_splices *splices, uint64_t address, const struct wv_extent **ret,
		   struct wv_error *error)
{
	int failed = wv_extents_at(splices->extents, address, ret, error);

	splices->gaps.n = 0;
	if (!failed && *ret)
		failed = wv_extents_gaps(splices->extents, *ret, &splices->gaps, error);
	/* It is among the last ones again. */
	return failed ? failed : wv_extents_at(splices->extents, address, ret, error);
}

static int choose_in(struct wv_splices *splices, const struct wv_extent *extent, bool alone,
		     struct wv_choice *choices, size_t n, struct wv_error *error)
{
	const struct wv_slot_source source = { .gaps = &splices->gaps, .slots = &splices->slots,
					       .hosts = true };
	int ret = 0;

	if (!alone)
		return wv_choose(extent->chooser, &source, choices, n, error);
	for (size_t i = 0; i < n && !ret; i++) {
		splices->slots.n = 0;
		ret = wv_choose(extent->chooser, &source, &choices[i], 1, error);
	}
	return ret;
}

static uint32_t size_of(const struct wv_extent *extent)
{
	return extent->end - extent->start > UINT32_MAX ? 0 : extent->end - extent->start;
}

/*
 * Tells what the choice stands on that weft.ko cannot see: that windows here are known from the whole image, and are C's. Not of
 * what stands behind the function's end and has no name, nor of a window of one instruction, which needs nobody's word.
 */
static int vouch(struct wv_splices *splices, const struct wv_extent *extent, struct wv_choice *choice,
		 struct wv_error *error)
{
	const uint64_t start = choice->address - choice->before;
	const struct wv_extent *padding = NULL;
	int ret = 0;

	if (choice->splice != WV_SPLICE_JUMP && choice->splice != WV_SPLICE_BOUNCE)
		return 0;
	if (extent->c && start + choice->window <= extent->code_end)
		choice->extent = size_of(extent);
	if (choice->splice == WV_SPLICE_BOUNCE)
		ret = wv_extents_at(splices->extents, choice->slot, &padding, error);
	if (!ret && padding && padding->c)
		choice->slot_extent = size_of(padding);
	return ret;
}

static int choose(struct wv_splices *splices, bool alone, struct wv_choice *choices, size_t n,
		  struct wv_error *error)
{
	int ret = 0;

	splices->slots.n = 0;
	for (size_t i = 0, next; i < n && !ret; i = next) {
		const struct wv_extent *extent;

		next = i + 1;
		ret = look_at(splices, choices[i].address, &extent, error);
		if (ret)
			break;
		if (!extent) {
			choices[i] = (struct wv_choice){ .address = choices[i].address,
							 .splice = WV_SPLICE_REFUSED,
							 .refusal = WEFT_REFUSAL_NOT_TEXT };
			continue;
		}
		while (next < n && choices[next].address < extent->end)
			next++;
		ret = choose_in(splices, extent, alone, &choices[i], next - i, error);
		for (size_t k = i; k < next && !ret; k++)
			ret = vouch(splices, extent, &choices[k], error);
	}
	return ret;
}

int wv_splices_choose(struct wv_splices *splices, struct wv_choice *choices, size_t n, struct wv_error *error)
{
	return choose(splices, false, choices, n, error);
}

int wv_splices_choose_alone(struct wv_splices *splices, struct wv_choice *choices, size_t n,
			    struct wv_error *error)
{
	return choose(splices, true, choices, n, error);
}

void wv_splice_totals_add(struct wv_splice_totals *totals, const struct wv_choice *choice)
{
	totals->matched++;
	totals->by_splice[choice->splice]++;
	totals->leading += choice->leads;
	if (choice->splice == WV_SPLICE_JUMP)
		totals->windows += choice->instructions > 1;
	else if (choice->splice == WV_SPLICE_BOUNCE)
		totals->hosted += choice->host != 0;
	else if (choice->splice == WV_SPLICE_REFUSED)
		totals->refused[choice->refusal]++;
	else if (choice->splice == WV_SPLICE_TRAP)
		totals->traps[choice->no_slot ? WV_WINDOW_FITS : choice->back.answer]++;
}

static bool is_in_gap(const wv_gaps *gaps, size_t *from, uint64_t address)
{
	while (*from < gaps->n && gaps->data[*from].end <= address)
		++*from;
	return *from < gaps->n && gaps->data[*from].start <= address;
}

/* All instructions of the extent; @choices is used again and again. */
static int add_extent(struct wv_splices *splices, const struct wv_extent *extent, struct wv_splice_totals *totals,
		      struct wv_text_totals *text, struct wv_error *error)
{
	const struct wv_windows *windows = wv_chooser_windows(extent->chooser);
	const wv_gaps *own = wv_chooser_gaps(extent->chooser);
	size_t gap = 0;
	int ret = 0;

	for (uint64_t at = extent->start; at < extent->end && !ret;) {
		struct wv_choice choice = { .address = at };
		uint8_t length = wv_windows_spot(windows, at).length;

		if (!length) {
			text->unknown++;
		} else if (extent->bytes[at - extent->start] == INT3) {
			text->int3++;
		} else if (is_in_gap(own, &gap, at)) {
			text->padding++;
		} else {
			ret = choose_in(splices, extent, true, &choice, 1, error);
			wv_splice_totals_add(totals, &choice);
		}
		at += length ? length : 1;
	}
	return ret;
}

int wv_splices_all(struct wv_splices *splices, struct wv_splice_totals *ret, struct wv_text_totals *text_ret,
		   struct wv_error *error)
{
	const uint64_t start = wv_extents_start(splices->extents);
	uint64_t at = start;
	int failed = 0;

	*ret = (struct wv_splice_totals){ 0 };
	*text_ret = (struct wv_text_totals){ 0 };
	while (!failed && at < wv_extents_end(splices->extents)) {
		const struct wv_extent *extent;

		failed = look_at(splices, at, &extent, error);
		if (failed || !extent)
			break;
		wv_progress_count(at - start, wv_extents_end(splices->extents) - start);
		failed = add_extent(splices, extent, ret, text_ret, error);
		text_ret->extents++;
		at = extent->end;
	}
	return failed;
}
