// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the splices that the weaver would make, for check-plan.c. There is one line per
 * instruction of the text: address, splice, start and bytes of the displaced range, slot, bytes of
 * the slot's donor. If the range ends at the address, the splice is attached before it. "alone"
 * plans each instruction as if it were the only shadow, "together" all as one aspect; both use
 * donors. Usage: plan-dump DB alone|together [FROM TO], with the addresses in hexadecimal.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/choose-all.h"

struct dump {
	struct wv_splices *splices;
	bool together;
	WV_VEC(struct wv_choice) choices;
	struct wv_error error;
};

static void give_up(const struct dump *dump)
{
	char text[1200];

	fprintf(stderr, "plan-dump: %s\n", wv_error_text(&dump->error, text, sizeof(text)));
	exit(1);
}

static void print(const struct wv_choice *choice)
{
	printf("%" PRIx64 " %s %" PRIx64 " %u %" PRIx64 " %u\n", choice->address,
	       wv_splice_name(choice->splice), choice->address - choice->before, choice->displaced,
	       choice->slot, choice->donor);
}

static void add_range(struct dump *dump, const struct wv_function_range *range)
{
	const struct wv_displaceable *displaceable = wv_chooser_displaceable(range->chooser);
	const wv_padding_list *paddings = wv_chooser_padding(range->chooser);

	for (uint64_t at = range->start; at < range->end;) {
		struct wv_insn_info info = wv_displaceable_insn(displaceable, at);
		struct wv_choice *choice;

		if (info.length && range->bytes[at - range->start] != 0xcc &&
		    !wv_padding_holds(paddings, at)) {
			choice = wv_vec_push(&dump->choices);
			if (!choice)
				exit(1);
			choice->address = at;
		}
		at += info.length ? info.length : 1;
	}
}

/*
 * Chooses and prints the splices of the listed shadows. If all are chosen together, two functions
 * do not get the same springboard slot in the padding between them.
 */
static void choose(struct dump *dump)
{
	int failed = dump->together ? wv_splices_choose(dump->splices, dump->choices.data,
							dump->choices.n, &dump->error)
				    : wv_splices_choose_alone(dump->splices, dump->choices.data,
							      dump->choices.n, &dump->error);

	if (failed)
		give_up(dump);
	wv_vec_for_each(choice, &dump->choices)
		print(choice);
}

int main(int argc, char **argv)
{
	_cleanup_db_ struct wv_db *db = NULL;
	struct dump dump = { .together = argc > 2 && !strcmp(argv[2], "together") };
	struct wv_function_ranges *ranges;
	const struct wv_function_range *range;
	const struct wv_image_text *text;
	uint64_t at, end;

	if (argc != 3 && argc != 5)
		return 2;
	if (wv_db_open(argv[1], &db, &dump.error) ||
	    wv_splices_create(db, &dump.splices, &dump.error))
		give_up(&dump);
	ranges = wv_splices_ranges(dump.splices);
	if (wv_function_ranges_text(ranges, 0, &text, &dump.error))
		give_up(&dump);
	at = argc == 5 ? strtoull(argv[3], NULL, 16) : text->areas.data[0].start;
	end = argc == 5 ? strtoull(argv[4], NULL, 16) : text->areas.data[0].end;
	while (at < end) {
		if (wv_function_ranges_at(ranges, at, &range, &dump.error))
			give_up(&dump);
		if (!range)
			break;
		at = range->end;
		add_range(&dump, range);
	}
	choose(&dump);
	wv_vec_deinit(&dump.choices);
	wv_splices_destroy(dump.splices);
	return 0;
}
