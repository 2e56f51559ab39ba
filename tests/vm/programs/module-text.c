// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints a hash of a module's section .text, read through /proc/kcore, to see whether it has
 * changed. Bytes that the file's relocations fill in are left out, since they depend on the
 * module's address. Usage: module-text MODULE FILE.ko
 */
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

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

static const char *map_file(const char *path)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	void *bytes;

	if (file < 0 || fstat(file, &status))
		err(2, "%s", path);
	bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	if (bytes == MAP_FAILED)
		err(2, "%s", path);
	close(file);
	return bytes;
}

static const Elf64_Shdr *find(const char *elf, const char *name)
{
	const Elf64_Ehdr *header = (const void *)elf;
	const Elf64_Shdr *sections = (const void *)(elf + header->e_shoff);
	const char *names = elf + sections[header->e_shstrndx].sh_offset;

	for (unsigned int i = 0; i < header->e_shnum; i++)
		if (!strcmp(names + sections[i].sh_name, name))
			return &sections[i];
	errx(2, "no section %s", name);
}

/*
 * Clears the bytes that the relocations of .text fill in, which differ with the module's address.
 */
static void forget_relocated(const char *elf, unsigned char *bytes, size_t size)
{
	const Elf64_Shdr *relocations = find(elf, ".rela.text");
	const Elf64_Rela *all = (const void *)(elf + relocations->sh_offset);

	for (size_t i = 0; i < relocations->sh_size / sizeof(*all); i++) {
		size_t n = ELF64_R_TYPE(all[i].r_info) == R_X86_64_64 ? 8 : 4;

		if (all[i].r_offset > size || n > size - all[i].r_offset)
			errx(2, "a relocation beyond .text");
		memset(bytes + all[i].r_offset, 0, n);
	}
}

int main(int argc, char **argv)
{
	const uint64_t prime = 0x100000001b3;
	uint64_t hash = 0xcbf29ce484222325;
	unsigned char *bytes;
	const char *elf;
	size_t size;

	if (argc != 3)
		errx(2, "usage: module-text MODULE FILE.ko");
	elf = map_file(argv[2]);
	size = find(elf, ".text")->sh_size;
	bytes = malloc(size);
	if (!bytes)
		err(2, "memory");
	kcore_read(section(argv[1], ".text"), bytes, size);
	forget_relocated(elf, bytes, size);
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * prime;
	printf("%016llx\n", (unsigned long long)hash);
	free(bytes);
	return 0;
}
