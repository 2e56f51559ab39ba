// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests that weft.ko refuses wrong plans, which it gets directly through the device. In
 * `forged-plan NAME`, NAME is an aspect that is loaded, not woven, and has at least two joinpoints.
 * Each plan must be refused for its own reason, by a check and by a weave alike, and must leave
 * nothing woven. The program ends with `N passed, N failed, N skipped`.
 *
 * `forged-plan NAME --weave` weaves the aspect's first joinpoint by a plan that has nothing but its
 * location; the trampoline must still save all live registers. `forged-plan NAME --twice` makes
 * only one wrong claim: that a joinpoint has two splices. That aspect needs joinpoints in the
 * middle of functions. `forged-plan NAME --parts` makes wrong claims about which part of the text a
 * joinpoint is in: the aspect's first joinpoint must be in the kernel, its second in a module.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "part-base.h"
#include "runtime/abi.h"
#include "verdict.h"

enum { OP_CALL = 0xe8 };

static int device;
static const char *name;
static unsigned long long content;

static struct weft_filter filter; /* Plans are submitted with this filter. */

static int submit(struct weft_splice *splices, unsigned int n, unsigned int flags)
{
	struct weft_weave request = {
		.content = content,
		.splices = (unsigned long)splices,
		.nr_splices = n,
		.flags = flags,
		.filter = filter,
	};

	snprintf(request.name, sizeof(request.name), "%s", name);
	return ioctl(device, WEFT_IOC_WEAVE, &request) ? errno : 0;
}

/* Returns the splice that the weaver would send for joinpoint @index at @address. */
static struct weft_splice truth(unsigned int index, unsigned long long address,
				unsigned int length)
{
	struct weft_splice splice = {
		.address = address,
		.joinpoint = index,
		.kind = WEFT_SPLICE_TRAP,
		.length = length,
	};
	struct weft_piece piece = { .address = address, .size = length };
	struct weft_text text = {
		.pieces = (unsigned long)&piece,
		.nr_pieces = 1,
		.buffer = (unsigned long)splice.old,
		.flags = WEFT_TEXT_ORIGINAL,
	};

	if (ioctl(device, WEFT_IOC_TEXT, &text))
		err(2, "reading text at %#llx", address);
	return splice;
}

/* Finds a right splice by trying all lengths until the check accepts one. */
static struct weft_splice find_truth(unsigned int index, unsigned long long address)
{
	for (unsigned int length = 1; length <= WEFT_INSN_MAX; length++) {
		struct weft_splice splice = truth(index, address, length);

		if (!submit(&splice, 1, WEFT_WEAVE_CHECK) && splice.refusal == WEFT_REFUSAL_NONE)
			return splice;
	}
	errx(2, "no true splice at %#llx", address);
}

static struct weft_status status_of(const char *aspect)
{
	struct weft_status status;

	for (unsigned int index = 0;; index++) {
		memset(&status, 0, sizeof(status));
		status.index = index;
		if (ioctl(device, WEFT_IOC_LIST, &status))
			errx(2, "%s is not loaded", aspect);
		if (!strcmp(status.name, aspect))
			return status;
	}
}

static int woven(void)
{
	struct weft_status status;

	for (unsigned int index = 0;; index++) {
		memset(&status, 0, sizeof(status));
		status.index = index;
		if (ioctl(device, WEFT_IOC_LIST, &status))
			return 0;
		if (status.state == WEFT_STATE_WOVEN || status.nr_splices)
			return 1;
	}
}

/* Returns the live address of joinpoint @index, which the device reports. */
static unsigned long long address_of(unsigned int index)
{
	struct weft_joinpoint_text text = { .index = index };

	snprintf(text.name, sizeof(text.name), "%s", name);
	if (ioctl(device, WEFT_IOC_JOINPOINT, &text))
		err(2, "joinpoint %u", index);
	return part_base(device, name, &text) + text.text_offset;
}

