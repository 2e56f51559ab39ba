// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests that weft.ko refuses plans that were right and then changed at random, which it gets
 * directly through the device. `mutated-plan NAME N [SEED]` submits N plans for the aspect NAME,
 * which is loaded and not woven. Each plan must be refused as a whole: with an error, and with
 * nothing woven. The program ends with `N passed, N failed, N skipped`.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "runtime/abi.h"

enum { PLAN_MOST = 3, TRUE_MOST = 64 };

static int device;
static const char *name;
static unsigned long long content;
static struct weft_splice truths[TRUE_MOST];
static unsigned int nr_truths;
static unsigned long long random_state = 1;

/* Returns a random number, by xorshift64: the same seed gives the same run. */
static unsigned long long random_bits(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static unsigned int below(unsigned int n)
{
	return random_bits() % n;
}

static int submit(const char *aspect, struct weft_splice *splices, unsigned int n,
		  unsigned int flags)
{
	struct weft_weave request = { .content = content,
				      .splices = (unsigned long)splices,
				      .nr_splices = n,
				      .flags = flags };

	snprintf(request.name, sizeof(request.name), "%s", aspect);
	return ioctl(device, WEFT_IOC_WEAVE, &request) ? errno : 0;
}

static struct weft_status status_of(const char *aspect)
{
	struct weft_status status = { 0 };

	for (; !ioctl(device, WEFT_IOC_LIST, &status); status.index++)
		if (!strcmp(status.name, aspect))
			return status;
	errx(2, "%s is not loaded", aspect);
}

/*
 * Returns whether a check by weft.ko finds the splice right. Fills in the splice's original bytes.
 * Returns 0 also if these cannot be read.
 */
static int is_true(struct weft_splice *splice)
{
	struct weft_piece piece = { .address = splice->address, .size = splice->length };
	struct weft_text text = { .pieces = (unsigned long)&piece,
				  .nr_pieces = 1,
				  .buffer = (unsigned long)splice->old,
				  .flags = WEFT_TEXT_ORIGINAL };

	splice->refusal = 0;
	return !ioctl(device, WEFT_IOC_TEXT, &text) && !submit(name, splice, 1, WEFT_WEAVE_CHECK) &&
	       !splice->refusal;
}

/* Finds a springboard with any slot that weft.ko's check accepts. */
static int find_springboard(unsigned int index, unsigned long long address, struct weft_splice *ret)
{
	for (int slot = -128; slot < 128; slot++) {
		for (unsigned int length = WEFT_SHORT_SIZE; length < WEFT_JUMP_SIZE; length++) {
			*ret = (struct weft_splice){ .address = address,
						     .joinpoint = index,
						     .kind = WEFT_SPLICE_SPRINGBOARD,
						     .length = length,
						     .slot = slot };
			if (slot && is_true(ret))
				return 1;
		}
	}
	return 0;
}

/*
 * Finds a splice that the weaver could send for joinpoint @index, by having weft.ko check some;
 * returns 0 if none is right. It is sometimes a springboard, and sometimes has a displaced range
 * that begins before the joinpoint.
 */
static int find_truth(unsigned int index, struct weft_splice *ret)
{
	struct weft_joinpoint_text joinpoint = { .index = index };
	struct weft_info info;
	unsigned long long address;

	snprintf(joinpoint.name, sizeof(joinpoint.name), "%s", name);
	if (ioctl(device, WEFT_IOC_JOINPOINT, &joinpoint) || ioctl(device, WEFT_IOC_INFO, &info))
		return 0;
	address = info.text + joinpoint.text_offset;
	if (!below(8) && find_springboard(index, address, ret))
		return 1;
	for (int before = below(2) ? 1 + below(8) : 0; before >= 0; before--) {
		for (int kind = WEFT_SPLICE_CALL; kind >= WEFT_SPLICE_TRAP; kind--) {
			for (unsigned int length = 1; length <= WEFT_DISPLACED_MAX; length++) {
				*ret = (struct weft_splice){ .address = address - before,
							     .joinpoint = index,
							     .kind = kind,
							     .length = length };
				if (is_true(ret))
					return 1;
			}
		}
	}
	return 0;
}

/*
 * Finds right splices of all joinpoints or, if there are more than TRUE_MOST, of some of them,
 * evenly spread. Displaced ranges and slots do not overlap.
 */
static void find_truths(unsigned int nr_joinpoints)
{
	unsigned int step = nr_joinpoints / TRUE_MOST + 1;

	for (unsigned int i = 0; i < nr_joinpoints; i += step) {
		struct weft_splice plan[2];

		if (!find_truth(i, &truths[nr_truths]))
			continue;
		plan[0] = truths[nr_truths ? nr_truths - 1 : 0];
		plan[1] = truths[nr_truths];
		nr_truths += !nr_truths || (!submit(name, plan, 2, WEFT_WEAVE_CHECK) &&
					    !plan[0].refusal && !plan[1].refusal);
	}
}

/* Chooses some of the right splices, in their order. */
static unsigned int choose(struct weft_splice *plan)
{
	unsigned int n = 0, at = below(nr_truths);

	while (n < PLAN_MOST && at < nr_truths && (!n || below(4))) {
		plan[n++] = truths[at];
		at += 1 + below(3);
	}
	return n;
}

/* Changes the splice so that it is wrong, whatever it was. Returns what was changed. */
static const char *mutate(struct weft_splice *splice)
{
	switch (below(7)) {
	case 0:
		splice->address += 1 + below(64);
		return "address, by little";
	case 1:
		splice->address ^= 1ull << below(64);
		return "address, a bit";
	case 2:
		/*
		 * The change is large, since a joinpoint with a number near this one may be in the
		 * same displaced range.
		 */
		splice->joinpoint ^= 1u << (5 + below(27));
		return "joinpoint";
	case 3:
		splice->kind = WEFT_SPLICE_KINDS + below(256 - WEFT_SPLICE_KINDS);
		return "kind";
	case 4:
		splice->length += 1 + below(255);
		return "length";
	case 5:
		splice->old[below(splice->length)] ^= 1u << below(8);
		return "bytes";
	default:
		/* Makes a springboard without a slot, or one with a slot that is not allowed. */
		splice->slot = splice->slot ? 0 : 1 + below(255);
		return "slot";
	}
}

static const char *mutate_plan(struct weft_splice *plan, unsigned int *n)
{
	unsigned int i = below(*n);
	struct weft_splice other = plan[i];

	if (*n < 2 || below(8))
		return mutate(&plan[i]);
	if (below(2)) {
		plan[i] = plan[*n - 1 - i];
		plan[*n - 1 - i] = other;
		if (i != *n - 1 - i)
			return "order";
		return mutate(&plan[i]);
	}
	plan[(i + 1) % *n] = other;
	return "twice";
}

int main(int argc, char **argv)
{
	unsigned int wanted, accepted = 0, changed = 0;

	if (argc < 3)
		errx(2, "usage: mutated-plan NAME N [SEED]");
	device = open(WEFT_DEVICE, O_RDWR);
	if (device < 0)
		err(2, WEFT_DEVICE);
	name = argv[1];
	wanted = atoi(argv[2]);
	if (argc > 3)
		random_state = strtoull(argv[3], NULL, 0) | 1;
	content = status_of(name).content;
	find_truths(status_of(name).nr_joinpoints);
	if (nr_truths < 2)
		errx(2, "%s has %u good joinpoints", name, nr_truths);
	for (unsigned int i = 0; i < wanted; i++) {
		struct weft_splice plan[PLAN_MOST];
		unsigned int n = choose(plan);
		const char *what = mutate_plan(plan, &n);
		int error = submit(name, plan, n, 0);
		struct weft_status status = status_of(name);

		if (!error) {
			printf("FAILED plan %u was accepted (%s)\n", i, what);
			accepted++;
		}
		if (status.state != WEFT_STATE_LOADED || status.nr_splices) {
			changed++;
			break;
		}
	}
	printf("%s %u mutated plans of %u splices are refused\n",
	       accepted || changed ? "FAILED" : "ok    ", wanted, nr_truths);
	printf("%d passed, %d failed, 0 skipped\n", !accepted && !changed, accepted || changed);
	return accepted || changed;
}
