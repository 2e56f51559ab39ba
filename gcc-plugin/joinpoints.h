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
 * A member of a struct as reached by one chain of members: `p->a.b` and `q->b` are two fields, even
 * if both end at the same member. Names and paths are string numbers (wp_string()).
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
	/* wp_access_find_line() can search: the accesses are entered in its map */
	bool lines_known;
	/*
	 * index in wp_accesses of the owner's first access. The owner's other accesses are among
	 * the next .access_count elements; some of these elements may be another owner's.
	 */
	unsigned first_access;
	unsigned access_count;
};

/* The bits that an access covers: `p->a.b` covers the bits of b, counted from the start of *p. */
struct wp_extent {
	/* WP_NO_BIT (unknown) if the chain indexes an array or an offset varies */
	int first;
	int count;	   /* 0 if unknown */
	int element;	   /* if the member is an array: bits of one element; else equal to count */
	unsigned type_uid; /* TYPE_UID of the element's (or member's) unqualified type */
	bool bit_field;
};

#define WP_NO_BIT (-1)

/* The bits that a lowered reference covers. */
struct wp_bits {
	/*
	 * Number of the first bit, counted from where the reference's pointer points, or from the
	 * start of its variable. WP_NO_BIT: unknown.
	 */
	int first;
	int count;
	unsigned type_uid; /* TYPE_UID of the reference's unqualified type */
	unsigned base_uid; /* see wp_access.base_uid */
};

