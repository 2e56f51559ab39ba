// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the displaced ranges and slots that might be possible into a compiled aspect, so that
 * weft.ko has to refuse some of them and the weaver has to use traps there. The program considers
 * only the live text, where instructions begin, and where the function's own branches lead; with
 * "blind" not even the branches. It ignores cold parts, jump labels, fixups, and other owners of
 * text. It prints "RANGES SPRINGBOARDS", the numbers of both. Usage: optimistic-splices ASPECT.ko
 * OUT.ko [blind]
 */
#include <elf.h>
#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "x86/decode.h"
#include "live/requests.h"

enum { FUNCTION_MOST = 1 << 15, AFTER = 160, INSNS_MOST = 9, SLOTS_MOST = 4096 };

/* One decoded function. The arrays have an element for each byte. */
static struct {
	uint64_t start; /* The address of the function. */
	size_t size; /* How many bytes of the function are read. */
	uint8_t bytes[FUNCTION_MOST]; /* The code of the function. */
	/* Length of the instruction that begins at this byte, or 0. */
	uint8_t length[FUNCTION_MOST];
	/* Whether the instruction is a call, or one after which control does not go on. */
	bool ends[FUNCTION_MOST];
	bool leaves[FUNCTION_MOST];    /* Whether the instruction is a jump or a return. */
	bool padding[FUNCTION_MOST]; /* Whether the byte is padding. */
	bool is_target[FUNCTION_MOST]; /* Whether a branch leads to the byte. */
} text;

static bool blind;
static uint64_t slots[SLOTS_MOST];
static unsigned int nr_slots;

static struct weft_joinpoint *find_joinpoints(uint8_t *file, size_t *n_ret)
{
	const Elf64_Ehdr *header = (void *)file;
	const Elf64_Shdr *sections = (void *)(file + header->e_shoff);
	const char *names = (char *)file + sections[header->e_shstrndx].sh_offset;

	for (unsigned int i = 0; i < header->e_shnum; i++) {
		if (strcmp(names + sections[i].sh_name, WEFT_SECTION_JOINPOINTS))
			continue;
		*n_ret = sections[i].sh_size / sizeof(struct weft_joinpoint);
		return (void *)(file + sections[i].sh_offset);
	}
	errx(2, "no joinpoints");
}

static void read_function(const struct wv_device *device, struct wv_decoder *decoder,
			  uint64_t start, size_t size)
{
	struct wv_error error;

	memset(&text, 0, sizeof(text));
	text.start = start;
	text.size = size < FUNCTION_MOST ? size : FUNCTION_MOST;
	if (wv_device_text(device, start, text.bytes, text.size, true, &error))
		errx(2, "no text");
	for (size_t at = 0; at < text.size; at += text.length[at]) {
		struct wv_insn insn;

		if (!wv_decode(decoder, text.bytes + at, text.size - at, start + at, &insn))
			break;
		text.length[at] = insn.length;
		text.padding[at] = insn.filling != WR_FILLING_NONE;
		text.ends[at] =
			insn.control != WR_CONTROL_NEXT && insn.control != WR_CONTROL_BRANCH;
		text.leaves[at] =
			insn.control == WR_CONTROL_JUMP || insn.control == WR_CONTROL_RETURN;
		if (!blind && insn.direct && insn.target - start < text.size)
			text.is_target[insn.target - start] = true;
	}
}

/*
 * Returns the total length of the instructions from @at on that together cover @wanted bytes, or 0
 * if they cannot be one displaced range.
 */
static unsigned int run_forward(size_t at, unsigned int wanted)
{
	unsigned int length = 0, insns = 0;

	while (length < wanted) {
		size_t here = at + length;

		if (here >= text.size || !text.length[here] || insns == INSNS_MOST ||
		    (length && text.is_target[here]))
			return 0;
		length += text.length[here];
		insns++;
		if (length < wanted && text.ends[here])
			return 0;
	}
	return length <= WEFT_DISPLACED_MAX ? length : 0;
}

static bool is_taken(uint64_t slot)
{
	for (unsigned int i = 0; i < nr_slots; i++)
		if (slots[i] < slot + WEFT_JUMP_SIZE && slot < slots[i] + WEFT_JUMP_SIZE)
			return true;
	return false;
}

/*
 * Finds five bytes of padding after a jump or return, within reach of a short jump at @at, and adds
 * them to slots[]. Returns the distance from the end of that short jump, or 0 if there are none.
 */
