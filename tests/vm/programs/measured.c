// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Does a known number of known things, and prints its own count of them, with which tests compare
 * metrics. The first argument says what it does:
 *
 *	measured reads		two children named "reader", on CPUs 0 and 1, that read 1, 2 ... 300
 *				bytes: "LEAST NEXT COUNT" for each power of two, then "sum COUNT
 *				BYTES"
 *	measured pairs		50 times: opens descriptors 900 and 901, closes 900 and 901, in that
 *				order, with waits between: "FD COUNT INNER OUTER", nanoseconds that
 *				it was open at least and at most
 *	measured sleep		as "sleeper": 20 sleeps of 3 ms: "wall NANOSECONDS cpu NANOSECONDS"
 *				by the clocks of this thread
 *	measured calls [PID]	as "caller": read() and pread(), 70 and 110 times: "read 70 pread
 *				110"; in a new process with the number PID, if given
 *	measured waits		as "waiter": reads a byte from standard input, then preads 10 times
 *	measured threads	three threads "threaded", of which the Nth reads N * 10 times: "PID
 *				TID COUNT" for each
 *	measured huge SIZE N	as "huge": read() of SIZE bytes, N times, which the kernel refuses
 *	measured loop N [TIMES]	as "looper": getppid(), a loop of N instructions, getpgid(); TIMES
 *				times, or 100
 */
#include <err.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	SIZES = 300,
	CHILDREN = 2,
	ROUNDS = 50,
	FIRST_FD = 900,
	SLEEPS = 20,
	SLEEP_NS = 3000000,
	LOOPS = 100,
	READS = 70,
	PREADS = 110,
	PREADS_AFTER = 10
};

static unsigned long long now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * 1000000000ull + time.tv_nsec;
}

static void read_sizes(int cpu)
{
	static char buffer[SIZES];
	int fd = open("/dev/zero", O_RDONLY);
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(1, "CPU %d", cpu);
	prctl(PR_SET_NAME, "reader");
	for (int size = 1; size <= SIZES; size++)
		if (read(fd, buffer, size) != size)
			err(1, "read");
	_exit(0);
}

static void do_reads(void)
{
	unsigned long long count = 0, sum = 0;

	for (int child = 0; child < CHILDREN; child++)
		if (!fork())
			read_sizes(child);
	for (int child = 0; child < CHILDREN; child++) {
		int status;

		if (wait(&status) < 0 || status)
			errx(1, "a child failed");
	}
	for (int least = 1; least <= SIZES; least *= 2) {
		int greatest = 2 * least - 1 < SIZES ? 2 * least - 1 : SIZES;

		printf("%d %d %d\n", least, 2 * least, CHILDREN * (greatest - least + 1));
		count += CHILDREN * (greatest - least + 1);
	}
	for (int size = 1; size <= SIZES; size++)
		sum += CHILDREN * size;
	printf("sum %llu %llu\n", count, sum);
}

static void rest(void)
{
	unsigned long long until = now(CLOCK_MONOTONIC) + 20000;

	while (now(CLOCK_MONOTONIC) < until)
		;
}

static void do_pairs(void)
{
	unsigned long long before[2], after[2], inner[2] = { 0 }, outer[2] = { 0 };

	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < 2; i++) {
			before[i] = now(CLOCK_MONOTONIC);
			if (dup3(0, FIRST_FD + i, 0) < 0)
				err(1, "dup3");
			after[i] = now(CLOCK_MONOTONIC);
			rest();
		}
		for (int i = 0; i < 2; i++) {
			inner[i] += now(CLOCK_MONOTONIC) - after[i];
			close(FIRST_FD + i);
			outer[i] += now(CLOCK_MONOTONIC) - before[i];
			rest();
		}
	}
	for (int i = 0; i < 2; i++)
		printf("%d %d %llu %llu\n", FIRST_FD + i, ROUNDS, inner[i], outer[i]);
}

