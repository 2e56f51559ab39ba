// SPDX-License-Identifier: GPL-2.0-or-later
/* Choices for shadows, one function range at a time; see choose-all.h. */
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "database/within.h"
#include "plan/choose-all.h"

enum { INT3 = 0xcc };

struct wv_splices {
	struct wv_db *db;
	struct wv_function_ranges *ranges;
	wv_slots slots;
	wv_padding_list paddings;
};

int wv_splices_create(struct wv_db *db, struct wv_splices **ret, struct wv_error *error)
{
	struct wv_splices *splices = calloc(1, sizeof(*splices));
	int failed;

	*ret = NULL;
	if (!splices)
		return wv_no_memory(error);
	splices->db = db;
	failed = wv_function_ranges_create(db, &splices->ranges, error);
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
	wv_function_ranges_destroy(splices->ranges);
	wv_vec_deinit(&splices->slots);
	wv_vec_deinit(&splices->paddings);
	free(splices);
}

struct wv_function_ranges *wv_splices_ranges(struct wv_splices *splices)
{
	return splices->ranges;
}

/*
 * Sets *@ret to the function range at @address, or to NULL if @address is outside the text. Fills
 * splices->paddings with all padding that a springboard in this range can reach.
 */
static int look_at(struct wv_splices *splices, uint64_t address,
		   const struct wv_function_range **ret, struct wv_error *error)
{
	int failed = wv_function_ranges_at(splices->ranges, address, ret, error);

	splices->paddings.n = 0;
	if (!failed && *ret)
		failed = wv_function_ranges_padding(splices->ranges, *ret, &splices->paddings,
						    error);
	/* Reading the range's neighbours may have evicted it from the cache: get it again. */
	return failed ? failed : wv_function_ranges_at(splices->ranges, address, ret, error);
}

static int choose_in(struct wv_splices *splices, const struct wv_function_range *range, bool alone,
		     struct wv_choice *choices, size_t n, struct wv_error *error)
{
	const struct wv_slot_source source = { .paddings = &splices->paddings,
					       .slots = &splices->slots,
					       .donors = true };
	int ret = 0;

	if (!alone)
		return wv_choose(range->chooser, &source, choices, n, error);
	for (size_t i = 0; i < n && !ret; i++) {
		splices->slots.n = 0;
		ret = wv_choose(range->chooser, &source, &choices[i], 1, error);
	}
	return ret;
}

static uint32_t size_of(const struct wv_function_range *range)
{
	return range->end - range->start > UINT32_MAX ? 0 : range->end - range->start;
}

/*
 * Sets .c_size and .slot_c_size of a choice. By them weft.ko knows two things that it cannot find
 * out itself: that the function was compiled from C, and that the displaced range was chosen with
 * knowledge of the whole image. They stay 0 for code after the function's end, and for splices that
 * do not need them.
 */
static int find_c_sizes(struct wv_splices *splices, const struct wv_function_range *range,
			struct wv_choice *choice, struct wv_error *error)
{
	const uint64_t start = choice->address - choice->before;
	const struct wv_function_range *slot_range = NULL;
	int ret = 0;

	if (choice->splice != WV_SPLICE_JUMP && choice->splice != WV_SPLICE_SPRINGBOARD)
		return 0;
	if (range->c && start + choice->displaced <= range->code_end)
		choice->c_size = size_of(range);
	if (choice->splice == WV_SPLICE_SPRINGBOARD)
		ret = wv_function_ranges_at(splices->ranges, choice->slot, &slot_range, error);
	if (!ret && slot_range && slot_range->c)
		choice->slot_c_size = size_of(slot_range);
	return ret;
}

static int choose(struct wv_splices *splices, bool alone, struct wv_choice *choices, size_t n,
		  struct wv_error *error)
{
	int ret = 0;

