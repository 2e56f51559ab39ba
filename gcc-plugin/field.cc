// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of members: follows a chain of COMPONENT_REFs from the member outwards. A member of an
 * anonymous struct or union counts as a member of the named type around it. Fields are cached by
 * their chain's declarations, so that each chain is spelled once for a unit.
 */
#include "gcc-compat.h"
#include "joinpoints.h"

static struct wp_map spelled; /* hash of a chain's DECL_UIDs -> 1 + index in wp_fields */

void wp_chain_enter(wp_chain *chain, tree field)
{
	if (chain->length == WP_CHAIN_MAX)
		return;
	memmove(chain->fields + 1, chain->fields, chain->length * sizeof(chain->fields[0]));
	memmove(chain->indexed + 1, chain->indexed, chain->length * sizeof(chain->indexed[0]));
	chain->fields[0] = field;
	chain->indexed[0] = false;
	chain->length++;
}

void wp_chain_init(wp_chain *chain, tree reference)
{
	bool indexed = false;

	chain->length = 0;
	while (reference && chain->length < WP_CHAIN_MAX) {
		if (TREE_CODE(reference) == COMPONENT_REF) {
			chain->fields[chain->length] = TREE_OPERAND(reference, 1);
			chain->indexed[chain->length++] = indexed;
			indexed = false;
		} else if (TREE_CODE(reference) == ARRAY_REF ||
			   TREE_CODE(reference) == ARRAY_RANGE_REF) {
			indexed = true;
		} else {
			break;
		}
		reference = TREE_OPERAND(reference, 0);
	}
}

unsigned wp_base_uid(tree reference)
{
	tree base = reference;

	while (handled_component_p(base))
		base = TREE_OPERAND(base, 0);
	if (TREE_CODE(base) == INDIRECT_REF || TREE_CODE(base) == MEM_REF) {
		base = TREE_OPERAND(base, 0);
		STRIP_NOPS(base);
	}
	if (TREE_CODE(base) == SSA_NAME)
		base = SSA_NAME_VAR(base);
	return base && (VAR_P(base) || TREE_CODE(base) == PARM_DECL) ? DECL_UID(DECL_ORIGIN(base))
								     : 0;
}

static int bits_of(tree size)
{
	return size && tree_fits_shwi_p(size) && tree_to_shwi(size) < INT_MAX
		       ? (int)tree_to_shwi(size)
		       : 0;
}

wp_extent wp_extent_of(const wp_chain *chain)
{
	tree member = chain->fields[0];
	tree element = TREE_TYPE(member);
	wp_extent extent = {0, bits_of(DECL_SIZE(member)), 0, 0,
			    DECL_BIT_FIELD_TYPE(member) != NULL_TREE};
	HOST_WIDE_INT first = 0;

	for (unsigned i = 0; i < chain->length && first != WP_NO_BIT; i++) {
		tree position = chain->indexed[i] || !DECL_FIELD_OFFSET(chain->fields[i])
					? NULL_TREE
					: bit_position(chain->fields[i]);

		first = position && tree_fits_shwi_p(position) ? first + tree_to_shwi(position)
							       : WP_NO_BIT;
	}
	extent.first = first < INT_MAX ? (int)first : WP_NO_BIT;
	while (TREE_CODE(element) == ARRAY_TYPE)
		element = TREE_TYPE(element);
	extent.element = TREE_CODE(TREE_TYPE(member)) == ARRAY_TYPE ? bits_of(TYPE_SIZE(element))
								    : extent.count;
	extent.type_uid = TYPE_UID(TYPE_MAIN_VARIANT(element));
	return extent;
}

/*
 * The name of a struct's or union's type: its tag, or else its oldest typedef. Sets
 * WEFT_FIELD_TYPEDEF in *@flags if the name is a typedef's, and clears it if it is a tag. Returns
 * NULL, and leaves *@flags as it is, if the type has no name.
 */
