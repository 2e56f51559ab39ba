/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the plugin collects about the unit that is compiled, and the stages that collect it:
 *
 *   needed   decides which functions are captured: those of the main file, and lowered ones
 *   capture  walks each such function and each initializer as parsed -> fields, owners, accesses
 *   calls    the last GIMPLE of each function -> the accesses that an indirect call goes through
 *   label    the final RTL of each function -> ranges: labels at the instructions that do an access
 *   emit     the end of the unit -> the table
 *
 * No tree is kept after the callback that received it: an access holds the DECL_UIDs of its
 * declarations and copies of their names. So the plugin needs no roots in GCC's garbage collector.
 */
#ifndef WEFT_JOINPOINTS_H
#define WEFT_JOINPOINTS_H

#include "runtime/joinpoint-table.h"
#include "map.h"

/*
 * A member of a struct as reached by one chain of members. Names are string numbers (wp_string()).
 */
struct wp_field {
	unsigned struct_name;
	unsigned member;
	unsigned path; /* "struct.member.member"; 0 if it equals "struct.member" */
	/* 1 + index of the field whose path is this path without its last member; or 0 */
	unsigned parent;
	unsigned flags; /* WEFT_FIELD_... */
};

/* The function, or the variable's initializer, that contains an access in the source. */
struct wp_owner {
	unsigned uid; /* DECL_UID */
	unsigned name;
	unsigned flags; /* WEFT_FUNCTION_... */
	bool variable;
	bool main_file;	       /* declared in the unit's main source file */
	bool emitted;	       /* emitted, or inlined into an emitted function */
	bool lines_known;      /* the accesses have been entered by line number */
	/* index in wp_accesses; the owner's accesses are mostly consecutive */
	unsigned first_access;
	unsigned access_count;
};

/*
 * The bits that an access covers, counted from the start of the object that its chain begins with.
 */
struct wp_extent {
	int first;	   /* WP_NO_BIT if an array is indexed on the way or an offset varies */
	int count;	   /* 0 if unknown */
	int element;	   /* size in bits of an array's element; equal to count if not an array */
	unsigned type_uid; /* of the element's unqualified type */
	bool bit_field;
};

#define WP_NO_BIT (-1)

/* The bits that a lowered reference covers. */
struct wp_bits {
	int first; /* from the address in the pointer, or the variable's start; or WP_NO_BIT */
	int count;
	unsigned type_uid; /* of the reference's unqualified type */
	unsigned base_uid; /* as in wp_access */
};

/* One access in the source. */
struct wp_access {
	location_t where; /* from wp_pure() */
	unsigned field; /* index in wp_fields */
	unsigned member_uid; /* DECL_UID of the innermost FIELD_DECL */
	unsigned owner; /* index in wp_owners */
	unsigned base_uid; /* DECL_UID of the variable that is the object or points to it; or 0 */
	/*
	 * the access that this one is a part of (`a.b` of `a.b.c`), or that is tested with it; or 0
	 */
	unsigned whole;
	wp_extent extent;
	unsigned char kind; /* enum weft_kind */
	bool labelled;
};

/* One access done by the instruction at a label. */
struct wp_entry {
	int label;
	unsigned access;
	enum weft_access_effect effect;
};

/* The labels of one function in one section. Its entries are consecutive in wp_entries. */
struct wp_range {
	unsigned function; /* wp_string() of the symbol's name */
	const void *section; /* identifies the section: GCC's `section *`, compared only */
	unsigned flags;
	unsigned first_entry;
	unsigned entry_count;
};

/* wp_accesses[0] and wp_owners[0] are not used, so that 0 can mean "none". */
extern vec<wp_field> wp_fields;
extern vec<wp_owner> wp_owners;
extern vec<wp_access> wp_accesses;
extern vec<wp_entry> wp_entries;
extern vec<wp_range> wp_ranges;

/* access-index.cc: the accesses and the search for them */

/* Fills the unused elements 0. Called once, before anything else. */
void wp_store_init(void);

/* True if a function or variable is declared in the unit's main source file. */
bool wp_in_main_file(tree decl);

/* The owner (index in wp_owners) for a function or variable; added if it is new. */
unsigned wp_owner_of(tree decl);

/* True if the function or variable has an owner already. */
bool wp_owner_known(tree decl);

/* Marks a function's or variable's accesses as part of the object. Unknown ones are ignored. */
void wp_owner_set_emitted(tree decl);

/* Notes that an access of @part is an access of @whole, too. */
void wp_access_join(unsigned part, unsigned whole);

/*
 * Adds an access, or merges it into the one with the same location and member. Returns its index.
 */
unsigned wp_access_add(const wp_access *access);

/*
 * Lets an access be found at a second location, which later stages use instead of the member's own.
 * @itself: nothing else is accessed at that location.
 */
void wp_access_alias(unsigned access, location_t where, bool itself);

/* The access of a reference's member at a location. 0 if there is none, or more than one fits. */
unsigned wp_access_find(location_t where, tree reference, enum weft_access_effect effect);

/*
 * The innermost access at a location that covers these bits. 0 if there is none, or more than one
 * fits. bits->first may be WP_NO_BIT.
 */
unsigned wp_access_find_bits(location_t where, const wp_bits *bits, enum weft_access_effect effect);

/*
 * The innermost access that is a part of @whole and covers these bits. 0 if there is none, or more
 * than one fits.
 */
