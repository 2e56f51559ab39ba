/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The joinpoint table: the GCC plugin writes it into every object file, the weaver reads it.
 *
 * Each object file has one *unit* in a section that is not loaded; the linker concatenates them, so
 * the section of a vmlinux is a sequence of units. No unit depends on those before it, so
 * concatenation needs no fixups. Only the base addresses have relocations: one for each text
 * section.
 *
 * A unit has two parts. The *lists* contain the accesses of the source, and which instructions do
 * them. The plugin makes these bytes and compresses them. The *addresses* are left to the assembler
 * and the linker.
 *
 *   unit      := "WEFT" u8:version u8:address_size u16:flags(0) u32:length body[length]
 *   body      := uleb:lists_size uleb:packed_size bytes[packed_size] addresses
 *   addresses := sections x { address:base deltas x { uleb:delta } }
 *
 * "uleb" and "sleb" are DWARF's variable-length integers, "address" has the unit's address_size in
 * bytes. Integers are in the target's byte order. The bytes are a zlib stream that inflates to
 * lists_size bytes; if packed_size is 0, the uncompressed lists follow instead.
 *
 *   lists     := str:compilation_directory str:main_file accesses ranges fates functions fields
 *                strings
 *   accesses  := uleb:n  n x fun:function  n x str:file  n x uleb:kind_flags  n x sleb:line_delta
 *                n x uleb:column  n x fld:field  macros
 *   macros    := m x uleb:spelling  k x str:macro  k x location
 *   location  := sleb:line sleb:column | str:file sleb:line_delta uleb:column
 *   ranges    := uleb:sections  sections x { uleb:ranges  ranges x { fun:function uleb:entries } }
 *                e x sleb:access_delta  e x uleb:effect_flags
 *   fates     := uleb:functions  functions x { fun:function uleb:fates }
 *                f x sleb:access_delta  f x uleb:fate_flags  g x sleb:servant_delta
 *   functions := n x str:name  n x uleb:flags
 *   fields    := n x { uleb:path_kind [ str:prefix | fld:parent ] }
 *                n x str:struct  n x str:member  n x uleb:flags
 *   strings   := n x NUL-terminated bytes
 *
 * "str", "fun" and "fld" refer to an element of the strings, functions and fields: 0 is the next
 * element that was not referred to before, k is the k-th before that. So each of the three lists is
 * in the order of first reference, and its length follows from the references. Fields that are only
 * parents of others come last.
 *
 * - File names and the directory are those of DWARF (prefix maps applied).
 * - struct is the tag, or the oldest typedef's name of a struct without one. member is the named
 *   member; anonymous levels between the two are skipped. A struct without any name takes the name
 *   of the struct that it is a member of; if there is none either, struct is the empty string.
 * - path is the whole chain from the outermost named struct, as "sock.__sk_common.skc_state",
 *   without array indices. path_kind 0: it is "struct.member"; 1: prefix and member; 2: the
 *   parent's path (or its struct and member), and the member.
 * - line_delta is relative to the line of the previous access if that is in the same file, else to
 *   0.
 * - file, line and column are the location of the `.` or `->`; within a macro's expansion, that of
 *   the macro's name, which is the location that DWARF's line table has.
 * - An access with WEFT_ACCESS_MACRO (there are m) came from a macro's expansion. It has a second
 *   location, where its `.` or `->` is written: in the body of a macro or, for a macro's argument,
 *   in the code around it. macro is the macro whose body or argument it is. spelling (enum
 *   weft_spelling) says how macro and location are stored. LAST: they are those of the last FULL
 *   access to this field. The other k: NEAR, a line and column relative to the access's own; or
 *   FULL, a file, a line (relative to that of the last FULL location if that has the same file,
 *   else to 0) and a column.
 * - The column of a bit-field's test that the front end has folded is the operator's. An
 *   initializer's location is that of its value if GCC keeps it, else that of the variable's name.
 * - function is the function whose source contains the access; for an inline function that is not
 *   the one that the instruction belongs to. An access outside any function (an initializer) has
 *   the function "".
 * - Accesses that agree in everything stored here are one access.
 * - An access to a part is also one to the whole: `p->a.b = x` is an access that sets b and one
 *   that sets a.
 * - A range is one emitted function, or its part in one section (hot or cold). Its function has the
 *   symbol's name (so with .isra, .constprop), without ".cold". Ranges are grouped by section, and
 *   in a section ordered by address. base is the address of the section's first label; after
 *   linking, 0 means that the linker dropped the section. Each entry but the section's first and
 *   those with WEFT_ENTRY_SAME has a delta, in bytes from the label before, also across functions.
 *   Several entries may share an address (WEFT_ENTRY_SAME: that of the entry before, in the same
 *   range), and several may share an access: the relation is many to many.
 * - e is the sum of all entries. access_delta is relative to the access of the entry before (to 0
 *   for the first). effect_flags is WEFT_ENTRY_SAME and code << WEFT_ENTRY_EFFECT_SHIFT. code 0:
 *   the usual effect of the access's kind (WEFT_EFFECT_OF_KIND); n + 1: access effect n. The effect
 *   says what the labelled instruction does for the access, which need not follow from the kind:
 *   setting a bit-field may load a word first, and the get of the pointer in `f = p->f; f()` has
 *   the effect call at the call. A call instruction may have a segment prefix, may go to a thunk,
 *   and may be a jump (a tail call).
 *   ARGUMENT_n: a direct call; before it argument n, counted from 0, is the member's address, in
 *   the register in which the n-th of integers and pointers is passed (rdi, rsi, rdx, rcx, r8, r9).
 * - A fate says what became of an access that has no instruction of its own in an emitted function.
 *   They are grouped by that function, which has the symbol's name as a range has it; it may have
 *   no range. If the access's own function has no code, and none of it was inlined, the fate is
 *   under that function, for which there is no symbol. f is the sum of all fates. access_delta is
 *   relative to the access of the fate before, of any function (to 0 for the first). The low bits
 *   of fate_flags are an enum weft_fate. With WEFT_FATE_HAS_SERVANT (there are g) the fate is
 *   COALESCED and has a servant: the entry of an access to the same member of the same object, or
 *   to a part of it (the member b of `p->a.b` for a), in the same function and the same inlined
 *   instance. It is numbered among the e entries, relative to the servant before (to 0 for the
 *   first).
 * - Only what the compiler's passes prove is a fate: an access that has neither an entry nor a fate
 *   in a function is unknown there, or not a part of it. Several fates of one access in one
 *   function are those of inlined instances that differ; equal ones are one fate.
 * - Version 2 is the same without the fates.
 */
