// SPDX-License-Identifier: GPL-2.0-or-later
/* Values and references in GIMPLE, compared by how they are made; see fate-value.h. */
#include "gcc-compat.h"
#include "fate-value.h"

/* The maximum length of the chain of definitions that a key is made of. */
#define DEPTH_MAX 6

/* The kinds of things that a key is made of. */
enum key_kind { KEY_NAME = 1, KEY_LOAD, KEY_VALUE, KEY_VARIABLE, KEY_POINTER, KEY_EXPRESSION };

static wp_keys reference_keys(tree reference, unsigned depth);

static bool is_copy(gimple *definition)
{
	if (!is_gimple_assign(definition))
		return false;
	if (gimple_assign_ssa_name_copy_p(definition))
		return true;
	return gimple_assign_cast_p(definition) &&
	       TREE_CODE(gimple_assign_rhs1(definition)) == SSA_NAME &&
	       tree_nop_conversion_p(TREE_TYPE(gimple_assign_lhs(definition)),
				     TREE_TYPE(gimple_assign_rhs1(definition)));
}

tree wp_value_copied(tree value)
{
	for (unsigned i = 0; i < DEPTH_MAX; i++) {
		if (TREE_CODE(value) != SSA_NAME || SSA_NAME_IN_FREE_LIST(value) ||
		    !is_copy(SSA_NAME_DEF_STMT(value)))
			break;
		value = gimple_assign_rhs1(SSA_NAME_DEF_STMT(value));
	}
	return value;
}

/* The keys of values that were computed before: many references begin with the same pointer. */
static vec<wp_keys> known_keys;
static struct wp_map known; /* SSA name, depth -> 1 + index in known_keys */

void wp_values_changed(void)
{
	known_keys.truncate(0);
	wp_map_clear(&known);
}

static wp_keys equal_keys(uint64_t key)
{
	wp_keys keys = { key, key };

	return keys;
}

/* As wp_key(), where the first number differs between the two keys. */
static wp_keys longer_keys(wp_keys keys, uint64_t b, uint64_t c)
{
	uint64_t loose = wp_key(keys.loose, b, c);
	wp_keys longer = { loose, keys.strict == keys.loose ? loose : wp_key(keys.strict, b, c) };

	return longer;
}

static wp_keys made_keys(tree value, unsigned depth);

static wp_keys value_keys(tree value, unsigned depth)
{
	if (TREE_CODE(value) != SSA_NAME)
		return made_keys(value, depth);
	uint64_t id = wp_key(SSA_NAME_VERSION(value), depth, 0);
	unsigned at = wp_map_get(&known, id);

	if (at)
		return known_keys[at - 1];
	wp_keys keys = made_keys(value, depth);

	known_keys.safe_push(keys);
	*wp_map_at(&known, id) = known_keys.length();
	return keys;
}

static wp_keys loaded_keys(gimple *load, unsigned depth)
{
	wp_keys from = reference_keys(gimple_assign_rhs1(load), depth - 1);
	wp_keys keys = {
		wp_key(KEY_LOAD, from.loose, 0),
		wp_key(KEY_LOAD, from.strict,
		       gimple_vuse(load) ? SSA_NAME_VERSION(gimple_vuse(load)) : 0),
	};

	return keys;
}

static wp_keys made_keys(tree value, unsigned depth)
{
	value = wp_value_copied(value);
	if (TREE_CODE(value) == ADDR_EXPR)
		return longer_keys(reference_keys(TREE_OPERAND(value, 0), depth), KEY_POINTER, 0);
	if (TREE_CODE(value) != SSA_NAME)
		return equal_keys(wp_key(KEY_VALUE, iterative_hash_expr(value, 0), 0));

	gimple *definition = SSA_NAME_IN_FREE_LIST(value) ? NULL : SSA_NAME_DEF_STMT(value);

	if (!depth || !definition || !is_gimple_assign(definition) || gimple_vdef(definition))
		return equal_keys(wp_key(KEY_NAME, SSA_NAME_VERSION(value), 0));
	if (gimple_assign_load_p(definition))
		return loaded_keys(definition, depth);
	if (gimple_assign_single_p(definition) &&
	    TREE_CODE(gimple_assign_rhs1(definition)) != ADDR_EXPR)
		return equal_keys(wp_key(KEY_NAME, SSA_NAME_VERSION(value), 0));

	wp_keys keys = equal_keys(wp_key(KEY_EXPRESSION, gimple_assign_rhs_code(definition),
					 TYPE_UID(TYPE_MAIN_VARIANT(TREE_TYPE(value)))));

	for (unsigned i = 1; i < gimple_num_ops(definition); i++) {
		wp_keys operand = value_keys(gimple_op(definition, i), depth - 1);
		bool equal = keys.loose == keys.strict && operand.loose == operand.strict;

		keys.loose = wp_key(keys.loose, operand.loose, i);
		keys.strict = equal ? keys.loose : wp_key(keys.strict, operand.strict, i);
	}
	return keys;
}

