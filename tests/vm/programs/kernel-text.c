// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Looks at the kernel's text without weft. `kernel-text FILE` writes the live bytes from _stext to
 * _etext, read through /proc/kcore, to FILE. `kernel-text A B` compares two such files and prints
 * each run of bytes that differs, with its address; exits with 1 if any differs. `kernel-text
 * --splices FILE` compares the file with the live text and with the splices that weft.ko lists. It
 * prints "SPLICED OTHERS": how many splices are in the text exactly as their kind and the file's
 * bytes require, and how many other bytes differ. `kernel-text --slots ASPECT` prints the addresses
 * of the slots of the aspect's springboards. FILE begins with the addresses of the text, so that
 * /proc/kallsyms, which is long and slow, is read once per boot.
 */
#include <err.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "runtime/abi.h"
#include "kcore.h"

struct text {
	uint64_t start, end;  /* The live addresses of _stext and _etext. */
	unsigned char *bytes; /* The bytes between them. */
};

static size_t size_of(const struct text *text)
{
	return text->end - text->start;
}

static void read_live(struct text *text)
{
	text->bytes = malloc(size_of(text));
	if (!text->bytes)
		err(2, "memory");
	kcore_read(text->start, text->bytes, size_of(text));
}

static int dump(const char *path)
{
	FILE *file = fopen(path, "we");
	struct text text = { 0 };

	kcore_find_text(&text.start, &text.end);
	read_live(&text);
	if (!file || fwrite(&text, offsetof(struct text, bytes), 1, file) != 1 ||
	    fwrite(text.bytes, size_of(&text), 1, file) != 1 || fclose(file))
		err(2, "%s", path);
	printf("%zu bytes\n", size_of(&text));
	return 0;
}

static struct text load(const char *path)
{
	FILE *file = fopen(path, "re");
	struct text text;

	if (!file || fread(&text, offsetof(struct text, bytes), 1, file) != 1)
		err(2, "%s", path);
	text.bytes = malloc(size_of(&text));
	if (!text.bytes || fread(text.bytes, size_of(&text), 1, file) != 1)
		err(2, "%s", path);
	fclose(file);
	return text;
}

static int compare(const char *path_a, const char *path_b)
{
	struct text a = load(path_a), b = load(path_b);
	size_t size = size_of(&a), different = 0;

	if (a.start != b.start || a.end != b.end)
		errx(2, "of two boots");
	for (size_t i = 0; i < size; i++) {
		if (a.bytes[i] == b.bytes[i])
			continue;
		if (!i || a.bytes[i - 1] == b.bytes[i - 1])
			printf("%#llx: %02x -> %02x\n", (unsigned long long)(a.start + i),
			       a.bytes[i], b.bytes[i]);
		different++;
	}
	printf("%zu of %zu bytes identical\n", size - different, size);
	return different != 0;
}

enum { INT3 = 0xcc, JUMP = 0xe9, CALL = 0xe8, SHORT_JUMP = 0xeb };

static void put_jump(unsigned char *bytes, int opcode, unsigned long long from,
		     unsigned long long to)
{
	int32_t distance = to - (from + WEFT_JUMP_SIZE);

	bytes[0] = opcode;
	memcpy(bytes + 1, &distance, sizeof(distance));
}

/*
 * Writes int3s over the bytes of the first instruction. Its length is not known here, so there are
 * at least @least int3s, and as many more as the live text has.
 */
static void put_int3s(unsigned char *bytes, const unsigned char *live, size_t least, size_t size)
{
	size_t n = least;

	while (n < size && live[n] == INT3)
		n++;
	memset(bytes, INT3, n);
}

/*
 * Returns whether the displaced range has the right bytes: those of a trap; or a jump or call to
 * the trampoline, or a short jump to the slot, and int3s after it.
 */
static int is_spliced(const struct weft_shadow_status *shadow, const unsigned char *before,
		      const unsigned char *live)
{
	unsigned char wanted[sizeof(shadow->old)];

	int trap = shadow->kind == WEFT_SPLICE_TRAP || shadow->optimizing;

	memcpy(wanted, before, shadow->length);
	if (!trap)
		memset(wanted, INT3, shadow->length);
	/*
	 * If this splice is a donor, a springboard's slot may be after its jump. Here any jump
	 * there is taken for a slot; is_occupied() checks it when it comes to the springboard that
	 * owns the slot.
	 */
	if (!trap && shadow->length >= WEFT_DONOR_MIN && live[WEFT_JUMP_SIZE] == JUMP)
		memcpy(wanted + WEFT_JUMP_SIZE, live + WEFT_JUMP_SIZE, WEFT_JUMP_SIZE);
	if (trap) {
		put_int3s(wanted, live, shadow->optimizing ? 1 : shadow->length, shadow->length);
	} else if (shadow->kind == WEFT_SPLICE_SPRINGBOARD) {
		wanted[0] = SHORT_JUMP;
		wanted[1] = shadow->slot - (shadow->address + WEFT_SHORT_SIZE);
	} else {
		put_jump(wanted, shadow->kind == WEFT_SPLICE_CALL ? CALL : JUMP, shadow->address,
			 shadow->trampoline);
	}
	return !memcmp(before, shadow->old, shadow->length) &&
	       !memcmp(live, wanted, shadow->length);
}

