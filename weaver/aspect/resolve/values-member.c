// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds $obj, $value and $field at the shadow of a member access. The struct's address follows from
 * the instruction's memory operand and the member's offset in DWARF. (If a call goes through a
 * register, the operand is that of the load before it. If a call is passed the member's address,
 * that is in the argument's register.) If the operand is as wide as the member, it is the member.
 * If it is narrower or wider (a bit-field, a test of one byte, two members written at once), its
 * displacement says where in the struct it is. If neither helps, the variables are unavailable.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/joinpoint-table.h"
#include "runtime/frame.h"
#include "aspect/resolve/values-member.h"

#define PATH_MAX_NAMES 16
#define BYTE_BITS 8
#define WORD_BITS 64

/* The member that the joinpoint accesses. */
struct accessed {
	struct wv_access access;
	uint64_t structure;		/* offset of the DWARF entry of $obj's struct */
	struct wv_type structure_type;
	struct wv_type type;		/* type of the member */
	uint64_t bits, nr_bits;		/* the member's offset and size in $obj, in bits */
	/* offset in bytes of $obj in the outermost struct of the access's path */
	int64_t outer;
	int64_t at;			/* offset in bytes of the memory operand in $obj */
	/* the advice sees the registers as they are after the instruction */
	bool after;
	/* .after, and the instruction has overwritten a register of the operand's address */
	bool moved;
	const char *why;		/* the reason if nothing can be found; else NULL */
};

/* The name of the struct as in the pointcut: "sock" of "sock.sk_state set". */
static void pointcut_struct(const struct wv_selected *joinpoint, char *ret, size_t size)
{
	size_t n = strcspn(joinpoint->what, ".");

	snprintf(ret, size, "%.*s", (int)n, joinpoint->what);
}

/* The name of a struct type without the word `struct`. */
static const char *bare(const struct wv_type *type)
{
	const char *space = strchr(type->tag, ' ');

	return space ? space + 1 : "";
}

/*
 * Finds struct @name in the DWARF unit of the shadow; *@ret is 0 if the unit has none. The last
 * result is cached, since neighbouring members and shadows ask for the same struct.
 */
static int find_struct(struct wv_finder *finder, const char *name, uint64_t *ret)
{
	Dwarf_Die unit = *wv_scopes_unit(finder->scopes);
	int failed = 0;

	if (finder->struct_unit != dwarf_dieoffset(&unit) || strcmp(finder->struct_name, name)) {
		failed = wv_type_find(wv_scopes_dies(finder->scopes), &unit, name,
				      &finder->struct_entry, finder->error);
		finder->struct_unit = failed ? 0 : dwarf_dieoffset(&unit);
		snprintf(finder->struct_name, sizeof(finder->struct_name), "%s", name);
	}
	*ret = finder->struct_entry;
	return failed;
}

/*
 * Follows a path such as "sock.__sk_common.skc_state" through the types. @wanted is the pointcut's
 * struct, which $obj will be.
 */
static int walk_path(struct wv_finder *finder, const char *path, const char *wanted,
		     struct accessed *ret)
{
	const struct wv_dies *dies = wv_scopes_dies(finder->scopes);
	struct wv_type_member member = { 0 };
	uint64_t entry, bits = 0, object_bits = 0;
	bool found = false, stop = false;
	char name[sizeof(finder->struct_name)];
	int failed;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(path, "."), path);
	failed = find_struct(finder, name, &entry);
	ret->why = "the kernel's DWARF does not know its struct here";
	for (size_t level = 0; !failed && entry && level < PATH_MAX_NAMES; level++) {
		struct wv_type type;
		size_t n;

		wv_type_describe(dies, entry, &type);
		/*
		 * $obj is the pointcut's struct. If the path does not contain it, $obj is the last
		 * struct on the path, which contains the member.
		 */
		if (!stop) {
			object_bits = bits;
			ret->structure = entry;
			ret->structure_type = type;
			stop = !strcmp(bare(&type), wanted) || (!level && !strcmp(name, wanted));
		}
		path += strcspn(path, ".");
		if (!*path)
			break;
		n = strcspn(++path, ".");
		snprintf(name, sizeof(name), "%.*s", (int)n, path);
		failed = wv_type_member(dies, entry, name, &found, &member, finder->error);
		if (failed || !found)
			return failed;
		bits += member.bit_offset;
		entry = member.type;
		if (path[n])
			continue;
		ret->bits = bits - object_bits;
		ret->outer = object_bits / BYTE_BITS;
		wv_type_describe(dies, member.type, &ret->type);
		ret->nr_bits = member.bit_size ? member.bit_size : ret->type.size * BYTE_BITS;
		ret->why = NULL;
		return failed;
	}
	return failed;
}

