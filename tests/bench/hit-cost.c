// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the time of one getppid() system call, in nanoseconds with three decimals, for the
 * measurement of a hit. In a guest that counts instructions (icount, shift 0) a nanosecond is an
 * instruction, so the difference between two runs is the exact number of instructions that a splice
 * or probe in that call costs. `hit-cost ROUNDS` measures getppid(). A second argument chooses
 * another call:
 *	called	getresgid(), which calls put_user() three times
 *	skipped	getresgid() with a bad first pointer: the first put_user() fails, and the last one
 *		is skipped
 *	seek	lseek() of /dev/null, whose file operation does next to nothing
 *	deep	send() of a datagram to a socket of this process that is never read: the datagram is
 *		received, and dropped, in a softirq that runs within the call
 */
#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

/* Returns a socket that sends to another one of this process. */
static int socket_to_itself(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	int from = socket(AF_INET, SOCK_DGRAM, 0), to = socket(AF_INET, SOCK_DGRAM, 0);
	socklen_t size = sizeof(address);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(to, (struct sockaddr *)&address, size) ||
	    getsockname(to, (struct sockaddr *)&address, &size) ||
	    connect(from, (struct sockaddr *)&address, size))
		err(1, "sockets");
	return from;
}

/* Prints the least time of several runs, since a timer interrupt can only add time. */
int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 2000;
	const char *which = argc > 2 ? argv[2] : "";
	const bool deep = !strcmp(which, "deep"), seek = !strcmp(which, "seek");
	const int fd = deep ? socket_to_itself() : seek ? open("/dev/null", O_RDONLY) : -1;
	const long number = deep ? SYS_sendto : seek ? SYS_lseek : *which ? SYS_getresgid
									   : SYS_getppid;
	double best = 1e18;
	int ids[3];
	int *to = strcmp(which, "called") ? NULL : ids;

	for (int run = 0; run < 20; run++) {
		double start = now(), spent;

		for (long i = 0; i < rounds; i++) {
			if (deep)
				syscall(number, fd, "", 1, 0, NULL, 0);
			else if (seek)
				syscall(number, fd, 0, SEEK_CUR);
			else
				syscall(number, to, ids, ids);
		}
		spent = (now() - start) / rounds;
		if (spent < best)
			best = spent;
	}
	printf("%.3f\n", best);
	return 0;
}
