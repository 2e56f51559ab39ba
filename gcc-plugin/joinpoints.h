/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the plugin knows of the unit that is being compiled, and the passes that find it out:
 *
 *   needed   which functions are captured when: the main file's, and what the compiler lowers
 *   capture  each such function and each initialiser, as parsed -> fields, owners, records
 *   calls    each function's last GIMPLE -> which records an indirect call goes through
 *   label    each function's final RTL -> ranges: labels at the instructions that do an access
 *   emit     the end of the unit -> the table
 *
 * Nothing here keeps a tree beyond the callback that was given it: records name declarations by
 * their DECL_UID and hold copies of names, so GCC's garbage collector needs no roots from us and
 * behaves as without the plugin.
 */
#ifndef WEFT_JOINPOINTS_H
#define WEFT_JOINPOINTS_H

#include "runtime/joinpoint-table.h"
#include "map.h"

/* A member of a struct as reached by one chain of members. Names are numbers of wp_string. */
struct wp_field {
	unsigned struct_name;
	unsigned member;
	unsigned path; /* the whole chain, 0 where it would only repeat "struct.member" */
	unsigned parent; /* plus 1: the field that path but for the member is of; or 0 */
	unsigned flags; /* WEFT_FIELD_... */
};

/* The function or variable whose source records stand in. */
struct wp_owner {
	unsigned uid; /* of the declaration */
	unsigned name;
	unsigned flags; /* WEFT_FUNCTION_... */
	bool variable;
	bool main_file;	       /* stands in the unit's main source file */
	bool alive;	       /* is emitted, or was inlined into something that is */
	bool lines_known;      /* its records can be found by line */
	unsigned first_record; /* the owner's records are neighbours */
	unsigned record_count;
};

/*
 * The bits that an access is to, counted from the start of the object that its chain begins with.
 */
struct wp_extent {
	int first;	   /* WP_NO_BIT where an index is in between that is not constant */
	int count;	   /* 0 where unknown */
	int element;	   /* bits of an array's element; the same as count for anything else */
	unsigned type_uid; /* of the element's unqualified type */
	bool bit_field;
};

#define WP_NO_BIT (-1)

/* The bits that a lowered reference is to. */
struct wp_bits {
	int first; /* counted from where its pointer points or its variable starts, or WP_NO_BIT */
	int count;
	unsigned type_uid; /* of the reference's unqualified type */
	unsigned base_uid; /* as in wp_access */
};

/* One access in the source. */
struct wp_access {
	location_t where; /* pure */
	unsigned field; /* index in wp_fields */
	unsigned member_uid; /* DECL_UID of the innermost FIELD_DECL */
	unsigned owner; /* index in wp_owners */
	unsigned base_uid; /* of the variable that is, or points to, the object; or 0 */
	unsigned whole; /* the record accessed with this one: its whole, or tested with it; or 0 */
	wp_extent extent;
	unsigned char kind; /* enum weft_kind */
	bool labelled;
};

/* One label's use for one record. */
struct wp_entry {
	int label;
	unsigned record;
	enum weft_access_effect use;
};

/* One function's part in one section; its entries are neighbours in wp_entries. */
struct wp_range {
	unsigned function; /* string: the symbol's name */
	const void *section; /* one for each section of the object */
	unsigned flags;
	unsigned first_entry;
	unsigned entry_count;
};

/*
 * Numbers of records begin at 1, so that 0 can say "none" in a wp_map; index 0 of the vector is not
 * used.
 */
extern vec<wp_field> wp_fields;
extern vec<wp_owner> wp_owners;
extern vec<wp_access> wp_accesses;
extern vec<wp_entry> wp_entries;
extern vec<wp_range> wp_ranges;

/* access-index.cc: the records and how they are found again */

/* Prepares the vectors; called once before anything else. */
void wp_store_init(void);

/* Whether a function or variable stands in the unit's main source file. */
bool wp_in_main_file(tree decl);

/* The owner of a function or variable, made when it is not known yet. */
unsigned wp_owner_of(tree decl);

/* Whether it is known. */
bool wp_owner_known(tree decl);

/*
 * Notes that what stands in this function's source is in the object. Unknown functions are ignored.
 */
void wp_owner_revive(tree decl);

/* Says that who accesses the one record accesses the other as well. */
void wp_access_join(unsigned part, unsigned whole);

/* Adds an access, or merges it into the record that has the same place and member. */
unsigned wp_access_add(const wp_access *access);

/*
 * Lets a record be found at another location too: what later stages have instead of the member's
 * own. "itself" says that nothing but this access happens there.
 */
void wp_access_alias(unsigned record, location_t where, bool itself);

/* The record of a reference's member at a location, 0 if none or not certain. */
unsigned wp_access_find(location_t where, tree reference, enum weft_access_effect use);

/*
 * The innermost record at a location that these bits belong to, 0 if none or not certain. first may
 * be WP_NO_BIT.
 */
unsigned wp_access_find_bits(location_t where, const wp_bits *bits, enum weft_access_effect use);

