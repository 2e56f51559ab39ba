// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Capture: one walk over a function or an initializer as the front end made it, before anything is
 * lowered. The walk passes the kind of the access down: an assignment passes "set" to its left
 * side, `&` passes "address" to its operand, and a member passes its kind on to the object that it
 * is a part of. So `a->b.c = x` sets c and b, and gets a.
 */
#include "gcc-compat.h"
#include "joinpoints.h"
#include "asm-template.h"

/*
 * A location that later stages of GCC may give to the expression being visited: that of an
 * expression around it. The list of these, innermost first, lies on the stack of visit(); .up is
 * the next.
 */
struct alias {
	location_t where;
	bool itself; /* nothing else is accessed at this location */
	const struct alias *up;
};

struct walk {
	unsigned owner;
	/*
	 * The walk is in a comparison of a word of one object with a word of another. The accesses
	 * in it get a wp_access.base_uid, by which the two objects are distinguished.
	 */
	bool two_words;
	location_t near; /* the last location seen; expressions without a location get it */
	/* the last location seen whose range is more than one token; it has its range */
	location_t around;
	/*
	 * index in wp_accesses of the member that was visited last, until the object that contains
	 * the member is visited; else 0
	 */
	unsigned part;
};

/*
 * Shared nodes that this walk has visited: node -> mask of (1 << kind). Static, so that the many
 * small walks (one for each inline function of each header) reuse one table.
 */
static struct wp_map seen;

static void visit(walk *walk, tree node, enum weft_kind kind, const alias *aliases);

static void get(walk *walk, tree node)
{
	visit(walk, node, WEFT_KIND_GET, NULL);
}

static unsigned add_chain(walk *walk, const wp_chain *chain, location_t where, unsigned base_uid,
			  enum weft_kind kind, const alias *aliases)
{
	wp_access access = {};

	access.where = wp_pure(where);
	if (access.where == UNKNOWN_LOCATION)
		access.where = walk->near;
	access.field = wp_field_of(chain);
	access.member_uid = DECL_UID(chain->fields[0]);
	access.owner = walk->owner;
	access.base_uid = base_uid;
	access.extent = wp_extent_of(chain);
	access.kind = kind;

	unsigned index = wp_access_add(&access);

	for (; aliases; aliases = aliases->up)
		wp_access_alias(index, wp_pure(aliases->where), aliases->itself);
	return index;
}

/*
 * Whether a member reference has the location that the parser gave it: that of its operator, and
 * its last token is the member's name.
 */
static bool is_at_operator(tree reference)
{
	source_range range = get_range_from_loc(line_table, EXPR_LOCATION(reference));
	location_t where = wp_pure(EXPR_LOCATION(reference)), last = wp_pure(range.m_finish);
	unsigned length = IDENTIFIER_LENGTH(DECL_NAME(TREE_OPERAND(reference, 1)));

	if (linemap_location_from_macro_expansion_p(line_table, where))
		return last == where + 1;
	return last == linemap_position_for_loc_and_offset(line_table, where, length) ||
	       last == linemap_position_for_loc_and_offset(line_table, where, length + 1);
}

/* Whether the range of a location is more than one token. */
static bool has_text(location_t location)
{
	source_range range = get_range_from_loc(line_table, location);
	location_t where = wp_pure(location), last = wp_pure(range.m_finish);

	if (where <= BUILTINS_LOCATION || wp_pure(range.m_start) != where)
		return where > BUILTINS_LOCATION;
	if (linemap_location_from_macro_expansion_p(line_table, where))
		return last != where;
	/* `&&` and `->` end one column after their first. */
	return last > linemap_position_for_loc_and_offset(line_table, where, 1);
}

/*
 * The location, with its range, of the text that an expression at @where is in: its own, or that of
 * an expression around it.
 */
static location_t text_of(const walk *walk, location_t where)
{
	source_range range = get_range_from_loc(line_table, walk->around);

	if (has_text(where))
		return where;
	return where == UNKNOWN_LOCATION || (wp_pure(range.m_start) <= wp_pure(where) &&
					     wp_pure(range.m_finish) >= wp_pure(where))
		       ? walk->around
		       : UNKNOWN_LOCATION;
}

/*
 * If a member reference does not have its operator's location, lets unfolded.cc find that location
 * in the source text. Folding gives `p->flag` in `p->flag && x` the location of the `&&`, and `v.m`
 * in `(&v.m)->n` the location of the `->`.
 */
