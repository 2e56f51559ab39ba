// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The records' heart: one map that finds a record by (location, member). A token of the source has a location of its
 * own, even inside a macro's expansion, so two accesses with the same location and member are the same access seen twice;
 * that is how `x->n += 1`, which the front end writes as a set of a sum with a get, becomes one rmw.
 *
 * Later stages do not always keep the member's own location: the gimplifier gives call arguments the call's, an
 * assignment's operands may be left with the assignment's. Those are entered as aliases, apart for loads and stores
 * because `a->n = b->n` has the same member twice under one location. An alias that two records claim finds neither.
 */
#include "gcc-compat.h"
#include "joinpoints.h"

#define WP_AMBIGUOUS UINT_MAX

/* What a key stands for; keeps the kinds of keys apart in one map. */
enum key_kind {
	KEY_MEMBER = 1,
	KEY_LOADED,
	KEY_STORED,
	KEY_LINE_LOADED,
	KEY_LINE_STORED,
	KEY_PLACE,
	KEY_CALL,
	KEY_OWNER,
};

/* The records of one location are a list. */
struct place_link {
	unsigned record;
	unsigned next;
};

vec<wp_field> wp_fields;
vec<wp_owner> wp_owners;
vec<wp_record> wp_records;
vec<wp_entry> wp_entries;
vec<wp_range> wp_ranges;

static struct wp_map known;
static vec<place_link> links;

static uint64_t key_of(enum key_kind kind, uint64_t a, uint64_t b)
{
	return wp_key(a, b, kind);
}

void wp_store_init(void)
{
	wp_record no_record = {};
	place_link no_link = {};
	wp_owner nobody = {};

	wp_records.safe_push(no_record);
	links.safe_push(no_link);
	wp_owners.safe_push(nobody);
}

unsigned wp_owner_of(tree decl)
{
	unsigned *at = wp_map_at(&known, key_of(KEY_OWNER, DECL_UID(decl), 0));

	if (*at)
		return *at;
	*at = wp_owners.length();

	wp_owner owner = {};
	const char *file = DECL_SOURCE_FILE(decl);

	owner.uid = DECL_UID(decl);
	owner.variable = VAR_P(decl);
	owner.main_file = file && main_input_filename && !strcmp(file, main_input_filename);
	if (!owner.variable) {
		owner.name = wp_string(DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "");
		owner.flags = (TREE_PUBLIC(decl) ? 0 : WEFT_FUNCTION_STATIC) |
			      (DECL_DECLARED_INLINE_P(decl) ? WEFT_FUNCTION_INLINE : 0);
	}
	wp_owners.safe_push(owner);
	return wp_owners.length() - 1;
}

void wp_owner_revive(tree decl)
{
	unsigned owner = wp_map_get(&known, key_of(KEY_OWNER, DECL_UID(decl), 0));

	if (owner)
		wp_owners[owner].alive = true;
}

/* What an access is that was seen as two kinds. */
static unsigned char merge_kinds(unsigned char a, unsigned char b)
{
	if (a == b)
		return a;
	if (a > b)
		std::swap(a, b);
	if (a == WEFT_KIND_GET)
		return b == WEFT_KIND_SET ? (unsigned char)WEFT_KIND_RMW : b == WEFT_KIND_ADDRESS ? a : b;
	if (b == WEFT_KIND_RMW)
		return b;
	return a; /* a set or rmw of something whose address is taken on the way */
}

static void link_place(location_t where, unsigned record)
{
	unsigned *at = wp_map_at(&known, key_of(KEY_PLACE, where, 0));
	place_link link = { record, *at };

	*at = links.length();
	links.safe_push(link);
}

unsigned wp_record_add(const wp_record *access)
{
	unsigned *at = wp_map_at(&known, key_of(KEY_MEMBER, access->where, access->member_uid));

	if (*at) {
		wp_record *old = &wp_records[*at];

		old->kind = merge_kinds(old->kind, access->kind);
		return *at;
	}
	unsigned record = wp_records.length();
	wp_owner *owner = &wp_owners[access->owner];

	*at = record;
	if (!owner->record_count)
		owner->first_record = record;
	owner->record_count++;
	wp_records.safe_push(*access);
	link_place(access->where, record);
	return record;
}