static const char *type_name(tree type, unsigned *flags)
{
	tree oldest = NULL_TREE;

	type = TYPE_MAIN_VARIANT(type);
	if (TYPE_NAME(type) && TREE_CODE(TYPE_NAME(type)) == IDENTIFIER_NODE) {
		*flags &= ~WEFT_FIELD_TYPEDEF;
		return IDENTIFIER_POINTER(TYPE_NAME(type));
	}
	for (; type; type = TYPE_NEXT_VARIANT(type)) {
		tree name = TYPE_NAME(type);

		if (!name || TREE_CODE(name) != TYPE_DECL || !DECL_NAME(name))
			continue;
		if (!oldest || DECL_UID(name) < DECL_UID(oldest))
			oldest = name;
	}
	if (!oldest)
		return NULL;
	*flags |= WEFT_FIELD_TYPEDEF;
	return IDENTIFIER_POINTER(DECL_NAME(oldest));
}

static bool is_function_pointer(tree type)
{
	while (TREE_CODE(type) == ARRAY_TYPE)
		type = TREE_TYPE(type);
	return POINTER_TYPE_P(type) && FUNC_OR_METHOD_TYPE_P(TREE_TYPE(type));
}

static const char *name_of(tree field)
{
	return DECL_NAME(field) ? IDENTIFIER_POINTER(DECL_NAME(field)) : NULL;
}

/*
 * The chain as "struct.member.member", from the outermost struct; without "struct." if that has no
 * name. The caller frees the string.
 */
static char *spell_path(const wp_chain *chain)
{
	unsigned unused = 0;
	char *path = NULL;

	for (unsigned i = chain->length; i--;) {
		tree field = chain->fields[i];
		const char *member = name_of(field);

		if (!path) {
			const char *whole = type_name(DECL_CONTEXT(field), &unused);

			path = xstrdup(whole ? whole : "");
		}
		if (!member)
			continue;
		char *longer = *path ? concat(path, ".", member, NULL) : xstrdup(member);

		free(path);
		path = longer;
	}
	return path;
}

/* 1 + index of the field whose path is @path without its last member; 0 if there is none. */
static unsigned parent_of(const wp_chain *chain, const char *path)
{
	wp_chain outer = {};

	for (unsigned i = 1; i < chain->length; i++) {
		if (!outer.length && !name_of(chain->fields[i]))
			continue;
		outer.fields[outer.length++] = chain->fields[i];
	}
	if (!outer.length)
		return 0;

	unsigned parent = wp_field_of(&outer);
	const wp_field *it = &wp_fields[parent];
	const char *structure = wp_string_text(it->struct_name);
	const char *member = wp_string_text(it->member);
	char *whole = it->path ? xstrdup(wp_string_text(it->path))
			       : concat(structure, *structure ? "." : "", member, NULL);
	size_t length = strlen(whole);
	bool fits = !strncmp(path, whole, length) && path[length] == '.' &&
		    !strchr(path + length + 1, '.');

	free(whole);
	return fits ? parent + 1 : 0;
}

static void spell(wp_field *field, const wp_chain *chain)
{
	tree member = chain->fields[0];
	const char *whole = NULL;

	field->flags = (DECL_BIT_FIELD_TYPE(member) ? WEFT_FIELD_BITFIELD : 0) |
		       (is_function_pointer(TREE_TYPE(member)) ? WEFT_FIELD_FUNCTION : 0);
	for (unsigned i = 0; i < chain->length && !whole; i++) {
		tree type = DECL_CONTEXT(chain->fields[i]);

		whole = type_name(type, &field->flags);
		if (whole && TREE_CODE(type) == UNION_TYPE)
			field->flags |= WEFT_FIELD_UNION;
	}
	field->struct_name = wp_string(whole);
	field->member = wp_string(name_of(member));

	char *path = spell_path(chain);
	char *plain = concat(whole ? whole : "", whole ? "." : "", name_of(member), NULL);

	if (strcmp(path, plain)) {
		field->path = wp_string(path);
		field->parent = parent_of(chain, path);
	}
	free(plain);
	free(path);
}

unsigned wp_field_of(const wp_chain *chain)
{
	uint64_t key = 0;

	for (unsigned i = 0; i < chain->length; i++)
		key = wp_key(key, DECL_UID(chain->fields[i]), 0);

	unsigned known = wp_map_get(&spelled, key);

	if (!known) {
		wp_field field = {};

		spell(&field, chain);
		wp_fields.safe_push(field);
		known = wp_fields.length();
		*wp_map_at(&spelled, key) = known;
	}
	return known - 1;
}