	splices->slots.n = 0;
	for (size_t i = 0, next; i < n && !ret; i = next) {
		const struct wv_function_range *range;

		next = i + 1;
		ret = look_at(splices, choices[i].address, &range, error);
		if (ret)
			break;
		if (!range) {
			choices[i] = (struct wv_choice){ .address = choices[i].address,
							 .splice = WV_SPLICE_REFUSED,
							 .refusal = WEFT_REFUSAL_NOT_TEXT };
			continue;
		}
		while (next < n && choices[next].address - range->start < range->end - range->start)
			next++;
		ret = choose_in(splices, range, alone, &choices[i], next - i, error);
		for (size_t k = i; k < next && !ret; k++)
			ret = find_c_sizes(splices, range, &choices[k], error);
	}
	return ret;
}

int wv_splices_choose(struct wv_splices *splices, struct wv_choice *choices, size_t n,
		      struct wv_error *error)
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
	wv_totals_add(&totals->all, choice->splice, choice->refusal);
	totals->attached_before += choice->attaches_before;
	if (choice->splice == WV_SPLICE_JUMP)
		totals->several += choice->instructions > 1;
	else if (choice->splice == WV_SPLICE_SPRINGBOARD)
		totals->in_donor += choice->donor != 0;
	else if (choice->splice == WV_SPLICE_TRAP)
		totals->traps[choice->no_slot ? WV_DISPLACE_FITS : choice->back.answer]++;
}

static bool is_in_padding(const wv_padding_list *paddings, size_t *from, uint64_t address)
{
	while (*from < paddings->n && paddings->data[*from].end <= address)
		++*from;
	return *from < paddings->n && paddings->data[*from].start <= address;
}

/* Chooses for every instruction of the range, each alone, and adds to the totals. */
static int add_range(struct wv_splices *splices, const struct wv_function_range *range,
		     struct wv_splice_totals *totals, struct wv_text_totals *text,
		     struct wv_error *error)
{
	const struct wv_displaceable *displaceable = wv_chooser_displaceable(range->chooser);
	const wv_padding_list *own = wv_chooser_padding(range->chooser);
	size_t next_padding = 0;
	int ret = 0;

	for (uint64_t at = range->start; at < range->end && !ret;) {
		struct wv_choice choice = { .address = at };
		uint8_t length = wv_displaceable_insn(displaceable, at).length;

		if (!length) {
			text->unknown++;
		} else if (range->bytes[at - range->start] == INT3) {
			text->int3++;
		} else if (is_in_padding(own, &next_padding, at)) {
			text->padding++;
		} else {
			ret = choose_in(splices, range, true, &choice, 1, error);
			wv_splice_totals_add(totals, &choice);
		}
		at += length ? length : 1;
	}
	return ret;
}

static int add_area(struct wv_splices *splices, const struct wv_text_area *area,
		    struct wv_splice_totals *totals, struct wv_text_totals *text,
		    struct wv_error *error)
{
	uint64_t at = area->start;
	int failed = 0;

	while (!failed && at < area->end) {
		const struct wv_function_range *range;

		failed = look_at(splices, at, &range, error);
		if (failed || !range)
			break;
		wv_progress_count(at - area->start, area->end - area->start);
		failed = add_range(splices, range, totals, text, error);
		text->ranges++;
		at = range->end;
	}
	return failed;
}

int wv_splices_all(struct wv_splices *splices, const char *module, struct wv_splice_totals *ret,
		   struct wv_text_totals *text_ret, struct wv_error *error)
{
	const struct wv_image_text *text;
	int failed = module ? wv_db_explain_module(splices->db, module, error) : 0;

	*ret = (struct wv_splice_totals){ 0 };
	*text_ret = (struct wv_text_totals){ 0 };
	for (uint64_t image = 0; !failed; image++) {
		const char *name = wv_db_image_name(splices->db, image);

		if (!name)
			break;
		if (module && !wv_module_is(name, module))
			continue;
		failed = wv_function_ranges_text(splices->ranges, image, &text, error);
		for (size_t i = 0; !failed && text && i < text->areas.n; i++)
			failed = add_area(splices, &text->areas.data[i], ret, text_ret, error);
	}
	return failed;
}