/*
 * As get_ref_base_and_extent(), but only for a chain of members of a scalar type, with no array in
 * it, and at constant offsets, which most references are. NULL: it is another reference.
 */
static tree base_of_members(tree reference, HOST_WIDE_INT *first_ret, HOST_WIDE_INT *count_ret)
{
	HOST_WIDE_INT first = 0;
	tree size;

	if (TREE_CODE(reference) != COMPONENT_REF || !is_gimple_reg_type(TREE_TYPE(reference)))
		return NULL_TREE;
	size = DECL_SIZE(TREE_OPERAND(reference, 1));
	if (!size || !tree_fits_shwi_p(size))
		return NULL_TREE;
	for (; TREE_CODE(reference) == COMPONENT_REF; reference = TREE_OPERAND(reference, 0)) {
		tree field = TREE_OPERAND(reference, 1);

		if (TREE_OPERAND(reference, 2) || !DECL_FIELD_OFFSET(field) ||
		    !tree_fits_shwi_p(DECL_FIELD_OFFSET(field)))
			return NULL_TREE;
		first += tree_to_shwi(DECL_FIELD_OFFSET(field)) * BITS_PER_UNIT +
			 TREE_INT_CST_LOW(DECL_FIELD_BIT_OFFSET(field));
	}
	*first_ret = first;
	*count_ret = tree_to_shwi(size);
	return DECL_P(reference) || (TREE_CODE(reference) == MEM_REF &&
				     TREE_CODE(TREE_OPERAND(reference, 0)) == SSA_NAME)
		       ? reference : NULL_TREE;
}

/* As get_ref_base_and_extent(). NULL: the offset or the size is not constant. */
static tree constant_base(tree reference, HOST_WIDE_INT *first_ret, HOST_WIDE_INT *count_ret)
{
	poly_int64 first, count, most;
	bool reverse;
	tree base = get_ref_base_and_extent(reference, &first, &count, &most, &reverse);

	return base && known_eq(count, most) && first.is_constant(first_ret) &&
			       count.is_constant(count_ret)
		       ? base : NULL_TREE;
}

static wp_keys reference_keys(tree reference, unsigned depth)
{
	HOST_WIDE_INT at, size;
	tree base = base_of_members(reference, &at, &size);
	poly_int64 bytes;

	if (!base)
		base = constant_base(reference, &at, &size);
	if (!base)
		return equal_keys(wp_key(KEY_VALUE, iterative_hash_expr(reference, 0), 1));
	if (DECL_P(base))
		return equal_keys(wp_key(KEY_VARIABLE, DECL_UID(base), wp_key(at, size, 0)));
	if (TREE_CODE(base) != MEM_REF || !mem_ref_offset(base).to_shwi(&bytes) ||
	    !(bytes * BITS_PER_UNIT + at).is_constant(&at))
		return equal_keys(wp_key(KEY_VALUE, iterative_hash_expr(reference, 0), 2));
	return longer_keys(value_keys(TREE_OPERAND(base, 0), depth), at, size);
}

wp_keys wp_reference_keys(tree reference)
{
	return reference_keys(reference, DEPTH_MAX);
}

