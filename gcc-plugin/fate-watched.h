/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of the current function's loads and stores before a pass: fate-watch.cc notes it,
 * and fate-resolve.cc looks after the pass at what has become of them.
 */
#ifndef WEFT_FATE_WATCHED_H
#define WEFT_FATE_WATCHED_H

#include "fate-pass.h"
#include "fate-value.h"

/* A statement that uses a value, and its shape. */
struct use {
	gimple *statement;
	wp_shape shape;
	unsigned operand;
	/*
	 * index in wp_uses, counted from watched.first_use, of the use whose result this use uses;
	 * -1: it uses the value itself
	 */
	int through;
};

/*
 * A load or store that does an access. A reference may do several accesses: that of `p->uid` and,
 * in an inlined function that has got p->uid by value, that of its member. Then there is an element
 * for each, one after the other.
 */
struct watched {
	gimple *statement;
	unsigned access, instance;
	bool store;
	tree local; /* the object, if it is a variable of the function; else NULL */
	basic_block block;
	gimple *neighbour; /* a statement that no pass removes while its block is reached */
	tree value; /* the value that is loaded (an SSA name, or NULL) or stored */
	tree memory; /* the virtual operand (vuse) that the statement reads */
	wp_keys keys; /* keys of the reference */
	unsigned first_use, use_count;
	bool more_uses; /* there are more uses than those noted */
};

extern vec<watched> wp_watched;
extern vec<use> wp_uses;
extern struct wp_map wp_watched_by_statement; /* statement -> 1 + index in wp_watched */
/* memory operand and exact reference -> 1 + index in wp_watched */
extern struct wp_map wp_watched_by_memory;
extern enum pass_kind wp_watched_kind; /* the kind of the pass that is running, or ran last */

/* The key of a statement in wp_watched_by_statement. */
uint64_t wp_statement_key(gimple *statement);

/*
 * Returns the innermost access that @reference does: a whole reference of @statement, or the
 * beginning of one, as `p->a` of `p->a.b`.
 */
unsigned wp_watched_access(gimple *statement, tree reference, enum weft_access_effect effect);

/*
 * Returns the next access, besides @access, that a reference does; 0: there is none. *@rest is the
 * part of the reference in which @access was looked for. It becomes the part in which the returned
 * access was found.
 */
unsigned wp_watched_next(gimple *statement, tree *rest, unsigned access,
			 enum weft_access_effect effect);

/* Whether nothing uses the value that a watched load has loaded. */
bool wp_watched_unused(const watched *it);

/* fate-resolve.cc */

/* After a pass over the current function: finds the facts that it has proven. */
void wp_resolve_all(void);

/* The same after the pass that makes instructions. */
void wp_resolve_variables(void);

/*
 * States the facts that wp_resolve_all() has found. A fact about the function with DECL_UID
 * @function, which is being watched by now, is left out if a statement of that function still does
 * the access.
 */
void wp_resolve_state(unsigned function);

#endif /* WEFT_FATE_WATCHED_H */
