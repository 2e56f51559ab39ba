// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the C of $obj, $value and $field at the shadow of a member access. accessed-member.h finds
 * where in the struct the instruction's operand is.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/frame.h"
#include "aspect/resolve/accessed-member.h"
#include "aspect/resolve/member-path.h"
#include "aspect/resolve/values-member.h"

#define WORD_BITS 64

int wv_find_member_type(struct wv_finder *finder, bool *known_ret, struct wv_type *ret)
{
	struct wv_accessed accessed = { 0 };
	int failed;

	*known_ret = false;
	if (!finder->joinpoint->match->member || !wv_scopes_unit(finder->scopes))
		return 0;
	failed = wv_find_accessed_type(finder, &accessed);
	*known_ret = !failed && !accessed.why;
	*ret = accessed.type;
	return failed;
}

/* Writes C of the memory operand's address plus @offset bytes. */
static void write_address(struct wv_finder *finder, const struct wv_access *access, int64_t offset,
			  struct wv_found *ret)
{
	struct wv_str text = { 0 };

	if (access->relative) {
		wv_str_add(&text, wv_live_text(access->address + offset - finder->text).text);
	} else {
		offset += access->displacement;
		if (access->base != WV_NO_REGISTER) {
			ret->registers |= WR_BIT(access->base);
			wv_str_add(&text, wv_register_text(access->base, 0).text);
		}
		if (access->index != WV_NO_REGISTER) {
			ret->registers |= WR_BIT(access->index);
			wv_str_addf(&text, "%s%s * %u", text.n ? " + " : "",
				    wv_register_text(access->index, 0).text, access->scale);
		}
		if (offset)
			wv_str_addf(&text, " %c 0x%" PRIx64, offset < 0 ? '-' : '+',
				    offset < 0 ? -offset : offset);
	}
	snprintf(ret->text, sizeof(ret->text), "%s", wv_str_text(&text));
	wv_str_deinit(&text);
}

/*
 * Replaces found->text by the result of printf's @format, whose arguments may use the old text,
 * inner_.
 */
