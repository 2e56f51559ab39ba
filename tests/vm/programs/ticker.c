// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads a byte about each millisecond until SIGTERM, bound to one CPU. At the end it prints a line
 * for each read, with the times right before and right after the read, in nanoseconds of
 * CLOCK_MONOTONIC. Usage: ticker CPU
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { TICKS_MAX = 100000, PAUSE_NS = 1000000 };

static uint64_t ticks[TICKS_MAX][2];
static volatile sig_atomic_t ended;

static void on_signal(int signal)
{
	ended = 1;
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

int main(int argc, char **argv)
{
	const struct sigaction end = { .sa_handler = on_signal };
	const struct timespec pause = { .tv_nsec = PAUSE_NS };
	int fd = open("/dev/zero", O_RDONLY), n = 0;
	cpu_set_t cpus;
	char byte;

	if (argc != 2 || fd < 0)
		return 2;
	CPU_ZERO(&cpus);
	CPU_SET(atoi(argv[1]), &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	sigaction(SIGTERM, &end, NULL);
	for (; !ended && n < TICKS_MAX; n++) {
		ticks[n][0] = now();
		if (read(fd, &byte, 1) != 1)
			return 1;
		ticks[n][1] = now();
		nanosleep(&pause, NULL);
	}
	for (int i = 0; i < n; i++)
		printf("%llu %llu\n", (unsigned long long)ticks[i][0],
		       (unsigned long long)ticks[i][1]);
	return 0;
}
