/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory of a ring in a process, which is mapped twice in a row as weft.ko maps it. */
#ifndef RING_MEMORY_H
#define RING_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/* Returns memory of @size bytes, a multiple of a page, with a second mapping after it; or NULL. */
static void *map_twice(size_t size)
{
	int fd = memfd_create("ring", 0);
	uint8_t *base = mmap(NULL, 2 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (fd < 0 || ftruncate(fd, size) || base == MAP_FAILED ||
	    mmap(base, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED ||
	    mmap(base + size, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) ==
		    MAP_FAILED)
		return NULL;
	close(fd);
	return base;
}

#endif /* RING_MEMORY_H */
