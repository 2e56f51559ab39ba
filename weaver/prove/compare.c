// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Compares code; see compare.h. Bytes between two special places are compared as they are. A
 * special place is a relocation of the object, a relocation of the image, or an instruction that
 * objtool rewrites.
 */
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "prove/compare.h"
#include "prove/find-place.h"
#include "prove/name-place.h"

enum {
	JUMP_SHORT = 0xeb,
	JUMP_NEAR = 0xe9,
	CALL_NEAR = 0xe8,
	SHORT_SIZE = 2, /* bytes of a short jump */
	NEAR_SIZE = 5,	/* bytes of a near jump or call */
};
static const uint8_t nop2[SHORT_SIZE] = { 0x66, 0x90 };
static const uint8_t nop5[NEAR_SIZE] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

struct comparison {
	struct wv_object_code *code;
	const struct wv_shipped *shipped;
	struct wv_object_place at; /* place in the object of the first byte to compare */
	/* .size in bytes. .address: address in the image of the first byte to compare. */
	uint64_t size, address;
	/* .theirs: the object's bytes. .ours: the image's. */
	const uint8_t *theirs, *ours;
	struct wv_difference *ret;
};

static const struct wv_section *section_of(const struct wv_object_code *code, uint32_t number)
{
	return &wv_image_sections(code->image)->data[number];
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* ---- finding what a relocation refers to ----------------------------------------------------- */

/*
 * What the symbol of a relocation of the object is in the image, as far as that is known. The
 * addend is not included. .kind says what .address is.
 */
struct target {
	enum {
		TARGET_UNKNOWN,	 /* not found; .what is the reason */
		TARGET_ADDRESS,	 /* the symbol is at .address */
		TARGET_EXTERNAL, /* a symbol that another image defines */
		TARGET_ANY,	 /* any local symbol of the image with the symbol's name */
		/* a section whose place is not known; .address: offset in the section */
		TARGET_SECTION,
		/* a section of merged pieces; .address: offset in the section */
		TARGET_CONTENT,
	} kind;
	uint64_t address;
	const char *what;
};

static struct target find_global(const struct comparison *comparison,
				 const struct wv_elf_entry *symbol)
{
	const struct wv_shipped *shipped = comparison->shipped;
	size_t n;
	const struct wv_named *named = wv_named_find(&shipped->named, symbol->name, &n);

	if (n && named->global)
		return (struct target){ TARGET_ADDRESS, named->address, NULL };
	/* The symbol is hidden in the object, and so local in the linked image. */
	if (n)
		return (struct target){ TARGET_ANY, 0, NULL };
	if (wv_image_is_relocatable(shipped->image))
		return (struct target){ TARGET_EXTERNAL, 0, NULL };
	if (symbol->binding == STB_WEAK && symbol->section == SHN_UNDEF)
		return (struct target){ TARGET_ADDRESS, 0, NULL };
	return (struct target){ TARGET_UNKNOWN, 0, "which the image does not have" };
}

static struct target find_target(const struct comparison *comparison,
				 const struct wv_elf_entry *symbol)
{
	const struct wv_section_place *place;

	if (symbol->section == SHN_ABS)
		return (struct target){ TARGET_ADDRESS, symbol->value, NULL };
	if (symbol->binding != STB_LOCAL)
		return find_global(comparison, symbol);
	if (symbol->section == SHN_UNDEF || symbol->section >= SHN_LORESERVE)
		return (struct target){ TARGET_UNKNOWN, 0, "which is in no section" };
	if (section_of(comparison->code, symbol->section)->flags & SHF_MERGE)
		return (struct target){ TARGET_CONTENT, symbol->value, NULL };
	place = &comparison->code->places.data[symbol->section];
	if (place->state == WV_PLACE_KNOWN)
		return (struct target){ TARGET_ADDRESS, place->address + symbol->value, NULL };
	if (place->state == WV_PLACE_UNKNOWN)
		return (struct target){ TARGET_SECTION, symbol->value, NULL };
	return (struct target){ TARGET_UNKNOWN, 0, "whose place in the image is not known" };
}

/*
 * Returns the size of the piece at @bytes of a merged section, but at most @room. The piece of a
 * string ends with the string's NUL. The piece of a constant ends with the constant, so from the
 * middle of the constant it is only the rest.
 */
static size_t piece_size(const struct wv_section *section, const uint8_t *bytes, size_t room)
{
	size_t element = section->element ? section->element : 1;
	size_t size = element - (size_t)(bytes - section->data) % element;

	if (!(section->flags & SHF_STRINGS))
		return least(size, room);
	for (size = 0; size + element <= room; size += element) {
		bool end = true;

		for (size_t i = 0; i < element; i++)
			end &= !bytes[size + i];
		if (end)
			return size + element;
	}
	return room;
}

/*
 * Returns whether the image has, at @address, the same piece as the object has at @offset of the
 * merged section @number.
 */
static bool same_piece(const struct comparison *comparison, uint32_t number, uint64_t offset,
		       uint64_t address)
{
	const struct wv_section *section = section_of(comparison->code, number);
	size_t room, size;
	const uint8_t *ours = wv_shipped_bytes(comparison->shipped, address, &room);

	if (!section->data || offset >= section->size || !ours)
		return false;
	size = piece_size(section, section->data + offset, section->size - offset);
	return size <= room && !memcmp(section->data + offset, ours, size);
}

/*
 * Takes @address as the place in the image of section @number, whose place is WV_PLACE_UNKNOWN, and
 * returns whether this is right; if it is not, the place stays unknown. For a section with symbols,
 * it is right if the image has these symbols there. For a section without symbols, it is right if
 * most references agree on @address, or if the image has the section's contents there. (Agreeing
 * references suffice because the contents may differ: they may include names of source files.)
 */
static bool take_place(struct comparison *comparison, uint32_t number, uint64_t address)
{
	const struct wv_section *section = section_of(comparison->code, number);
	struct wv_section_place *place = &comparison->code->places.data[number];
	struct wv_difference difference;
	uint64_t likely = place->address;
	size_t first, end;

	wv_object_symbols_in(comparison->code, number, &first, &end);
	if (first < end) {
		if (!wv_place_fits(comparison->code, comparison->shipped, number, address))
			return false;
		*place = (struct wv_section_place){ WV_PLACE_KNOWN, address };
		return true;
	}
	*place = (struct wv_section_place){ WV_PLACE_KNOWN, address };
	if (likely && likely == address)
		return true;
	/*
	 * Sections may refer to each other. The place was set before this comparison: otherwise the
	 * comparison would look for the place again and again, and might never end.
	 */
	wv_compare_code(comparison->code, comparison->shipped,
			(struct wv_object_place){ number, 0 }, section->size, address, &difference);
	if (difference.kind == WV_SAME)
		return true;
	*place = (struct wv_section_place){ WV_PLACE_UNKNOWN, likely };
	return false;
}

/* Returns whether two addresses are the same as far as @size bytes hold them. */
static bool same_address(uint64_t a, uint64_t b, size_t size)
{
	return size == sizeof(uint32_t) ? (uint32_t)a == (uint32_t)b : a == b;
}

static bool is_any(const struct comparison *comparison, const char *name, uint64_t address,
		   size_t size)
{
	size_t n;
	const struct wv_named *named = wv_named_find(&comparison->shipped->named, name, &n);

	for (size_t i = 0; i < n; i++)
		if (same_address(named[i].address, address, size))
			return true;
	return false;
}

/*
 * Returns whether @found is the address of the symbol of @relocation. @found is the address to
 * which the image refers, minus the addend.
 */
static bool is_target(struct comparison *comparison, const struct wv_relocation *relocation,
		      const struct target *target, uint64_t found)
{
	const struct wv_elf_entry *symbol =
		&comparison->code->tables.symbols.data[relocation->symbol];
	uint64_t offset = target->address;

	switch (target->kind) {
	case TARGET_ADDRESS:
		return same_address(target->address, found, relocation->size);
	case TARGET_ANY:
		return is_any(comparison, symbol->name, found, relocation->size);
	case TARGET_SECTION:
		return take_place(comparison, symbol->section, found - offset);
	case TARGET_CONTENT:
		if (symbol->type != STT_SECTION)
			return same_piece(comparison, symbol->section, offset, found);
		/*
		 * The symbol's offset and the addend together are the offset into the section. This
		 * holds for absolute references only. The assembler writes no relative relocation
		 * of this form, because its addend would not be an offset into the section.
		 */
		return !relocation->relative &&
		       same_piece(comparison, symbol->section,
				  offset + (uint64_t)relocation->addend,
				  found + (uint64_t)relocation->addend);
	default:
		return false;
	}
}

/* ---- writing messages ------------------------------------------------------------------------ */

static void differ(struct comparison *comparison, enum wv_difference_kind kind, uint64_t offset)
{
	comparison->ret->kind = kind;
	comparison->ret->offset = offset;
}

static void differ_in_bytes(struct comparison *comparison, uint64_t offset)
{
	differ(comparison, WV_DIFFERENT_BYTES, offset);
	snprintf(comparison->ret->text, sizeof(comparison->ret->text),
		 "byte 0x%" PRIx64 " is %02x instead of %02x", offset, comparison->ours[offset],
		 comparison->theirs[offset]);
}

/* Writes an offset for a message: "+0x12"; "" for 0. */
static void write_distance(char *buffer, size_t size, int64_t offset)
{
	*buffer = '\0';
	if (offset)
		snprintf(buffer, size, "%c0x%" PRIx64, offset < 0 ? '-' : '+',
			 offset < 0 ? -(uint64_t)offset : (uint64_t)offset);
}

/*
 * Reports that a reference differs. @found is the target to which the image refers. If it is NULL,
 * @what says what is wrong instead.
 */
static void differ_in_reference(struct comparison *comparison, uint64_t offset,
				const struct wv_relocation *relocation, const char *what,
				const struct wv_shipped_target *found)
{
	struct wv_place_name wanted = wv_name_wanted(comparison->code, relocation), other;
	char wanted_at[32], other_at[32];

	differ(comparison, WV_DIFFERENT_REFERENCE, offset);
	write_distance(wanted_at, sizeof(wanted_at), wanted.distance);
	if (!found) {
		snprintf(comparison->ret->text, sizeof(comparison->ret->text),
			 "byte 0x%" PRIx64 " refers to %s%s, %s", offset, wanted.text, wanted_at,
			 what);
		return;
	}
	other = wv_name_found(comparison->shipped, relocation, found);
	write_distance(other_at, sizeof(other_at), other.distance);
	snprintf(comparison->ret->text, sizeof(comparison->ret->text),
		 "byte 0x%" PRIx64 " refers to %s%s instead of %s%s", offset, other.text, other_at,
		 wanted.text, wanted_at);
}

/* ---- comparing at special places ------------------------------------------------------------- */

/*
 * Compares the targets of @relocation, @offset bytes from the beginning, in the object and the
 * image.
 */
static void compare_reference(struct comparison *comparison, uint64_t offset,
			      const struct wv_relocation *relocation)
{
	const struct wv_elf_entry *symbol =
		&comparison->code->tables.symbols.data[relocation->symbol];
	struct wv_shipped_target found;
	struct target target;
	bool same;

	if (!relocation->size || comparison->size - offset < relocation->size) {
		differ_in_reference(comparison, offset, relocation,
				    "by a relocation that is not known", NULL);
		return;
	}
	target = find_target(comparison, symbol);
	if (target.kind == TARGET_UNKNOWN) {
		differ_in_reference(comparison, offset, relocation, target.what, NULL);
		return;
	}
	if (!wv_shipped_reference(comparison->shipped, comparison->address + offset,
				  comparison->ours + offset, relocation, &found)) {
		differ_in_reference(comparison, offset, relocation,
				    "and the image to nothing of that form", NULL);
		return;
	}
	if (target.kind == TARGET_EXTERNAL || found.external)
		same = target.kind == TARGET_EXTERNAL && found.external &&
		       found.address == (uint64_t)relocation->addend &&
		       !strcmp(found.external, symbol->name);
	else
		same = is_target(comparison, relocation, &target,
				 found.address - (uint64_t)relocation->addend);
	if (!same)
		differ_in_reference(comparison, offset, relocation, NULL, &found);
}

/*
 * Returns the size of the jump or nop at @bytes, if it is one that may stand at a jump label; 0:
 * another instruction.
 */
static size_t jump_size(const uint8_t *bytes, size_t room)
{
	if (room >= SHORT_SIZE &&
	    (bytes[0] == JUMP_SHORT || !memcmp(bytes, nop2, sizeof(nop2))))
		return SHORT_SIZE;
	if (room >= NEAR_SIZE && (bytes[0] == JUMP_NEAR || !memcmp(bytes, nop5, sizeof(nop5))))
		return NEAR_SIZE;
	return 0;
}

/* Returns the target of the jump at @bytes, which is at @address. */
static uint64_t jump_target(const uint8_t *bytes, uint64_t address)
{
	int32_t near;

	if (bytes[0] == JUMP_SHORT)
		return address + SHORT_SIZE + (uint64_t)(int64_t)(int8_t)bytes[1];
	memcpy(&near, bytes + 1, sizeof(near));
	return address + NEAR_SIZE + (uint64_t)(int64_t)near;
}

/*
 * Compares a jump label: the image must have a nop there, or a jump to the label's target. Returns
 * the number of bytes compared, or 0 if the object has neither a nop nor a jump there.
 */
static size_t compare_jump_label(struct comparison *comparison, uint64_t offset,
				 const struct wv_object_site *site)
{
	const uint8_t *ours = comparison->ours + offset;
	const struct wv_section_place *place = &comparison->code->places.data[site->target.section];
	size_t size = jump_size(comparison->theirs + offset, comparison->size - offset);

	if (!size)
		return 0;
	if (jump_size(ours, comparison->size - offset) != size) {
		differ_in_bytes(comparison, offset);
		return size;
	}
	if (ours[0] != JUMP_SHORT && ours[0] != JUMP_NEAR)
		return size;
	if (place->state != WV_PLACE_KNOWN ||
	    jump_target(ours, comparison->address + offset) !=
		    place->address + site->target.offset) {
		differ(comparison, WV_DIFFERENT_REFERENCE, offset);
		snprintf(comparison->ret->text, sizeof(comparison->ret->text),
			 "byte 0x%" PRIx64 ": the jump label leads elsewhere", offset);
	}
	return size;
}

/* Returns whether the image calls __fentry__ at @offset. */
static bool calls_ftrace(const struct comparison *comparison, uint64_t offset)
{
	static const struct wv_relocation like = { .size = sizeof(uint32_t), .relative = true };
	const uint8_t *ours = comparison->ours + offset;
	struct wv_shipped_target found;

	if (ours[0] != CALL_NEAR ||
	    !wv_shipped_reference(comparison->shipped, comparison->address + offset + 1, ours + 1,
				  &like, &found))
		return false;
	if (found.external)
		return !strcmp(found.external, "__fentry__");
	return is_any(comparison, "__fentry__", found.address + sizeof(uint32_t), sizeof(uint64_t));
}

/*
 * Compares the call of ftrace: the image must have a nop there, or the same call. Returns the
 * number of bytes compared, or 0 if the object has neither there.
 */
static size_t compare_ftrace(struct comparison *comparison, uint64_t offset)
{
	const uint8_t *theirs = comparison->theirs + offset;

	if (comparison->size - offset < NEAR_SIZE ||
	    (theirs[0] != CALL_NEAR && memcmp(theirs, nop5, sizeof(nop5))))
		return 0;
	if (memcmp(comparison->ours + offset, nop5, sizeof(nop5)) &&
	    !calls_ftrace(comparison, offset))
		differ_in_bytes(comparison, offset);
	return NEAR_SIZE;
}

static size_t compare_site(struct comparison *comparison, uint64_t offset,
			   const struct wv_object_site *site)
{
	if (site->kind == WV_SITE_JUMP_LABEL)
		return compare_jump_label(comparison, offset, site);
	return compare_ftrace(comparison, offset);
}

/* ---- comparing all bytes --------------------------------------------------------------------- */

static void compare_plain(struct comparison *comparison, uint64_t from, uint64_t to)
{
	if (!memcmp(comparison->theirs + from, comparison->ours + from, to - from))
		return;
	while (comparison->theirs[from] == comparison->ours[from])
		from++;
	differ_in_bytes(comparison, from);
}

/*
 * The next special place of each kind, from some offset on: .site and .relocation are those of the
 * object, .image is the image's relocation. They are offsets from the first byte that is compared;
 * UINT64_MAX: there is none.
 */
struct special {
	uint64_t site, relocation, image;
	const struct wv_object_site *at_site;
	const struct wv_relocation *at_relocation;
};

static struct special find_special(const struct comparison *comparison, uint64_t at)
{
	const struct wv_object_code *code = comparison->code;
	const wv_relocations *relocations = &code->tables.relocations.data[comparison->at.section];
	struct wv_object_place place = comparison->at;
	struct special ret = { UINT64_MAX, UINT64_MAX, UINT64_MAX, NULL, NULL };
	size_t i;

	place.offset += at;
	i = wv_relocations_from(relocations, place.offset);
	if (i < relocations->n) {
		ret.at_relocation = &relocations->data[i];
		ret.relocation = ret.at_relocation->offset - comparison->at.offset;
	}
	i = wv_object_sites_from(code, place);
	if (i < code->sites.n && code->sites.data[i].at.section == place.section) {
		ret.at_site = &code->sites.data[i];
		ret.site = ret.at_site->at.offset - comparison->at.offset;
	}
	ret.image = wv_shipped_next_relocation(comparison->shipped, comparison->address + at);
	if (ret.image != UINT64_MAX)
		ret.image -= comparison->address;
	return ret;
}

static void compare_all(struct comparison *comparison)
{
	uint64_t at = 0;

	while (at < comparison->size && comparison->ret->kind == WV_SAME) {
		struct special next = find_special(comparison, at);
		uint64_t stop = least(least(next.site, next.relocation),
				      least(next.image, comparison->size));
		size_t done = 0;

		compare_plain(comparison, at, stop);
		at = stop;
		if (at == comparison->size || comparison->ret->kind != WV_SAME)
			return;
		if (at == next.site)
			done = compare_site(comparison, at, next.at_site);
		if (!done && at == next.relocation) {
			compare_reference(comparison, at, next.at_relocation);
			done = next.at_relocation->size;
		} else if (!done && at == next.image) {
			differ(comparison, WV_DIFFERENT_REFERENCE, at);
			snprintf(comparison->ret->text, sizeof(comparison->ret->text),
				 "byte 0x%" PRIx64 " refers to something, in the image alone", at);
		} else if (!done) {
			/*
			 * Neither side has such an instruction at the site: compare its first byte
			 * like any other.
			 */
			compare_plain(comparison, at, at + 1);
			done = 1;
		}
		at += done;
	}
}

void wv_compare_code(struct wv_object_code *code, const struct wv_shipped *shipped,
		     struct wv_object_place at, uint64_t size, uint64_t address,
		     struct wv_difference *ret)
{
	const uint8_t *theirs = section_of(code, at.section)->data;
	struct comparison comparison = { .code = code, .shipped = shipped, .at = at, .size = size,
					 .address = address, .ret = ret };
	size_t room;

	memset(ret, 0, sizeof(*ret));
	comparison.ours = wv_shipped_bytes(shipped, address, &room);
	if (!theirs || !comparison.ours || room < size) {
		ret->kind = WV_DIFFERENT_PLACE;
		snprintf(ret->text, sizeof(ret->text), "the image has no bytes there");
		return;
	}
	comparison.theirs = theirs + at.offset;
	compare_all(&comparison);
}
