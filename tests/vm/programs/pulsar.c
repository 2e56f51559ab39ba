// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * GILK's test program Pulsar: forks 160 times at known times, so that a test can compare records of
 * forks with them. `pulsar MILLISECONDS` makes five rounds of 32 forks, sleeps MILLISECONDS after
 * each round, and collects the children at the end. It prints for each fork the time before it and
 * the time after it, in nanoseconds of CLOCK_MONOTONIC.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 5, FORKS = 32 };

static unsigned long long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

int main(int argc, char **argv)
{
	static unsigned long long before[ROUNDS * FORKS], after[ROUNDS * FORKS];
	long rest = argc > 1 ? atol(argv[1]) : 5000;

	for (int round = 0; round < ROUNDS; round++) {
		pid_t children[FORKS];

		for (int i = 0; i < FORKS; i++) {
			before[round * FORKS + i] = now();
			children[i] = fork();
			if (!children[i])
				_exit(0);
			if (children[i] < 0)
				err(1, "fork");
			after[round * FORKS + i] = now();
		}
		usleep(rest * 1000);
		for (int i = 0; i < FORKS; i++)
			waitpid(children[i], NULL, 0);
	}
	for (int i = 0; i < ROUNDS * FORKS; i++)
		printf("%d %llu %llu\n", i, before[i], after[i]);
	return 0;
}