static void expect_refusal(const char *what, struct weft_splice *splices, unsigned int n,
			   unsigned int wrong, unsigned int refusal)
{
	char found[128];
	int checked = submit(splices, n, WEFT_WEAVE_CHECK);
	unsigned int reason = splices[wrong].refusal;
	int applied = submit(splices, n, 0);

	snprintf(found, sizeof(found), "check %d reason %u, weave %d reason %u, woven %d", checked,
		 reason, applied, splices[wrong].refusal, woven());
	report(what, !checked && reason == refusal && applied == EINVAL &&
		       splices[wrong].refusal == refusal && !woven(), found);
}

static void expect_errno(const char *what, int found_errno, int wanted)
{
	char found[64];

	snprintf(found, sizeof(found), "errno %d instead of %d, woven %d", found_errno, wanted,
		 woven());
	report(what, found_errno == wanted && !woven(), found);
}

static void lie_about_one(const struct weft_splice *true_splice)
{
	struct weft_splice s;

	s = *true_splice;
	s.old[0] ^= 0x40;
	expect_refusal("other bytes", &s, 1, 0, WEFT_REFUSAL_CHANGED);
	s = *true_splice;
	s.length++;
	expect_refusal("a length that is not the instruction's", &s, 1, 0, WEFT_REFUSAL_KIND);
	s = *true_splice;
	s.kind = 77;
	expect_refusal("an unknown kind", &s, 1, 0, WEFT_REFUSAL_KIND);
	s = *true_splice;
	s.kind = WEFT_SPLICE_JUMP;
	s.length = WEFT_JUMP_SIZE - 1;
	expect_refusal("a jump over less than a jump", &s, 1, 0, WEFT_REFUSAL_KIND);
	s = *true_splice;
	s.kind = s.length == WEFT_JUMP_SIZE && s.old[0] == OP_CALL ? WEFT_SPLICE_JUMP
								   : WEFT_SPLICE_CALL;
	s.length++;
	expect_refusal("a call that is none", &s, 1, 0, WEFT_REFUSAL_KIND);
	s = *true_splice;
	s.address++;
	expect_refusal("an address that is not the joinpoint's", &s, 1, 0, WEFT_REFUSAL_JOINPOINT);
	s = *true_splice;
	s.address = 0x1000;
	expect_refusal("an address in user space", &s, 1, 0, WEFT_REFUSAL_JOINPOINT);
	s = *true_splice;
	s.joinpoint = 0x7fffffff;
	expect_refusal("a joinpoint that is not there", &s, 1, 0, WEFT_REFUSAL_JOINPOINT);
}

static void lie_about_order(const struct weft_splice *first, const struct weft_splice *second)
{
	struct weft_splice swapped[2] = { *second, *first }, twice[2] = { *first, *first };
	struct weft_splice half[2] = { *first, *second };

	expect_refusal("splices in the wrong order", swapped, 2, 1, WEFT_REFUSAL_ORDER);
	expect_refusal("one splice twice", twice, 2, 1, WEFT_REFUSAL_ORDER);
	half[1].old[0] ^= 0x40;
	expect_refusal("one lie among truths: nothing is woven", half, 2, 1, WEFT_REFUSAL_CHANGED);
}

/*
 * Advice may be attached at the end of the instruction before a shadow, or be at the shadow itself.
 * A plan with both splices for one joinpoint must be refused, since each execution would be two
 * hits.
 */
static bool lie_about_number_of(const struct weft_splice *own)
{
	for (unsigned int length = 1; length <= WEFT_INSN_MAX; length++) {
		struct weft_splice both[2] = { truth(own->joinpoint, own->address - length, length),
					       *own };

		if (submit(both, 1, WEFT_WEAVE_CHECK) || both[0].refusal != WEFT_REFUSAL_NONE)
			continue;
		expect_refusal("one joinpoint at two splices", both, 2, 1, WEFT_REFUSAL_ORDER);
		return true;
	}
	return false;
}

static void lie_about_number(void)
{
	const struct weft_status status = status_of(name);

	for (unsigned int index = 0; index < status.nr_joinpoints; index++) {
		struct weft_splice own = find_truth(index, address_of(index));

		if (lie_about_number_of(&own))
			return;
	}
	report("one joinpoint at two splices", 0, "nothing before any can be displaced");
}