/*
 * The innermost part of a record's member that is accessed with it and that these bits belong to, 0
 * if none or not certain.
 */
unsigned wp_access_find_part(unsigned whole, const wp_bits *bits, enum weft_access_effect use);

/* The record at a location that takes the address of a byte, 0 if none or not certain. */
unsigned wp_access_find_address(location_t where, int byte);

/* The only record of a member in a function's line, 0 if none or not certain. */
unsigned wp_access_find_line(tree function, location_t where, tree reference,
			     enum weft_access_effect use);

/* The same for bits of a member's size and type, or around a bit-field. */
unsigned wp_access_find_line_bits(tree function, location_t where, const wp_bits *bits,
				  enum weft_access_effect use);

/*
 * Says that the call expression at a location goes through a record's member; and the record of
 * one.
 */
void wp_call_add(location_t where, unsigned record);
unsigned wp_call_find(location_t where);

/* field.cc: names of members */

#define WP_CHAIN_MAX 32

/* The members of a chain, innermost first, anonymous levels included. */
struct wp_chain {
	tree fields[WP_CHAIN_MAX];
	bool indexed[WP_CHAIN_MAX]; /* an array, of which the member further in is in one element */
	unsigned length;
};

/* The chain of a COMPONENT_REF; reference may be NULL for an empty chain. */
void wp_chain_init(wp_chain *chain, tree reference);

/* Goes one member further in. */
void wp_chain_enter(wp_chain *chain, tree field);

/* The bits that a chain leads to. */
wp_extent wp_extent_of(const wp_chain *chain);

/*
 * The DECL_UID of the variable that a reference begins with, before inlining; 0 if it begins with
 * anything else.
 */
unsigned wp_base_uid(tree reference);

/* The field that a chain ends in. */
unsigned wp_field_of(const wp_chain *chain);

/* bits.cc: which bits a lowered reference is to */

/*
 * The bits of a reference in GIMPLE or of a memory operand; false when their number is not known.
 */
bool wp_bits_init(wp_bits *bits, tree reference);
bool wp_bits_init_memory(wp_bits *bits, rtx memory);

/* source-location.cc: locations as people read them */

struct wp_source_location {
	unsigned file;
	int line;
	unsigned column;
	bool in_macro; /* the rest is valid */
	unsigned macro;
	unsigned spelling_file;
	unsigned spelling_line;
	unsigned spelling_column;
};

/* Where the operator of a member's reference stands in the source. */
location_t wp_source_location_of_operator(tree reference);

/* Resolves a location; valid until the end of the unit. */
void wp_source_location_init(wp_source_location *place, location_t where);

/* A file's name as DWARF has it. */
unsigned wp_file_name(const char *name);

/* capture.cc: walks a function or a variable; callbacks for their end of parsing */
void wp_capture_function(void *tree_of_function, void *data);
void wp_capture_variable(void *tree_of_decl, void *data);

/* needed.cc: has the functions captured that the compiler comes to need */
void wp_needed_init(const char *name);

/* folded.cc: members that the front end has turned into tests of bits */

/* A test reads one word of an object, or of two that it compares. */
#define WP_TEST_MAX 2

struct wp_test {
	tree references[WP_TEST_MAX]; /* BIT_FIELD_REFs */
	unsigned count;
	uint64_t mask; /* the bits of the words that count */
	location_t where;
};

/* Says whether an expression is a test, and of what. */
bool wp_test_init(wp_test *test, tree node);

/* Calls a function with the chain of every member that bits of a reference belong to. */
void wp_folded_members(tree bits, uint64_t mask, location_t where,
		       void (*found)(const wp_chain *chain, location_t where, void *data),
		       void *data);

/* calls.cc */

/* Makes the GIMPLE pass. */
opt_pass *wp_calls_pass_create(gcc::context *context);

/*
 * Calls a function for every record that a call instruction of the current function goes through.
 */
void wp_calls_of_insn(rtx_insn *insn, void (*found)(unsigned record, void *data), void *data);

/*
 * The record of a call that is fed by the load of another record in the current function, 0 if
 * none.
 */
unsigned wp_calls_fed_by(unsigned record);

/* label.cc: makes the RTL pass */
opt_pass *wp_label_pass_create(gcc::context *context);

/* emitted-functions.cc: whose source is in the object */

/* Revives the current function and everything that was inlined into it. */
void wp_alive_function(tree function);

/* Callback for the end of the inter-procedural passes: revives what is inlined from here on. */
void wp_alive_inlined(void *unused, void *data);

/* Revives the variables that were emitted; at the unit's end. */
void wp_alive_variables(void);

/* syntax-only.cc: the table where no code is made */

/* Hangs in what it needs; wp_emit's output goes to file. Comes after the capture's callbacks. */
void wp_accesses_init(const char *name, const char *file);

/* emit.cc: callback that prints the table */
void wp_emit(void *unused, void *data);

#endif /* WEFT_JOINPOINTS_H */