static void note_misplaced(walk *walk, tree reference, unsigned access)
{
	location_t where = EXPR_LOCATION(reference);

	if (where != UNKNOWN_LOCATION && wp_accesses[access].where == wp_pure(where) &&
	    !is_at_operator(reference))
		wp_unfold_note(access, text_of(walk, where), TREE_OPERAND(reference, 1),
			       TREE_OPERAND(reference, 0));
}

static unsigned add_member(walk *walk, tree reference, enum weft_kind kind, const alias *aliases)
{
	/*
	 * Later stages know the reference's own location, which may differ from that of its `.` or
	 * `->`.
	 */
	alias given = { EXPR_LOCATION(reference), true, aliases };
	wp_chain chain;

	wp_chain_init(&chain, reference);
	unsigned access = add_chain(walk, &chain, wp_source_location_of_operator(reference),
				    wp_base_uid(reference), kind, &given);

	note_misplaced(walk, reference, access);
	return access;
}

static tree without_casts(tree node)
{
	while (CONVERT_EXPR_P(node) || TREE_CODE(node) == NON_LVALUE_EXPR)
		node = TREE_OPERAND(node, 0);
	return node;
}

/*
 * Whether an object may be inside another named member: the object is a member or an array element,
 * or is reached through a cast of the address of one, as in `((struct cb *)&skb->cb[0])->seq`.
 */
static bool is_in_whole(tree object)
{
	if (TREE_CODE(object) == INDIRECT_REF)
		return TREE_CODE(without_casts(TREE_OPERAND(object, 0))) == ADDR_EXPR;
	return TREE_CODE(object) == COMPONENT_REF || TREE_CODE(object) == ARRAY_REF;
}

static void visit_member(walk *walk, tree node, enum weft_kind kind, const alias *aliases)
{
	tree object = TREE_OPERAND(node, 0);

	if (DECL_NAME(TREE_OPERAND(node, 1))) {
		unsigned access = add_member(walk, node, kind, aliases);

		wp_access_join(walk->part, access);
		walk->part = access;
	}
	if (!is_in_whole(object))
		walk->part = 0;
	/* Only the member itself is called; the object that contains it is read. */
	visit(walk, object, kind == WEFT_KIND_CALL ? WEFT_KIND_GET : kind, aliases);
	walk->part = 0;
}

/*
 * READ_ONCE and WRITE_ONCE expand to `*(volatile T *)&x`. This is an access of x, of kind get or
 * set, and none of kind address.
 */
static void visit_indirect(walk *walk, tree node, enum weft_kind kind, const alias *aliases)
{
	tree pointer = without_casts(TREE_OPERAND(node, 0));
	alias here = { EXPR_LOCATION(node), true, aliases };

	if (TREE_CODE(pointer) == ADDR_EXPR)
		visit(walk, TREE_OPERAND(pointer, 0), kind, &here);
	else
		get(walk, TREE_OPERAND(node, 0));
}

static bool is_constant_test(tree call)
{
	tree callee = get_callee_fndecl(call);

	return callee && fndecl_built_in_p(callee, BUILT_IN_CONSTANT_P);
}

static void visit_call(walk *walk, tree node, const alias *aliases)
{
	/*
	 * GCC gives a call that is an argument of another call, and so its own arguments, the
	 * location of the outer one.
	 */
	alias here = { EXPR_LOCATION(node), false, aliases };
	call_expr_arg_iterator i;
	tree argument;

	if (CALL_EXPR_FN(node)) {
		tree callee = without_casts(CALL_EXPR_FN(node));
		tree member = callee;

		while (TREE_CODE(member) == ARRAY_REF)
			member = TREE_OPERAND(member, 0);
		if (TREE_CODE(member) == COMPONENT_REF && DECL_NAME(TREE_OPERAND(member, 1)))
			wp_call_add(wp_pure(here.where),
				    add_member(walk, member, WEFT_KIND_CALL, &here));
		visit(walk, callee, WEFT_KIND_CALL, NULL);
	}
	/* __builtin_constant_p() does not evaluate its argument. */
	if (is_constant_test(node))
		return;
	FOR_EACH_CALL_EXPR_ARG(argument, i, node)
	visit(walk, argument, WEFT_KIND_GET, &here);
	if (CALL_EXPR_STATIC_CHAIN(node))
		get(walk, CALL_EXPR_STATIC_CHAIN(node));
}

