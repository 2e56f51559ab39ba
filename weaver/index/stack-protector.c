// SPDX-License-Identifier: GPL-2.0-or-later
/* Corrects labels of instructions that set the stack protector's guard; see stack-protector.h. */
#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "x86/decode.h"
#include "index/stack-protector.h"

enum {
	PREFIX_GS = 0x65,
	REX_W = 0x48,
	REX_R = 0x04,
	REX_B = 0x01,
	OP_LOAD = 0x8b,
	OP_STORE = 0x89,
	OP_XOR = 0x31,
	MODRM_REG = 0x38,
	MODRM_REGISTERS = 0xc0,
	MODRM_SIB = 0x04, /* ModRM byte of mod 0 with a SIB byte, register bits 0 */
	SIB_ABSOLUTE = 0x25,
	GUARD_SIZE = 9,
	NEIGHBOURS = 8,
};

/* Decodes `mov %gs:40, REGISTER`. Returns the register's number, or -1 for another instruction. */
static int guard_register(const uint8_t *bytes, size_t room)
{
	static const uint8_t offset[] = { 40, 0, 0, 0 };

	if (room < GUARD_SIZE || bytes[0] != PREFIX_GS || (bytes[1] & ~REX_R) != REX_W ||
	    bytes[2] != OP_LOAD || (bytes[3] & ~MODRM_REG) != MODRM_SIB ||
	    bytes[4] != SIB_ABSOLUTE || memcmp(bytes + 5, offset, sizeof(offset)))
		return -1;
	return (bytes[3] & MODRM_REG) >> 3 | (bytes[1] & REX_R) << 1;
}

/* Returns whether the instruction is `mov REGISTER, MEMORY` of 64 bits. */
static bool stores(const uint8_t *bytes, size_t length, int reg)
{
	return length > 3 && (bytes[0] & ~(REX_R | REX_B)) == REX_W && bytes[1] == OP_STORE &&
	       (bytes[2] & MODRM_REGISTERS) != MODRM_REGISTERS &&
	       ((bytes[2] & MODRM_REG) >> 3 | (bytes[0] & REX_R) << 1) == reg;
}

/*
 * Returns whether the instruction is `xor REGISTER, REGISTER` of 32 bits, which clears the
 * register.
 */
static bool clears(const uint8_t *bytes, size_t length, int reg)
{
	bool high = reg > 7;
	uint8_t modrm = MODRM_REGISTERS | (reg & 7) << 3 | (reg & 7);

	if (length != (high ? 3 : 2) || (high && bytes[0] != (0x40 | REX_R | REX_B)))
		return false;
	return bytes[high] == OP_XOR && bytes[high + 1] == modrm;
}

/*
 * Returns the size in bytes of the instructions at @bytes that set the guard; 0: the bytes are
 * other instructions.
 */
static size_t size_of_guard(struct wv_decoder *decoder, const uint8_t *bytes, size_t room)
{
	int reg = guard_register(bytes, room);
	size_t size = GUARD_SIZE, length;

	if (reg < 0)
		return 0;
	length = wv_decode_length(decoder, bytes + size, room - size, 0);
	if (!stores(bytes + size, length, reg))
		return 0;
	size += length;
	length = wv_decode_length(decoder, bytes + size, room - size, 0);
	return length && clears(bytes + size, length, reg) ? size + length : size;
}

/*
 * Returns whether the instruction at @bytes only prepares the pointer for the next instruction: it
 * accesses no memory, or it loads a register that the next instruction uses as its base, as in
 * `file->private_data->tty`. Sets *@length_ret to the length of the instruction at @bytes.
 */
static bool is_pointer(struct wv_decoder *decoder, const uint8_t *bytes, size_t room,
		       size_t *length_ret)
{
	struct wv_access pointer, access;

	*length_ret = wv_decode_length(decoder, bytes, room, 0);
	if (!*length_ret)
		return false;
	if (!wv_decode_access(decoder, bytes, room, 0, &pointer))
		return true;
	return pointer.loaded != WV_NO_REGISTER &&
	       wv_decode_access(decoder, bytes + *length_ret, room - *length_ret, 0, &access) &&
	       !access.relative && access.base == pointer.loaded;
}

/*
 * Returns whether @address has the same label as labels.data[@of], with equal joinpoint, group and
 * effect. The labels of one joinpoint are next to each other in a unit's table, so only the
 * NEIGHBOURS labels before and after @of are searched.
 */
static bool has_label(const struct wv_merge *merge, size_t of, uint64_t address)
{
	size_t first = of < NEIGHBOURS ? 0 : of - NEIGHBOURS;
	const struct wv_label *label = &merge->labels.data[of];

	for (size_t i = first; i < merge->labels.n && i <= of + NEIGHBOURS; i++) {
		const struct wv_label *other = &merge->labels.data[i];

		if (other->address == address && other->joinpoint == label->joinpoint &&
		    other->group == label->group && other->effect == label->effect)
			return true;
	}
	return false;
}

int wv_protector_step(struct wv_merge *merge, struct wv_image *image, struct wv_error *error)
{
	_cleanup_decoder_ struct wv_decoder *decoder = NULL;
	int ret = wv_decoder_create(&decoder, error);

	if (ret)
		return ret;
	for (size_t i = 0; i < merge->labels.n; i++) {
		struct wv_label *label = &merge->labels.data[i];
		size_t room, size, length;
		const uint8_t *bytes;

		ret = wv_image_text(image, label->address, &bytes, &room, error);
		if (ret)
			return ret;
		size = size_of_guard(decoder, bytes, room);
		label->address += size;
		/*
		 * The first instruction after the guard may only prepare the pointer. Then the
		 * access is the instruction after it, if that one has the same label already. Move
		 * this label there, too. The labels are equal then, and sorting removes one of
		 * them.
		 */
		if (size && is_pointer(decoder, bytes + size, room - size, &length) &&
		    has_label(merge, i, label->address + length))
			label->address += length;
	}
	return 0;
}