/* Finds the memory operand's offset in $obj. */
static void locate_operand(const struct wv_match *match, struct accessed *accessed)
{
	const struct wv_access *access = &accessed->access;
	int64_t first = accessed->bits / BYTE_BITS + accessed->outer;
	int64_t last =
		(accessed->bits + accessed->nr_bits + BYTE_BITS - 1) / BYTE_BITS + accessed->outer;
	bool whole = !(accessed->bits % BYTE_BITS) && access->size * BYTE_BITS == accessed->nr_bits;

	if (access->base == WV_NO_REGISTER && access->index == WV_NO_REGISTER && !access->relative)
		accessed->why = "its instruction addresses no struct by a register";
	else if (match->precision == WEFT_PRECISION_LINE)
		accessed->why = "it is not known which instruction of the line does the access";
	else if (whole || match->effect == WEFT_EFFECT_ADDRESS)
		accessed->at = accessed->bits / BYTE_BITS;
	else if (!access->relative && access->index == WV_NO_REGISTER &&
		 access->displacement < last && access->displacement + access->size > first)
		accessed->at = access->displacement - accessed->outer;
	else
		accessed->why =
			"the struct's address does not follow from its instruction's operand";
}

/*
 * For a call through a register: the function's address was loaded from the struct before. Treats
 * the load's memory operand as the call's, if a register still has the struct's address.
 */
static int find_loaded(struct wv_finder *finder, struct accessed *accessed)
{
	const struct wv_match *match = finder->joinpoint->match;
	struct wv_load load;
	bool found;
	int failed = wv_functions_reaching_load(finder->functions, match->joinpoint, match->address,
						&found, &load, finder->error);

	if (failed)
		return failed;
	if (!found) {
		accessed->why = "its function's address was loaded earlier, and no register holds "
				"the struct's address any more";
		return 0;
	}
	accessed->access = (struct wv_access){
		.relative = load.base == WV_NO_REGISTER, .address = load.displacement,
		.base = load.base, .index = WV_NO_REGISTER, .displacement = load.displacement,
		.size = sizeof(uint64_t), .source = WV_NO_REGISTER, .loaded = WV_NO_REGISTER,
	};
	/*
	 * In `b->f = a->handler; b->f(b)` the function's address was loaded from a, so this load
	 * does not tell where b is.
	 */
	if (load.base != WV_NO_REGISTER &&
	    load.displacement != (int64_t)(accessed->bits / BYTE_BITS) + accessed->outer)
		accessed->why = "its function's address was loaded from another offset of a struct "
				"than the member's";
	else
		locate_operand(match, accessed);
	return 0;
}

static bool is_moved(const struct wv_access *access)
{
	return (access->base != WV_NO_REGISTER && access->changes & WR_BIT(access->base)) ||
	       (access->index != WV_NO_REGISTER && access->changes & WR_BIT(access->index));
}

static int find_member(struct wv_finder *finder, struct accessed *ret)
{
	const struct wv_match *match = finder->joinpoint->match;
	char wanted[128], path[512];

	pointcut_struct(finder->joinpoint, wanted, sizeof(wanted));
	if (match->path && *match->path)
		snprintf(path, sizeof(path), "%s", match->path);
	else
		snprintf(path, sizeof(path), "%s.%s", match->structure, match->member);
	return walk_path(finder, path, wanted, ret);
}