/* One access in the source. */
struct wp_access {
	location_t where; /* from wp_pure() */
	unsigned field; /* index in wp_fields */
	unsigned member_uid; /* DECL_UID of the innermost FIELD_DECL */
	unsigned owner; /* index in wp_owners */
	unsigned base_uid; /* DECL_UID of the variable that is the object or points to it; or 0 */
	/*
	 * index of the access that this access is a part of: in `p->a.b`, the access of b is a part
	 * of the access of a. Also links the members that one folded test reads. 0: none
	 */
	unsigned whole;
	/*
	 * index of an access that the front end has merged with this one: of `p->m == 1 || p->m ==
	 * 2` it makes one test that reads m once. What becomes of this access becomes of that one.
	 * 0: none
	 */
	unsigned also;
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

/* The labels of one function in one section (hot or cold): a slice of wp_entries. */
struct wp_range {
	unsigned function; /* wp_string() of the symbol's name */
	const void *section; /* GCC's `section *`, only to be compared with others */
	unsigned flags;
	unsigned first_entry;
	unsigned entry_count;
};

/* The fate of an access that has no instruction of its own in one emitted function. */
struct wp_fate {
	unsigned function; /* wp_string() of the symbol's name */
	unsigned flags; /* WEFT_FUNCTION_... of the emitted function */
	unsigned access;
	enum weft_fate fate;
	int label; /* of the servant; 0: none */
	unsigned servant; /* the access that has this label */
};

/* wp_accesses[0] and wp_owners[0] hold nothing, so that index 0 can mean "none". */
extern vec<wp_field> wp_fields;
extern vec<wp_owner> wp_owners;
extern vec<wp_access> wp_accesses;
extern vec<wp_entry> wp_entries;
extern vec<wp_range> wp_ranges;
extern vec<wp_fate> wp_fates; /* the fates of one function are adjacent */

/*
 * access-index.cc: the accesses and the search for them. Searches with @effect consider only
 * accesses of a kind that may have this effect: a get for a load, a set for a store. (Exception:
 * wp_access_find() takes the access at exactly this location for a load, of whatever kind it is.)
 */

/* Appends wp_accesses[0] and wp_owners[0]. Called once, before anything else. */
void wp_store_init(void);

/* True if a function or variable is declared in the unit's main source file. */
bool wp_in_main_file(tree decl);

/* The owner (index in wp_owners) for a function or variable; added if it is new. */
unsigned wp_owner_of(tree decl);

/* True if the function or variable has an owner already. */
bool wp_owner_known(tree decl);

/*
 * Marks a function's or variable's accesses as part of the object file. Does nothing if the
 * function or variable has no owner in wp_owners.
 */
void wp_owner_set_emitted(tree decl);

/*
 * Notes that access @part is a part of access @whole, as in `p->a.b` the access of b is a part of
 * that of a.
 */
void wp_access_join(unsigned part, unsigned whole);

/* Whether @part is @whole, or a part of it, or of a part of it, and so on. Never if @part is 0. */
bool wp_access_is_part(unsigned part, unsigned whole);

/*
 * Adds an access, and returns its index in wp_accesses. If there is one with the same location and
 * member, and not known to be of another variable, adds none: merges the kinds, and returns that
 * one's index.
 */
unsigned wp_access_add(const wp_access *access);

/* Whether an access of the member (DECL_UID @member_uid), not an init, is at a location. */
bool wp_access_is_at(location_t where, unsigned member_uid);

/* Moves an access to another location. It is found at its old location as well. */
void wp_access_move(unsigned access, location_t where);

/*
 * Lets an access be found at a second location, since later stages of GCC may give the member
 * reference that location. @itself: nothing else is accessed at that location.
 */
void wp_access_alias(unsigned access, location_t where, bool itself);

/*
 * The access at a location of the member that @reference, a COMPONENT_REF, names. 0 if there is
 * none, or more than one fits.
 */
unsigned wp_access_find(location_t where, tree reference, enum weft_access_effect effect);

/*
 * The innermost access at a location that covers these bits. If none does, as always if bits->first
 * is WP_NO_BIT, only size and type are compared. 0 if there is none, or more than one fits.
 */
unsigned wp_access_find_bits(location_t where, const wp_bits *bits, enum weft_access_effect effect);

/*
 * The access of the only bit-field at a location: its own location, or that of the assignment that
 * stores to it. 0: none or several are there, or other members may be accessed there.
 */
unsigned wp_access_find_bit_field(location_t where, enum weft_access_effect effect);

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

/*
 * The only access in a source line of a function that covers these bits and whose member is a
 * bit-field, or has the size and type of the bits. 0 if there is none, or several.
 */
unsigned wp_access_find_line_bits(tree function, location_t where, const wp_bits *bits,
				  enum weft_access_effect effect);

/*
 * wp_call_add() notes that the call expression at a location goes through the member of @access.
 * wp_call_find() returns the access noted for a location; 0 if none was noted, or several were.
 */
void wp_call_add(location_t where, unsigned access);
unsigned wp_call_find(location_t where);

/* field.cc: names of members */

#define WP_CHAIN_MAX 32

/*
 * The members of a chain, innermost first: `p->a.b` has fields[0] b and fields[1] a. Anonymous
 * structs and unions are included.
 */
struct wp_chain {
	tree fields[WP_CHAIN_MAX];
	/* fields[i] is an array, and fields[i - 1] is a member of one of its elements */
	bool indexed[WP_CHAIN_MAX];
	unsigned length;
};

/* Makes the chain of a COMPONENT_REF, or of an array element of one. NULL makes an empty chain. */
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

/*
 * Fills @bits from a reference in GIMPLE, or from an instruction's memory operand that has a
 * MEM_EXPR. False if the number of bits is unknown, or the memory is neither what a pointer points
 * to nor in a variable that is a struct, a union or an array of these.
 */
bool wp_bits_init(wp_bits *bits, tree reference);
bool wp_bits_init_memory(wp_bits *bits, rtx memory);

/* source-location.cc: file, line and column of locations */

struct wp_source_location {
	unsigned file;
	int line;
	unsigned column;
	bool in_macro; /* it came from a macro's expansion; if not, the members below are 0 */
	unsigned macro;
	unsigned spelling_file;
	unsigned spelling_line;
	unsigned spelling_column;
};

/* The location of a member reference's operator (`.` or `->`). */
location_t wp_source_location_of_operator(tree reference);

/* Fills in @location from GCC's @where. Its strings live until the end of the unit. */
void wp_source_location_init(wp_source_location *location, location_t where);

/* The wp_string() of a file's name as DWARF has it (after -fdebug-prefix-map). */
unsigned wp_file_name(const char *name);

/* spelled.cc: where the source text names a member */

/* Size in bytes of a word of the source text with its NUL; longer words are cut. */
#define WP_SPELLING_MAX 64

/* A member's name after an operator, `.` or `->`. */
struct wp_spelling {
	location_t where; /* of the operator; pure */
	bool address;     /* a `&` is before the chain of members that this one is in */
	char member[WP_SPELLING_MAX];
	char object[WP_SPELLING_MAX]; /* the word before the operator; "" if there is none */
};

/*
 * Appends all members that the text of an expression names, in the order of the text. @expression:
 * the expression's location, with its range. Appends none if the text cannot be read.
 */
void wp_spellings_find(location_t expression, vec<wp_spelling> *found);

/* Whether the token at a location is an operator, `.` or `->`. */
bool wp_spelled_operator(location_t where);

/* Whether the token at a location is `||` or `&&`. */
bool wp_spelled_logical(location_t where);

/* Copies the name of the member after the operator at @where. False if no operator is there. */
bool wp_spelled_member(location_t where, char member[WP_SPELLING_MAX]);

/* unfolded.cc: places in the source of accesses that the front end has folded */

/*
 * Notes that @access was found in the folded test at @test, a location with its range. @object: the
 * tree of the object that the test reads.
 */
void wp_unfold_note(unsigned access, location_t test, tree field, tree object);

/*
 * Notes a comparison, or a TRUTH_AND_EXPR or TRUTH_OR_EXPR of comparisons, if it may have been more
 * comparisons in the source, as `p->m == 1 || p->m == 2`. @first: the accesses in it are those in
 * wp_accesses from this index on.
 */
void wp_unfold_merged(tree test, unsigned first);

/*
 * Notes a comparison of two pointers. If both were addresses of one member, `&p->m == &q->m`, the
 * front end has made `p == q` of that.
 */
void wp_unfold_comparison(unsigned owner, tree comparison);

/*
 * The member that a conversion, or a sum of an address and a constant, was in the source: of
 * `((struct s *)&v)->array` the front end makes `(T *)&v`. NULL if it was no member.
 */
tree wp_unfold_address(tree node);

/* Gives what was noted its places. Called when a function or an initializer was walked. */
void wp_unfold_all(void);

/* capture.cc: GCC calls these when it has parsed a function, or a variable with its initializer */
void wp_capture_function(void *tree_of_function, void *data);
void wp_capture_variable(void *tree_of_decl, void *data);

/*
 * needed.cc: captures functions of the main file, and those of which GCC would lose accesses, when
 * they are parsed, others when GCC lowers them
 */
void wp_needed_init(const char *name);

/* folded.cc: members in expressions that the front end has folded to tests of bits */

/* A test reads one word of an object, or compares a word of one object with a word of another. */
#define WP_TEST_MAX 2

struct wp_test {
	tree references[WP_TEST_MAX]; /* BIT_FIELD_REFs */
	unsigned count;
	uint64_t mask; /* the tested bits of these words */
	location_t where;
};

/* Fills in a test. False if the expression is not a test of bits. */
bool wp_test_init(wp_test *test, tree node);

/*
 * Calls found() for every member that has tested bits. @bits: the BIT_FIELD_REF of the word; @mask:
 * the tested bits of the word. @text: the location, with its range, of the source text that has the
 * test, which tells the members of unions.
 */
void wp_folded_members(tree bits, uint64_t mask, location_t where, location_t text,
		       void (*found)(const wp_chain *chain, location_t where, void *data),
		       void *data);

/* calls.cc */

/* Makes the GIMPLE pass. */
opt_pass *wp_calls_pass_create(gcc::context *context);

/*
 * Calls found() for every access whose function pointer the call instruction @insn may call. @insn
 * is one of the current function.
 */
void wp_calls_of_insn(rtx_insn *insn, void (*found)(unsigned access, void *data), void *data);

/*
 * @access loads a function pointer that the current function later calls: returns the access that
 * the call is labelled with. 0 if there is no such call.
 */
unsigned wp_calls_fed_by(unsigned access);

/* label.cc: makes the RTL pass */
opt_pass *wp_label_pass_create(gcc::context *context);

/* fate.cc: what became of the accesses without labels (fate.h) */

/*
 * Called while a function is labelled: wp_fate_begin() first; wp_fate_label() for each label of an
 * access at an instruction; wp_fate_end() last, which adds to wp_fates.
 */
void wp_fate_begin(void);
void wp_fate_label(unsigned access, rtx_insn *insn, int label, enum weft_access_effect effect);
void wp_fate_end(tree function);

/*
 * Callback for the end of the unit: gives fates to accesses in functions of the main file that have
 * no code.
 */
void wp_fate_unemitted(void *unused, void *data);

/* emitted-functions.cc: which functions' source is in the object */

/* Marks @function, which GCC is emitting, and everything inlined into it as emitted. */
void wp_mark_function_emitted(tree function);

/*
 * Callback for the end of the inter-procedural passes: marks as emitted the functions that were
 * inlined.
 */
void wp_mark_inlined_emitted(void *unused, void *data);

/*
 * Callback for the start of the inter-procedural passes: notes from then on which functions GCC
 * replaces by identical ones. wp_find_replaced() notes those that it has kept, and is called at the
 * end of the unit. After that, wp_is_replaced() says whether GCC has replaced the function with
 * that DECL_UID.
 */
void wp_watch_replaced(void *unused, void *data);
void wp_find_replaced(void);
bool wp_is_replaced(unsigned uid);

/* Marks the variables that were emitted. Called at the end of the unit. */
void wp_mark_variables_emitted(void);

/* syntax-only.cc: the table of a unit for which no code is made */

/*
 * Registers the callbacks that make wp_emit() print to @file. Call it after the callbacks of
 * capture.cc are registered.
 */
void wp_syntax_only_init(const char *name, const char *file);

/* emit.cc: callback that prints the table */
void wp_emit(void *unused, void *data);

#endif /* WEFT_JOINPOINTS_H */