tree wp_local_variable(tree reference)
{
	tree base = get_base_address(reference);

	if (!base || !DECL_P(base) || !auto_var_in_fn_p(base, current_function_decl))
		return NULL_TREE;
	return VAR_P(base) || (TREE_CODE(base) == PARM_DECL &&
			       TYPE_MODE(TREE_TYPE(base)) != BLKmode)
		       ? base : NULL_TREE;
}

bool wp_same_value(tree a, tree b)
{
	return operand_equal_p(wp_value_copied(a), wp_value_copied(b), 0);
}

bool wp_may_store_to(gimple *store, gimple *statement)
{
	tree reference = gimple_assign_load_p(statement) ? gimple_assign_rhs1(statement)
							 : gimple_assign_lhs(statement);
	ao_ref ref;

	ao_ref_init(&ref, reference);
	return stmt_may_clobber_ref_p_1(store, &ref);
}

/* Returns the SSA name that a reference begins with; other operands as they are. */
static tree operand_name(tree operand)
{
	if (!operand)
		return NULL_TREE;
	if (TREE_CODE(operand) == TREE_LIST) /* an operand of an asm */
		operand = TREE_VALUE(operand);
	while (handled_component_p(operand))
		operand = TREE_OPERAND(operand, 0);
	if (TREE_CODE(operand) == MEM_REF || TREE_CODE(operand) == TARGET_MEM_REF)
		operand = TREE_OPERAND(operand, 0);
	return operand;
}

/* As iterative_hash_expr(), which takes longer for what most operands are. */
static uint64_t operand_key(const_tree operand)
{
	switch (TREE_CODE(operand)) {
	case SSA_NAME:
		return SSA_NAME_VERSION(operand);
	case INTEGER_CST:
		if (TREE_INT_CST_NUNITS(operand) == 1)
			return wp_key(TREE_INT_CST_ELT(operand, 0), INTEGER_CST, 0);
		/* Fall through. */
	default:
		return iterative_hash_expr(operand, 0);
	}
}

/*
 * The key of all operands of a statement except operand number @operand and the value that the
 * statement computes.
 */
static uint64_t others_key(gimple *statement, unsigned operand)
{
	uint64_t key = 1;

	for (unsigned i = is_gimple_assign(statement) ? 1 : 0; i < gimple_num_ops(statement); i++) {
		tree it = gimple_op(statement, i);

		if (i == operand || !it)
			continue;
		key = wp_key(key, operand_key(it), i);
	}
	return key;
}

static int subcode_of(gimple *statement)
{
	return is_gimple_assign(statement) ? gimple_assign_rhs_code(statement) : 0;
}

bool wp_shape_init(wp_shape *shape, gimple *user, tree value, unsigned *operand_ret)
{
	unsigned found = 0;

	shape->code = gimple_code(user);
	if (gphi *phi = dyn_cast<gphi *>(user)) {
		shape->operands = gimple_phi_num_args(phi);
		for (unsigned i = 0; i < shape->operands; i++) {
			if (gimple_phi_arg_def(phi, i) != value)
				continue;
			*operand_ret = i;
			found++;
		}
		return found;
	}
	shape->operands = gimple_num_ops(user);
	for (unsigned i = 0; i < shape->operands; i++) {
		tree operand = gimple_op(user, i);

		if (operand != value && operand_name(operand) != value)
			continue;
		*operand_ret = i;
		found++;
	}
	if (found != 1)
		return false;
	shape->subcode = subcode_of(user);
	shape->others = others_key(user, *operand_ret);
	return true;
}

tree wp_shape_operand(const wp_shape *shape, gimple *statement, unsigned operand, bool loose)
{
	tree ret;

	if (!statement || gimple_code(statement) != (enum gimple_code)shape->code)
		return NULL_TREE;
	if (gphi *phi = dyn_cast<gphi *>(statement))
		return gimple_phi_num_args(phi) == shape->operands
			       ? gimple_phi_arg_def(phi, operand)
			       : NULL_TREE;
	if (gimple_num_ops(statement) != shape->operands || subcode_of(statement) != shape->subcode)
		return NULL_TREE;
	ret = operand_name(gimple_op(statement, operand));
	if (others_key(statement, operand) == shape->others)
		return ret;
	return loose && ret && TREE_CODE(ret) == SSA_NAME ? ret : NULL_TREE;
}