/* Enters a record under a key that may have to be shared with others. */
static void claim(uint64_t key, unsigned record)
{
	unsigned *at = wp_map_at(&known, key);

	*at = *at && *at != record ? WP_AMBIGUOUS : record;
}

static unsigned certain(uint64_t key)
{
	unsigned record = wp_map_get(&known, key);

	return record == WP_AMBIGUOUS ? 0 : record;
}

static bool loads(const wp_record *record)
{
	return record->kind != WEFT_KIND_SET && record->kind != WEFT_KIND_INIT;
}

static bool stores(const wp_record *record)
{
	return record->kind != WEFT_KIND_GET && record->kind != WEFT_KIND_CALL;
}

void wp_record_alias(unsigned record, location_t where)
{
	const wp_record *it = &wp_records[record];

	if (where == UNKNOWN_LOCATION || where == it->where)
		return;
	if (loads(it))
		claim(key_of(KEY_LOADED, where, it->member_uid), record);
	if (stores(it))
		claim(key_of(KEY_STORED, where, it->member_uid), record);
	link_place(where, record);
}

static bool is_store(enum weft_use use)
{
	return use == WEFT_USE_STORE || use == WEFT_USE_RMW;
}

unsigned wp_record_find(location_t where, unsigned member_uid, enum weft_use use)
{
	unsigned record;

	if (where == UNKNOWN_LOCATION)
		return 0;
	record = wp_map_get(&known, key_of(KEY_MEMBER, where, member_uid));
	if (record)
		return record;
	return certain(key_of(is_store(use) ? KEY_STORED : KEY_LOADED, where, member_uid));
}

unsigned wp_record_find_bytes(location_t where, int offset, int size, enum weft_use use)
{
	unsigned link = wp_map_get(&known, key_of(KEY_PLACE, where, 0));
	unsigned found = 0;

	for (; link; link = links[link].next) {
		const wp_record *it = &wp_records[links[link].record];

		if (it->offset != offset || it->size != size)
			continue;
		if (is_store(use) ? !stores(it) : !loads(it))
			continue;
		if (found && found != links[link].record)
			return 0;
		found = links[link].record;
	}
	return found;
}

/* The lines of a function's records are resolved when the first of them is asked for, and all at once. */
static void learn_lines(wp_owner *owner)
{
	for (unsigned i = 0; i < owner->record_count; i++) {
		unsigned record = owner->first_record + i;
		const wp_record *it = &wp_records[record];

		/* A function that is defined twice (extern inline, then for real) has others in between. */
		if (it->owner != (unsigned)(owner - wp_owners.address()))
			continue;
		uint64_t line = LOCATION_LINE(it->where);
		uint64_t place = line << 32 | owner->uid;

		if (loads(it))
			claim(key_of(KEY_LINE_LOADED, place, it->member_uid), record);
		if (stores(it))
			claim(key_of(KEY_LINE_STORED, place, it->member_uid), record);
	}
	owner->lines_known = true;
}

unsigned wp_record_find_line(tree function, location_t where, unsigned member_uid, enum weft_use use)
{
	unsigned owner = wp_map_get(&known, key_of(KEY_OWNER, DECL_UID(function), 0));
	uint64_t line = LOCATION_LINE(where);

	if (!owner || !line)
		return 0;
	if (!wp_owners[owner].lines_known)
		learn_lines(&wp_owners[owner]);
	return certain(key_of(is_store(use) ? KEY_LINE_STORED : KEY_LINE_LOADED,
			      line << 32 | wp_owners[owner].uid, member_uid));
}

void wp_call_add(location_t where, unsigned record)
{
	claim(key_of(KEY_CALL, where, 0), record);
}

unsigned wp_call_find(location_t where)
{
	return certain(key_of(KEY_CALL, where, 0));
}
