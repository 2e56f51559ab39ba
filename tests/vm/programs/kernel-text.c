// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An eye on the kernel's text that is not weft's: `kernel-text FILE` writes the live bytes from _stext to _etext, read
 * through /proc/kcore, to FILE. `kernel-text A B` compares two such files and prints each run of bytes that differs with
 * its address; exits 1 where any does. `kernel-text --traps FILE` compares the file with the live text and prints how many
 * bytes became an int3 and how many became anything else, as "TRAPS OTHERS".
 */
#include <elf.h>
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t text_start, text_end;

/* kallsyms is long: one pass finds both. */
static void find_text(void)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	unsigned long long address;
	char line[512], found[256], type;

	if (!file)
		err(2, "/proc/kallsyms");
	while (!text_end && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%llx %c %255s", &address, &type, found) != 3)
			continue;
		if (!strcmp(found, "_stext"))
			text_start = address;
		else if (!strcmp(found, "_etext"))
			text_end = address;
	}
	fclose(file);
	if (!text_start || !text_end)
		errx(2, "no _stext and _etext in /proc/kallsyms");
}

static void read_all(int fd, void *buffer, size_t size, off_t offset)
{
	char *to = buffer;

	while (size) {
		ssize_t n = pread(fd, to, size, offset);

		if (n <= 0)
			err(2, "/proc/kcore");
		to += n;
		offset += n;
		size -= n;
	}
}

/* The file offset of live @address in /proc/kcore, which is an ELF core file. */
static off_t core_offset(int core, uint64_t address, uint64_t size)
{
	Elf64_Ehdr header;

	read_all(core, &header, sizeof(header), 0);
	for (unsigned int i = 0; i < header.e_phnum; i++) {
		Elf64_Phdr segment;

		read_all(core, &segment, sizeof(segment), header.e_phoff + i * sizeof(segment));
		if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
		    address + size <= segment.p_vaddr + segment.p_memsz)
			return segment.p_offset + (address - segment.p_vaddr);
	}
	errx(2, "kernel text is not in /proc/kcore");
}

static unsigned char *live_text(size_t *size_ret)
{
	size_t size = text_end - text_start;
	int core = open("/proc/kcore", O_RDONLY);
	unsigned char *text = malloc(size);

	if (core < 0 || !text)
		err(2, "/proc/kcore");
	read_all(core, text, size, core_offset(core, text_start, size));
	close(core);
	*size_ret = size;
	return text;
}

static int dump(const char *path)
{
	int out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	size_t size;
	unsigned char *text = live_text(&size);

	if (out < 0 || write(out, text, size) != (ssize_t)size)
		err(2, "%s", path);
	printf("%zu bytes\n", size);
	return 0;
}

static unsigned char *load(const char *path, size_t *size_ret)
{
	FILE *file = fopen(path, "re");
	unsigned char *bytes;

	if (!file || fseek(file, 0, SEEK_END))
		err(2, "%s", path);
	*size_ret = ftell(file);
	rewind(file);
	bytes = malloc(*size_ret);
	if (!bytes || fread(bytes, 1, *size_ret, file) != *size_ret)
		err(2, "%s", path);
	fclose(file);
	return bytes;
}

static int compare(const char *path_a, const char *path_b)
{
	size_t size, size_b, different = 0;
	unsigned char *a = load(path_a, &size), *b = load(path_b, &size_b);

	if (size != size_b)
		errx(2, "different sizes");
	for (size_t i = 0; i < size; i++) {
		if (a[i] == b[i])
			continue;
		if (!i || a[i - 1] == b[i - 1])
			printf("%#llx: %02x -> %02x\n", (unsigned long long)(text_start + i), a[i], b[i]);
		different++;
	}
	printf("%zu of %zu bytes identical\n", size - different, size);
	return different != 0;
}

static int count_traps(const char *path)
{
	enum { INT3 = 0xcc };
	size_t size, size_live, traps = 0, others = 0;
	unsigned char *before = load(path, &size), *live = live_text(&size_live);

	if (size != size_live)
		errx(2, "different sizes");
	for (size_t i = 0; i < size; i++) {
		traps += before[i] != live[i] && live[i] == INT3;
		others += before[i] != live[i] && live[i] != INT3;
	}
	printf("%zu %zu\n", traps, others);
	return 0;
}

int main(int argc, char **argv)
{
	find_text();
	if (argc == 2)
		return dump(argv[1]);
	if (argc == 3 && !strcmp(argv[1], "--traps"))
		return count_traps(argv[2]);
	if (argc == 3)
		return compare(argv[1], argv[2]);
	errx(2, "usage: kernel-text FILE | kernel-text A B | kernel-text --traps FILE");
}
