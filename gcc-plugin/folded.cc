// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Members that the front end has folded away: it turns `p->flag == 1` on a bit-field, and `p->a ==
 * 1 && p->b == 2` on neighbours, into a test of masked bits of *p before any plugin sees them. The
 * heart is to ask the struct's layout which members the masked bits belong to.
 */
#include "gcc-compat.h"
#include "joinpoints.h"

/* A test reads one word. */
#define WORD_BITS 64

struct search {
	HOST_WIDE_INT position; /* of the tested word, in bits of the object */
	uint64_t mask;		/* the bits of it that are tested */
	location_t where;
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

static bool find_in(const search *search, const wp_chain *outer, tree type, HOST_WIDE_INT start)
{
	bool found = false;

	for (tree field = TYPE_FIELDS(type); field; field = DECL_CHAIN(field)) {
		if (TREE_CODE(field) != FIELD_DECL || !DECL_FIELD_OFFSET(field) ||
		    !DECL_SIZE(field) || !tree_fits_shwi_p(DECL_SIZE(field)) ||
		    !tree_fits_shwi_p(bit_position(field)))
			continue;
		HOST_WIDE_INT first = start + tree_to_shwi(bit_position(field));
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
		/*
		 * Which member of a union the source had is lost; they are alternatives, so one of
		 * them is named.
		 */
		if (found && TREE_CODE(type) == UNION_TYPE)
			break;
	}
	return found;
}

void wp_folded_members(tree test,
		       void (*found)(const wp_chain *chain, location_t where, void *data),
		       void *data)
{
	search search = {0, ~(uint64_t)0, EXPR_LOCATION(test), found, data};
	wp_chain chain;

	if (TREE_CODE(test) == BIT_AND_EXPR) {
		search.mask = TREE_INT_CST_LOW(TREE_OPERAND(test, 1));
		test = TREE_OPERAND(test, 0);
		STRIP_NOPS(test);
	}
	tree object = TREE_OPERAND(test, 0);

	if (BYTES_BIG_ENDIAN || !RECORD_OR_UNION_TYPE_P(TREE_TYPE(object)))
		return;
	search.mask &= ones(tree_to_shwi(TREE_OPERAND(test, 1)));
	search.position = tree_to_shwi(TREE_OPERAND(test, 2));
	wp_chain_init(&chain, object);
	find_in(&search, &chain, TREE_TYPE(object), 0);
}