/*
 * Visits an initializer. No COMPONENT_REF names its members, so their chains are made from the
 * nested braces. @outer: the chain of the member that this initializer is for; empty for a
 * variable's own.
 */
static void visit_constructor(walk *walk, tree node, const wp_chain *outer, const alias *aliases)
{
	unsigned HOST_WIDE_INT i;
	tree index, value;

	FOR_EACH_CONSTRUCTOR_ELT(CONSTRUCTOR_ELTS(node), i, index, value)
	{
		wp_chain chain = *outer;

		if (index && TREE_CODE(index) == FIELD_DECL) {
			wp_chain_enter(&chain, index);
			if (DECL_NAME(index))
				add_chain(walk, &chain, EXPR_LOCATION(value), 0, WEFT_KIND_INIT,
					  aliases);
		} else if (chain.length) {
			chain.indexed[0] = true;
		}
		if (TREE_CODE(value) == CONSTRUCTOR)
			visit_constructor(walk, value, &chain, aliases);
		else
			get(walk, value);
	}
}

static void visit_variable(walk *walk, tree decl)
{
	tree value = DECL_INITIAL(decl);
	location_t before = walk->near, before_around = walk->around;
	alias here = { DECL_SOURCE_LOCATION(decl), false, NULL };
	wp_chain none = {};

	if (!value || value == error_mark_node)
		return;
	walk->near = wp_pure(here.where);
	walk->around = UNKNOWN_LOCATION;
	if (TREE_CODE(value) == CONSTRUCTOR)
		visit_constructor(walk, value, &none, &here);
	else
		visit(walk, value, WEFT_KIND_GET, &here);
	walk->near = before;
	walk->around = before_around;
}

/*
 * Returns the kind of access that an asm statement does to its operand number @operand: rmw if the
 * template shows it, else @otherwise, which follows from the operand's constraint.
 */
static enum weft_kind kind_in_asm(tree node, unsigned operand, enum weft_kind otherwise)
{
	wp_asm_use use = wp_asm_use_of(TREE_STRING_POINTER(ASM_STRING(node)), operand);

	if (!use.known || use.effect != WEFT_EFFECT_RMW)
		return otherwise;
	return WEFT_KIND_RMW;
}

/*
 * The operands of an asm statement: "=" outputs are written, "+" outputs are read and written,
 * inputs are read, unless the template shows that an instruction does more.
 */
static void visit_asm(walk *walk, tree node)
{
	alias here = { EXPR_LOCATION(node), false, NULL };
	unsigned operand = 0;

	for (tree output = ASM_OUTPUTS(node); output; output = TREE_CHAIN(output)) {
		const char *constraint = TREE_STRING_POINTER(TREE_VALUE(TREE_PURPOSE(output)));

		visit(walk, TREE_VALUE(output),
		      kind_in_asm(node, operand++,
				  strchr(constraint, '+') ? WEFT_KIND_RMW : WEFT_KIND_SET),
		      &here);
	}
	for (tree input = ASM_INPUTS(node); input; input = TREE_CHAIN(input))
		visit(walk, TREE_VALUE(input), kind_in_asm(node, operand++, WEFT_KIND_GET), &here);
}

static void visit_operands(walk *walk, tree node, const alias *aliases)
{
	int count = TREE_OPERAND_LENGTH(node);
	location_t near = walk->near, around = walk->around;

	for (int i = 0; i < count; i++) {
		/* An operand without a location gets that of the node, not of another operand. */
		walk->near = near;
		walk->around = around;
		visit(walk, TREE_OPERAND(node, i), WEFT_KIND_GET, aliases);
	}
}

/* Whether an expression is a word of an object, perhaps masked or converted. */
static bool is_word(tree node)
{
	node = without_casts(node);
	if (TREE_CODE(node) == BIT_AND_EXPR)
		node = without_casts(TREE_OPERAND(node, 0));
	return TREE_CODE(node) == BIT_FIELD_REF;
}

static void visit_tests(walk *walk, tree node)
{
	unsigned first = wp_accesses.length();

	walk->two_words = is_word(TREE_OPERAND(node, 0)) && is_word(TREE_OPERAND(node, 1));
	visit_operands(walk, node, NULL);
	walk->two_words = false;
	wp_unfold_merged(node, first);
}