int wv_find_member_type(struct wv_finder *finder, bool *known_ret, struct wv_type *ret)
{
	struct accessed accessed = { 0 };
	int failed;

	*known_ret = false;
	if (!finder->joinpoint->match->member || !wv_scopes_unit(finder->scopes))
		return 0;
	failed = find_member(finder, &accessed);
	*known_ret = !failed && !accessed.why;
	*ret = accessed.type;
	return failed;
}

/*
 * If the joinpoint is a call that is passed the member's address: *@ret is what the register of
 * that argument points to.
 */
static bool is_passed(const struct wv_match *match, struct wv_access *ret)
{
	static const uint8_t registers[] = { WR_RDI, WR_RSI, WR_RDX, WR_RCX, WR_R8, WR_R9 };

	if (match->effect < WEFT_EFFECT_ARGUMENT_0 || match->effect > WEFT_EFFECT_ARGUMENT_5)
		return false;
	*ret = (struct wv_access){ .base = registers[match->effect - WEFT_EFFECT_ARGUMENT_0],
				   .index = WV_NO_REGISTER, .source = WV_NO_REGISTER,
				   .loaded = WV_NO_REGISTER };
	return true;
}

static int find_accessed(struct wv_finder *finder, struct accessed *ret)
{
	const struct wv_match *match = finder->joinpoint->match;
	bool has_operand;
	int failed;

	memset(ret, 0, sizeof(*ret));
	ret->after = finder->joinpoint->when == WEFT_AFTER;
	if (!match->structure || !match->member)
		ret->why = "this is not an access of a member";
	else if (finder->joinpoint->when == WEFT_RETURNED)
		ret->why = "the call may have changed the register that held the struct's address; "
			   "keep it in "
			   "a <before-advice>";
	else if (!wv_scopes_unit(finder->scopes))
		ret->why = "the kernel's DWARF does not know the code here";
	if (ret->why)
		return 0;
	failed = find_member(finder, ret);
	if (failed || ret->why)
		return failed;
	if (is_passed(match, &ret->access)) {
		ret->at = ret->bits / BYTE_BITS;
		return 0;
	}
	has_operand = wv_decode_access(finder->decoder, match->bytes, match->nr_bytes,
				       match->address, &ret->access);
	if (!has_operand && match->effect == WEFT_EFFECT_CALL)
		failed = find_loaded(finder, ret);
	else if (!has_operand)
		ret->why = "its instruction has no memory operand: the struct's address was used "
			   "before";
	else if (ret->access.relative && match->module)
		ret->why = "it is in the module's data or in the kernel's, and where that is from "
			   "here differs from load to load";
	else
		locate_operand(match, ret);
	ret->moved = ret->after && is_moved(&ret->access);
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

/* Replaces found->text by printf's @format, where inner_ is the old text. */
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
 * Writes C that loads a member of $obj from memory: at @bits bits, @bit_size bits wide; 0: no
 * bit-field, and as wide as @type.
 */
static void load_member(struct wv_finder *finder, const struct accessed *accessed,
			const struct wv_type *type, uint64_t bits, uint64_t bit_size,
			struct wv_finding *ret)
{
	uint64_t within = bits % BYTE_BITS;
	uint64_t size = bit_size ? (within + bit_size + BYTE_BITS - 1) / BYTE_BITS : type->size;

	ret->type = *type;
	ret->found.kind = WV_FOUND_VALUE;
	write_address(finder, &accessed->access, (int64_t)(bits / BYTE_BITS) - accessed->at,
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

/* Writes C of the value that the instruction is about to store. False: unknown. */
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
 * Writes C that takes the member's value from the register that the instruction has loaded. False:
 * the register does not hold the whole member.
 */
static bool loaded_value(const struct accessed *accessed, struct wv_finding *ret)
{
	const struct wv_access *access = &accessed->access;
	int64_t from = (int64_t)accessed->bits - accessed->at * BYTE_BITS;
	uint64_t n = accessed->nr_bits;

	if (access->loaded == WV_NO_REGISTER || !has_value(&accessed->type) || from < 0 ||
	    from + n > access->size * BYTE_BITS)
		return false;
	ret->type = accessed->type;
	ret->found.kind = WV_FOUND_VALUE;
	ret->found.registers |= WR_BIT(access->loaded);
	snprintf(ret->found.text, sizeof(ret->found.text), "%s",
		 wv_register_text(access->loaded, access->loaded_shift).text);
	if (from || n < access->size * BYTE_BITS)
		extract_bits(&ret->found, from, n, accessed->type.is_signed);
	return true;
}

/* Writes C of the member's value in memory, after the instruction. */
static void value_after(struct wv_finder *finder, const struct accessed *accessed,
			uint64_t bit_size, struct wv_finding *ret)
{
	if (accessed->moved)
		ret->found.why = moved;
	else
		load_member(finder, accessed, &accessed->type, accessed->bits, bit_size, ret);
}

static void stored_value(struct wv_finder *finder, const struct accessed *accessed,
			 struct wv_finding *ret)
{
	const struct wv_access *access = &accessed->access;
	int64_t from = (int64_t)accessed->bits - accessed->at * BYTE_BITS;
	uint64_t n = accessed->nr_bits;

	ret->type = accessed->type;
	if (!access->writes || !write_store(finder, access, &ret->found)) {
		ret->found.kind = WV_FOUND_NOT;
		ret->found.why = "its instruction writes in a way that weft does not know";
	} else if (!has_value(&accessed->type)) {
		ret->found.kind = WV_FOUND_NOT;
		ret->found.why = "its type has no value in C's integers";
	} else if (from < 0 || from + n > access->size * BYTE_BITS) {
		ret->found.kind = WV_FOUND_NOT;
		ret->found.why = "its instruction writes only a part of it";
	} else if (from || n < access->size * BYTE_BITS) {
		extract_bits(&ret->found, from, n, accessed->type.is_signed);
	}
}

static void find_value(struct wv_finder *finder, const struct accessed *accessed,
		       struct wv_finding *ret)
{
	const char *kind = finder->joinpoint->match->kind;
	const struct wv_access *access = &accessed->access;
	uint64_t bit_size =
		accessed->nr_bits == accessed->type.size * BYTE_BITS ? 0 : accessed->nr_bits;

	if (!strcmp(kind, "get")) {
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

static int find_field(struct wv_finder *finder, const struct accessed *accessed, const char *name,
		      struct wv_finding *ret)
{
	const struct wv_dies *dies = wv_scopes_dies(finder->scopes);
	struct wv_type_member member;
	struct wv_type type;
	bool found = false;
	int failed =
		wv_type_member(dies, accessed->structure, name, &found, &member, finder->error);

	if (failed)
		return failed;
	if (!found) {
		ret->found.why = "the struct has no such member";
		ret->unknown = true;
		return 0;
	}
	wv_type_describe(dies, member.type, &type);
	load_member(finder, accessed, &type, member.bit_offset, member.bit_size, ret);
	return 0;
}

int wv_find_structure(struct wv_finder *finder, uint64_t *ret)
{
	struct accessed accessed;
	int failed = find_accessed(finder, &accessed);

	*ret = failed || accessed.why ? 0 : accessed.structure;
	return failed;
}

int wv_find_member(struct wv_finder *finder, const struct wv_reference *named,
		   struct wv_finding *ret)
{
	const char *kind = finder->joinpoint->match->kind;
	struct accessed accessed;
	int failed;

	if (named->kind == WV_REFERENCE_VALUE && !strcmp(kind, "call")) {
		ret->found.why = "a call has one only after it has returned, in <after-advice>; "
				 "$target is what is called";
		return 0;
	}
	failed = find_accessed(finder, &accessed);
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
