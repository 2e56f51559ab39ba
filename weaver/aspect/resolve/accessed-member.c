// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the accessed member's struct; see accessed-member.h. The struct's address is computed from
 * the address of the instruction's operand and the member's offset in DWARF. Two kinds of calls
 * have no such operand:
 * - For a call through a register, the operand of the load that has read the function's address is
 *   used.
 * - For a call to which the member's address is passed, the address in the argument's register is
 *   used.
 *
 * An instruction that accesses a part of a member also accesses the whole member, so the database
 * may have several accesses for one instruction. The innermost one is the smallest part, and says
 * most exactly what the instruction accesses. If the operand is as wide as the innermost member,
 * and the compiler's label or the displacement confirms it, the operand is this member. If it is
 * narrower or wider (a bit-field, a test of one byte, two members written at once), its
 * displacement shows where in the struct it is. An element of an array cannot be found in either
 * way, since its index may be in the register. Then $obj is unavailable.
 */
#include <stdio.h>
#include <string.h>

#include "aspect/resolve/accessed-member.h"
#include "aspect/resolve/member-path.h"
#include "database/labelled-part.h"
#include "runtime/frame.h"
#include "runtime/joinpoint-table.h"

#define PATH_MAX_NAMES 16

/* Sets @ret to the name of the struct in the pointcut: "sock" of "sock.sk_state set". */
static void pointcut_struct(const struct wv_selected *joinpoint, char *ret, size_t size)
{
	size_t n = strcspn(joinpoint->what, ".");

	snprintf(ret, size, "%.*s", (int)n, joinpoint->what);
}

/*
 * Finds struct @name in the DWARF unit of the shadow; *@ret is 0 if the unit has none. The last
 * result is cached, because many members and shadows need the same struct.
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

/* The state of a walk along a path. */
struct walk {
	const char *wanted; /* name of the pointcut's struct, the type of $obj */
	/* DWARF entry (offset in .debug_info) of the type that the walk has come to */
	uint64_t entry;
	uint64_t bits, object_bits;
	bool stop;	    /* true: $obj is found */
};

/*
 * Handles one step of walk_path(), which has come to the type walk->entry. If this is an array,
 * goes on to the type of its elements. Each type on the path takes the place of the type before it
 * as the struct of $obj, until the pointcut's struct is met. So $obj is the pointcut's struct or,
 * if that is not on the path, the last struct before the member. @named: the name of the first type
 * in the path, which may be a typedef's; NULL for all later types.
 */
static void enter(struct wv_finder *finder, struct walk *walk, const char *named,
		  struct wv_accessed *ret)
{
	const struct wv_dies *dies = wv_scopes_dies(finder->scopes);
	struct wv_type type;

	if (wv_type_element(dies, walk->entry, &walk->entry)) {
		ret->arrays++;
		ret->inside = true;
	}
	if (walk->stop)
		return;
	wv_type_describe(dies, walk->entry, &type);
	walk->object_bits = walk->bits;
	ret->inside = false;
	ret->structure = walk->entry;
	ret->structure_type = type;
	walk->stop = !strcmp(wv_struct_name(&type), walk->wanted) ||
		     (named && !strcmp(named, walk->wanted));
}