static int find_slot(size_t at)
{
	size_t from = 0, to;

	for (size_t before = 0; before < text.size && text.length[before];
	     before += text.length[before]) {
		from = before + text.length[before];
		if (!text.leaves[before] || nr_slots == SLOTS_MOST)
			continue;
		for (to = from; to < text.size && text.padding[to] && !text.is_target[to];)
			to += text.length[to];
		/* An int3 right after a return must not be overwritten. */
		for (size_t slot = from + 1; slot + WEFT_JUMP_SIZE <= to; slot++) {
			long distance = (long)slot - (long)(at + WEFT_SHORT_SIZE);

			if (distance < -128 || distance > 127 || !distance ||
			    is_taken(text.start + slot))
				continue;
			slots[nr_slots++] = text.start + slot;
			return distance;
		}
	}
	return 0;
}

/*
 * Chooses a displaced range for the shadow at @at. The range begins at the shadow or before it, but
 * not before @floor. If there is none, chooses a springboard. Returns false if there is neither.
 */
static bool claim(struct weft_joinpoint *joinpoint, size_t at, size_t floor)
{
	for (size_t first = at; first + 1 > floor && at - first < WEFT_DISPLACED_MAX; first--) {
		unsigned int displaced =
			text.length[first] ? run_forward(first, WEFT_JUMP_SIZE) : 0;

		if (displaced > at - first) {
			joinpoint->before = at - first;
			joinpoint->displaced = displaced;
			return true;
		}
		if (!first || (first != at && text.length[first] && text.ends[first]))
			break;
	}
	joinpoint->displaced = run_forward(at, WEFT_SHORT_SIZE);
	joinpoint->slot = joinpoint->displaced ? find_slot(at) : 0;
	if (!joinpoint->slot)
		joinpoint->displaced = 0;
	return joinpoint->slot;
}

static void claim_all(const struct wv_device *device, struct wv_decoder *decoder,
		      struct weft_joinpoint *all, size_t n)
{
	unsigned int ranges = 0, springboards = 0;
	size_t floor = 0; /* The end of the last displaced range. */

	for (size_t i = 0; i < n; i++) {
		struct weft_joinpoint *joinpoint = &all[i];
		uint64_t start =
			device->info.text + joinpoint->text_offset - joinpoint->symbol_offset;
		size_t at = joinpoint->symbol_offset, last = at;

		joinpoint->before = joinpoint->displaced = joinpoint->slot = 0;
		if (start != text.start) {
			for (size_t j = i; j < n && all[j].text_offset - all[j].symbol_offset ==
							    joinpoint->text_offset - at;
			     j++)
				last = all[j].symbol_offset;
			read_function(device, decoder, start, last + AFTER);
			floor = 0;
		}
		if (at >= text.size || !text.length[at])
			continue;
		if (at < floor) {
			/*
			 * Either the shadow lies in the previous joinpoint's displaced range and
			 * gets the same range, or it is the previous joinpoint's shadow with a
			 * second advice, which has a range only if the first advice has one.
			 */
			size_t between = joinpoint->text_offset - all[i - 1].text_offset;

			joinpoint->displaced = all[i - 1].displaced;
			joinpoint->slot = all[i - 1].slot;
			joinpoint->before = joinpoint->displaced ? all[i - 1].before + between : 0;
			continue;
		}
		if (text.length[at] >= WEFT_JUMP_SIZE)
			floor = at + text.length[at];
		else if (claim(joinpoint, at, floor))
			floor = at - joinpoint->before + joinpoint->displaced;
		else
			floor = at + text.length[at];
		ranges += joinpoint->displaced && !joinpoint->slot;
		springboards += joinpoint->slot != 0;
	}
	printf("%u %u\n", ranges, springboards);
}

int main(int argc, char **argv)
{
	struct weft_joinpoint *all;
	struct wv_decoder *decoder;
	struct wv_device device;
	struct wv_error error;
	struct stat status;
	char said[1200];
	uint8_t *file;
	size_t n;
	int fd, out;

	if (argc < 3)
		errx(2, "usage: optimistic-splices ASPECT.ko OUT.ko [blind]");
	blind = argc > 3;
	fd = open(argv[1], O_RDONLY);
	if (fd < 0 || fstat(fd, &status))
		err(2, "%s", argv[1]);
	file = mmap(NULL, status.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (file == MAP_FAILED)
		err(2, "%s", argv[1]);
	if (wv_decoder_create(&decoder, &error) || wv_device_open(&device, &error))
		errx(2, "%s", wv_error_text(&error, said, sizeof(said)));
	all = find_joinpoints(file, &n);
	claim_all(&device, decoder, all, n);
	out = open(argv[2], O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (out < 0 || write(out, file, status.st_size) != status.st_size || close(out))
		err(2, "%s", argv[2]);
	return 0;
}
