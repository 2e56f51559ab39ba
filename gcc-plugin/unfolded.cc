// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds in the source text (spelled.cc) what the front end has folded away.
 *
 * Accesses that were found in folded tests (folded.cc) get their places. Such an access has the
 * location of the test: in
 *
 *	if (p->a == 1 &&
 *	    p->b == 2)
 *
 * that of the `&&`. The text of the test names the member. A place where an access of the member is
 * known already is left out: that one was not folded. The places that are left are those of the
 * folded accesses, if it is clear which is whose.
 *
 * If a member is compared with two constants, the front end may make one comparison that reads the
 * member once. Then the text has a second place for it.
 *
 * Addresses of members that are compared, or that are constants, are folded without a trace but
 * the text.
 */
#include "gcc-compat.h"
#include "joinpoints.h"

/* A folded access, and what its place is found by. */
struct folded_access {
	unsigned access;
	location_t test; /* with its range */
	const char *name; /* name of the member */
	const char *object; /* the name of the variable that the object is reached by; or NULL */
	unsigned reads; /* how many trees read the member */
	bool done;
};

/* A comparison of two pointers to structs. */
struct comparison {
	location_t where; /* with its range */
	unsigned owner;
	tree types[2]; /* the structs */
};

/* A test that may have been several tests of one member in the source. */
struct merged_test {
	location_t where; /* with its range */
	unsigned first, end; /* the accesses in it: those with these indices in wp_accesses */
};

static vec<folded_access> folded;
static vec<merged_test> merged;
static vec<comparison> comparisons;

/*
 * Returns the name of the variable that is the object, or that points to it: "p" for `p->m` and for
 * `p.m`.
 */
static const char *name_of_object(tree object)
{
	if (TREE_CODE(object) == INDIRECT_REF || TREE_CODE(object) == MEM_REF)
		object = TREE_OPERAND(object, 0);
	STRIP_NOPS(object);
	return DECL_P(object) && DECL_NAME(object) ? IDENTIFIER_POINTER(DECL_NAME(object)) : NULL;
}

void wp_unfold_note(unsigned access, location_t test, tree field, tree object)
{
	for (unsigned i = 0; i < folded.length(); i++) {
		if (folded[i].access == access) {
			folded[i].reads++;
			return;
		}
	}
	folded.safe_push({ access, test, IDENTIFIER_POINTER(DECL_NAME(field)),
			   name_of_object(object), 1, false });
}

static bool is_same_test(const folded_access *a, const folded_access *b)
{
	return a->name == b->name && a->test == b->test;
}

/* The places of a member's name in a test, without those where it has an access already. */
static void find_places(location_t test, const char *name, unsigned member_uid,
			vec<wp_spelling> *places)
{
	wp_spellings_find(test, places);
	for (unsigned i = places->length(); i--;) {
		if (strcmp((*places)[i].member, name) ||
		    wp_access_is_at((*places)[i].where, member_uid))
			places->ordered_remove(i);
	}
}

/* Collects the accesses with the test and member's name of folded[@first]; marks them as done. */
static void collect(unsigned first, vec<unsigned> *group)
{
	for (unsigned i = first; i < folded.length(); i++) {
		if (!folded[i].done && is_same_test(&folded[first], &folded[i])) {
			folded[i].done = true;
			group->safe_push(i);
		}
	}
}

/*
 * Adds a copy of an access at another place. @same: one instruction does both, since the test reads
 * the member once; otherwise the copy may be found at the location of the test.
 */
static void add_copy(unsigned access, location_t where, location_t test, bool same)
{
	wp_access copy = wp_accesses[access];
	unsigned count = wp_accesses.length();

	copy.where = where;
	copy.whole = 0;
	if (!same)
		copy.also = 0;
	unsigned index = wp_access_add(&copy);

	if (index != count)
		return;
	if (same)
		wp_accesses[access].also = index;
	else
		wp_access_alias(index, wp_pure(test), true);
}

/*
 * Gives one access all the places: the test may read the member of several objects, or the member
 * of one object several times. The first place is the access's own, and the others get copies.
 */
static void spread(const folded_access *it, const vec<wp_spelling> *places)
{
	wp_access_move(it->access, (*places)[0].where);
	for (unsigned i = 1; i < places->length(); i++)
		add_copy(it->access, (*places)[i].where, it->test, it->reads == 1);
}

