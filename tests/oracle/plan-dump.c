// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Says what the weaver would splice, for windows.c to look at: plan-dump DB alone|together [FROM TO], the addresses as hex. One line for
 * each instruction of the text: address, splice, window's start, its bytes, slot, bytes of its host. A window may end at the
 * address: it leads up to it. "alone" takes each as
 * if it were the only shadow, "together" all as one aspect; both with hosts.
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
	printf("%" PRIx64 " %s %" PRIx64 " %u %" PRIx64 " %u\n", choice->address, wv_splice_name(choice->splice),
	       choice->address - choice->before, choice->window, choice->slot, choice->host);
}

static void add_extent(struct dump *dump, const struct wv_extent *extent)
{
	const struct wv_windows *windows = wv_chooser_windows(extent->chooser);
	const wv_gaps *gaps = wv_chooser_gaps(extent->chooser);

	for (uint64_t at = extent->start; at < extent->end;) {
		struct wv_spot spot = wv_windows_spot(windows, at);
		struct wv_choice *choice;

		if (spot.length && extent->bytes[at - extent->start] != 0xcc && !wv_gaps_hold(gaps, at)) {
			choice = wv_vec_push(&dump->choices);
			if (!choice)
				exit(1);
			choice->address = at;
		}
		at += spot.length ? spot.length : 1;
	}
}

/* All at once: slots between functions are for both. */
static void choose(struct dump *dump)
{
	int failed = dump->together ?
			     wv_splices_choose(dump->splices, dump->choices.data, dump->choices.n, &dump->error) :
			     wv_splices_choose_alone(dump->splices, dump->choices.data, dump->choices.n, &dump->error);

	if (failed)
		give_up(dump);
	wv_vec_for_each(choice, &dump->choices)
		print(choice);
}

int main(int argc, char **argv)
{
	_cleanup_db_ struct wv_db *db = NULL;
	struct dump dump = { .together = argc > 2 && !strcmp(argv[2], "together") };
	struct wv_extents *extents;
	const struct wv_extent *extent;
	uint64_t at, end;

	if (argc != 3 && argc != 5)
		return 2;
	if (wv_db_open(argv[1], &db, &dump.error) || wv_splices_create(db, &dump.splices, &dump.error))
		give_up(&dump);
	extents = wv_splices_extents(dump.splices);
	at = argc == 5 ? strtoull(argv[3], NULL, 16) : wv_extents_start(extents);
	end = argc == 5 ? strtoull(argv[4], NULL, 16) : wv_extents_end(extents);
	while (at < end) {
		if (wv_extents_at(extents, at, &extent, &dump.error))
			give_up(&dump);
		if (!extent)
			break;
		at = extent->end;
		add_extent(&dump, extent);
	}
	choose(&dump);
	wv_vec_deinit(&dump.choices);
	wv_splices_destroy(dump.splices);
	return 0;
}