#ifndef WEFT_JOINPOINT_TABLE_H
#define WEFT_JOINPOINT_TABLE_H

/*
 * The section's name. The section must survive the kernel's linker script and modpost, and be
 * dropped by `strip -g`. This is the name of an old DWARF extension that vmlinux.lds keeps ("DWARF
 * 2 SGI extensions") and that no compiler emits any more.
 */
#define WEFT_TABLE_SECTION ".debug_weaknames"

#define WEFT_TABLE_MAGIC "WEFT"
#define WEFT_TABLE_VERSION 3
#define WEFT_TABLE_VERSION_NO_FATES 2 /* the oldest that can be read */

/* Upper bound of lists_size. The largest known unit has about a hundredth of it. */
#define WEFT_LISTS_MAX (16u << 20)

/* Kinds of access; the low bits of kind_flags. */
enum weft_kind {
	WEFT_KIND_GET = 0,
	WEFT_KIND_SET = 1,
	WEFT_KIND_RMW = 2,
	WEFT_KIND_ADDRESS = 3,
	WEFT_KIND_CALL = 4,
	WEFT_KIND_INIT = 5,
	WEFT_KIND_COUNT
};

#define WEFT_ACCESS_KIND_MASK 0x07u
#define WEFT_ACCESS_MACRO 0x08u /* the access came from a macro's expansion */

