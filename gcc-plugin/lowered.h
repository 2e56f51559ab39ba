/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The accesses of references that GCC has rewritten, so that the references no longer show them.
 * Passes of the plugin around GCC's own note the accesses; label.cc asks for them by an operand's
 * MEM_EXPR. All notes are about the current function.
 *
 *   isra.cc       loads that IPA-SRA moved from a function to its callers
 *   rewritten.cc  references that a pass has replaced or merged
 */
#ifndef WEFT_LOWERED_H
#define WEFT_LOWERED_H

#include "joinpoints.h"

/* Registers all passes that note accesses. */
void wp_lowered_init(const char *plugin_name);

/* Forgets everything. Called before the passes of each function. */
void wp_lowered_clear(void);

/*
 * Notes that @reference, which @statement loads from or stores to, does @access, too. The note is
 * found again when later passes copy the statement or change the base of its reference. @wholes:
 * notes also the accesses that @access is a part of. The weaver computes the address of their
 * struct from the offset in the instruction, so the reference must have the same offset as in the
 * source.
 */
void wp_lowered_add(gimple *statement, tree reference, enum weft_access_effect effect,
		    unsigned access, bool wholes);

/* Whether anything is noted for a statement's reference. */
bool wp_lowered_knows(gimple *statement, tree reference, enum weft_access_effect effect);

/* Calls found() for each access that is noted for a statement's reference. */
void wp_lowered_each(gimple *statement, tree reference, enum weft_access_effect effect,
		     void (*found)(unsigned access, void *data), void *data);

/*
 * Calls found() for each access that passes noted for the reference which is an operand's MEM_EXPR.
 * With @certain false: for the access that its statement had at the end of GIMPLE. Returns whether
 * there is one. @role: load or store.
 */
bool wp_lowered_find(tree expression, enum weft_access_effect role, bool certain,
		     void (*found)(unsigned access, void *data), void *data);

/* A statement's reference to memory. NULL if the statement is no plain load or store. */
tree wp_memory_of(gimple *statement, enum weft_access_effect *effect_ret);

/* isra.cc */
opt_pass *wp_isra_callee_pass_create(gcc::context *context);
opt_pass *wp_isra_caller_pass_create(gcc::context *context);

/* rewritten.cc: a pass to run before one of GCC's, and one to run after it */
enum wp_rewrite {
	WP_REWRITE_ADDRESSES, /* the statements stay, and their references change (ivopts) */
	WP_REWRITE_STORES,    /* new stores replace several old ones */
	WP_REWRITE_LOADS,     /* a new load replaces loads of the same memory (PRE) */
	WP_REWRITE_VECTORS,   /* new stores and new loads (SLP) */
};

opt_pass *wp_before_pass_create(gcc::context *context, enum wp_rewrite rewrite);
opt_pass *wp_after_pass_create(gcc::context *context, enum wp_rewrite rewrite);

#endif /* WEFT_LOWERED_H */