/* The index of the only place with this object; the number of places if there is no such place. */
static unsigned place_with(const vec<wp_spelling> *places, const char *object)
{
	unsigned found = places->length();

	for (unsigned i = 0; object && i < places->length(); i++) {
		if (strcmp((*places)[i].object, object))
			continue;
		if (found != places->length())
			return places->length();
		found = i;
	}
	return found;
}

/*
 * Gives each of several accesses one of as many places: by the variable's name, or, if a name
 * decides nothing, in the order of the text.
 */
static void assign(const vec<unsigned> *group, const vec<wp_spelling> *places)
{
	bool by_name = true;

	for (unsigned i = 0; i < group->length(); i++)
		by_name &= place_with(places, folded[(*group)[i]].object) != places->length();
	for (unsigned i = 0; i < group->length(); i++) {
		const folded_access *it = &folded[(*group)[i]];

		wp_access_move(it->access,
			       (*places)[by_name ? place_with(places, it->object) : i].where);
	}
}

/* Compares by the length of the tests' texts: a test inside another one comes first. */
static int by_length(const void *a, const void *b)
{
	source_range x = get_range_from_loc(line_table, ((const folded_access *)a)->test);
	source_range y = get_range_from_loc(line_table, ((const folded_access *)b)->test);
	location_t left = wp_pure(x.m_finish) - wp_pure(x.m_start);
	location_t right = wp_pure(y.m_finish) - wp_pure(y.m_start);

	if (left != right)
		return left < right ? -1 : 1;
	return ((const folded_access *)a)->access < ((const folded_access *)b)->access ? -1 : 1;
}

/* The member that a comparison with a constant tests, below conversions, masks and sums. */
static tree tested_member(tree node)
{
	tree tested = TREE_OPERAND(node, 0);

	if (!TREE_CONSTANT(TREE_OPERAND(node, 1)))
		return NULL_TREE;
	while (CONVERT_EXPR_P(tested) || TREE_CODE(tested) == BIT_AND_EXPR ||
	       TREE_CODE(tested) == PLUS_EXPR || TREE_CODE(tested) == MINUS_EXPR)
		tested = TREE_OPERAND(tested, 0);
	return TREE_CODE(tested) == COMPONENT_REF ? tested : NULL_TREE;
}

/* Whether @where is that of the first token after an expression, perhaps after a blank. */
static bool is_next(location_t where, location_t expression)
{
	location_t last = wp_pure(get_range_from_loc(line_table, expression).m_finish);

	if (linemap_location_from_macro_expansion_p(line_table, last))
		return where == last + 1;
	return where == linemap_position_for_loc_and_offset(line_table, last, 1) ||
	       where == linemap_position_for_loc_and_offset(line_table, last, 2);
}

void wp_unfold_merged(tree node, unsigned first)
{
	bool combined = TREE_CODE(node) == TRUTH_AND_EXPR || TREE_CODE(node) == TRUTH_OR_EXPR;
	location_t where = wp_pure(EXPR_LOCATION(node));

	/* Only the front end combines tests so; the source's operators are TRUTH_ANDIF_EXPR. */
	if (combined && first != wp_accesses.length() && where > BUILTINS_LOCATION) {
		merged.safe_push({ EXPR_LOCATION(node), first, wp_accesses.length() });
		return;
	}
	tree member = combined ? NULL_TREE : tested_member(node);

	if (!member || first == wp_accesses.length() || where <= BUILTINS_LOCATION ||
	    (EXPR_HAS_LOCATION(member) && is_next(where, EXPR_LOCATION(member))) ||
	    !wp_spelled_logical(where))
		return;
	merged.safe_push({ EXPR_LOCATION(node), first, wp_accesses.length() });
}

/* Adds an access at each place where the text of a merged test has the member of @access, too. */
static void add_merged(location_t test, unsigned access)
{
	auto_vec<wp_spelling> places;
	const char *name = wp_string_text(wp_fields[wp_accesses[access].field].member);

	if (wp_accesses[access].kind != WEFT_KIND_GET)
		return;
	find_places(test, name, wp_accesses[access].member_uid, &places);
	for (unsigned i = 0; i < places.length(); i++)
		add_copy(access, places[i].where, test, true);
}

/* The named member of a struct; NULL if it is no member, or one of an anonymous struct. */
static tree field_of(tree type, const char *name)
{
	for (tree field = TYPE_FIELDS(type); field; field = DECL_CHAIN(field)) {
		if (TREE_CODE(field) == FIELD_DECL && DECL_NAME(field) &&
		    !strcmp(IDENTIFIER_POINTER(DECL_NAME(field)), name))
			return field;
	}
	return NULL_TREE;
}

