// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes traffic in the guest, which runs through the functions that the tests weave, and checks
 * that every byte arrives. A round is a UDP datagram over loopback, one over a UNIX socket pair, a
 * pipe, and a file read, every tenth time also a TCP connection and a fork; then a pause of PAUSE
 * microseconds. The program communicates only with itself. It ends after ROUNDS rounds or at
 * SIGTERM, and prints how many it has made. Usage: traffic ROUNDS [PAUSE]
 */
#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t ended;

static void on_signal(int signal)
{
	(void)signal;
	ended = 1;
}

static const char message[] = "weft traffic";

static struct sockaddr_in bound_address(int fd)
{
	struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t size = sizeof(address);

	if (bind(fd, (struct sockaddr *)&address, size) ||
	    getsockname(fd, (struct sockaddr *)&address, &size))
		err(1, "bind");
	return address;
}

static int new_socket(int family, int type)
{
	int fd = socket(family, type, 0);

	if (fd < 0)
		err(1, "socket");
	return fd;
}

static void pass(int from, int to)
{
	char buffer[64];

	if (write(from, message, sizeof(message)) != sizeof(message))
		err(1, "write");
	if (read(to, buffer, sizeof(buffer)) != sizeof(message) ||
	    memcmp(buffer, message, sizeof(message)))
		errx(1, "a message did not arrive whole");
}

static void udp_round(int sender, int receiver, const struct sockaddr_in *to)
{
	char buffer[64];

	if (sendto(sender, message, sizeof(message), 0, (const struct sockaddr *)to, sizeof(*to)) !=
	    sizeof(message))
		err(1, "sendto");
	if (recv(receiver, buffer, sizeof(buffer), 0) != sizeof(message))
		errx(1, "a datagram did not arrive whole");
}

static void tcp_round(void)
{
	int listener = new_socket(AF_INET, SOCK_STREAM), client = new_socket(AF_INET, SOCK_STREAM);
	struct sockaddr_in address = bound_address(listener);
	int server;

	if (listen(listener, 1) || connect(client, (struct sockaddr *)&address, sizeof(address)))
		err(1, "connect");
	server = accept(listener, NULL, NULL);
	if (server < 0)
		err(1, "accept");
	pass(client, server);
	pass(server, client);
	close(client);
	close(server);
	close(listener);
}

static void fork_round(void)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		errx(1, "fork");
}

static void file_round(void)
{
	char buffer[256];
	int fd = open("/proc/self/stat", O_RDONLY);

	if (fd < 0 || read(fd, buffer, sizeof(buffer)) <= 0)
		err(1, "/proc/self/stat");
	close(fd);
}

int main(int argc, char **argv)
{
	const struct sigaction end = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	long rounds = argc > 1 ? atol(argv[1]) : 100, pause = argc > 2 ? atol(argv[2]) : 0, round;
	int sender = new_socket(AF_INET, SOCK_DGRAM), receiver = new_socket(AF_INET, SOCK_DGRAM);
	struct sockaddr_in address = bound_address(receiver);
	int pair[2], ends[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) || pipe(ends))
		err(1, "socketpair");
	sigaction(SIGTERM, &end, NULL);
	for (round = 0; round < rounds && !ended; round++) {
		udp_round(sender, receiver, &address);
		pass(pair[0], pair[1]);
		pass(ends[1], ends[0]);
		file_round();
		if (round % 10 == 0) {
			tcp_round();
			fork_round();
		}
		if (pause)
			usleep(pause);
	}
	printf("%ld rounds\n", round);
	return 0;
}