static void lie_about_requests(struct weft_splice *splice)
{
	unsigned long long real = content;
	struct weft_text none = { 0 };
	const char *known = name;

	expect_errno("an empty plan", submit(splice, 0, 0), EINVAL);
	expect_errno("a plan without end", submit(splice, WEFT_PLAN_MAX + 1, 0), E2BIG);
	expect_errno("a plan that is not in memory", submit((void *)8, 1, 0), EFAULT);
	expect_errno("unknown flags", submit(splice, 1, 0x80), EINVAL);
	expect_errno("text of no pieces", ioctl(device, WEFT_IOC_TEXT, &none) ? errno : 0, EINVAL);
	content ^= 1;
	expect_errno("another aspect's content", submit(splice, 1, 0), ESTALE);
	content = real;
	name = "nobody";
	expect_errno("an aspect that is not loaded", submit(splice, 1, 0), ENOENT);
	name = known;
	filter.asks = 0x100;
	expect_errno("a filter of what there is not", submit(splice, 1, 0), EINVAL);
	filter.asks = WEFT_FILTER_UID;
	expect_errno("a filter that the aspect does not ask", submit(splice, 1, 0), EOPNOTSUPP);
	filter.asks = 0;
	memset(filter.comm, 'x', sizeof(filter.comm));
	expect_errno("a name without end", submit(splice, 1, 0), EINVAL);
	memset(&filter, 0, sizeof(filter));
	expect_errno("an unknown request", ioctl(device, _IO(WEFT_IOC_MAGIC, 99)) ? errno : 0,
		     ENOTTY);
}

/*
 * Submits elements of a plan that would be right for the other joinpoint, or at another address of
 * its module. Each must be refused.
 */
static void lie_about_parts(void)
{
	const struct weft_splice kernel = find_truth(0, address_of(0));
	const struct weft_splice module = find_truth(1, address_of(1));
	struct weft_splice both[2] = { kernel, module }, swapped[2] = { module, kernel };
	struct weft_splice s;

	report("the truth about both", !submit(both, 2, WEFT_WEAVE_CHECK) && !both[0].refusal &&
						!both[1].refusal, "refused");
	expect_refusal("the module before the kernel", swapped, 2, 1, WEFT_REFUSAL_ORDER);
	s = module;
	s.joinpoint = kernel.joinpoint;
	expect_refusal("a joinpoint of the kernel in the module", &s, 1, 0,
		       WEFT_REFUSAL_JOINPOINT);
	s = kernel;
	s.joinpoint = module.joinpoint;
	expect_refusal("a joinpoint of the module in the kernel", &s, 1, 0,
		       WEFT_REFUSAL_JOINPOINT);
	s = module;
	s.address += s.length + 1;
	expect_refusal("another place in the module", &s, 1, 0, WEFT_REFUSAL_JOINPOINT);
	both[0] = kernel;
	both[1] = module;
	both[1].old[0] ^= 0x40;
	expect_refusal("a lie about the module alone: the kernel is not woven either", both, 2, 1,
		       WEFT_REFUSAL_CHANGED);
}

/* Runs the tests of the option @how; returns false if there is no such option. */
static bool lie_as(const char *how)
{
	struct weft_splice first;

	if (!strcmp(how, "--twice")) {
		lie_about_number();
	} else if (!strcmp(how, "--parts")) {
		lie_about_parts();
	} else if (!strcmp(how, "--weave")) {
		first = find_truth(0, address_of(0));
		errno = submit(&first, 1, 0);
		if (errno)
			err(1, "weaving %s", name);
	} else {
		return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	struct weft_splice first, second;

	if (argc != 2 && argc != 3)
		errx(2, "usage: forged-plan NAME [--weave|--twice|--parts]");
	device = open(WEFT_DEVICE, O_RDWR);
	if (device < 0)
		err(2, WEFT_DEVICE);
	name = argv[1];
	content = status_of(name).content;
	if (argc == 3 && !lie_as(argv[2]))
		errx(2, "%s is no way to lie", argv[2]);
	if (argc == 2) {
		first = find_truth(0, address_of(0));
		second = find_truth(1, address_of(1));
		lie_about_one(&first);
		lie_about_order(&first, &second);
		lie_about_requests(&first);
	}
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