#define WRAP(found, format, ...)                                                              \
	do {                                                                                  \
		char inner_[WV_FOUND_TEXT];                                                   \
		memcpy(inner_, (found)->text, sizeof(inner_));                                \
		if (snprintf((found)->text, sizeof((found)->text), format, ##__VA_ARGS__) >=  \
		    (int)sizeof((found)->text))                                               \
			(found)->kind = WV_FOUND_NOT;                                         \
	} while (0)

static void extract_bits(struct wv_found *found, uint64_t from, uint64_t n, bool is_signed)
{
	WRAP(found, "%s(%s, %u, %u)", is_signed ? "wr_signed_bits" : "wr_bits", inner_,
	     (unsigned int)from, (unsigned int)n);
}

/*
 * Writes C that loads a member of $obj from memory. @bits: the member's offset in $obj, in bits.
 * @bit_size: the number of bits of a bit-field; 0: the member is not a bit-field, and has the size
 * of @type.
 */
static void load_member(struct wv_finder *finder, const struct wv_accessed *accessed,
			const struct wv_type *type, uint64_t bits, uint64_t bit_size,
			struct wv_finding *ret)
{
	uint64_t within = bits % WV_BYTE_BITS;
	uint64_t bytes = (within + bit_size + WV_BYTE_BITS - 1) / WV_BYTE_BITS;
	uint64_t size = bit_size ? bytes : type->size;

	ret->type = *type;
	ret->found.kind = WV_FOUND_VALUE;
	write_address(finder, &accessed->access, (int64_t)(bits / WV_BYTE_BITS) - accessed->at,
		      &ret->found);
	if (type->kind == WV_TYPE_STRUCT || type->kind == WV_TYPE_MEMORY) {
		ret->found.kind = WV_FOUND_MEMORY;
		return;
	}
	if (type->kind == WV_TYPE_NONE || size > sizeof(uint64_t)) {
		ret->found.kind = WV_FOUND_NOT;
		ret->found.why = "its type has no value in C's integers";
		return;
	}
	WRAP(&ret->found, "wr_load(%s, %u)", inner_, (unsigned int)size);
	if (bit_size)
		extract_bits(&ret->found, within, bit_size, type->is_signed);
}

/* Writes C of the value that the instruction will store. Returns false if it is not known. */
static bool write_store(struct wv_finder *finder, const struct wv_access *access,
			struct wv_found *ret)
{
	static const char operators[] = { [WV_STORE_OR] = '|',	[WV_STORE_AND] = '&',
					  [WV_STORE_XOR] = '^', [WV_STORE_ADD] = '+',
					  [WV_STORE_SUB] = '-' };
	char source[64];

	if (access->source != WV_NO_REGISTER) {
		ret->registers |= WR_BIT(access->source);
		snprintf(source, sizeof(source), "%s",
			 wv_register_text(access->source, access->shift).text);
	} else {
		snprintf(source, sizeof(source), "0x%" PRIx64 "UL", access->immediate);
	}
	ret->kind = WV_FOUND_VALUE;
	if (access->store == WV_STORE_MOVE) {
		snprintf(ret->text, sizeof(ret->text), "%s", source);
		return true;
	}
	write_address(finder, access, 0, ret);
	WRAP(ret, "wr_load(%s, %u)", inner_, access->size);
	switch (access->store) {
	case WV_STORE_NOT:
		WRAP(ret, "~%s", inner_);
		return true;
	case WV_STORE_NEGATE:
		WRAP(ret, "-%s", inner_);
		return true;
	case WV_STORE_OTHER: case WV_STORE_MOVE:
		return false;
	default:
		WRAP(ret, "(%s %c (%s))", inner_, operators[access->store], source);
		return true;
	}
}

static const char moved[] =
	"its instruction overwrites the register that held the struct's address";

static bool has_value(const struct wv_type *type)
{
	return type->kind == WV_TYPE_INTEGER || type->kind == WV_TYPE_POINTER;
}

/*
 * Writes C that takes the member's value from the register into which the instruction has loaded
 * it. Returns false if the register does not hold the whole member.
 */
static bool loaded_value(const struct wv_accessed *accessed, struct wv_finding *ret)
{
	const struct wv_access *access = &accessed->access;
	int64_t from = (int64_t)accessed->bits - accessed->at * WV_BYTE_BITS;
	uint64_t n = accessed->nr_bits;

	if (access->loaded == WV_NO_REGISTER || !has_value(&accessed->type) || from < 0 ||
	    from + n > access->size * WV_BYTE_BITS)
		return false;
	ret->type = accessed->type;
	ret->found.kind = WV_FOUND_VALUE;
	ret->found.registers |= WR_BIT(access->loaded);
	snprintf(ret->found.text, sizeof(ret->found.text), "%s",
		 wv_register_text(access->loaded, access->loaded_shift).text);
	if (from || n < access->size * WV_BYTE_BITS)
		extract_bits(&ret->found, from, n, accessed->type.is_signed);
	return true;
}

/* Writes C of the value that the member has in memory after the instruction. */
static void value_after(struct wv_finder *finder, const struct wv_accessed *accessed,
			uint64_t bit_size, struct wv_finding *ret)
{
	if (accessed->moved)
		ret->found.why = moved;
	else
		load_member(finder, accessed, &accessed->type, accessed->bits, bit_size, ret);
}

static void stored_value(struct wv_finder *finder, const struct wv_accessed *accessed,
			 struct wv_finding *ret)
{
	const struct wv_access *access = &accessed->access;
	int64_t from = (int64_t)accessed->bits - accessed->at * WV_BYTE_BITS;
	uint64_t n = accessed->nr_bits;

	ret->type = accessed->type;
	if (!access->writes || !write_store(finder, access, &ret->found)) {
		ret->found.kind = WV_FOUND_NOT;
		ret->found.why = "its instruction writes in a way that weft does not know";
	} else if (!has_value(&accessed->type)) {
		ret->found.kind = WV_FOUND_NOT;
		ret->found.why = "its type has no value in C's integers";
	} else if (from < 0 || from + n > access->size * WV_BYTE_BITS) {
		ret->found.kind = WV_FOUND_NOT;
		ret->found.why = "its instruction writes only a part of it";
	} else if (from || n < access->size * WV_BYTE_BITS) {
		extract_bits(&ret->found, from, n, accessed->type.is_signed);
	}
}

static void find_value(struct wv_finder *finder, const struct wv_accessed *accessed,
		       struct wv_finding *ret)
{
	const char *kind = finder->joinpoint->match->kind;
	const struct wv_access *access = &accessed->access;
	uint64_t bit_size =
		accessed->nr_bits == accessed->type.size * WV_BYTE_BITS ? 0 : accessed->nr_bits;

	if (!strcmp(kind, "address")) {
		load_member(finder, accessed, &accessed->type, accessed->bits, bit_size, ret);
	} else if (!strcmp(kind, "get")) {
		if (!access->reads)
			ret->found.why = "its instruction does not read it";
		else if (!accessed->after)
			load_member(finder, accessed, &accessed->type, accessed->bits, bit_size,
				    ret);
		else if (!loaded_value(accessed, ret))
			value_after(finder, accessed, bit_size, ret);
	} else if (!strcmp(kind, "set") || !strcmp(kind, "rmw") || !strcmp(kind, "init")) {
		bool kept = access->store == WV_STORE_MOVE &&
			    (access->source == WV_NO_REGISTER ||
			     !(access->changes & WR_BIT(access->source)));

		if (!accessed->after || (access->writes && kept))
			stored_value(finder, accessed, ret);
		else
			value_after(finder, accessed, bit_size, ret);
	} else {
		ret->found.why = "the access neither reads nor writes it";
	}
}

/* Fills @ret for a struct that has no member of this name. */
static void lacks_member(struct wv_finder *finder, const struct wv_member_path *path,
			 struct wv_finding *ret)
{
	struct wv_type type;

	ret->unknown = true;
	ret->structure = path->structure;
	snprintf(ret->lacking, sizeof(ret->lacking), "%s", path->lacking);
	wv_type_describe(wv_scopes_dies(finder->scopes), path->structure, &type);
	if (*wv_struct_name(&type))
		snprintf(ret->why, sizeof(ret->why), "%s has no member '%s'", type.tag,
			 path->lacking);
	else if (type.kind == WV_TYPE_POINTER)
		snprintf(ret->why, sizeof(ret->why), "'%s' is in what a pointer points to: write "
			 "$field(...)->%s, with the struct's header in a <declare>",
			 path->lacking, path->lacking);
	else
		snprintf(ret->why, sizeof(ret->why), "what is before '.%s' is not a struct%s%s",
			 path->lacking, *type.text ? ", but " : "", type.text);
	ret->found.why = ret->why;
}

static int find_field(struct wv_finder *finder, const struct wv_accessed *accessed,
		      const char *name, struct wv_finding *ret)
{
	struct wv_member_path path;
	struct wv_type type;
	int failed = wv_member_path_find(finder, accessed->structure, name, &path);

	if (failed)
		return failed;
	if (!path.found) {
		lacks_member(finder, &path, ret);
		return 0;
	}
	if (path.indexed) {
		ret->found.why = "it is in an element of an array, and the path does not say in "
				 "which";
		return 0;
	}
	wv_type_describe(wv_scopes_dies(finder->scopes), path.type, &type);
	load_member(finder, accessed, &type, path.bit_offset, path.bit_size, ret);
	return 0;
}

int wv_find_member(struct wv_finder *finder, const struct wv_reference *named,
		   struct wv_finding *ret)
{
	const char *kind = finder->joinpoint->match->kind;
	struct wv_accessed accessed;
	int failed;

	if (named->kind == WV_REFERENCE_VALUE && !strcmp(kind, "call")) {
		ret->found.why = "a call has one only after it has returned, in <after-advice>; "
				 "$target is what is called";
		return 0;
	}
	failed = wv_find_accessed(finder, &accessed);
	if (failed)
		return failed;
	if (accessed.why) {
		ret->found.why = accessed.why;
		return 0;
	}
	if (accessed.moved && named->kind != WV_REFERENCE_VALUE) {
		ret->found.why = moved;
		return 0;
	}
	switch (named->kind) {
	case WV_REFERENCE_OBJECT:
		ret->type = (struct wv_type){ .kind = WV_TYPE_POINTER, .size = sizeof(uint64_t) };
		snprintf(ret->type.tag, sizeof(ret->type.tag), "%s", accessed.structure_type.tag);
		snprintf(ret->type.text, sizeof(ret->type.text), "%s *",
			 ret->type.tag[0] ? ret->type.tag : "void");
		ret->found.kind = WV_FOUND_VALUE;
		write_address(finder, &accessed.access, -accessed.at, &ret->found);
		return 0;
	case WV_REFERENCE_FIELD:
		return find_field(finder, &accessed, named->name, ret);
	default:
		find_value(finder, &accessed, ret);
		return 0;
	}
}
