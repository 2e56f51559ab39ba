// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds who has changed the kernel's text, without any code of weft. `text-owners BEFORE AFTER
 * [NAMED]` compares AFTER, a file that kernel-text has written, with BEFORE, another such file or
 * the kernel's vmlinux. It prints "OWNER BYTES" for each owner of bytes that differ. The owner is
 * `named` if a line "ADDRESS LENGTH" of NAMED covers the bytes. If BEFORE is vmlinux, which is
 * first relocated to where the kernel runs (KASLR), the owner may also be the kernel itself, by its
 * tables (alternative, jump-label, ftrace, ...). Otherwise it is `nobody`; the first such bytes are
 * printed to stderr. The program exits with 1 if nobody owns some bytes, or if a range of NAMED has
 * not changed.
 */
#include <elf.h>
#include <err.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

enum owner { NOBODY, NAMED, ALTERNATIVE, PARAVIRT, THUNK, SMP_LOCK, JUMP_LABEL, STATIC_CALL, FTRACE,
	     OWNERS };

static const char *const names[OWNERS] = { "nobody", "named", "alternative", "paravirt", "thunk",
					   "smp-lock", "jump-label", "static-call", "ftrace" };

/* The layout of kernel-text's files: the live addresses of the text, then its bytes. */
struct dump {
	uint64_t start, end;
	unsigned char bytes[];
};

static const char *image; /* The contents of the file BEFORE. */
static const Elf64_Ehdr *header;
static const Elf64_Shdr *sections;
static const struct dump *live;
static uint64_t start;		/* The address of the text in BEFORE. */
static size_t size;
static unsigned char *before;	/* The bytes of the text in BEFORE. */
static unsigned char *owners;	/* For each byte of the text an enum owner. */

static const void *map(const char *path)
{
	int fd = open(path, O_RDONLY);
	struct stat stat;
	void *at;

	if (fd < 0 || fstat(fd, &stat))
		err(2, "%s", path);
	at = mmap(NULL, stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (at == MAP_FAILED)
		err(2, "%s", path);
	close(fd);
	return at;
}

/* Gives the bytes to @owner, except those that have an owner already. */
static void own(uint64_t address, unsigned int length, enum owner owner)
{
	for (uint64_t at = address - start; length--; at++)
		if (at < size && !owners[at])
			owners[at] = owner;
}

/* ---- vmlinux's sections and symbols ---------------------------------------------------------- */

static const Elf64_Shdr *section_at(uint64_t address)
{
	for (unsigned int i = 0; i < header->e_shnum; i++)
		if (sections[i].sh_flags & SHF_ALLOC && sections[i].sh_type == SHT_PROGBITS &&
		    address - sections[i].sh_addr < sections[i].sh_size && sections[i].sh_addr)
			return &sections[i];
	errx(2, "%#llx is nowhere in the image", (unsigned long long)address);
}

static const void *at_address(uint64_t address)
{
	const Elf64_Shdr *section = section_at(address);

	return image + section->sh_offset + (address - section->sh_addr);
}

/* Calls @visit for each symbol. */
static void each_symbol(void (*visit)(const char *name, uint64_t value))
{
	for (unsigned int i = 0; i < header->e_shnum; i++) {
		const Elf64_Sym *symbols = (const void *)(image + sections[i].sh_offset);
		const char *strings = image + sections[sections[i].sh_link].sh_offset;

		if (sections[i].sh_type != SHT_SYMTAB)
			continue;
		for (size_t n = 0; n < sections[i].sh_size / sizeof(*symbols); n++)
			visit(strings + symbols[n].st_name, symbols[n].st_value);
	}
}

/* The symbols that bound the kernel's tables and its text. */
static struct {
	const char *name;
	uint64_t value;
} known[] = {
	{ "_stext", 0 },
	{ "_etext", 0 },
	{ "__start___jump_table", 0 },
	{ "__stop___jump_table", 0 },
	{ "__start_static_call_sites", 0 },
	{ "__stop_static_call_sites", 0 },
	{ "__start_mcount_loc", 0 },
	{ "__stop_mcount_loc", 0 },
	{ "__smp_locks", 0 },
	{ "__smp_locks_end", 0 },
	{ "__alt_instructions", 0 },
	{ "__alt_instructions_end", 0 },
	{ "__retpoline_sites", 0 },
	{ "__retpoline_sites_end", 0 },
	{ "__return_sites", 0 },
	{ "__return_sites_end", 0 },
	{ "__parainstructions", 0 },
	{ "__parainstructions_end", 0 },
};

static void note_known(const char *name, uint64_t value)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i].name, name))
			known[i].value = value;
}

static uint64_t address_of(const char *name)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(known[i].name, name) && known[i].value)
			return known[i].value;
	errx(2, "no symbol %s", name);
}

/*
 * Finds owned bytes that are in no table: the calls in ftrace's trampolines, and the trampolines of
 * static calls.
 */
static void own_symbol(const char *name, uint64_t value)
{
	if (!strncmp(name, "__SCT__", strlen("__SCT__")))
		own(value, 8, STATIC_CALL);
	else if (!strcmp(name, "ftrace_call") || !strcmp(name, "ftrace_regs_call"))
		own(value, 5, FTRACE);
}

/*
 * Gives the sites of a table to @owner. A table entry of @entry bytes begins with the site, as an
 * address if @absolute, else as a distance from the entry. The byte at offset @length of the entry
 * is the site's length; if @length is 0, all sites have the length @fixed.
 */
static void own_table(const char *first, const char *last, unsigned int entry, bool absolute,
		      unsigned int length, unsigned int fixed, enum owner owner)
{
	for (uint64_t at = address_of(first); at < address_of(last); at += entry) {
		const unsigned char *bytes = at_address(at);
		uint64_t site;
		int32_t distance;

		memcpy(&site, bytes, sizeof(site));
		memcpy(&distance, bytes, sizeof(distance));
		if (!absolute)
			site = at + distance;
		own(site, length ? bytes[length] : fixed, owner);
	}
}

/* The site of a jump label is a jump or nop of two or five bytes. */
static void own_labels(void)
{
	for (uint64_t at = address_of("__start___jump_table");
	     at < address_of("__stop___jump_table"); at += 16) {
		uint64_t site = at + *(const int32_t *)at_address(at);
		unsigned char first;

		if (site - start >= size)
			continue;
		first = *(const unsigned char *)at_address(site);
		own(site, first == 0xe9 || first == 0x0f ? 5 : 2, JUMP_LABEL);
	}
}

static void own_tables(void)
{
	own_labels();
	own_table("__start_static_call_sites", "__stop_static_call_sites", 8, false, 0, 5,
		  STATIC_CALL);
	own_table("__start_mcount_loc", "__stop_mcount_loc", 8, true, 0, 5, FTRACE);
	own_table("__smp_locks", "__smp_locks_end", 4, false, 0, 1, SMP_LOCK);
	own_table("__alt_instructions", "__alt_instructions_end", 12, false, 10, 0, ALTERNATIVE);
	own_table("__parainstructions", "__parainstructions_end", 16, true, 9, 0, PARAVIRT);
	own_table("__retpoline_sites", "__retpoline_sites_end", 4, false, 0, 6, THUNK);
	own_table("__return_sites", "__return_sites_end", 4, false, 0, 5, THUNK);
	each_symbol(own_symbol);
}

/* ---- relocation of the image to where KASLR has moved the kernel ----------------------------- */

/*
 * Relocates one reference in the copy of the image's text, as the kernel does with its own text
 * when it starts. If the live text does not have the relocated value there, the kernel has
 * rewritten that instruction since, and the reference in the copy is left as it is.
 */
static void relocate(const Elf64_Rela *rela, uint64_t delta)
{
	uint64_t at = rela->r_offset - start, value = 0;
	bool wide = ELF64_R_TYPE(rela->r_info) == R_X86_64_64;
	unsigned int n = wide ? 8 : 4;

	if (at >= size || size - at < n)
		return;
	memcpy(&value, before + at, n);
	switch (ELF64_R_TYPE(rela->r_info)) {
	case R_X86_64_64: case R_X86_64_32: case R_X86_64_32S:
		value += delta;
		break;
	case R_X86_64_PC32: case R_X86_64_PLT32:
		/* The reference is to a per-CPU variable, which KASLR does not move. */
		value -= delta;
		break;
	default:
		return;
	}
	if (!memcmp(live->bytes + at, &value, n))
		memcpy(before + at, &value, n);
}

static void relocate_all(void)
{
	for (unsigned int i = 0; i < header->e_shnum; i++) {
		const Elf64_Rela *relas = (const void *)(image + sections[i].sh_offset);

		if (sections[i].sh_type != SHT_RELA ||
		    !(sections[sections[i].sh_info].sh_flags & SHF_EXECINSTR))
			continue;
		for (size_t n = 0; n < sections[i].sh_size / sizeof(*relas); n++)
			relocate(&relas[n], live->start - start);
	}
}

static void take_image(void)
{
	header = (const void *)image;
	sections = (const void *)(image + header->e_shoff);
	each_symbol(note_known);
	start = address_of("_stext");
	if (address_of("_etext") - start != size)
		errx(2, "of another kernel");
	memcpy(before, at_address(start), size);
	relocate_all();
	own_tables();
}

static void take_dump(const struct dump *dump)
{
	start = dump->start;
	if (start != live->start || dump->end != live->end)
		errx(2, "of two boots");
	memcpy(before, dump->bytes, size);
}

/* ---- search for the owners of bytes that differ ---------------------------------------------- */

/* Gives the ranges in the file NAMED to `named`. Returns how many of them have not changed. */
static unsigned int own_named(const char *path)
{
	FILE *file = fopen(path, "re");
	unsigned int unchanged = 0, length;
	unsigned long long address;

	if (!file)
		err(2, "%s", path);
	while (fscanf(file, "%llx %u", &address, &length) == 2) {
		uint64_t at = address - live->start;

		if (at >= size || length > size - at)
			errx(2, "%#llx is not text", address);
		if (!memcmp(before + at, live->bytes + at, length) && !unchanged++)
			warnx("%#llx is named, and has not changed", address);
		memset(owners + at, NAMED, length);
	}
	fclose(file);
	return unchanged;
}

int main(int argc, char **argv)
{
	size_t counts[OWNERS] = { 0 };
	unsigned int unchanged = 0;

	if (argc < 3 || argc > 4)
		errx(2, "usage: text-owners BEFORE AFTER [NAMED]");
	image = map(argv[1]);
	live = map(argv[2]);
	size = live->end - live->start;
	before = malloc(size);
	owners = calloc(1, size);
	if (!before || !owners)
		err(2, "memory");
	if (!memcmp(image, ELFMAG, SELFMAG))
		take_image();
	else
		take_dump((const void *)image);
	if (argc == 4)
		unchanged = own_named(argv[3]);
	for (size_t at = 0; at < size; at++) {
		if (before[at] == live->bytes[at])
			continue;
		if (!owners[at] && counts[NOBODY] < 20)
			fprintf(stderr, "%#llx: %02x -> %02x\n",
				(unsigned long long)(live->start + at), before[at],
				live->bytes[at]);
		counts[owners[at]]++;
	}
	for (unsigned int i = 0; i < OWNERS; i++)
		if (counts[i])
			printf("%s %zu\n", names[i], counts[i]);
	return counts[NOBODY] || unchanged;
}