/* The struct that an operand points to. NULL if it is constant, or points to no complete struct. */
static tree pointed_struct(tree operand)
{
	STRIP_NOPS(operand);
	if (!POINTER_TYPE_P(TREE_TYPE(operand)) || TREE_CONSTANT(operand))
		return NULL_TREE;
	tree type = TREE_TYPE(TREE_TYPE(operand));

	return RECORD_OR_UNION_TYPE_P(type) && COMPLETE_TYPE_P(type) ? TYPE_MAIN_VARIANT(type)
								     : NULL_TREE;
}

void wp_unfold_comparison(unsigned owner, tree node)
{
	comparison it = { EXPR_LOCATION(node), owner,
			  { pointed_struct(TREE_OPERAND(node, 0)),
			    pointed_struct(TREE_OPERAND(node, 1)) } };

	if (it.types[0] && it.types[1])
		comparisons.safe_push(it);
}

static void add_address(const comparison *it, const wp_spelling *place, tree field)
{
	wp_access access = {};
	wp_chain chain = {};

	wp_chain_enter(&chain, field);
	access.where = place->where;
	access.field = wp_field_of(&chain);
	access.member_uid = DECL_UID(field);
	access.owner = it->owner;
	access.extent = wp_extent_of(&chain);
	access.kind = WEFT_KIND_ADDRESS;
	wp_access_add(&access);
}

/* Adds the addresses of members that the text of a comparison has, and that no tree has. */
static void unfold_comparison(const comparison *it)
{
	auto_vec<wp_spelling> places;

	wp_spellings_find(it->where, &places);
	for (unsigned i = 0; i < places.length(); i++) {
		tree field = field_of(it->types[0], places[i].member);

		if (!field)
			field = field_of(it->types[1], places[i].member);
		if (field && places[i].address &&
		    !wp_access_is_at(places[i].where, DECL_UID(field)))
			add_address(it, &places[i], field);
	}
}

tree wp_unfold_address(tree node)
{
	bool sum = TREE_CODE(node) == POINTER_PLUS_EXPR;
	location_t where = wp_pure(EXPR_LOCATION(node));
	tree pointer = TREE_OPERAND(node, 0);
	char member[WP_SPELLING_MAX];

	STRIP_NOPS(pointer);
	if (!POINTER_TYPE_P(TREE_TYPE(node)) || TREE_CODE(pointer) != ADDR_EXPR ||
	    where <= BUILTINS_LOCATION || (sum && !tree_fits_uhwi_p(TREE_OPERAND(node, 1))))
		return NULL_TREE;
	/* The variable may be an array of one, as cpumask_var_t is. */
	tree type = strip_array_types(TREE_TYPE(TREE_OPERAND(pointer, 0)));

	/* A cast begins at its own location; a member reference begins with the object. */
	if (!RECORD_OR_UNION_TYPE_P(type) ||
	    wp_pure(get_range_from_loc(line_table, EXPR_LOCATION(node)).m_start) == where ||
	    !wp_spelled_member(where, member))
		return NULL_TREE;
	tree field = field_of(type, member);

	return field && tree_fits_uhwi_p(byte_position(field)) &&
			       tree_to_uhwi(byte_position(field)) ==
				       (sum ? tree_to_uhwi(TREE_OPERAND(node, 1)) : 0)
		       ? field
		       : NULL_TREE;
}

void wp_unfold_all(void)
{
	folded.qsort(by_length);
	for (unsigned i = 0; i < folded.length(); i++) {
		auto_vec<wp_spelling> places;
		auto_vec<unsigned> group;

		if (folded[i].done)
			continue;
		collect(i, &group);
		find_places(folded[i].test, folded[i].name,
			    wp_accesses[folded[i].access].member_uid, &places);
		if (places.length() && group.length() == 1)
			spread(&folded[i], &places);
		else if (places.length() == group.length())
			assign(&group, &places);
	}
	folded.truncate(0);
	for (unsigned i = 0; i < merged.length(); i++) {
		for (unsigned access = merged[i].first; access < merged[i].end; access++)
			add_merged(merged[i].where, access);
	}
	merged.truncate(0);
	for (unsigned i = 0; i < comparisons.length(); i++)
		unfold_comparison(&comparisons[i]);
	comparisons.truncate(0);
}