unsigned wp_access_find_part(unsigned whole, const wp_bits *bits, enum weft_access_effect effect);

/*
 * The access at a location that takes the address of the member at this byte offset. 0 if there is
 * none, or more than one fits.
 */
unsigned wp_access_find_address(location_t where, int byte);

/* The only access of a member in a source line of a function. 0 if there is none, or several. */
unsigned wp_access_find_line(tree function, location_t where, tree reference,
			     enum weft_access_effect effect);

/* The same for bits: the member is a bit-field, or has the size and type of the bits. */
unsigned wp_access_find_line_bits(tree function, location_t where, const wp_bits *bits,
				  enum weft_access_effect effect);

/*
 * wp_call_add() notes that the call expression at a location goes through a member. wp_call_find()
 * returns the access noted for a location: 0 if there is none, or several.
 */
void wp_call_add(location_t where, unsigned access);
unsigned wp_call_find(location_t where);

/* field.cc: names of members */

#define WP_CHAIN_MAX 32

/* The members of a chain, innermost first, with anonymous structs and unions. */
struct wp_chain {
	tree fields[WP_CHAIN_MAX];
	/* the member is an array, and fields[i - 1] is in an element of it */
	bool indexed[WP_CHAIN_MAX];
	unsigned length;
};

/* Makes the chain of a COMPONENT_REF, which may be in array elements. NULL makes an empty chain. */
void wp_chain_init(wp_chain *chain, tree reference);

/* Adds a member at the inner end. */
void wp_chain_enter(wp_chain *chain, tree field);

/* The bits that the chain's innermost member covers. */
wp_extent wp_extent_of(const wp_chain *chain);

/*
 * The DECL_UID of the variable that a reference begins with (the original of an inlined one); 0 if
 * it begins with anything else.
 */
unsigned wp_base_uid(tree reference);

/* The field (index in wp_fields) of a chain; added if it is new. */
unsigned wp_field_of(const wp_chain *chain);

/* bits.cc: the bits that a lowered reference covers */

/* The bits of a reference in GIMPLE, or of a memory operand. False if their number is unknown. */
bool wp_bits_init(wp_bits *bits, tree reference);
bool wp_bits_init_memory(wp_bits *bits, rtx memory);

/* source-location.cc: file, line and column of locations */

struct wp_source_location {
	unsigned file;
	int line;
	unsigned column;
	bool in_macro; /* the members below are valid */
	unsigned macro;
	unsigned spelling_file;
	unsigned spelling_line;
	unsigned spelling_column;
};

/* The location of a member reference's operator (`.` or `->`). */
location_t wp_source_location_of_operator(tree reference);

/* Resolves a location. The strings live until the end of the unit. */
void wp_source_location_init(wp_source_location *location, location_t where);

/* The wp_string() of a file's name as DWARF has it (after -fdebug-prefix-map). */
unsigned wp_file_name(const char *name);

/* capture.cc: walks a function or a variable's initializer; callbacks for the end of parsing */
void wp_capture_function(void *tree_of_function, void *data);
void wp_capture_variable(void *tree_of_decl, void *data);

/* needed.cc: captures the functions that the compiler parses in the main file or lowers */
void wp_needed_init(const char *name);

/* folded.cc: members in expressions that the front end has folded to tests of bits */

/* A test reads one word of an object, or compares a word of each of two. */
#define WP_TEST_MAX 2

struct wp_test {
	tree references[WP_TEST_MAX]; /* BIT_FIELD_REFs */
	unsigned count;
	uint64_t mask; /* the bits of the words that are tested */
	location_t where;
};

/* Fills in a test. False if the expression is not one. */
bool wp_test_init(wp_test *test, tree node);

/* Calls found() with the chain of every member that has tested bits of a BIT_FIELD_REF. */
void wp_folded_members(tree bits, uint64_t mask, location_t where,
		       void (*found)(const wp_chain *chain, location_t where, void *data),
		       void *data);

/* calls.cc */

/* Makes the GIMPLE pass. */
opt_pass *wp_calls_pass_create(gcc::context *context);

/* Calls found() for every access that a call instruction of the current function goes through. */
void wp_calls_of_insn(rtx_insn *insn, void (*found)(unsigned access, void *data), void *data);

/*
 * The access of the call that a loaded function pointer goes to in the current function. @access:
 * the access that loads it. 0 if there is none.
 */
unsigned wp_calls_fed_by(unsigned access);

/* label.cc: makes the RTL pass */
opt_pass *wp_label_pass_create(gcc::context *context);

/* emitted-functions.cc: which functions' source is in the object */

/* Marks the current function and everything inlined into it as emitted. */
void wp_mark_function_emitted(tree function);

/* Callback for the end of the inter-procedural passes: marks functions that were inlined. */
void wp_mark_inlined_emitted(void *unused, void *data);

/* Marks the variables that were emitted. Called at the end of the unit. */
void wp_mark_variables_emitted(void);

/* syntax-only.cc: the table of a unit for which no code is made */

/*
 * Registers the callbacks that make wp_emit() print to @file. Must be called after the capture's
 * callbacks are registered.
 */
void wp_syntax_only_init(const char *name, const char *file);

/* emit.cc: callback that prints the table */
void wp_emit(void *unused, void *data);

#endif /* WEFT_JOINPOINTS_H */
