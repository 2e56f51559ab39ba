// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The accesses, and a hash map that finds one by (location, member). Each source token has its own
 * location, even in a macro expansion. So two accesses with the same location and member are the
 * same access seen twice. The front end makes a get and a set of `x->n += 1`, for example: they
 * become one rmw.
 *
 * Later stages do not always keep the member's own location: the gimplifier gives call arguments
 * the call's location, and an assignment's operands may end with the assignment's. These second
 * locations are entered as aliases. Loads and stores have separate aliases, since `a->n = b->n` has
 * one member twice at one location. A search by an alias that belongs to two accesses finds
 * neither, unless the variables that they begin with are known and differ.
 */
#include "gcc-compat.h"
#include "joinpoints.h"

#define WP_AMBIGUOUS UINT_MAX

/* The kinds of keys of the map `known`: one map holds keys of all these kinds. */
enum key_kind {
	KEY_MEMBER = 1,
	/*
	 * as KEY_MEMBER, for an access of kind init: `{ .m = p->m }` has two accesses at one
	 * location
	 */
	KEY_INIT,
	KEY_LOADED,
	KEY_STORED,
	KEY_LINE,
	KEY_LOCATION,
	KEY_CALL,
	KEY_OWNER,
};

/* A source line with more accesses is generated code: find_innermost() finds nothing there. */
#define WP_LINE_MAX 256

/*
 * An element of the list of accesses at one location, or in one source line of a function. .next:
 * index of the next element; 0 ends the list.
 */
struct access_link {
	unsigned access;
	bool itself; /* in a list by location: nothing else is accessed at that location */
	unsigned next;
};

vec<wp_field> wp_fields;
vec<wp_owner> wp_owners;
vec<wp_access> wp_accesses;
vec<wp_entry> wp_entries;
vec<wp_range> wp_ranges;
vec<wp_fate> wp_fates;

static struct wp_map known;
static vec<access_link> links;

static uint64_t key_of(enum key_kind kind, uint64_t a, uint64_t b)
{
	return wp_key(a, b, kind);
}

void wp_store_init(void)
{
	wp_access no_access = {};
	access_link no_link = {};
	wp_owner no_owner = {};

	wp_accesses.safe_push(no_access);
	links.safe_push(no_link);
	wp_owners.safe_push(no_owner);
}

bool wp_in_main_file(tree decl)
{
	const char *file = DECL_SOURCE_FILE(decl);

	return file && main_input_filename && !strcmp(file, main_input_filename);
}

bool wp_owner_known(tree decl)
{
	return wp_map_get(&known, key_of(KEY_OWNER, DECL_UID(decl), 0));
}

unsigned wp_owner_of(tree decl)
{
	unsigned *at = wp_map_at(&known, key_of(KEY_OWNER, DECL_UID(decl), 0));

	if (*at)
		return *at;
	*at = wp_owners.length();

	wp_owner owner = {};

	owner.uid = DECL_UID(decl);
	owner.variable = VAR_P(decl);
	owner.main_file = wp_in_main_file(decl);
	if (!owner.variable) {
		owner.name = wp_string(DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "");
		owner.flags = (TREE_PUBLIC(decl) ? 0 : WEFT_FUNCTION_STATIC) |
			      (DECL_DECLARED_INLINE_P(decl) ? WEFT_FUNCTION_INLINE : 0);
	}
	wp_owners.safe_push(owner);
	return wp_owners.length() - 1;
}

void wp_owner_set_emitted(tree decl)
{
	unsigned owner = wp_map_get(&known, key_of(KEY_OWNER, DECL_UID(decl), 0));

	if (owner)
		wp_owners[owner].emitted = true;
}

/*
 * Returns the kind of an access that the walk has met twice, with the kinds @a and @b: a get and a
 * set make an rmw.
 */
static unsigned char merge_kinds(unsigned char a, unsigned char b)
{
	if (a == b)
		return a;
	if (a > b)
		std::swap(a, b);
	if (a == WEFT_KIND_GET)
		return b == WEFT_KIND_SET	? (unsigned char)WEFT_KIND_RMW
		       : b == WEFT_KIND_ADDRESS ? a
						: b;
	if (b == WEFT_KIND_RMW)
		return b;
	return a; /* a set, rmw or call of something whose address is taken on the way */
}

