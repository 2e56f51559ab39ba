// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests that perf's events have every write of weft to the kernel's text, since a decoder of
 * processor traces learns of changes of the text from them alone. `text-pokes COMMAND` copies the
 * text, runs a shell command, and then writes the bytes of each PERF_RECORD_TEXT_POKE into the
 * copy. The old bytes of an event must be those in the copy, and afterwards the copy must be the
 * text that /proc/kcore shows. PERF_RECORD_KSYMBOL announces code outside of the text. Each splice
 * must lead to code that was announced, and whose bytes were in events too. With `text-pokes --gone
 * COMMAND` nothing of that code may be left in the end.
 *
 * weft may still be writing when the command has ended, since a work item takes out advice that
 * runs once. So if the copy differs, all events are collected and compared again, until both agree
 * or PATIENCE_MS have passed. A write without an event would never agree.
 */
#include <stdbool.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <linux/perf_event.h>

#include "runtime/abi.h"
#include "kcore.h"
#include "verdict.h"

enum { CPUS = 64, RING_SIZE = 8 << 20, REGIONS = 512, EVENTS = 1 << 20 };
enum { PATIENCE_MS = 5000, TURN_MS = 250 };

/*
 * Kernel code outside of the text. For each of its bytes, `told` says whether an event has had the
 * byte.
 */
struct region {
	uint64_t start, size;
	unsigned char *bytes;
	bool *told;
};

struct event {
	uint64_t time;
	const struct perf_event_header *header;
};

/* The layouts of the two kinds of perf events. */
struct text_poke {
	struct perf_event_header header;
	uint64_t address;
	uint16_t old_size, new_size;
	unsigned char bytes[];
} __attribute__((packed));

struct ksymbol {
	struct perf_event_header header;
	uint64_t address;
	uint32_t size;
	uint16_t type, flags;
	char name[];
};

static struct perf_event_mmap_page *rings[CPUS];
static struct event events[EVENTS];
static size_t nr_events;
static struct region regions[REGIONS];
static size_t nr_regions;
static uint64_t text_start, text_end;
/* The text from before the command, and the copy that the events change. */
static unsigned char *before, *text;
static char text_differs[256], regions_differ[256]; /* What differed at the last comparison. */
static unsigned int lost, strange, pokes;
static char first_strange[128];

static void listen(unsigned int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TIME,
		.sample_id_all = 1,
		.ksymbol = 1,
		.text_poke = 1,
		.watermark = 1,
		.wakeup_watermark = RING_SIZE,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		err(2, "perf_event_open");
	rings[cpu] = mmap(NULL, RING_SIZE + getpagesize(), PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			  0);
	if (rings[cpu] == MAP_FAILED)
		err(2, "perf's buffer");
}

/*
 * Reads the events of one perf buffer. No event wraps around, since the buffers are never emptied.
 */
static void collect(const struct perf_event_mmap_page *ring)
{
	const char *data = (const char *)ring + ring->data_offset;
	uint64_t end = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE);

	for (uint64_t at = 0; at < end;) {
		const struct perf_event_header *header = (const void *)(data + at);

		if (header->type == PERF_RECORD_LOST)
			lost++;
		if (nr_events == EVENTS)
			errx(2, "too many events");
		events[nr_events].header = header;
		memcpy(&events[nr_events++].time, data + at + header->size - sizeof(uint64_t),
		       sizeof(uint64_t));
		at += header->size;
	}
}

static int compare_times(const void *left, const void *right)
{
	const struct event *a = left, *b = right;

	return a->time < b->time ? -1 : a->time > b->time;
}

static struct region *region_at(uint64_t address)
{
	for (size_t i = 0; i < nr_regions; i++)
		if (address - regions[i].start < regions[i].size)
			return &regions[i];
	return NULL;
}

static void say_strange(const char *what, uint64_t address)
{
	if (!strange++)
		snprintf(first_strange, sizeof(first_strange), "%s at %#llx", what,
			 (unsigned long long)address);
}

static void replay_ksymbol(const struct ksymbol *event)
{
	struct region *region = region_at(event->address);

	if (event->type != PERF_RECORD_KSYMBOL_TYPE_OOL)
		return;
	if (event->flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER) {
		if (region)
			*region = regions[--nr_regions];
		return;
	}
	if (region || nr_regions == REGIONS) {
		say_strange("code that was there already", event->address);
		return;
	}
	region = &regions[nr_regions++];
	region->start = event->address;
	region->size = event->size;
	region->bytes = calloc(1, event->size);
	region->told = calloc(1, event->size);
}

static void replay_poke(const struct text_poke *event)
{
	struct region *region = region_at(event->address);
	const unsigned char *old = event->bytes, *new = old + event->old_size;
	uint64_t at = event->address - text_start;

	pokes++;
	if (event->address >= text_start && event->address + event->old_size <= text_end) {
		if (event->old_size != event->new_size || memcmp(text + at, old, event->old_size))
			say_strange("other bytes before than the event says", event->address);
		memcpy(text + at, new, event->new_size);
	} else if (region) {
		at = event->address - region->start;
		for (unsigned int i = 0; i < event->old_size; i++)
			if (!region->told[at + i] || region->bytes[at + i] != old[i])
				say_strange("other code before than the event says",
					    event->address + i);
		memcpy(region->bytes + at, new, event->new_size);
		memset(region->told + at, 1, event->new_size);
	}
}

