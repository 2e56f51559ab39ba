// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Feeds a reader with damaged input: fuzz TARGET ROUNDS SEED FOLDER VMLINUX [INPUT...]. The readers are compiled with GCC's sanitizers,
 * which end the process when something is wrong, and with a call at every basic block, by which an input that went a new
 * way is known: it is kept, and damaged further. The same arguments give the same inputs. The last input is FOLDER/crash for as
 * long as it runs; to try it again: fuzz TARGET 0 0 FOLDER VMLINUX FOLDER/crash.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mutate.h"
#include "targets.h"

enum {
	MAP_SIZE = 1 << 16,
	ROOM = 1 << 20, /* of an input */
	KEPT_MAX = 4096,
	SECONDS_MAX = 20, /* for one input, on a loaded machine */
};

struct input {
	uint8_t *bytes;
	size_t n;
};

static uint8_t seen[MAP_SIZE], now[MAP_SIZE] __attribute__((aligned(sizeof(uint64_t))));
static uintptr_t previous;
static struct input kept[KEPT_MAX];
static size_t nr_kept;
static struct crash {
	uint8_t bytes[ROOM];
} *crash;
static char crash_path[4096];
static int crash_fd;

/* Read by the sanitizers when they start: little input must not take much memory. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "hard_rss_limit_mb=1024:allocator_may_return_null=1:malloc_context_size=2:quarantine_size_mb=8";
}

/* Called by the readers at each basic block. An edge is a pair of blocks. */
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
	uintptr_t pc = (uintptr_t)__builtin_return_address(0);
	uint8_t *count = &now[(pc ^ previous * 31) % MAP_SIZE];

	*count += *count != UINT8_MAX;
	previous = pc;
}

/* Whether an edge was taken that was never taken, or far more often; they are remembered. */
static bool went_new_way(void)
{
	bool any = false;

	for (size_t i = 0; i < MAP_SIZE; i++) {
		uint8_t bits = 0;

		/* Nearly all are 0: eight at once. */
		if (!(i % sizeof(uint64_t)) && !*(const uint64_t *)&now[i])
			i += sizeof(uint64_t) - 1;
		if (!now[i])
			continue;
		while (bits < 7 && now[i] >> (bits + 1))
			bits++;
		if (seen[i] & 1u << bits)
			continue;
		seen[i] |= 1u << bits;
		any = true;
	}
	return any;
}

static void keep(const uint8_t *bytes, size_t n)
{
	struct input *input = &kept[nr_kept < KEPT_MAX ? nr_kept++ : n % KEPT_MAX];

	free(input->bytes);
	input->bytes = malloc(n + 1);
	if (!input->bytes)
		exit(2);
	memcpy(input->bytes, bytes, n);
	input->n = n;
}

static void on_alarm(int signal)
{
	static const char text[] = "an input takes too long\n";

	(void)!write(STDERR_FILENO, text, sizeof(text) - 1);
	_exit(1);
}

static void try_input(const struct target *target, const uint8_t *bytes, size_t n)
{
	/* A copy of its very size, so that a read behind its end is seen. */
	uint8_t *copy = malloc(n);
	const char *message = "";

	if (!copy)
		exit(2);
	memcpy(copy, bytes, n);
	memset(now, 0, sizeof(now));
	previous = 0;
	alarm(SECONDS_MAX);
	if (!target->run(copy, n, &message)) {
		fprintf(stderr, "%s: damaged input ends in: %s\n", target->name, message);
		exit(1);
	}
	alarm(0);
	free(copy);
	if (went_new_way())
		keep(bytes, n);
}

/* What is about to be tried. */
static void write_crash(const uint8_t *bytes, size_t n)
{
	if (ftruncate(crash_fd, ROOM))
		exit(2);
	memcpy(crash->bytes, bytes, n);
	if (ftruncate(crash_fd, n))
		exit(2);
}

static void read_input(const struct target *target, const char *path)
{
	FILE *stream = fopen(path, "r");
	uint8_t *bytes = malloc(ROOM);
	size_t n;

	if (!stream || !bytes) {
		perror(path);
		exit(2);
	}
	n = fread(bytes, 1, ROOM, stream);
	fclose(stream);
	write_crash(bytes, n);
	try_input(target, bytes, n);
	/* All that were given are kept, whatever way they went. */
	keep(bytes, n);
	free(bytes);
}

static void make_input(const struct target *target)
{
	uint8_t *bytes = malloc(ROOM);
	size_t n;

	if (!bytes)
		exit(2);
	n = target->seed(bytes, ROOM);
	try_input(target, bytes, n);
	keep(bytes, n);
	free(bytes);
}

static void open_crash(const char *folder)
{
	snprintf(crash_path, sizeof(crash_path), "%s/crash", folder);
	crash_fd = open(crash_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	crash = mmap(NULL, sizeof(*crash), PROT_READ | PROT_WRITE, MAP_SHARED, crash_fd, 0);
	if (crash_fd < 0 || crash == MAP_FAILED) {
		perror(crash_path);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	const struct target *target = targets;
	struct random random;
	uint64_t rounds;

	while (argc > 5 && target->name && strcmp(target->name, argv[1]))
		target++;
	if (argc <= 5 || !target->name || (argc == 6 && !target->seed)) {
		fprintf(stderr, "usage: fuzz TARGET ROUNDS SEED FOLDER VMLINUX [INPUT...]\n");
		return 2;
	}
	rounds = strtoull(argv[2], NULL, 0);
	random.state = strtoull(argv[3], NULL, 0) + 1;
	signal(SIGALRM, on_alarm);
	targets_init(argv[4], argv[5]);
	open_crash(argv[4]);
	if (target->seed)
		make_input(target);
	for (int i = 6; i < argc; i++)
		read_input(target, argv[i]);
	for (uint64_t i = 0; i < rounds; i++) {
		const struct input *input = &kept[random_below(&random, nr_kept)];
		const struct input *other = &kept[random_below(&random, nr_kept)];
		size_t n = input->n;

		if (ftruncate(crash_fd, ROOM))
			return 2;
		memcpy(crash->bytes, input->bytes, n);
		n = mutate(&random, crash->bytes, n, ROOM, other->bytes, other->n);
		if (ftruncate(crash_fd, n))
			return 2;
		try_input(target, crash->bytes, n);
	}
	unlink(crash_path);
	printf("%s: %d inputs as they are, %llu damaged, %zu kept\n", target->name, argc - 6 + !!target->seed,
	       (unsigned long long)rounds, nr_kept);
	return 0;
}