static void do_sleep(void)
{
	const struct timespec time = { .tv_nsec = SLEEP_NS };
	unsigned long long wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_THREAD_CPUTIME_ID);

	prctl(PR_SET_NAME, "sleeper");
	for (int i = 0; i < SLEEPS; i++)
		nanosleep(&time, NULL);
	printf("wall %llu cpu %llu\n", now(CLOCK_MONOTONIC) - wall,
	       now(CLOCK_THREAD_CPUTIME_ID) - cpu);
}

static void do_loop(long instructions, int times)
{
	prctl(PR_SET_NAME, "looper");
	for (int i = 0; i < times; i++) {
		long n = instructions / 2;

		syscall(SYS_getppid);
		asm volatile("1: dec %0\n\tjnz 1b" : "+r"(n) : : "cc");
		syscall(SYS_getpgid, 0);
	}
}

static void do_huge(size_t size, int times)
{
	int fd = open("/dev/zero", O_RDONLY);
	char byte;

	prctl(PR_SET_NAME, "huge");
	for (int i = 0; i < times; i++)
		if (syscall(SYS_read, fd, &byte, size) >= 0)
			errx(1, "read %zu", size);
}

static void pread_some(int n)
{
	int fd = open("/dev/zero", O_RDONLY);
	char byte;

	for (int i = 0; i < n; i++)
		if (pread(fd, &byte, 1, 0) != 1)
			err(1, "pread");
	close(fd);
}

static void do_calls(void)
{
	int fd = open("/dev/zero", O_RDONLY);
	char byte;

	prctl(PR_SET_NAME, "caller");
	for (int i = 0; i < READS; i++)
		if (read(fd, &byte, 1) != 1)
			err(1, "read");
	pread_some(PREADS);
	printf("read %d pread %d\n", READS, PREADS);
}

static void do_calls_as(pid_t pid)
{
	struct clone_args how = { .exit_signal = SIGCHLD,
				  .set_tid = (uintptr_t)&pid,
				  .set_tid_size = 1 };
	int status;
	long child = syscall(SYS_clone3, &how, sizeof(how));

	if (child < 0)
		err(1, "process %d", (int)pid);
	if (!child)
		return do_calls();
	if (waitpid(child, &status, 0) != pid || status)
		errx(1, "process %d failed", (int)pid);
}

static void do_waits(void)
{
	char byte;

	prctl(PR_SET_NAME, "waiter");
	if (read(STDIN_FILENO, &byte, 1) != 1)
		err(1, "read");
	pread_some(PREADS_AFTER);
}

static void *read_as_thread(void *number)
{
	int fd = open("/dev/zero", O_RDONLY), n = 10 * (int)(intptr_t)number;
	char byte;

	prctl(PR_SET_NAME, "threaded");
	for (int i = 0; i < n; i++)
		if (read(fd, &byte, 1) != 1)
			err(1, "read");
	printf("%d %ld %d\n", (int)getpid(), syscall(SYS_gettid), n);
	return NULL;
}

static void do_threads(void)
{
	pthread_t threads[3];

	for (intptr_t i = 0; i < 3; i++)
		if (pthread_create(&threads[i], NULL, read_as_thread, (void *)(i + 1)))
			errx(1, "no thread");
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "reads"))
		do_reads();
	else if (!strcmp(what, "pairs"))
		do_pairs();
	else if (!strcmp(what, "sleep"))
		do_sleep();
	else if (!strcmp(what, "calls") && argc > 2)
		do_calls_as(atoi(argv[2]));
	else if (!strcmp(what, "calls"))
		do_calls();
	else if (!strcmp(what, "waits"))
		do_waits();
	else if (!strcmp(what, "threads"))
		do_threads();
	else if (!strcmp(what, "huge") && argc > 3)
		do_huge(strtoull(argv[2], NULL, 0), atoi(argv[3]));
	else if (!strcmp(what, "loop") && argc > 2)
		do_loop(atol(argv[2]), argc > 3 ? atoi(argv[3]) : LOOPS);
	else
		errx(2, "reads, pairs, sleep, calls, waits, threads, huge, or loop N");
	return 0;
}