/* Resets the copy to the text from before the command, and applies all events since then. */
static void replay(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	nr_events = lost = strange = pokes = 0;
	for (; nr_regions; nr_regions--) {
		free(regions[nr_regions - 1].bytes);
		free(regions[nr_regions - 1].told);
	}
	memcpy(text, before, text_end - text_start);
	for (long cpu = 0; cpu < cpus && cpu < CPUS; cpu++)
		collect(rings[cpu]);
	qsort(events, nr_events, sizeof(events[0]), compare_times);
	for (size_t i = 0; i < nr_events; i++) {
		if (events[i].header->type == PERF_RECORD_KSYMBOL)
			replay_ksymbol((const void *)events[i].header);
		else if (events[i].header->type == PERF_RECORD_TEXT_POKE)
			replay_poke((const void *)events[i].header);
	}
}

/* ---- comparison of the copy with the running kernel ------------------------------------------ */

static void compare_text(void)
{
	unsigned char *live = malloc(text_end - text_start);
	char *found = text_differs;
	size_t n = 0;

	*found = '\0';
	kcore_read(text_start, live, text_end - text_start);
	for (uint64_t i = 0; i < text_end - text_start; i++) {
		if (live[i] == text[i])
			continue;
		if (!n++)
			snprintf(found, sizeof(text_differs),
				 "first at %#llx: %02x, by the events %02x",
				 (unsigned long long)(text_start + i), live[i], text[i]);
	}
	if (n)
		snprintf(found + strlen(found), sizeof(text_differs) - strlen(found), ", %zu bytes",
			 n);
	free(live);
}

static void compare_regions(void)
{
	size_t n = 0;

	*regions_differ = '\0';
	for (size_t i = 0; i < nr_regions; i++) {
		struct region *region = &regions[i];
		unsigned char *live = malloc(region->size);

		kcore_read(region->start, live, region->size);
		for (uint64_t at = 0; at < region->size; at++) {
			if (!region->told[at] || region->bytes[at] == live[at])
				continue;
			if (!n++)
				snprintf(regions_differ, sizeof(regions_differ),
					 "at %#llx: %02x, by the events %02x",
					 (unsigned long long)(region->start + at), live[at],
					 region->bytes[at]);
		}
		free(live);
	}
}

static void compare(void)
{
	for (int ms = 0; ms < PATIENCE_MS; ms += TURN_MS) {
		if (ms)
			usleep(TURN_MS * 1000);
		replay();
		compare_text();
		compare_regions();
		if (!*text_differs && !*regions_differ)
			return;
	}
}

/* Checks that each splice leads to code whose bytes an event has had. */
static void check_trampolines(void)
{
	static struct weft_shadow_status shadows[4096];
	struct weft_status status = { 0 };
	int device = open(WEFT_DEVICE, O_RDWR);
	unsigned int n = 0, unknown = 0;
	char found[256];

	if (device < 0)
		err(2, WEFT_DEVICE);
	for (; !ioctl(device, WEFT_IOC_LIST, &status); status.index++) {
		struct weft_shadows request = { .buffer = (uintptr_t)shadows, .size = 4096 };

		memcpy(request.name, status.name, sizeof(request.name));
		if (ioctl(device, WEFT_IOC_SHADOWS, &request))
			err(2, "%s", status.name);
		for (unsigned int i = 0; i < request.size && i < 4096; i++, n++) {
			const struct region *region = region_at(shadows[i].trampoline);

			unknown += !region ||
				   !region->told[shadows[i].trampoline - region->start];
		}
	}
	snprintf(found, sizeof(found), "of %u splices %u do not", n, unknown);
	report("each splice leads to code that was told", n && !unknown, found);
	close(device);
}

int main(int argc, char **argv)
{
	bool gone = argc == 3 && !strcmp(argv[1], "--gone");
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	char found[256];

	if (argc != 2 && !gone)
		errx(2, "usage: text-pokes [--gone] COMMAND");
	kcore_find_text(&text_start, &text_end);
	before = malloc(text_end - text_start);
	text = malloc(text_end - text_start);
	for (long cpu = 0; cpu < cpus && cpu < CPUS; cpu++)
		listen(cpu);
	kcore_read(text_start, before, text_end - text_start);
	report("the command", !system(argv[argc - 1]), "failed");
	compare();
	snprintf(found, sizeof(found), "%u", pokes);
	report("there are events", pokes > 0, found);
	snprintf(found, sizeof(found), "%u", lost);
	report("none is lost", !lost, found);
	snprintf(found, sizeof(found), "%u times, first: %s", strange, first_strange);
	report("each finds what the one before has left", !strange, found);
	report("the events tell the text to the byte", !*text_differs, text_differs);
	report("so of the code outside", !*regions_differ, regions_differ);
	if (gone) {
		snprintf(found, sizeof(found), "%zu are", nr_regions);
		report("no code outside is left", !nr_regions, found);
	} else {
		check_trampolines();
	}
	printf("%u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
