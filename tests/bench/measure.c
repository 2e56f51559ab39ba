// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Measures a command: runs it ROUNDS times and drops its output. Prints the milliseconds that the
 * fastest round took, the least processor time of any round in milliseconds, and the most memory in
 * MB. The fastest round counts because other work on the machine makes rounds slower, never faster.
 * Exits with 1 if the command fails. Usage: measure ROUNDS COMMAND...
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct cost {
	double wall, cpu, memory;
};

static double milliseconds(const struct timeval *time)
{
	return (double)time->tv_sec * 1e3 + (double)time->tv_usec / 1e3;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int run(char **command, struct cost *ret)
{
	double start = now();
	struct rusage usage;
	int status;
	pid_t child = fork();

	if (!child) {
		int null = open("/dev/null", O_WRONLY);

		dup2(null, STDOUT_FILENO);
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) < 0 || !WIFEXITED(status) ||
	    WEXITSTATUS(status))
		return -1;
	ret->wall = now() - start;
	ret->cpu = milliseconds(&usage.ru_utime) + milliseconds(&usage.ru_stime);
	ret->memory = (double)usage.ru_maxrss / 1024;
	return 0;
}

int main(int argc, char **argv)
{
	int rounds = argc > 2 ? atoi(argv[1]) : 0;
	struct cost best = { 0 };

	if (rounds <= 0) {
		fprintf(stderr, "usage: measure ROUNDS COMMAND [ARGUMENT...]\n");
		return 2;
	}
	for (int i = 0; i < rounds; i++) {
		struct cost cost;

		if (run(argv + 2, &cost)) {
			fprintf(stderr, "measure: %s failed\n", argv[2]);
			return 1;
		}
		if (!i || cost.wall < best.wall)
			best.wall = cost.wall;
		if (!i || cost.cpu < best.cpu)
			best.cpu = cost.cpu;
		if (cost.memory > best.memory)
			best.memory = cost.memory;
	}
	printf("%.1f %.1f %.0f\n", best.wall, best.cpu, best.memory);
	return 0;
}
