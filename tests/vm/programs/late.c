// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests a weave that fails at the last moment. A kprobe is set after the plan was checked, and the
 * weave finds the kprobe only after it has made everything else; nothing of that weave may be left.
 * In `late NAME TRACING`, NAME is an aspect that is woven, by one splice, and that has advice that
 * runs once, some of which has run and some has not; TRACING is the folder of tracefs. The program
 * first unweaves the aspect, and then lets a weave of it fail. After that, each advice that runs
 * once must still be in the state in which the earlier weave has left it. When the kprobe is gone,
 * the same weave must succeed and reset these states. The program ends with `N passed, N failed, N
 * skipped`.
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

#define MAX 64

static int device;
static const char *name, *tracing;
static struct weft_status status;

struct states {
	unsigned char of[MAX];
	unsigned int n;
};

static void read_status(void)
{
	for (memset(&status, 0, sizeof(status)); !ioctl(device, WEFT_IOC_LIST, &status);
	     status.index++)
		if (!strcmp(status.name, name))
			return;
	errx(2, "%s is not loaded", name);
}

static struct states read_states(void)
{
	struct states states = { 0 };
	struct weft_once_states request = { .buffer = (unsigned long)states.of, .size = MAX };

	snprintf(request.name, sizeof(request.name), "%s", name);
	if (ioctl(device, WEFT_IOC_ONCE, &request) || request.size > MAX)
		err(2, "what has run once of %s", name);
	states.n = request.size;
	return states;
}

static int first(const struct states *states, unsigned int state)
{
	for (unsigned int i = 0; i < states->n; i++)
		if (states->of[i] == state)
			return i;
	return -1;
}

static void read_splice(struct weft_splice *ret)
{
	struct weft_shadow_status shadow;
	struct weft_shadows request = { .buffer = (unsigned long)&shadow, .size = 1 };

	snprintf(request.name, sizeof(request.name), "%s", name);
	if (ioctl(device, WEFT_IOC_SHADOWS, &request) || !request.size || shadow.slot)
		errx(2, "%s has no splice, or a springboard", name);
	*ret = (struct weft_splice){
		.address = shadow.address, .kind = shadow.kind, .length = shadow.length };
	memcpy(ret->old, shadow.old, shadow.length);
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

/* Weaves one splice. Returns an errno, or 0. */
static int weave(struct weft_splice *splice, unsigned int flags)
{
	struct weft_weave request = { .content = status.content,
				      .splices = (unsigned long)splice,
				      .nr_splices = 1,
				      .flags = flags };

	snprintf(request.name, sizeof(request.name), "%s", name);
	if (ioctl(device, WEFT_IOC_WEAVE, &request))
		return errno;
	return request.nr_refused ? EINVAL : 0;
}

static void write_file(const char *file, const char *text)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", tracing, file);
	fd = open(path, O_WRONLY | O_APPEND);
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		err(2, "%s", path);
	close(fd);
}

int main(int argc, char **argv)
{
	struct weft_splice splice;
	struct states before, after;
	char probe[64], found[64];
	int waiting, error;

	if (argc != 3)
		errx(2, "usage: late NAME TRACING");
	name = argv[1];
	tracing = argv[2];
	device = open(WEFT_DEVICE, O_RDWR);
	if (device < 0)
		err(2, WEFT_DEVICE);
	before = read_states();
	waiting = first(&before, WEFT_ONCE_WAITING);
	if (waiting < 0 || first(&before, WEFT_ONCE_OUT) < 0)
		errx(2, "all or nothing of %s has run", name);
	read_splice(&splice);
	splice.joinpoint = waiting;
	unweave();
	before = read_states();

	report("the plan is accepted", !weave(&splice, WEFT_WEAVE_CHECK), "it is not");
	snprintf(probe, sizeof(probe), "p:weft_late/late %#llx\n",
		 (unsigned long long)splice.address);
	write_file("kprobe_events", probe);
	write_file("events/weft_late/late/enable", "1");
	error = weave(&splice, 0);
	snprintf(found, sizeof(found), "errno %d", error);
	report("a kprobe that came since then is found at the last moment", error == EAGAIN, found);
	read_status();
	report("nothing is woven", status.state == WEFT_STATE_LOADED && !status.nr_splices,
	       "it is");
	after = read_states();
	report("what ran once is what the weave before says",
	       !memcmp(&before, &after, sizeof(after)), "it is not");

	write_file("events/weft_late/late/enable", "0");
	write_file("kprobe_events", "-:weft_late/late\n");
	error = weave(&splice, 0);
	snprintf(found, sizeof(found), "errno %d", error);
	report("without it the plan is woven", !error, found);
	after = read_states();
	report("which begins anew",
	       after.of[waiting] == WEFT_ONCE_WAITING && first(&after, WEFT_ONCE_OUT) < 0,
	       "it does not");
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