/*
 * Whether the access can be the one that loads or stores @bits, at a location that several accesses
 * have: `f(a->n, *p)` loads twice at the call's location. The access and the bits must begin with
 * the same variable. If either variable is unknown, bits at offset 0 or at an unknown offset are
 * taken for a plain `*p`, which accesses no member.
 */
static bool may_share_base(const wp_access *access, const wp_bits *bits)
{
	if (access->base_uid && bits->base_uid)
		return access->base_uid == bits->base_uid;
	return bits->first > 0;
}

bool wp_access_is_part(unsigned part, unsigned whole)
{
	for (; part; part = wp_accesses[part].whole) {
		if (part == whole)
			return true;
	}
	return false;
}

void wp_access_join(unsigned part, unsigned whole)
{
	/*
	 * Folding may give several tests one location, and so mention the same accesses again in
	 * another order. Without this check the `whole` links could form a cycle.
	 */
	if (part && !wp_accesses[part].whole && !wp_access_is_part(whole, part))
		wp_accesses[part].whole = whole;
}

static void link_access(uint64_t key, unsigned access, bool itself)
{
	unsigned *at = wp_map_at(&known, key);
	access_link link = { access, itself, *at };

	*at = links.length();
	links.safe_push(link);
}

/*
 * Returns the innermost access, in the list of @key, for which picks() returns true. Returns 0 if
 * there is none, or if there are two of which neither is a part of the other.
 */
template <typename test> static unsigned find_innermost(uint64_t key, test picks)
{
	unsigned link = wp_map_get(&known, key);
	unsigned found = 0;

	for (unsigned walked = 0; link; link = links[link].next, walked++) {
		unsigned access = links[link].access;

		if (walked == WP_LINE_MAX)
			return 0;
		if (!picks(&wp_accesses[access], links[link].itself))
			continue;
		if (!found || wp_access_is_part(access, found))
			found = access;
		else if (!wp_access_is_part(found, access))
			return 0;
	}
	return found;
}

/*
 * Returns the access that was added before for the same source token as @access; 0: there is none.
 * @at: what the map `known` has for the location and member of @access. Two accesses at one
 * location are possible: a folded test of one member of two objects has both at the test's
 * location. Then they differ in their variables.
 */
static unsigned noted_before(unsigned at, const wp_access *access)
{
	if (at != WP_AMBIGUOUS)
		return at && access->base_uid && wp_accesses[at].base_uid &&
				       access->base_uid != wp_accesses[at].base_uid
			       ? 0
			       : at;
	return find_innermost(
		key_of(KEY_LOCATION, access->where, 0), [=](const wp_access *it, bool itself) {
			return it->where == access->where && it->member_uid == access->member_uid &&
			       it->base_uid == access->base_uid &&
			       (it->kind == WEFT_KIND_INIT) == (access->kind == WEFT_KIND_INIT);
		});
}

unsigned wp_access_add(const wp_access *access)
{
	enum key_kind key = access->kind == WEFT_KIND_INIT ? KEY_INIT : KEY_MEMBER;
	unsigned *at = wp_map_at(&known, key_of(key, access->where, access->member_uid));
	unsigned old = noted_before(*at, access);

	if (old) {
		wp_accesses[old].kind = merge_kinds(wp_accesses[old].kind, access->kind);
		return old;
	}
	unsigned index = wp_accesses.length();
	wp_owner *owner = &wp_owners[access->owner];

	*at = *at ? WP_AMBIGUOUS : index;
	if (!owner->access_count)
		owner->first_access = index;
	owner->access_count++;
	wp_accesses.safe_push(*access);
	link_access(key_of(KEY_LOCATION, access->where, 0), index, true);
	return index;
}

bool wp_access_is_at(location_t where, unsigned member_uid)
{
	return wp_map_get(&known, key_of(KEY_MEMBER, where, member_uid)) != 0;
}

void wp_access_move(unsigned access, location_t where)
{
	unsigned *at = wp_map_at(&known, key_of(KEY_MEMBER, where, wp_accesses[access].member_uid));

	*at = *at ? WP_AMBIGUOUS : access;
	wp_accesses[access].where = where;
	link_access(key_of(KEY_LOCATION, where, 0), access, true);
}

