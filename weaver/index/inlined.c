// SPDX-License-Identifier: GPL-2.0-or-later
/* Inlined instances and their source locations; see inlined.h. */
#include <stdlib.h>
#include <string.h>

#include "index/inlined.h"

static int add_instances(struct wv_inlined_list *inlined, const struct wv_debug *debug,
			 const struct wv_source_places *places, const struct wv_symbols *symbols,
			 struct wv_error *error)
{
	wv_vec_for_each(instance, &debug->inlined) {
		const struct wv_symbol *symbol = wv_symbols_at(symbols, instance->address);
		const struct wv_source_position *place;
		struct wv_inlined_shadow *slot;

		if (!symbol)
			continue;
		slot = wv_vec_push(&inlined->list);
		if (!slot)
			return wv_no_memory(error);
		*slot = (struct wv_inlined_shadow){ .address = instance->address,
						    .function = instance->function,
						    .symbol = symbol - symbols->list.data };
		place = wv_source_places_at(places, instance->address);
		if (place)
			slot->location = place->location;
	}
	return 0;
}

/*
 * Numbers the functions that have instances, in the order of the instances. Instances are sorted by
 * name, so those of one function are side by side.
 */
static int number_functions(struct wv_inlined_list *inlined, struct wv_error *error)
{
	uint32_t n = 0, *slot;

	while (inlined->numbers.n < inlined->names->strings.n) {
		slot = wv_vec_push(&inlined->numbers);
		if (!slot)
			return wv_no_memory(error);
		*slot = WV_NOT_INLINED;
	}
	wv_vec_for_each(instance, &inlined->list) {
		slot = &inlined->numbers.data[instance->function];
		if (*slot == WV_NOT_INLINED)
			*slot = n++;
	}
	return 0;
}

int wv_inlined_list_init(struct wv_inlined_list *inlined, const struct wv_debug *debug,
			 const struct wv_source_places *places, const struct wv_symbols *symbols,
			 struct wv_error *error)
{
	int ret;

	memset(inlined, 0, sizeof(*inlined));
	inlined->names = &debug->names;
	ret = add_instances(inlined, debug, places, symbols, error);
	if (!ret)
		ret = number_functions(inlined, error);
	if (ret)
		wv_inlined_list_deinit(inlined);
	return ret;
}

uint32_t wv_inlined_number(const struct wv_inlined_list *inlined, uint32_t function)
{
	return function < inlined->numbers.n ? inlined->numbers.data[function] : WV_NOT_INLINED;
}

void wv_inlined_list_deinit(struct wv_inlined_list *inlined)
{
	wv_vec_deinit(&inlined->list);
	wv_vec_deinit(&inlined->numbers);
}
