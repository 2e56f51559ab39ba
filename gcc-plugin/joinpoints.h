/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the plugin knows of the unit that is being compiled, and the passes that find it out:
 *
 *   capture  every finished function and initialiser, as the front end left it  -> fields, owners, records
 *   calls    every function's last GIMPLE  -> which records an indirect call goes through
 *   label    every function's final RTL    -> ranges: labels at the instructions that do what a record says
 *   emit     the end of the unit           -> the table
 *
 * Nothing here keeps a tree beyond the callback that was given it: records name declarations by their DECL_UID and
 * hold copies of names, so GCC's garbage collector needs no roots from us and behaves as without the plugin.
 */
#ifndef WEFT_JOINPOINTS_H
#define WEFT_JOINPOINTS_H

#include "table.h"
#include "map.h"

/* A member of a struct as reached by one chain of members. Names are numbers of wp_string. */
struct wp_field {
	unsigned struct_name;
	unsigned member;
	unsigned path;
	unsigned flags; /* WEFT_FIELD_... */
};

/* The function or variable whose source records stand in. */
struct wp_owner {
	unsigned uid; /* of the declaration */
	unsigned name;
	unsigned flags; /* WEFT_FUNCTION_... */
	bool variable;
	bool main_file; /* stands in the unit's main source file */
	bool alive; /* is emitted, or was inlined into something that is */
	bool lines_known; /* its records can be found by line */
	unsigned first_record; /* the owner's records are neighbours */
	unsigned record_count;
};

/* One access in the source. */
struct wp_record {
	location_t where; /* pure */
	unsigned field; /* index in wp_fields */
	unsigned member_uid; /* DECL_UID of the innermost FIELD_DECL */
	unsigned owner; /* index in wp_owners */
	int offset; /* bytes from the start of the chain's object, WP_NO_OFFSET where a variable index is in between */
	int size; /* bytes, 0 where unknown or a bit-field */
	unsigned char kind; /* enum weft_kind */
	bool labelled;
};

#define WP_NO_OFFSET (-1)

/* One label's use for one record. */
struct wp_entry {
	int label;
	unsigned record;
	enum weft_use use;
};

/* One function's part in one section; its entries are neighbours in wp_entries. */
struct wp_range {
	unsigned function; /* string: the symbol's name */
	unsigned flags;
	unsigned first_entry;
	unsigned entry_count;
};

/* Numbers of records begin at 1, so that 0 can say "none" in a wp_map; index 0 of the vector is not used. */
extern vec<wp_field> wp_fields;
extern vec<wp_owner> wp_owners;
extern vec<wp_record> wp_records;
extern vec<wp_entry> wp_entries;
extern vec<wp_range> wp_ranges;

/* store.cc: the records and how they are found again */

/* Prepares the vectors; called once before anything else. */
void wp_store_init(void);

/* The owner of a function or variable, made when it is not known yet. */
unsigned wp_owner_of(tree decl);

/* Notes that what stands in this function's source is in the object. Unknown functions are ignored. */
void wp_owner_revive(tree decl);

/* Adds an access, or merges it into the record that has the same place and member. */
unsigned wp_record_add(const wp_record *access);

/* Lets a record be found at another location too: what later stages have instead of the member's own. */
void wp_record_alias(unsigned record, location_t where);

/* The record of a member at a location, 0 if none or not certain. */
unsigned wp_record_find(location_t where, unsigned member_uid, enum weft_use use);

/* The only record at a location whose bytes are these, 0 if none or not certain. */
unsigned wp_record_find_bytes(location_t where, int offset, int size, enum weft_use use);

/* The only record of a member in a function's line, 0 if none or not certain. */
unsigned wp_record_find_line(tree function, location_t where, unsigned member_uid, enum weft_use use);

/* Says that the call expression at a location goes through a record's member; and the record of one. */
void wp_call_add(location_t where, unsigned record);
unsigned wp_call_find(location_t where);

/* field.cc: names of members */

#define WP_CHAIN_MAX 32

/* The members of a chain, innermost first, anonymous levels included. */
struct wp_chain {
	tree fields[WP_CHAIN_MAX];
	unsigned length;
};

/* The chain of a COMPONENT_REF, and the byte offset and size of its end. */
void wp_chain_init(wp_chain *chain, tree reference, int *offset_ret, int *size_ret);

/* The field that a chain ends in. */
unsigned wp_field_of(const wp_chain *chain);

/* place.cc: locations as people read them */

struct wp_place {
	unsigned file;
	int line;
	unsigned column;
	bool in_macro; /* the rest is valid */
	unsigned macro;
	unsigned spelling_file;
	unsigned spelling_line;
	unsigned spelling_column;
};

/* Resolves a location; valid until the end of the unit. */
void wp_place_init(wp_place *place, location_t where);

/* A file's name as DWARF has it. */
unsigned wp_file_name(const char *name);

/* capture.cc: callbacks for a function's or a variable's end of parsing */
void wp_capture_function(void *tree_of_function, void *data);
void wp_capture_variable(void *tree_of_decl, void *data);

/* calls.cc */

/* Makes the GIMPLE pass. */
opt_pass *wp_calls_pass_create(gcc::context *context);

/* Calls a function for every record that a call instruction of the current function goes through. */
void wp_calls_of_insn(rtx_insn *insn, void (*found)(unsigned record, void *data), void *data);

/* The record of a call that is fed by the load of another record in the current function, 0 if none. */
unsigned wp_calls_fed_by(unsigned record);

/* label.cc: makes the RTL pass */
opt_pass *wp_label_pass_create(gcc::context *context);

/* alive.cc: whose source is in the object */

/* Revives the current function and everything that was inlined into it. */
void wp_alive_function(tree function);

/* Callback for the end of the inter-procedural passes: revives what is inlined from here on. */
void wp_alive_inlined(void *unused, void *data);

/* Revives the variables that were emitted; at the unit's end. */
void wp_alive_variables(void);

/* emit.cc: callback that prints the table */
void wp_emit(void *unused, void *data);

#endif /* WEFT_JOINPOINTS_H */