/*
 * Returns whether a springboard's slot, and the donor that the slot is in, have the right bytes: a
 * jump to the donor's trampoline, whose address is not known here, then the slot, then int3s. While
 * the springboard is optimizing, its donor may be a trap. Returns true if the splice has no slot.
 */
static int is_occupied(const struct weft_shadow_status *shadow, const unsigned char *before,
		       const unsigned char *live)
{
	unsigned char wanted[sizeof(shadow->freed_old)];
	size_t slot = shadow->slot - shadow->freed;

	if (!shadow->slot)
		return 1;
	memset(wanted, INT3, sizeof(wanted));
	memcpy(wanted, live, slot ? WEFT_JUMP_SIZE : 0);
	put_jump(wanted + slot, JUMP, shadow->slot, shadow->trampoline);
	if (slot && shadow->optimizing && wanted[0] == INT3) {
		memcpy(wanted, before, shadow->freed_length);
		put_int3s(wanted, live, 1, shadow->freed_length);
	} else if (slot && wanted[0] != JUMP) {
		return 0;
	}
	return !memcmp(before, shadow->freed_old, shadow->freed_length) &&
	       !memcmp(live, wanted, shadow->freed_length);
}

/*
 * Counts the splices of one aspect that have the right bytes. Restores the original bytes of these
 * in @left, so that only other changes remain there. A splice that several aspects share counts
 * once.
 */
static size_t count_spliced(int device, const char *aspect, const struct text *before,
			    const struct text *live, struct text *left)
{
	static struct weft_shadow_status shadows[4096];
	struct weft_shadows request = { .buffer = (uintptr_t)shadows, .size = 4096 };
	size_t n = 0;

	snprintf(request.name, sizeof(request.name), "%s", aspect);
	if (ioctl(device, WEFT_IOC_SHADOWS, &request))
		return 0;
	for (unsigned int i = 0; i < request.size && i < 4096; i++) {
		size_t at = shadows[i].address - before->start;
		size_t freed = shadows[i].slot ? shadows[i].freed - before->start : at;

		if (!is_spliced(&shadows[i], before->bytes + at, live->bytes + at) ||
		    !is_occupied(&shadows[i], before->bytes + freed, live->bytes + freed))
			continue;
		n += memcmp(left->bytes + at, before->bytes + at, shadows[i].length) != 0;
		memcpy(left->bytes + at, before->bytes + at, shadows[i].length);
		if (shadows[i].slot)
			memcpy(left->bytes + freed, before->bytes + freed, shadows[i].freed_length);
	}
	return n;
}

static int count_splices(const char *path)
{
	struct text before = load(path), live = before, left = before;
	struct weft_status status = { 0 };
	size_t spliced = 0, others = 0;
	int device = open(WEFT_DEVICE, O_RDWR);

	if (device < 0)
		err(2, WEFT_DEVICE);
	read_live(&live);
	read_live(&left);
	for (; !ioctl(device, WEFT_IOC_LIST, &status); status.index++)
		spliced += count_spliced(device, status.name, &before, &live, &left);
	for (size_t i = 0; i < size_of(&before); i++)
		others += before.bytes[i] != left.bytes[i];
	printf("%zu %zu\n", spliced, others);
	return 0;
}

/* Prints the addresses of the springboard slots of an aspect. */
static int print_slots(const char *aspect)
{
	static struct weft_shadow_status shadows[4096];
	struct weft_shadows request = { .buffer = (uintptr_t)shadows, .size = 4096 };
	int device = open(WEFT_DEVICE, O_RDWR);

	snprintf(request.name, sizeof(request.name), "%s", aspect);
	if (device < 0 || ioctl(device, WEFT_IOC_SHADOWS, &request))
		err(2, WEFT_DEVICE);
	for (unsigned int i = 0; i < request.size && i < 4096; i++)
		if (shadows[i].slot)
			printf("%#llx\n", (unsigned long long)shadows[i].slot);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2)
		return dump(argv[1]);
	if (argc == 3 && !strcmp(argv[1], "--splices"))
		return count_splices(argv[2]);
	if (argc == 3 && !strcmp(argv[1], "--slots"))
		return print_slots(argv[2]);
	if (argc == 3)
		return compare(argv[1], argv[2]);
	errx(2, "usage: kernel-text FILE | kernel-text A B | kernel-text --splices FILE | "
		"kernel-text --slots ASPECT");
}