/* Follows a path such as "sock.__sk_common.skc_state" from type to type. */
static int walk_path(struct wv_finder *finder, const char *path, const char *wanted,
		     struct wv_accessed *ret)
{
	const struct wv_dies *dies = wv_scopes_dies(finder->scopes);
	struct walk walk = { .wanted = wanted };
	struct wv_type_member member = { 0 };
	char name[sizeof(finder->struct_name)];
	bool found = false;
	int failed;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(path, "."), path);
	failed = find_struct(finder, name, &walk.entry);
	ret->why = "the kernel's DWARF does not know its struct here";
	for (size_t level = 0; !failed && walk.entry && level < PATH_MAX_NAMES; level++) {
		uint64_t element;
		size_t n;

		enter(finder, &walk, level ? NULL : name, ret);
		path += strcspn(path, ".");
		if (!*path)
			break;
		n = strcspn(++path, ".");
		snprintf(name, sizeof(name), "%.*s", (int)n, path);
		failed = wv_type_member(dies, walk.entry, name, &found, &member, finder->error);
		if (failed || !found)
			return failed;
		walk.bits += member.bit_offset;
		walk.entry = member.type;
		if (path[n])
			continue;
		ret->bits = walk.bits - walk.object_bits;
		ret->outer = walk.object_bits / WV_BYTE_BITS;
		wv_type_describe(dies, member.type, &ret->type);
		ret->nr_bits =
			member.bit_size ? member.bit_size : ret->type.size * WV_BYTE_BITS;
		ret->is_array = wv_type_element(dies, member.type, &element);
		ret->why = NULL;
		return failed;
	}
	return failed;
}

/* Sets @path to the whole path of the joinpoint's access. */
static void path_of(const struct wv_match *match, char *path, size_t size)
{
	if (match->path && *match->path)
		snprintf(path, size, "%s", match->path);
	else
		snprintf(path, size, "%s.%s", match->structure, match->member);
}

static int find_member(struct wv_finder *finder, struct wv_accessed *ret)
{
	char wanted[128], path[512];

	pointcut_struct(finder->joinpoint, wanted, sizeof(wanted));
	path_of(finder->joinpoint->match, path, sizeof(path));
	return walk_path(finder, path, wanted, ret);
}

int wv_find_accessed_type(struct wv_finder *finder, struct wv_accessed *ret)
{
	memset(ret, 0, sizeof(*ret));
	return find_member(finder, ret);
}

/* ---- locating the memory operand of the instruction ------------------------------------------ */

static const char of_element[] =
	"its instruction accesses an element of an array, whose index is not known";
static const char does_not_follow[] =
	"the struct's address does not follow from its instruction's operand";

/*
 * The member that the instruction accesses most exactly: the joinpoint's member or, if the
 * instruction accesses only a part of that, the part. Offsets are in bits from the outermost struct
 * of the path.
 */
struct innermost {
	int64_t bits, nr_bits;
	bool inside;   /* true: there is an array between $obj and the member */
	bool is_array; /* true: the member is an array */
};

static int find_innermost(struct wv_finder *finder, const struct wv_accessed *accessed,
			  struct innermost *ret)
{
	const struct wv_match *match = finder->joinpoint->match;
	_cleanup_str_ struct wv_str part = { 0 };
	struct wv_accessed inner = { 0 };
	char path[512];
	int failed;

	*ret = (struct innermost){ accessed->bits + accessed->outer * WV_BYTE_BITS,
				   accessed->nr_bits, accessed->inside, accessed->is_array };
	if (match->effect < 0)
		return 0;
	path_of(match, path, sizeof(path));
	failed = wv_db_labelled_part(finder->db, match, path, &part, finder->error);
	if (failed || !part.n)
		return failed;
	failed = walk_path(finder, part.data, "", &inner);
	if (failed || inner.why)
		return failed;
	*ret = (struct innermost){ inner.bits + inner.outer * WV_BYTE_BITS, inner.nr_bits,
				   accessed->inside || inner.arrays > accessed->arrays,
				   inner.is_array };
	return 0;
}

/*
 * Returns whether the instruction's register must hold the address of the outermost struct. Then
 * the displacement is the operand's offset in that struct, and the operand lies at least partly in
 * the member. Returns false if the register may as well hold the address of the member itself: then
 * the displacement may be an offset in the member.
 */
static bool displacement_fits(const struct wv_access *access, const struct innermost *inner)
{
	int64_t first = inner->bits / WV_BYTE_BITS;
	int64_t last = (inner->bits + inner->nr_bits + WV_BYTE_BITS - 1) / WV_BYTE_BITS;

	return !access->relative && access->index == WV_NO_REGISTER &&
	       access->displacement < last && access->displacement + access->size > first &&
	       (!first || access->displacement >= last - first);
}

