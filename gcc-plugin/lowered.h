/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accesses that can no longer be read off the code. An instruction's memory operand shows the
 * expression that it came from (MEM_EXPR), and label.cc reads the member from that. But some of
 * GCC's passes put other expressions in the place of the source's: a loop's `p->m` becomes an
 * offset from a counter, two stores become one wide store, a load moves to the caller.
 *
 * So the plugin looks at the code before and after such a pass, and notes which accesses the new
 * loads and stores do:
 *
 *   isra.cc       IPA-SRA, which moves loads from a function to its callers
 *   rewritten.cc  ivopts, store merging, SLP and PRE
 *
 * When label.cc comes to the instruction, it asks here for its MEM_EXPR. All notes are about the
 * function that is being compiled.
 */
#ifndef WEFT_LOWERED_H
#define WEFT_LOWERED_H

#include "joinpoints.h"

/* Registers all passes that note accesses. */
void wp_lowered_init(const char *plugin_name);

/* Forgets everything. Called before the passes of each function. */
void wp_lowered_clear(void);

/*
 * Notes that a statement does an access. @reference: the memory that it loads (@effect is load) or
 * stores (store). A statement may get several notes. Its notes stay with it when a later pass
 * copies it, or gives its reference another base.
 *
 * @wholes: in `p->a.b`, b is the access and a is the whole that it is a part of; notes the wholes,
 * too. Only for a reference that has kept the offset of the source: the weaver subtracts the
 * member's offset from the operand's address to get the address of the struct.
 */
void wp_lowered_add(gimple *statement, tree reference, enum weft_access_effect effect,
		    unsigned access, bool wholes);

/* Whether there is a note for a statement. */
bool wp_lowered_knows(gimple *statement, tree reference, enum weft_access_effect effect);

/* Calls found() for each access that is noted for a statement. */
void wp_lowered_each(gimple *statement, tree reference, enum weft_access_effect effect,
		     void (*found)(unsigned access, void *data), void *data);

/*
 * Asks by an operand's MEM_EXPR, when the function is RTL. @role: whether the operand is loaded or
 * stored. Calls found() for each access that was noted for it. With @certain false the notes are
 * not used: found() is called for the access that the operand's statement seemed to do after the
 * last GIMPLE pass, by its own location and member. Returns whether there was any.
 */
bool wp_lowered_find(tree expression, enum weft_access_effect role, bool certain,
		     void (*found)(unsigned access, void *data), void *data);

/*
 * The memory that a statement loads or stores; @effect_ret: which of both. NULL if the statement is
 * neither a plain load nor a plain store.
 */
tree wp_memory_of(gimple *statement, enum weft_access_effect *effect_ret);

/* isra.cc */
opt_pass *wp_isra_callee_pass_create(gcc::context *context);
opt_pass *wp_isra_caller_pass_create(gcc::context *context);

/* rewritten.cc: which of GCC's passes the two passes of the plugin stand around */
enum wp_rewrite {
	WP_REWRITE_ADDRESSES, /* the statements stay, and their references change (ivopts) */
	WP_REWRITE_STORES,    /* new stores replace several old ones */
	WP_REWRITE_LOADS,     /* a new load replaces loads of the same memory (PRE) */
	WP_REWRITE_VECTORS,   /* new stores and new loads (SLP) */
};

opt_pass *wp_before_pass_create(gcc::context *context, enum wp_rewrite rewrite);
opt_pass *wp_after_pass_create(gcc::context *context, enum wp_rewrite rewrite);

#endif /* WEFT_LOWERED_H */
