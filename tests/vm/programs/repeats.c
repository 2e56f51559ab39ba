// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests that plans whose elements are nearly all the same do not keep weft.ko busy for long. A
 * check compares each element of a plan with its neighbours and with the elements before it. If a
 * million elements had the same address, a careless check would compare all of them with each
 * other. `repeats NAME N SECONDS` submits plans of N elements directly to the device. NAME is an
 * aspect with one joinpoint, woven by a springboard that has a donor; the program unweaves it
 * first. Each check has to end within SECONDS and must refuse what it refuses of a short plan. The
 * program ends with `N passed, N failed, N skipped`.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "runtime/abi.h"
#include "verdict.h"

static int device;
static const char *name;
static struct weft_status status;
static double limit;

static struct weft_splice *plan;
static unsigned int n;

static void read_status(void)
{
	for (memset(&status, 0, sizeof(status)); !ioctl(device, WEFT_IOC_LIST, &status);
	     status.index++)
		if (!strcmp(status.name, name))
			return;
	errx(2, "%s is not loaded", name);
}

/* Returns the plan's element for the aspect's splice, from what weft.ko reports of it. */
static struct weft_splice read_splice(void)
{
	struct weft_shadow_status shadow;
	struct weft_shadows request = { .buffer = (unsigned long)&shadow, .size = 1 };
	struct weft_splice splice = { 0 };

	snprintf(request.name, sizeof(request.name), "%s", name);
	if (ioctl(device, WEFT_IOC_SHADOWS, &request))
		err(2, "shadows of %s", name);
	if (request.size != 1 || shadow.kind != WEFT_SPLICE_SPRINGBOARD || !shadow.freed)
		errx(2, "%s is no springboard with a donor", name);
	splice.address = shadow.address;
	splice.kind = shadow.kind;
	splice.length = shadow.length;
	splice.slot = (long long)(shadow.slot - (shadow.address + WEFT_SHORT_SIZE));
	memcpy(splice.old, shadow.old, shadow.length);
	return splice;
}

static void unweave(void)
{
	const struct timespec moment = { .tv_nsec = 10000000 };
	struct weft_unweave request = { 0 };

	snprintf(request.name, sizeof(request.name), "%s", name);
	if (ioctl(device, WEFT_IOC_UNWEAVE, &request))
		err(2, "unweaving %s", name);
	for (read_status(); status.state == WEFT_STATE_RETIRING; read_status())
		nanosleep(&moment, NULL);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/*
 * Has weft.ko check the first @size elements of the plan: it must accept @accepted of them and
 * answer within the limit.
 */
static void check(const char *what, unsigned int size, unsigned int accepted)
{
	struct weft_weave request = {
		.content = status.content,
		.splices = (unsigned long)plan,
		.nr_splices = size,
		.flags = WEFT_WEAVE_CHECK,
	};
	double start = now(), took;
	char found[128];
	int error;

	snprintf(request.name, sizeof(request.name), "%s", name);
	error = ioctl(device, WEFT_IOC_WEAVE, &request) ? errno : 0;
	took = now() - start;
	snprintf(found, sizeof(found), "errno %d, %u of %u refused, %.1f s", error,
		 request.nr_refused, size, took);
	report(what, !error && request.nr_refused == size - accepted && took < limit, found);
}

int main(int argc, char **argv)
{
	struct weft_splice springboard;

	if (argc != 4)
		errx(2, "usage: repeats NAME N SECONDS");
	name = argv[1];
	n = atoi(argv[2]);
	limit = atof(argv[3]);
	plan = calloc(n, sizeof(*plan));
	device = open(WEFT_DEVICE, O_RDWR);
	if (!plan || device < 0)
		err(2, WEFT_DEVICE);
	springboard = read_splice();
	unweave();

	*plan = springboard;
	check("the truth", 1, 1);
	for (unsigned int i = 0; i < n; i++)
		plan[i] = springboard;
	check("the same again and again", n, 1);
	check("and once more, with all that was checked before", n, 1);

	for (unsigned int i = 0; i < n; i++) {
		plan[i] = springboard;
		plan[i].reserved = i;
	}
	check("the same address again and again", n, 1);
	for (unsigned int i = 0; i < n; i++)
		plan[i].reserved = n + i;
	check("with others than were checked before", n, 1);

	/*
	 * The address goes down and up by turns. weft.ko refuses each element that goes down as out
	 * of order, and each that goes up because its joinpoint was accepted with the first element
	 * already. A plan that is out of order must not make the check slow, either.
	 */
	for (unsigned int i = 0; i < n; i++) {
		plan[i] = springboard;
		plan[i].address -= i % 2 ? WEFT_DISPLACED_MAX : 0;
	}
	check("there and back", n, 1);
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
