// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes one request to weft.ko with a buffer in /dev/slow_memory, so that weft.ko has to wait when
 * it copies the buffer. Prints the answer's errno, or 0. Usage: slow-request weave|text|read NAME
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "runtime/abi.h"

enum { BUFFER = 4096 };

static int request(int device, const char *kind, const char *name, void *buffer)
{
	struct weft_weave weave = { .splices = (unsigned long)buffer, .nr_splices = 1 };
	struct weft_text text = { .pieces = (unsigned long)buffer, .nr_pieces = 1 };
	struct weft_read read = { .buffer = (unsigned long)buffer, .size = BUFFER };

	snprintf(weave.name, sizeof(weave.name), "%s", name);
	snprintf(read.name, sizeof(read.name), "%s", name);
	if (!strcmp(kind, "weave"))
		return ioctl(device, WEFT_IOC_WEAVE, &weave);
	if (!strcmp(kind, "text"))
		return ioctl(device, WEFT_IOC_TEXT, &text);
	return ioctl(device, WEFT_IOC_READ, &read);
}

int main(int argc, char **argv)
{
	int device = open(WEFT_DEVICE, O_RDWR), memory = open("/dev/slow_memory", O_RDWR);
	void *buffer;

	if (argc != 3)
		errx(2, "usage: slow-request weave|text|read NAME");
	if (device < 0 || memory < 0)
		err(2, "%s", device < 0 ? WEFT_DEVICE : "/dev/slow_memory");
	buffer = mmap(NULL, BUFFER, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	if (buffer == MAP_FAILED)
		err(2, "mapping /dev/slow_memory");
	printf("%d\n", request(device, argv[1], argv[2], buffer) ? errno : 0);
	return 0;
}
