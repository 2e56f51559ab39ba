// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes one byte to an I/O port, to end a guest whose kernel has no /dev/port. Usage: exit-port
 * PORT VALUE
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/io.h>

int main(int argc, char **argv)
{
	unsigned long port, value;

	if (argc != 3) {
		fprintf(stderr, "usage: exit-port PORT VALUE\n");
		return 2;
	}
	port = strtoul(argv[1], NULL, 0);
	value = strtoul(argv[2], NULL, 0);
	if (ioperm(port, 1, 1)) {
		perror("exit-port");
		return 1;
	}
	outb(value, port);
	return 0;
}