/* Enters an access under a key. If another access is there already, the key becomes ambiguous. */
static void enter(uint64_t key, unsigned access)
{
	unsigned *at = wp_map_at(&known, key);

	*at = *at && *at != access ? WP_AMBIGUOUS : access;
}

static unsigned certain(uint64_t key)
{
	unsigned access = wp_map_get(&known, key);

	return access == WP_AMBIGUOUS ? 0 : access;
}

static bool loads(const wp_access *access)
{
	return access->kind != WEFT_KIND_SET && access->kind != WEFT_KIND_INIT;
}

static bool stores(const wp_access *access)
{
	return access->kind != WEFT_KIND_GET && access->kind != WEFT_KIND_CALL;
}

void wp_access_alias(unsigned access, location_t where, bool itself)
{
	const wp_access *it = &wp_accesses[access];

	if (where == UNKNOWN_LOCATION || where == it->where)
		return;
	if (loads(it))
		enter(key_of(KEY_LOADED, where, it->member_uid), access);
	if (stores(it))
		enter(key_of(KEY_STORED, where, it->member_uid), access);
	link_access(key_of(KEY_LOCATION, where, 0), access, itself);
}

static bool is_store(enum weft_access_effect effect)
{
	return effect == WEFT_EFFECT_STORE || effect == WEFT_EFFECT_RMW;
}

/*
 * Whether @count bits from @first on are inside the member, or contain all of it (the word of a
 * bit-field, or a merged store). False if either position is unknown.
 */
static bool has_bits(const wp_extent *extent, int first, int count)
{
	if (first == WP_NO_BIT || extent->first == WP_NO_BIT || !extent->count)
		return false;
	return (first >= extent->first && first + count <= extent->first + extent->count) ||
	       (first <= extent->first && first + count >= extent->first + extent->count);
}

static bool does(const wp_access *access, enum weft_access_effect effect)
{
	return is_store(effect) ? stores(access) : loads(access);
}

unsigned wp_access_find(location_t where, tree reference, enum weft_access_effect effect)
{
	unsigned uid = DECL_UID(TREE_OPERAND(reference, 1));
	unsigned access, base;

	if (where == UNKNOWN_LOCATION)
		return 0;
	access = wp_map_get(&known, key_of(KEY_MEMBER, where, uid));
	if (is_store(effect) && access != WP_AMBIGUOUS && !stores(&wp_accesses[access]))
		access = wp_map_get(&known, key_of(KEY_INIT, where, uid));
	if (!access)
		access = wp_map_get(&known,
				    key_of(is_store(effect) ? KEY_STORED : KEY_LOADED, where, uid));
	if (access != WP_AMBIGUOUS)
		return access;

	/* `f(a->n, b->n)`: one location and member, so compare the variables (a, b), if known. */
	base = wp_base_uid(reference);
	if (!base)
		return 0;
	return find_innermost(
		key_of(KEY_LOCATION, where, 0), [=](const wp_access *it, bool itself) {
			return does(it, effect) && it->member_uid == uid && it->base_uid == base;
		});
}

unsigned wp_access_find_bits(location_t where, const wp_bits *bits, enum weft_access_effect effect)
{
	uint64_t key = key_of(KEY_LOCATION, where, 0);
	unsigned found = 0;

	/* Accesses of the same member of two objects differ in their variables. */
	if (bits->base_uid)
		found = find_innermost(key, [=](const wp_access *it, bool itself) {
			return does(it, effect) && it->base_uid == bits->base_uid &&
			       has_bits(&it->extent, bits->first, bits->count);
		});
	if (found)
		return found;
	found = find_innermost(key, [=](const wp_access *it, bool itself) {
		return does(it, effect) && has_bits(&it->extent, bits->first, bits->count) &&
		       (itself || may_share_base(it, bits));
	});

	if (found)
		return found;
	/*
	 * No access has bits at this offset. After inlining or address arithmetic, offsets may
	 * count from another start than the source's: compare location, size and type instead.
	 */
	return find_innermost(key, [=](const wp_access *it, bool itself) {
		return does(it, effect) && itself && it->extent.element == bits->count &&
		       it->extent.type_uid == bits->type_uid;
	});
}

