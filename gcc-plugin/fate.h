/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fates: what became of accesses that have no instruction of their own. fate-watch.cc sees in GCC's
 * passes what happens to a memory reference, and states it as a fact; fate.cc keeps the facts until
 * the function is printed, and then gives each access without a label its fate.
 *
 * A fact is about one access in one inlined instance of a function's body. An instance is a chain
 * of inlined scopes, from the body's own function inwards. It is identified by the locations of the
 * inlined calls, so it is the same wherever the body is inlined. Facts that were found in a body
 * before it was inlined hold everywhere that it is inlined.
 */
#ifndef WEFT_FATE_H
#define WEFT_FATE_H

#include "joinpoints.h"

/* A fact. Instances are numbered; 0 is the body itself. */
struct wp_fact {
	unsigned access, instance;
	enum weft_fate fate;
	unsigned servant, servant_instance; /* COALESCED: the servant's access; 0: none is named */
	/* if the servant is a read-modify-write: its store does the work, not its load */
	bool servant_stores;
	bool servant_alone; /* one statement alone did the servant's access in its instance */
	/*
	 * The pure location (wp_pure()) of a statement that needs the access's value, and the
	 * instance that the statement is in. 0: there is none.
	 */
	location_t used;
	unsigned used_instance;
};

/* fate.cc */

/* The instance that code with this location is in, relative to the function's body. */
unsigned wp_instance_of(location_t where);

/* Notes a fact about a function's body. Only the first about an access and instance counts. */
void wp_fact_add(tree function, const wp_fact *fact);

/* fate-watch.cc */

/* Registers what is needed to watch GIMPLE passes. */
void wp_fate_watch_init(const char *name);

/* To be called before each pass. */
void wp_fate_watch_before(const opt_pass *pass);

/* fate-body.cc: states which accesses the current function's first GIMPLE does not have. */
void wp_fate_body(void);

/* fate-rtl.cc: as the two above, for RTL passes. */
void wp_fate_rtl_init(const char *name);
void wp_fate_rtl_before(const opt_pass *pass);

/* fate-way.cc */

/* Registers the pass that notes the ways through each function. */
void wp_fate_way_init(const char *name);

/*
 * Whether each way through the current function to the instruction with INSN_UID @to leads through
 * the one with INSN_UID @uid, or both are the same. To be called while the function is labelled.
 */
bool wp_way_leads_through(int uid, int to);

#endif /* WEFT_FATE_H */