/*
 * True if a shared node was visited with this kind before; if not, notes the visit. Without this
 * check, nested macros that mention an argument twice would take exponential time.
 */
static bool seen_before(tree node, enum weft_kind kind)
{
	unsigned *kinds;

	switch (TREE_CODE(node)) {
	case SAVE_EXPR:
	case TARGET_EXPR:
	case BIND_EXPR:
	case COND_EXPR:
	case CALL_EXPR:
		kinds = wp_map_at(&seen, (uintptr_t)node);
		if (*kinds & 1u << kind)
			return true;
		*kinds |= 1u << kind;
		return false;
	default:
		return false;
	}
}

static void visit_assignment(walk *walk, tree node)
{
	/* An assignment stores to one object only (itself = true), but may load from several. */
	alias left = { EXPR_LOCATION(node), true, NULL };
	alias right = { EXPR_LOCATION(node), false, NULL };

	visit(walk, TREE_OPERAND(node, 0), WEFT_KIND_SET, &left);
	visit(walk, TREE_OPERAND(node, 1), WEFT_KIND_GET, &right);
}

struct folded {
	struct walk *walk;
	tree object; /* the object that the test reads */
	unsigned base_uid; /* see wp_access.base_uid */
	const alias *aliases;
};

static void add_folded(const wp_chain *chain, location_t where, void *data)
{
	const folded *folded = (const struct folded *)data;

	unsigned access = add_chain(folded->walk, chain, where, folded->base_uid,
				    WEFT_KIND_GET, folded->aliases);

	wp_unfold_note(access, text_of(folded->walk, where), chain->fields[0], folded->object);
	wp_access_join(folded->walk->part, access);
	folded->walk->part = access;
}

static bool visit_test(walk *walk, tree node, enum weft_kind kind, const alias *aliases)
{
	folded folded = { walk, NULL_TREE, 0, aliases };
	wp_test test;

	if (!wp_test_init(&test, node))
		return false;
	for (unsigned i = 0; i < test.count; i++) {
		tree object = TREE_OPERAND(test.references[i], 0);

		walk->part = 0;
		folded.object = object;
		folded.base_uid = test.count > 1 || walk->two_words ? wp_base_uid(object) : 0;
		wp_folded_members(test.references[i], test.mask, test.where,
				  text_of(walk, test.where), add_folded, &folded);
		if (!is_in_whole(object))
			walk->part = 0;
		visit(walk, object, kind, aliases);
	}
	return true;
}

/* Adds the member of a constant address of which the front end has left no reference. */
static void add_folded_address(walk *walk, tree node)
{
	tree field = wp_unfold_address(node), object = TREE_OPERAND(node, 0);
	wp_chain chain = {};

	if (!field)
		return;
	STRIP_NOPS(object);
	wp_chain_enter(&chain, field);
	add_chain(walk, &chain, EXPR_LOCATION(node), wp_base_uid(TREE_OPERAND(object, 0)),
		  WEFT_KIND_ADDRESS, NULL);
}

/* An expression (array element, cast) that names a part of its first operand, or all of it. */
static void visit_part(walk *walk, tree node, enum weft_kind kind, const alias *aliases)
{
	visit(walk, TREE_OPERAND(node, 0), kind, aliases);
	walk->part = 0;
	for (int i = 1; i < TREE_OPERAND_LENGTH(node); i++)
		get(walk, TREE_OPERAND(node, i));
}

static void visit_statements(walk *walk, tree node)
{
	for (tree_stmt_iterator i = tsi_start(node); !tsi_end_p(i); tsi_next(&i))
		get(walk, tsi_stmt(i));
}

