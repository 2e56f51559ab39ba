// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Members in expressions that the front end has folded: it turns `p->flag == 1` on a bit-field, and
 * `p->a == 1 && p->b == 2` on adjacent members, into a test of masked bits of *p before any plugin
 * sees them. This file finds the members again by the struct's layout.
 */
#include "gcc-compat.h"
#include "joinpoints.h"

/* Bits of the word that a test reads. */
#define WORD_BITS 64

struct search {
	HOST_WIDE_INT position; /* bit offset of the tested word in the object */
	uint64_t mask;		/* the tested bits of that word */
	location_t where, text;
	void (*found)(const wp_chain *chain, location_t where, void *data);
	void *data;
};

static uint64_t ones(HOST_WIDE_INT count)
{
	return count >= WORD_BITS ? ~(uint64_t)0 : ((uint64_t)1 << count) - 1;
}

static bool tests(const search *search, HOST_WIDE_INT first, HOST_WIDE_INT count)
{
	first -= search->position;
	if (first < 0) {
		count += first;
		first = 0;
	}
	return count > 0 && first < WORD_BITS && (search->mask & ones(count) << first);
}

/*
 * Finds where a member begins, in bits, if its struct begins at bit @start. Returns false if the
 * offset is not constant.
 */
static bool begins_at(tree field, HOST_WIDE_INT start, HOST_WIDE_INT *first_ret)
{
	if (TREE_CODE(field) != FIELD_DECL || !DECL_FIELD_OFFSET(field) || !DECL_SIZE(field) ||
	    !tree_fits_shwi_p(DECL_SIZE(field)) || !tree_fits_shwi_p(bit_position(field)))
		return false;
	*first_ret = start + tree_to_shwi(bit_position(field));
	return true;
}

/*
 * Whether the text names a member; of an anonymous struct or union, whether it names a tested
 * member of that.
 */
static bool is_spelled(const search *search, const vec<wp_spelling> *spelled, tree field,
		       HOST_WIDE_INT first)
{
	HOST_WIDE_INT inner;

	if (!tests(search, first, tree_to_shwi(DECL_SIZE(field))))
		return false;
	if (DECL_NAME(field)) {
		for (unsigned i = 0; i < spelled->length(); i++) {
			if (!strcmp((*spelled)[i].member, IDENTIFIER_POINTER(DECL_NAME(field))))
				return true;
		}
		return false;
	}
	if (!RECORD_OR_UNION_TYPE_P(TREE_TYPE(field)))
		return false;
	for (tree part = TYPE_FIELDS(TREE_TYPE(field)); part; part = DECL_CHAIN(part)) {
		if (begins_at(part, first, &inner) && is_spelled(search, spelled, part, inner))
			return true;
	}
	return false;
}

/* The member of a union that the text of the test names; NULL if it names none. */
static tree spelled_member(const search *search, tree type, HOST_WIDE_INT start)
{
	auto_vec<wp_spelling> spelled;
	HOST_WIDE_INT first;

	wp_spellings_find(search->text, &spelled);
	for (tree field = TYPE_FIELDS(type); field && spelled.length(); field = DECL_CHAIN(field)) {
		if (begins_at(field, start, &first) &&
		    is_spelled(search, &spelled, field, first))
			return field;
	}
	return NULL_TREE;
}

static bool find_in(const search *search, const wp_chain *outer, tree type, HOST_WIDE_INT start)
{
	tree only = TREE_CODE(type) == UNION_TYPE ? spelled_member(search, type, start) : NULL_TREE;
	HOST_WIDE_INT first;
	bool found = false;

	for (tree field = TYPE_FIELDS(type); field; field = DECL_CHAIN(field)) {
		if ((only && field != only) || !begins_at(field, start, &first))
			continue;
		wp_chain chain = *outer;

		if (!tests(search, first, tree_to_shwi(DECL_SIZE(field))))
			continue;
		wp_chain_enter(&chain, field);
		if (DECL_NAME(field)) {
			search->found(&chain, search->where, search->data);
			found = true;
		}
		if (RECORD_OR_UNION_TYPE_P(TREE_TYPE(field)))
			found |= find_in(search, &chain, TREE_TYPE(field), first);
		/* If the text does not name a union's member, the first that fits is taken. */
		if (found && TREE_CODE(type) == UNION_TYPE)
			break;
	}
	return found;
}

/*
 * The object that a tested word is in. A test of members of `p->in` reads from p + 8, which the
 * front end writes as an object of the inner type at `&*p` + 8. For this test, returns *p, and
 * stores the offset of the inner object in bits in *@start.
 */
static tree whole_object(tree object, HOST_WIDE_INT *start)
{
	if (TREE_CODE(object) != MEM_REF || TREE_CODE(TREE_OPERAND(object, 0)) != ADDR_EXPR)
		return object;
	tree whole = TREE_OPERAND(TREE_OPERAND(object, 0), 0);

	if (!RECORD_OR_UNION_TYPE_P(TREE_TYPE(whole)) ||
	    !tree_fits_shwi_p(TREE_OPERAND(object, 1)))
		return object;
	*start = tree_to_shwi(TREE_OPERAND(object, 1)) * BITS_PER_UNIT;
	return whole;
}

