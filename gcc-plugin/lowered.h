/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accesses of loads and stores that a GIMPLE pass has rewritten.
 *
 * label.cc finds out which member an instruction accesses by the MEM_EXPR of its memory operand:
 * the expression of the GIMPLE statement that the instruction was made from. That works as long as
 * the expression is the source's, `p->m`. But some passes replace it: in a loop, `p->m` becomes an
 * offset from an induction variable; two stores to neighbours become one wide store; a load moves
 * to the caller. Then no member is left in the expression.
 *
 * So before and after each such pass the plugin looks at the function's loads and stores, and for
 * each that the pass has made it notes here which accesses it does, by wp_lowered_add(). When
 * label.cc labels an instruction whose MEM_EXPR is of such a statement, it asks for these notes, by
 * wp_lowered_find(). They are made in
 *
 *   isra.cc       for IPA-SRA, which moves loads from a function to its callers
 *   rewritten.cc  for ivopts, store merging, SLP and PRE
 *
 * and kept in lowered.cc. All notes are about the function that is being compiled.
 */
#ifndef WEFT_LOWERED_H
#define WEFT_LOWERED_H

#include "joinpoints.h"

/* Registers all passes that note accesses. */
void wp_lowered_init(const char *plugin_name);

/* Forgets everything. Called before the passes of each function. */
void wp_lowered_clear(void);

/*
 * Notes that @statement does @access. @reference: the statement's operand in memory, which it loads
 * (@effect is load) or stores (store). A statement that does several accesses gets several notes.
 * If a later pass copies the statement, or changes the pointer that its reference begins with, the
 * notes are found for the new statement as well.
 *
 * @wholes: notes the accesses that @access is a part of as well (in `p->a.b`, that of a for that of
 * b). To be true only if the reference still has the source's offset from p: for each label, the
 * weaver computes the address of the struct from the operand's, by the offset of the member.
 */
void wp_lowered_add(gimple *statement, tree reference, enum weft_access_effect effect,
		    unsigned access, bool wholes);

/* How many notes there are. */
unsigned wp_lowered_count(void);

/* Whether there is a note for a statement. */
bool wp_lowered_knows(gimple *statement, tree reference, enum weft_access_effect effect);

/* Calls found() for each access that is noted for a statement. */
void wp_lowered_each(gimple *statement, tree reference, enum weft_access_effect effect,
		     void (*found)(unsigned access, void *data), void *data);

/*
 * To be called when the function is RTL: calls found() for each access that was noted for the
 * statement from which a memory operand comes. @expression: the operand's MEM_EXPR. @role: whether
 * the operand is loaded or stored.
 *
 * With @certain false, the notes are not used. Then found() is called for the one access that
 * wp_access_of_reference() gave for the statement after the last GIMPLE pass. label.cc does this
 * last, when it has found no access in any other way.
 *
 * Returns whether found() was called.
 */
bool wp_lowered_find(tree expression, enum weft_access_effect role, bool certain,
		     void (*found)(unsigned access, void *data), void *data);

/*
 * Returns the access for which wp_lowered_find() would call found() if @certain is false; 0: none.
 */
unsigned wp_lowered_likely(tree expression, enum weft_access_effect role);

/*
 * The memory that a statement loads or stores; @effect_ret: which of both. NULL if the statement is
 * neither a plain load nor a plain store.
 */
tree wp_memory_of(gimple *statement, enum weft_access_effect *effect_ret);

/* isra.cc */
opt_pass *wp_isra_callee_pass_create(gcc::context *context);
opt_pass *wp_isra_caller_pass_create(gcc::context *context);

/*
 * To be called at the end of the inter-procedural passes: notes whether IPA-SRA has moved loads out
 * of @node, a function or an inlined copy of one. After that, wp_isra_has_changed() says whether
 * IPA-SRA has moved loads out of any copy of the function with DECL_UID @uid.
 */
void wp_isra_note_changed(cgraph_node *node);
bool wp_isra_has_changed(unsigned uid);

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
