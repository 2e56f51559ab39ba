// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An eye on a module's text that is not weft's: `module-text MODULE SIZE` prints a hash of the
 * first SIZE bytes of its section .text, read through /proc/kcore.
 */
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "kcore.h"

static uint64_t section(const char *module, const char *name)
{
	unsigned long long address;
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "/sys/module/%s/sections/%s", module, name);
	file = fopen(path, "re");
	if (!file || fscanf(file, "%llx", &address) != 1)
		err(2, "%s", path);
	fclose(file);
	return address;
}

int main(int argc, char **argv)
{
	const uint64_t prime = 0x100000001b3;
	uint64_t hash = 0xcbf29ce484222325, start;
	unsigned char *bytes;
	size_t size;

	if (argc != 3)
		errx(2, "usage: module-text MODULE SIZE");
	size = strtoull(argv[2], NULL, 0);
	start = section(argv[1], ".text");
	bytes = malloc(size);
	if (!bytes)
		err(2, "memory");
	kcore_read(start, bytes, size);
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * prime;
	printf("%016llx\n", (unsigned long long)hash);
	free(bytes);
	return 0;
}