void wp_folded_members(tree bits, uint64_t mask, location_t where, location_t text,
		       void (*found)(const wp_chain *chain, location_t where, void *data),
		       void *data)
{
	search search = { 0, mask, where, text, found, data };
	tree object = TREE_OPERAND(bits, 0);
	HOST_WIDE_INT start = 0;
	wp_chain chain;

	object = whole_object(object, &start);
	if (BYTES_BIG_ENDIAN || !RECORD_OR_UNION_TYPE_P(TREE_TYPE(object)))
		return;
	search.mask &= ones(tree_to_shwi(TREE_OPERAND(bits, 1)));
	search.position = start + tree_to_shwi(TREE_OPERAND(bits, 2));
	wp_chain_init(&chain, object);
	find_in(&search, &chain, TREE_TYPE(object), 0);
}

/*
 * Finds the BIT_FIELD_REFs that an expression consists of: one, perhaps converted, or the XOR of
 * two. Returns their number; 0 if it is another expression.
 */
static unsigned references_in(tree node, tree references_ret[WP_TEST_MAX])
{
	while (CONVERT_EXPR_P(node) || TREE_CODE(node) == NON_LVALUE_EXPR)
		node = TREE_OPERAND(node, 0);
	if (TREE_CODE(node) == BIT_FIELD_REF) {
		references_ret[0] = node;
		return 1;
	}
	if (TREE_CODE(node) != BIT_XOR_EXPR)
		return 0;

	/* `p->flag != q->flag` */
	tree right = TREE_OPERAND(node, 1);
	tree single[WP_TEST_MAX];

	while (CONVERT_EXPR_P(right) || TREE_CODE(right) == NON_LVALUE_EXPR)
		right = TREE_OPERAND(right, 0);
	if (TREE_CODE(right) != BIT_FIELD_REF ||
	    references_in(TREE_OPERAND(node, 0), single) != 1)
		return 0;
	references_ret[0] = single[0];
	references_ret[1] = right;
	return 2;
}

/*
 * Recognizes `(one bit)(word >> 2)`, which the front end makes of `p->flag ? 1 : 0`; if the flag is
 * bit 0, there is no shift.
 */
static bool narrowed(tree node, wp_test *test_ret)
{
	tree word = TREE_OPERAND(node, 0);
	uint64_t shift = 0;

	if (!INTEGRAL_TYPE_P(TREE_TYPE(node)))
		return false;
	if (TREE_CODE(word) == RSHIFT_EXPR) {
		if (!tree_fits_uhwi_p(TREE_OPERAND(word, 1)))
			return false;
		shift = tree_to_uhwi(TREE_OPERAND(word, 1));
		word = TREE_OPERAND(word, 0);
	}
	if (shift >= WORD_BITS)
		return false;
	test_ret->mask = ones(TYPE_PRECISION(TREE_TYPE(node))) << shift;
	test_ret->count = references_in(word, test_ret->references);
	return test_ret->count > 0;
}

/*
 * Strips conversions and shifts by constants off a word of which a mask chooses bits, as in
 * `(T)word << 2 & 0x20`, and shifts the mask back to the word's own bits.
 */
static tree without_shifts(tree word, uint64_t *mask)
{
	for (;; word = TREE_OPERAND(word, 0)) {
		bool left = TREE_CODE(word) == LSHIFT_EXPR;

		if (CONVERT_EXPR_P(word) || TREE_CODE(word) == NON_LVALUE_EXPR)
			continue;
		if (!left && TREE_CODE(word) != RSHIFT_EXPR)
			return word;
		if (!tree_fits_uhwi_p(TREE_OPERAND(word, 1)) ||
		    tree_to_uhwi(TREE_OPERAND(word, 1)) >= WORD_BITS)
			return word;
		uint64_t shift = tree_to_uhwi(TREE_OPERAND(word, 1));

		*mask = left ? *mask >> shift : *mask << shift;
	}
}

bool wp_test_init(wp_test *test, tree node)
{
	test->mask = ~(uint64_t)0;
	test->where = EXPR_LOCATION(node);
	if (TREE_CODE(node) == BIT_FIELD_REF) {
		test->references[0] = node;
		test->count = 1;
		return true;
	}
	if (CONVERT_EXPR_P(node))
		return narrowed(node, test);
	if (TREE_CODE(node) != BIT_AND_EXPR || TREE_CODE(TREE_OPERAND(node, 1)) != INTEGER_CST)
		return false;
	test->mask = TREE_INT_CST_LOW(TREE_OPERAND(node, 1));
	tree word = without_shifts(TREE_OPERAND(node, 0), &test->mask);

	test->count = references_in(word, test->references);
	return test->count > 0;
}
