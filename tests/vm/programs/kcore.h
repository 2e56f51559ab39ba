/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that read the running kernel's memory through /proc/kcore, which is an ELF core file. A
 * read that fails ends the program.
 */
#ifndef WEFT_TEST_KCORE_H
#define WEFT_TEST_KCORE_H

#include <elf.h>
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline void kcore_read_file(int core, void *buffer, size_t size, off_t offset)
{
	char *to = buffer;

	while (size) {
		ssize_t n = pread(core, to, size, offset);

		if (n <= 0)
			err(2, "/proc/kcore");
		to += n;
		offset += n;
		size -= n;
	}
}

/* Reads @size bytes at the live address @address. */
static inline void kcore_read(uint64_t address, void *buffer, size_t size)
{
	int core = open("/proc/kcore", O_RDONLY);
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	unsigned int i;

	if (core < 0)
		err(2, "/proc/kcore");
	kcore_read_file(core, &header, sizeof(header), 0);
	for (i = 0; i < header.e_phnum; i++) {
		kcore_read_file(core, &segment, sizeof(segment),
				header.e_phoff + i * sizeof(segment));
		if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
		    address + size <= segment.p_vaddr + segment.p_memsz)
			break;
	}
	if (i == header.e_phnum)
		errx(2, "%#llx is not in /proc/kcore", (unsigned long long)address);
	kcore_read_file(core, buffer, size, segment.p_offset + (address - segment.p_vaddr));
	close(core);
}

/*
 * Finds the live addresses of _stext and _etext in /proc/kallsyms, which is long and slow to read.
 */
static inline void kcore_find_text(uint64_t *start, uint64_t *end)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	unsigned long long address;
	char line[512], found[256], type;

	if (!file)
		err(2, "/proc/kallsyms");
	*start = *end = 0;
	while (!*end && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%llx %c %255s", &address, &type, found) != 3)
			continue;
		if (!strcmp(found, "_stext"))
			*start = address;
		else if (!strcmp(found, "_etext"))
			*end = address;
	}
	fclose(file);
	if (!*start || !*end)
		errx(2, "no _stext and _etext in /proc/kallsyms");
}

#endif /* WEFT_TEST_KCORE_H */