static void visit_expression(walk *walk, tree node, enum weft_kind kind, const alias *aliases)
{
	alias here = { EXPR_LOCATION(node), false, aliases };
	wp_chain none = {};

	switch (TREE_CODE(node)) {
	case COMPONENT_REF:
		return visit_member(walk, node, kind, aliases);
	case INDIRECT_REF:
		return visit_indirect(walk, node, kind, aliases);
	case ARRAY_REF:
	case ARRAY_RANGE_REF:
	case REALPART_EXPR:
	case IMAGPART_EXPR:
	case VIEW_CONVERT_EXPR:
		return visit_part(walk, node, kind, aliases);
	case BIT_AND_EXPR:
	case BIT_FIELD_REF:
		if (!visit_test(walk, node, kind, aliases))
			visit_operands(walk, node, NULL);
		return;
	case ADDR_EXPR:
		return visit(walk, TREE_OPERAND(node, 0), WEFT_KIND_ADDRESS, &here);
	case PREINCREMENT_EXPR:
	case PREDECREMENT_EXPR:
	case POSTINCREMENT_EXPR:
	case POSTDECREMENT_EXPR:
		return visit(walk, TREE_OPERAND(node, 0), WEFT_KIND_RMW, &here);
	case MODIFY_EXPR:
	case INIT_EXPR:
		return visit_assignment(walk, node);
	case COMPOUND_EXPR:
		get(walk, TREE_OPERAND(node, 0));
		return visit(walk, TREE_OPERAND(node, 1), kind, aliases);
	case CALL_EXPR:
		return visit_call(walk, node, aliases);
	case CONSTRUCTOR:
		return visit_constructor(walk, node, &none, aliases);
	case ASM_EXPR:
		return visit_asm(walk, node);
	case BIND_EXPR:
		return get(walk, BIND_EXPR_BODY(node));
	case DECL_EXPR:
		if (VAR_P(DECL_EXPR_DECL(node)))
			visit_variable(walk, DECL_EXPR_DECL(node));
		return;
	case EQ_EXPR:
	case NE_EXPR:
		wp_unfold_comparison(walk->owner, node);
		return visit_tests(walk, node);
	case TRUTH_AND_EXPR:
	case TRUTH_OR_EXPR:
	case LT_EXPR:
	case LE_EXPR:
	case GT_EXPR:
	case GE_EXPR:
		return visit_tests(walk, node);
	default:
		if (CONVERT_EXPR_P(node) || TREE_CODE(node) == POINTER_PLUS_EXPR)
			add_folded_address(walk, node);
		/*
		 * Later stages may give the operand of a cast or a return the location of the cast
		 * or return.
		 */
		if (CONVERT_EXPR_P(node) && visit_test(walk, node, kind, &here))
			return;
		return visit_operands(walk, node, TREE_OPERAND_LENGTH(node) == 1 ? &here : NULL);
	}
}

static void visit(walk *walk, tree node, enum weft_kind kind, const alias *aliases)
{
	if (!node)
		return;
	if (TREE_CODE(node) == STATEMENT_LIST)
		return visit_statements(walk, node);
	if (!EXPR_P(node) && TREE_CODE(node) != CONSTRUCTOR)
		return;
	if (seen_before(node, kind))
		return;
	if (EXPR_HAS_LOCATION(node)) {
		walk->near = wp_pure(EXPR_LOCATION(node));
		if (has_text(EXPR_LOCATION(node)))
			walk->around = EXPR_LOCATION(node);
	}
	visit_expression(walk, node, kind, aliases);
}

void wp_capture_function(void *tree_of_function, void *data)
{
	tree function = (tree)tree_of_function;
	walk walk = {};

	/* After an error there will be no object, and trees are incomplete. */
	if (seen_error() || !function || TREE_CODE(function) != FUNCTION_DECL ||
	    !DECL_SAVED_TREE(function))
		return;
	walk.owner = wp_owner_of(function);
	walk.near = wp_pure(DECL_SOURCE_LOCATION(function));
	visit(&walk, DECL_SAVED_TREE(function), WEFT_KIND_GET, NULL);
	wp_unfold_all();
	wp_map_clear(&seen);

	/*
	 * GCC has no callback for nested functions. They are completely parsed when the outer
	 * function is.
	 */
	if (!cgraph_node::get(function))
		return;
	for (cgraph_node *nested = first_nested_function(cgraph_node::get(function)); nested;
	     nested = next_nested_function(nested))
		wp_capture_function(nested->decl, data);
}

void wp_capture_variable(void *tree_of_decl, void *data)
{
	tree decl = (tree)tree_of_decl;
	walk walk = {};

	/*
	 * Only variables at file scope: visiting a function's body visits its static variables,
	 * too.
	 */
	if (seen_error() || !decl || !VAR_P(decl) || !DECL_FILE_SCOPE_P(decl) ||
	    !DECL_INITIAL(decl))
		return;
	walk.owner = wp_owner_of(decl);
	visit_variable(&walk, decl);
	wp_unfold_all();
	wp_map_clear(&seen);
}
