/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the pointers of a unit's functions come from, in the terms of each function as written: its
 * parameters, the members whose addresses it takes, the functions that it calls.
 */
#ifndef WEFT_POINTERS_H
#define WEFT_POINTERS_H

#include "joinpoints.h"

/* Where a pointer comes from: one of .access, .parameter and .callee is not 0. */
struct wp_pointer {
	unsigned access;    /* it is the address of this access's member */
	unsigned parameter; /* it is the value of this parameter, 1 for the first */
	unsigned callee;    /* it is what this function (DECL_UID) returns */
	location_t call;    /* of .callee: where it is called */
	/* of .access: index in wp_pointers of the pointer that its chain of members begins with */
	unsigned object;
	int offset;  /* bytes that are added */
	bool varies; /* an unknown number is added, too */
};

/*
 * What is noted about a statement's operand in memory, about an argument, or about a function's
 * result.
 */
struct wp_note {
	unsigned pointer;  /* index in wp_pointers */
	unsigned own;	   /* the access that the operand is by itself (`v->counter`); or 0 */
	unsigned function; /* DECL_UID of the function that has the statement in its source */
	int bits;	   /* the operand's size; 0 if unknown */
	unsigned flags; /* of an argument: WP_ARGUMENT_... */
};

/* The call passes the argument in the register of its number, as integers and pointers are. */
#define WP_ARGUMENT_IN_REGISTER 0x1u
/* The argument is passed whenever its address is taken, and this call is the first since then. */
#define WP_ARGUMENT_AS_TAKEN 0x2u
/* The same, counted from the entry of the function: for a pointer that is made of a parameter. */
#define WP_ARGUMENT_AS_ENTERED 0x4u

enum wp_note_kind {
	WP_NOTE_ASM = 1, /* the asm statement's location, and the operand's number */
	WP_NOTE_LOAD,	 /* location of a load that names no member */
	WP_NOTE_STORE,
	WP_NOTE_BUILTIN,  /* location of an atomic builtin */
	WP_NOTE_MEMBER,	  /* an access: the note's pointer is to the member */
	WP_NOTE_ARGUMENT, /* see wp_note_argument_key() */
	WP_NOTE_RETURN,	  /* DECL_UID of a function */
};

/* Element 0: an unknown pointer. Equal pointers have one index. */
extern vec<wp_pointer> wp_pointers;

/* Makes the pass that notes where a function's pointers come from. */
opt_pass *wp_pointers_pass_create(gcc::context *context);

/* The index of a pointer in wp_pointers; it is added if it is new. */
unsigned wp_pointer_number(const wp_pointer *it);

/* The note of a key; NULL if there is none, or there are several that differ. */
const wp_note *wp_note_find(uint64_t key);

uint64_t wp_note_key(enum wp_note_kind kind, uint64_t where, uint64_t number);

/* The key of argument number @argument, 0 for the first, of a call. */
uint64_t wp_note_argument_key(location_t where, unsigned callee, unsigned argument);

#endif /* WEFT_POINTERS_H */