unsigned wp_access_find_bit_field(location_t where, enum weft_access_effect effect)
{
	return find_innermost(
		key_of(KEY_LOCATION, where, 0), [=](const wp_access *it, bool itself) {
			return itself && does(it, effect) && it->extent.bit_field;
		});
}

unsigned wp_access_find_part(unsigned whole, const wp_bits *bits, enum weft_access_effect effect)
{
	unsigned found = 0;

	/* Of `p->a.b`, the accesses of b and a are adjacent in wp_accesses, the innermost first. */
	for (unsigned part = whole - 1;
	     part && whole - part < WP_CHAIN_MAX && wp_access_is_part(part, whole); part--) {
		const wp_access *it = &wp_accesses[part];

		if (!does(it, effect) || !has_bits(&it->extent, bits->first, bits->count))
			continue;
		if (!found || wp_access_is_part(part, found))
			found = part;
		else if (!wp_access_is_part(found, part))
			return 0;
	}
	return found;
}

/*
 * Whether an address @byte bytes into the object can be an address of the member: that of its first
 * byte or, in an array, of any byte.
 */
static bool holds(const wp_extent *extent, int byte)
{
	HOST_WIDE_INT bit = (HOST_WIDE_INT)byte * BITS_PER_UNIT;

	if (extent->first == WP_NO_BIT || extent->element == extent->count)
		return bit == extent->first;
	return bit >= extent->first && bit < extent->first + (HOST_WIDE_INT)extent->count;
}

unsigned wp_access_find_address(location_t where, int byte)
{
	return find_innermost(
		key_of(KEY_LOCATION, where, 0), [=](const wp_access *it, bool itself) {
			return it->kind == WEFT_KIND_ADDRESS && holds(&it->extent, byte);
		});
}

/* Enters all accesses of a function in the lists by line, when a search first needs them. */
static void learn_lines(unsigned owner)
{
	wp_owner *it = &wp_owners[owner];

	it->lines_known = true;
	for (unsigned access = it->first_access; access < it->first_access + it->access_count;
	     access++) {
		/*
		 * If a function is defined twice (extern inline, then normally), accesses of other
		 * functions lie between its own.
		 */
		if (access < wp_accesses.length() && wp_accesses[access].owner == owner)
			link_access(
				key_of(KEY_LINE, LOCATION_LINE(wp_accesses[access].where), owner),
				access, false);
	}
}

/*
 * The key of the list of accesses in a source line. 0 if the function has no accesses or the line
 * is unknown.
 */
static uint64_t key_of_line(tree function, location_t where)
{
	unsigned owner = wp_map_get(&known, key_of(KEY_OWNER, DECL_UID(function), 0));
	int line = LOCATION_LINE(where);

	if (!owner || !line)
		return 0;
	if (!wp_owners[owner].lines_known)
		learn_lines(owner);
	return key_of(KEY_LINE, line, owner);
}

unsigned wp_access_find_line(tree function, location_t where, tree reference,
			     enum weft_access_effect effect)
{
	unsigned uid = DECL_UID(TREE_OPERAND(reference, 1));
	uint64_t key = key_of_line(function, where);

	if (!key)
		return 0;
	return find_innermost(key, [=](const wp_access *it, bool itself) {
		return does(it, effect) && it->member_uid == uid;
	});
}

unsigned wp_access_find_line_bits(tree function, location_t where, const wp_bits *bits,
				  enum weft_access_effect effect)
{
	uint64_t key = key_of_line(function, where);

	if (!key)
		return 0;
	return find_innermost(key, [=](const wp_access *it, bool itself) {
		if (!does(it, effect) || !has_bits(&it->extent, bits->first, bits->count) ||
		    !may_share_base(it, bits))
			return false;
		return it->extent.bit_field ||
		       (it->extent.count == bits->count && it->extent.type_uid == bits->type_uid);
	});
}

void wp_call_add(location_t where, unsigned access)
{
	enter(key_of(KEY_CALL, where, 0), access);
}

unsigned wp_call_find(location_t where)
{
	return certain(key_of(KEY_CALL, where, 0));
}
