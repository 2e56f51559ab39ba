// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests that weft.ko accepts only those displaced ranges that are in the aspect's table, in
 * functions whose entry ftrace does not own. A displaced range is the instructions that a splice
 * overwrites, and that the trampoline runs instead.
 *
 * `claims ASPECT.ko`, for an aspect that is loaded and not woven: for each joinpoint, makes plans
 * with each possible displaced range, with and without a springboard (a short jump to a second
 * jump, for a displaced range that has no room for a long one), and lets weft.ko check them. Prints
 * three numbers: how many ranges of the table weft.ko accepts; how many ranges the table has; and
 * how many other ranges weft.ko accepts, which must be 0.
 *
 * `claims ASPECT.ko OUT.ko` writes a copy of the module whose table has wrong sizes of C functions,
 * for a test that weft.ko refuses it.
 */
#include <elf.h>
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "module/module-file.h"
#include "x86/decode.h"
#include "live/requests.h"

static struct wv_aspect_module *module;
static struct wv_device device;
static struct wv_decoder *decoder;
static unsigned int taken, known, others;

static uint64_t address_of(const struct weft_joinpoint *joinpoint)
{
	return device.info.text + joinpoint->text_offset;
}

/*
 * Returns whether weft.ko accepts the splice because of the aspect's table. weft.ko accepts a
 * splice of a single instruction without the table, so such a splice counts only if it is attached
 * before the shadow (@leads).
 */
static bool is_taken(struct weft_splice *splice, bool leads)
{
	struct weft_weave request = {
		.content = module->header.content,
		.splices = (uintptr_t)splice,
		.nr_splices = 1,
		.flags = WEFT_WEAVE_CHECK,
	};
	struct wv_error error;

	if (wv_device_text(&device, splice->address, splice->old, splice->length, true, &error))
		return false;
	if (!leads && wv_decode_length(decoder, splice->old, splice->length, splice->address) ==
			      splice->length)
		return false;
	memcpy(request.name, module->header.name, sizeof(request.name));
	return !ioctl(device.fd, WEFT_IOC_WEAVE, &request) && !splice->refusal;
}

static void claim(unsigned int index, unsigned int before, unsigned int length, int slot)
{
	const struct weft_joinpoint *joinpoint = &module->joinpoints[index];
	struct weft_splice splice = {
		.address = address_of(joinpoint) - before,
		.joinpoint = index,
		.length = length,
		.slot = slot,
		.kind = slot					      ? WEFT_SPLICE_SPRINGBOARD
			: before == length && length < WEFT_JUMP_SIZE ? WEFT_SPLICE_TRAP
								      : WEFT_SPLICE_JUMP,
	};

	if (!is_taken(&splice, before == length))
		return;
	if (joinpoint->c_size && before == joinpoint->before && length == joinpoint->displaced &&
	    slot == joinpoint->slot) {
		taken++;
		return;
	}
	others++;
	printf("FAILED joinpoint %u: %u bytes from %u before, slot %d\n", index, length, before,
	       slot);
}

static void claim_all(unsigned int index)
{
	for (unsigned int before = 0; before < WEFT_DISPLACED_MAX; before++)
		for (unsigned int length = before ? before : 1; length <= WEFT_DISPLACED_MAX;
		     length++)
			claim(index, before, length, 0);
	for (unsigned int length = WEFT_SHORT_SIZE; length < WEFT_JUMP_SIZE; length++)
		for (int slot = -128; slot < 128; slot++)
			if (slot)
				claim(index, 0, length, slot);
	known += module->joinpoints[index].displaced && module->joinpoints[index].c_size;
}

static struct weft_joinpoint *find_joinpoints(uint8_t *file)
{
	const Elf64_Ehdr *header = (void *)file;
	const Elf64_Shdr *sections = (void *)(file + header->e_shoff);
	const char *names = (char *)file + sections[header->e_shstrndx].sh_offset;

	for (unsigned int i = 0; i < header->e_shnum; i++)
		if (!strcmp(names + sections[i].sh_name, WEFT_SECTION_JOINPOINTS))
			return (void *)(file + sections[i].sh_offset);
	errx(2, "no joinpoints");
}

static void write_lie(const char *from, const char *to)
{
	struct weft_joinpoint *joinpoints;
	struct stat status;
	uint8_t *file;
	int fd = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	if (fd < 0 || out < 0 || fstat(fd, &status))
		err(2, "%s, %s", from, to);
	file = mmap(NULL, status.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (file == MAP_FAILED)
		err(2, "%s", from);
	joinpoints = find_joinpoints(file);
	for (size_t i = 0; i < module->n; i++)
		joinpoints[i].c_size += joinpoints[i].c_size != 0;
	if (write(out, file, status.st_size) != status.st_size || close(out))
		err(2, "%s", to);
}

int main(int argc, char **argv)
{
	struct wv_error error;
	char said[1200];

	if (argc < 2)
		errx(2, "usage: claims ASPECT.ko [OUT.ko]");
	if (wv_aspect_module_open(argv[1], &module, &error))
		errx(2, "%s", wv_error_text(&error, said, sizeof(said)));
	if (argc > 2) {
		write_lie(argv[1], argv[2]);
		return 0;
	}
	if (wv_decoder_create(&decoder, &error) || wv_device_open(&device, &error))
		errx(2, "%s", wv_error_text(&error, said, sizeof(said)));
	for (unsigned int i = 0; i < module->n; i++)
		claim_all(i);
	printf("%u %u %u\n", taken, known, others);
	return 0;
}