/* Finds the offset of the memory operand in $obj. */
static int locate_operand(struct wv_finder *finder, struct wv_accessed *accessed)
{
	const struct wv_match *match = finder->joinpoint->match;
	const struct wv_access *access = &accessed->access;
	struct innermost inner;
	bool whole;
	int failed;

	/*
	 * With an index register but no base, the instruction accesses an entry of a table, such as
	 * the table of per-CPU offsets, not a struct.
	 */
	if (access->base == WV_NO_REGISTER && !access->relative) {
		accessed->why = "its instruction addresses no struct by a register";
		return 0;
	}
	if (match->precision == WEFT_PRECISION_LINE) {
		accessed->why = "it is not known which instruction of the line does the access";
		return 0;
	}
	failed = find_innermost(finder, accessed, &inner);
	if (failed)
		return failed;
	whole = !(inner.bits % WV_BYTE_BITS) && access->size * WV_BYTE_BITS == inner.nr_bits;
	if (inner.inside || (inner.is_array && !whole))
		accessed->why = of_element;
	else if (whole && (match->precision == WEFT_PRECISION_EXACT ||
			   access->displacement == inner.bits / WV_BYTE_BITS))
		accessed->at = inner.bits / WV_BYTE_BITS - accessed->outer;
	else if (!accessed->arrays && !whole && displacement_fits(access, &inner))
		accessed->at = access->displacement - accessed->outer;
	else
		accessed->why = does_not_follow;
	return 0;
}

/*
 * Finds the operand for a call through a register. The call has no memory operand: an earlier load
 * has read the function's address from the struct. Uses the operand of that load, if a register
 * still has the struct's address.
 */
static int find_loaded(struct wv_finder *finder, struct wv_accessed *accessed)
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
	 * does not show the address of b.
	 */
	if (load.base != WV_NO_REGISTER &&
	    load.displacement != (int64_t)(accessed->bits / WV_BYTE_BITS) + accessed->outer) {
		accessed->why = "its function's address was loaded from another offset of a struct "
				"than the member's";
		return 0;
	}
	return locate_operand(finder, accessed);
}

static bool is_moved(const struct wv_access *access)
{
	return (access->base != WV_NO_REGISTER && access->changes & WR_BIT(access->base)) ||
	       (access->index != WV_NO_REGISTER && access->changes & WR_BIT(access->index));
}

static int find_operand(struct wv_finder *finder, struct wv_accessed *ret)
{
	const struct wv_match *match = finder->joinpoint->match;
	bool has_operand = wv_decode_access(finder->decoder, match->bytes, match->nr_bytes,
					    match->address, &ret->access);
	int failed = 0;

	if (!has_operand && match->effect == WEFT_EFFECT_CALL)
		failed = find_loaded(finder, ret);
	else if (!has_operand)
		ret->why = "its instruction has no memory operand: the struct's address was used "
			   "before";
	else if (ret->access.relative && match->module)
		ret->why = "it is in the module's data or in the kernel's, and where that is from "
			   "here differs from load to load";
	else
		failed = locate_operand(finder, ret);
	ret->moved = ret->after && is_moved(&ret->access);
	return failed;
}

/* ---- accesses that compute an address -------------------------------------------------------- */

/*
 * Returns the address that the instruction computes, as an operand that C can evaluate where the
 * advice runs. Advice before the instruction adds up the same registers and constants. Advice after
 * it reads the result from the destination register, because the instruction may have changed the
 * registers that it added up.
 */
static struct wv_access access_of(const struct wv_made_address *made, bool after)
{
	struct wv_access access = {
		.relative = made->relative, .address = made->address, .base = made->base,
		.index = made->index, .scale = made->scale, .displacement = made->displacement,
		.source = WV_NO_REGISTER, .loaded = WV_NO_REGISTER,
	};

