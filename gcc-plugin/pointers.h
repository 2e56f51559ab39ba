/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the pointers of a unit's functions come from, in the terms of each function as written: its
 * parameters, the members whose addresses it takes, the functions that it calls.
 */
#ifndef WEFT_POINTERS_H
#define WEFT_POINTERS_H

#include "joinpoints.h"

/*
 * Where a pointer comes from. Exactly one of .access, .parameter and .callee is not 0, and says it.
 */
struct wp_pointer {
	unsigned access;    /* the pointer is the address of the member of this access */
	unsigned parameter; /* the pointer is the value of this parameter; 1: the first */
	unsigned callee;    /* the pointer is what the function with this DECL_UID returns */
	location_t call;    /* if .callee is set: the location of the call */
	/*
	 * if .access is set: index in wp_pointers of the pointer with which the access's chain of
	 * members begins
	 */
	unsigned object;
	int offset;  /* bytes that are added to the above */
	bool varies; /* an unknown number of bytes is added, too */
};

/*
 * A note says where one pointer of a function comes from: the pointer by which a statement loads or
 * stores, one that is passed as an argument, or one that is returned. A note has a key, which
 * wp_note_key() makes of the kind of note and of two numbers.
 */
struct wp_note {
	unsigned pointer;  /* index in wp_pointers */
	/* the access that the operand does by itself, as `v->counter` does; 0: none */
	unsigned own;
	unsigned function; /* DECL_UID of the function that has the statement in its source */
	int bits;	   /* size of the operand in bits; 0: unknown */
	unsigned flags; /* for a WP_NOTE_ARGUMENT: WP_ARGUMENT_... */
};

/* Flags of a WP_NOTE_ARGUMENT */

/* The ABI passes the argument in a register, and the number of the argument says in which. */
#define WP_ARGUMENT_IN_REGISTER 0x1u
/*
 * The argument is `&p->m`. Whenever the function computes that address, this call is the next one
 * that gets it. So the call may stand for the access of kind address.
 */
#define WP_ARGUMENT_AS_TAKEN 0x2u
/*
 * The argument is made of a parameter of the calling function. Whenever the calling function runs,
 * it makes this call, and no earlier call gets the same parameter. So where the calling function is
 * inlined with `&p->m` for that parameter, this call may stand for that access of kind address.
 */
#define WP_ARGUMENT_AS_ENTERED 0x4u

/*
 * The kinds of notes: which pointer a note is about, and of which numbers its key is made: @where
 * and @number of wp_note_key(). Locations are pure (wp_pure()); a @number that is not mentioned is
 * 0.
 */
enum wp_note_kind {
	/* the pointer of a memory operand of the asm at @where; @number: the operand's */
	WP_NOTE_ASM = 1,
	/* `x = *v`: v, of the statement at @where, whose memory operand names no member */
	WP_NOTE_LOAD,
	/* `*v = x`: v, as for WP_NOTE_LOAD */
	WP_NOTE_STORE,
	/* `__atomic_add_fetch(v, ...)` and the like: v, of the call at @where */
	WP_NOTE_BUILTIN,
	/* `v->m`: v, plus the offset of m; @where is the index of the access in wp_accesses */
	WP_NOTE_MEMBER,
	/* `f(v)`: v; its key is made by wp_note_argument_key() */
	WP_NOTE_ARGUMENT,
	/* `return v`: v; @where is the DECL_UID of the function that returns it */
	WP_NOTE_RETURN,
};

/* Element 0: an unknown pointer. Equal pointers have one index. */
extern vec<wp_pointer> wp_pointers;

/* Makes the pass that notes where a function's pointers come from. */
opt_pass *wp_pointers_pass_create(gcc::context *context);

/* The index of a pointer in wp_pointers; it is added if it is new. */
unsigned wp_pointer_number(const wp_pointer *it);

/* The note of a key; NULL if there is none, or there are several that differ. */
const wp_note *wp_note_find(uint64_t key);

/* The key of a note; see enum wp_note_kind. */
uint64_t wp_note_key(enum wp_note_kind kind, uint64_t where, uint64_t number);

/* The key of argument number @argument, 0 for the first, of a call. */
uint64_t wp_note_argument_key(location_t where, unsigned callee, unsigned argument);

#endif /* WEFT_POINTERS_H */