/* How the second location of an access from a macro is stored. */
enum weft_spelling {
	/* as that of the last access to the same field that was stored FULL */
	WEFT_SPELLING_LAST = 0,
	/*
	 * in the file of the access's own location; line and column are relative to that location's
	 */
	WEFT_SPELLING_NEAR = 1,
	WEFT_SPELLING_FULL = 2,
	WEFT_SPELLING_COUNT
};

/* How a field's path is stored. */
enum weft_path {
	WEFT_PATH_PLAIN = 0,
	WEFT_PATH_PREFIX = 1,
	WEFT_PATH_PARENT = 2,
	WEFT_PATH_COUNT
};

/*
 * Upper bound of the number of a field's parents (WEFT_PATH_PARENT), one in another; the plugin
 * never writes more.
 */
#define WEFT_PATH_MAX 32

/* Flags of a field. */
#define WEFT_FIELD_BITFIELD 0x01u
#define WEFT_FIELD_UNION 0x02u /* "struct" is a union's tag */
#define WEFT_FIELD_TYPEDEF 0x04u /* "struct" is a typedef's name: the struct has no tag */
#define WEFT_FIELD_FUNCTION 0x08u /* the member is a pointer to a function */

/* Flags of a function. */
#define WEFT_FUNCTION_STATIC 0x01u
#define WEFT_FUNCTION_INLINE 0x02u /* declared inline */

/* Access effects: what an instruction does for an access. */
enum weft_access_effect {
	WEFT_EFFECT_LOAD = 0,
	WEFT_EFFECT_STORE = 1,
	WEFT_EFFECT_RMW = 2,
	WEFT_EFFECT_CALL = 3, /* the call instruction itself */
	WEFT_EFFECT_ADDRESS = 4,
	/* a call that is passed the member's address as argument 0 to 5 */
	WEFT_EFFECT_ARGUMENT_0 = 5,
	WEFT_EFFECT_ARGUMENT_1 = 6,
	WEFT_EFFECT_ARGUMENT_2 = 7,
	WEFT_EFFECT_ARGUMENT_3 = 8,
	WEFT_EFFECT_ARGUMENT_4 = 9,
	WEFT_EFFECT_ARGUMENT_5 = 10,
	WEFT_EFFECT_COUNT
};

/* The usual access effect of each kind. */
#define WEFT_EFFECT_OF_KIND                                                              \
	{                                                                             \
		WEFT_EFFECT_LOAD, WEFT_EFFECT_STORE, WEFT_EFFECT_RMW, WEFT_EFFECT_ADDRESS,        \
			WEFT_EFFECT_CALL, WEFT_EFFECT_STORE                                 \
	}

#define WEFT_ENTRY_SAME 0x01u /* the entry has the address of the entry before it */
#define WEFT_ENTRY_EFFECT_SHIFT 1

/* What became of an access without an instruction of its own; the low bits of fate_flags. */
enum weft_fate {
	/* its value is that of another access, whose instruction does the work of both */
	WEFT_FATE_COALESCED = 0,
	/* nothing used it: a value that is not needed, a store overwritten unread, unreachable */
	WEFT_FATE_DEAD = 1,
	WEFT_FATE_REGISTERS = 2, /* the struct never was in memory */
	WEFT_FATE_COPIED = 3, /* an instruction copied the whole struct */
	WEFT_FATE_CONSTANT = 4, /* the compiler knew the value */
	WEFT_FATE_COUNT
};

#define WEFT_FATE_MASK 0x07u
#define WEFT_FATE_HAS_SERVANT 0x08u /* it has a servant */

#endif /* WEFT_JOINPOINT_TABLE_H */