	if (after && !made->relative) {
		access.base = made->made;
		access.index = WV_NO_REGISTER;
		access.displacement = 0;
	}
	return access;
}

/*
 * Finds the struct for an instruction that computes the address of a member. The struct's address
 * is known only if the constant that the instruction adds is the member's offset from the outermost
 * struct. For an address relative to rip, the compiler's label has to say that the address is the
 * member's.
 */
static int find_made(struct wv_finder *finder, struct wv_accessed *ret)
{
	const struct wv_match *match = finder->joinpoint->match;
	struct wv_made_address made;
	struct innermost inner;
	int failed;

	if (!wv_decode_made_address(finder->decoder, match->bytes, match->nr_bytes, match->address,
				    &made)) {
		ret->why = "its instruction makes no address: the struct's address was used before";
		return 0;
	}
	if (made.relative && match->module) {
		ret->why = "it is in the module's data or in the kernel's, and where that is from "
			   "here differs from load to load";
		return 0;
	}
	failed = find_innermost(finder, ret, &inner);
	if (failed)
		return failed;
	if (inner.inside || inner.is_array)
		ret->why = of_element;
	else if (made.relative ? match->precision != WEFT_PRECISION_EXACT :
				 made.displacement != inner.bits / WV_BYTE_BITS)
		ret->why = does_not_follow;
	ret->at = inner.bits / WV_BYTE_BITS - ret->outer;
	ret->access = access_of(&made, ret->after);
	return 0;
}

/* ---- accesses that pass an address to a function --------------------------------------------- */

/*
 * Finds the struct for a call to which the member's address is passed. Sets the operand in @ret to
 * the memory to which the argument's register points. After the call this register may have another
 * value, so .moved is set for after-advice.
 */
static int find_passed(struct wv_finder *finder, struct wv_accessed *ret)
{
	static const uint8_t registers[] = { WR_RDI, WR_RSI, WR_RDX, WR_RCX, WR_R8, WR_R9 };
	unsigned int argument = finder->joinpoint->match->effect - WEFT_EFFECT_ARGUMENT_0;
	struct innermost inner;
	int failed = find_innermost(finder, ret, &inner);

	if (failed)
		return failed;
	ret->access = (struct wv_access){ .base = registers[argument], .index = WV_NO_REGISTER,
					  .source = WV_NO_REGISTER, .loaded = WV_NO_REGISTER };
	ret->at = inner.bits / WV_BYTE_BITS - ret->outer;
	ret->moved = ret->after;
	if (inner.inside || inner.is_array)
		ret->why = of_element;
	return 0;
}

static bool is_passed(const struct wv_match *match)
{
	return match->effect >= WEFT_EFFECT_ARGUMENT_0 && match->effect <= WEFT_EFFECT_ARGUMENT_5;
}

int wv_find_accessed(struct wv_finder *finder, struct wv_accessed *ret)
{
	const struct wv_match *match = finder->joinpoint->match;
	int failed;

	memset(ret, 0, sizeof(*ret));
	ret->after = finder->joinpoint->when == WEFT_AFTER;
	if (!match->structure || !match->member)
		ret->why = "this is not an access of a member";
	else if (finder->joinpoint->when == WEFT_RETURNED)
		ret->why = "the call may have changed the register that held the struct's address; "
			   "keep it in a <before-advice>";
	else if (!wv_scopes_unit(finder->scopes))
		ret->why = "the kernel's DWARF does not know the code here";
	if (ret->why)
		return 0;
	failed = find_member(finder, ret);
	if (failed || ret->why)
		return failed;
	if (is_passed(match))
		return find_passed(finder, ret);
	if (!strcmp(match->kind, "address") &&
	    (match->effect == WEFT_EFFECT_ADDRESS || match->effect < 0))
		return find_made(finder, ret);
	return find_operand(finder, ret);
}
