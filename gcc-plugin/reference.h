/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which access a reference does. A reference is GCC's tree for a place in memory that a statement
 * loads or stores, as `p->a.b` or `*(int *)(p + 8)`. In RTL it is an instruction's MEM_EXPR.
 */
#ifndef WEFT_REFERENCE_H
#define WEFT_REFERENCE_H

#include "joinpoints.h"

/* Where a statement or instruction comes from. */
struct wp_code_location {
	location_t where; /* with its block */
	tree function;	  /* the function that GCC is compiling */
};

/*
 * The function whose source has the location @where: an inlined function, or @function itself.
 */
tree wp_source_function(location_t where, tree function);

/* The access that a COMPONENT_REF of a named member does. 0 if none is known, or several fit. */
unsigned wp_access_of_member(const wp_code_location *place, tree reference,
			     enum weft_access_effect effect);

/*
 * Finds by its bits which access a reference does, if no member that it names is one of a known
 * access. @own: the reference's own location. 0 if none is known, or several fit.
 */
unsigned wp_access_of_bits(const wp_code_location *place, location_t own, const wp_bits *bits,
			   enum weft_access_effect effect);

/*
 * The access that @reference does, which @statement of the current function loads from or stores
 * to: its innermost member's. 0 if none is known, or several fit.
 */
unsigned wp_access_of_reference(gimple *statement, tree reference, enum weft_access_effect effect);

/*
 * To be called before anything is optimized: notes that a statement at @where loads or stores (by
 * @effect) that many bits of memory, and that this is @access; 0: the access is unknown.
 * wp_access_of_reference() returns this access if it has found no access in another way, and if the
 * access is the only one of this size at @where. Passes change the pointer and the type of a
 * reference, and keep the location of its statement.
 */
void wp_reference_note(location_t where, int bits, enum weft_access_effect effect, unsigned access);

/*
 * Notes that memory of any size may be copied at @where: after that, no access is found there by
 * its size.
 */
void wp_reference_note_copied(location_t where);

/*
 * If @pointer is the sum of another pointer, `&p->m` or a variable, and of a constant, adds the
 * constant to *@bytes and returns the other summand. Otherwise returns NULL.
 */
tree wp_pointer_before(tree pointer, HOST_WIDE_INT *bytes);

#endif /* WEFT_REFERENCE_H */
