/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The joinpoint table: what the GCC plugin writes into every object and what the weaver reads.
 *
 * Each object carries one *unit* in a non-alloc section; the linker concatenates units, so the
 * section of a vmlinux is a sequence of them. Nothing in a unit depends on what is before it, so
 * concatenation needs no fixing up. Only the bases carry relocations: one a text section.
 *
 * A unit has two parts. The *lists* say what was accessed where; they are bytes that the plugin
 * knows, and are deflated. The *addresses* are left to the assembler and the linker.
 *
 *   unit      := "WEFT" u8:version u8:address_size u16:flags(0) u32:length body[length]
 *   body      := uleb:lists_size uleb:packed_size bytes[packed_size] addresses
 *   addresses := sections x { address:base deltas x { uleb:delta } }
 *
 * "uleb"/"sleb" are DWARF's variable-length integers, "address" has the unit's address_size in
 * bytes. Integers are in the target's byte order. The bytes are a zlib stream of lists_size bytes;
 * with packed_size 0 the lists themselves follow, lists_size bytes.
 *
 *   lists     := str:compilation_directory str:main_file accesses ranges functions fields strings
 *   accesses  := uleb:n  n x fun:function  n x str:file  n x uleb:kind_flags  n x sleb:line_delta
 *                n x uleb:column  n x fld:field  macros
 *   macros    := m x uleb:spelling  k x str:macro  k x location
 *   location  := sleb:line sleb:column | str:file sleb:line_delta uleb:column
 *   ranges    := uleb:sections  sections x { uleb:ranges  ranges x { fun:function uleb:entries } }
 *                e x sleb:access_delta  e x uleb:effect_flags
 *   functions := n x str:name  n x uleb:flags
 *   fields    := n x { uleb:path_kind [ str:prefix | fld:parent ] }
 *                n x str:struct  n x str:member  n x uleb:flags
 *   strings   := n x NUL-terminated bytes
 *
 * "str", "fun" and "fld" mention an element of the strings, functions and fields: 0 is the next one
 * that was not mentioned before, k is the k-th before that. So the three lists are in the order
 * in which they are first mentioned, and as long as what was mentioned; fields that are only
 * parents of others come last.
 *
 * - File names and the directory are those of DWARF (prefix maps applied).
 * - struct is the tag, or the oldest typedef's name of a struct without one; member is the named
 *   member, anonymous levels between the two are skipped. A struct without any name takes the name
 *   of the struct that it is a member of; struct is the empty string where there is none either.
 *   path is the whole chain from the outermost named struct, as "sock.__sk_common.skc_state", array
 *   indices left out: path_kind 0, where it would only repeat "struct.member"; 1, prefix and
 *   member; 2, the parent's path (or struct and member), and the member.
 * - line_delta is against the previous access's line if that has the same file, else against 0.
 * - file/line/column is the location of the `.` or `->`, and in a macro's expansion that of the
 *   macro's name: the location that DWARF's line table knows. An access with WEFT_ACCESS_MACRO
 *   (there are m) is in an expansion; it has a second location, where its `.` or `->` is written,
 *   which is in the body of a macro or, for a macro's argument, in the code around; macro is the
 *   macro whose body or argument it is. spelling is enum weft_spelling: the macro and location of
 *   the last access of this field that has its location in full; or (there are k) line and column
 *   relative to the access's own; or file, line (against that of the last such location if that is
 *   of the same file, else against 0) and column. The column of a bit-field's test that the front
 *   end has folded is the operator's; an initialiser's location is that of its value where GCC
 *   keeps it, or of the variable's name.
 * - function is the function whose source the access stands in, which for an inline function is not
 *   the one that the instruction belongs to. An access outside any function (an initialiser) has
 *   the function "".
 * - Accesses that agree in all of this are one access.
 * - A part's access is the whole's: `p->a.b = x` makes an access that sets b and one that sets a.
 * - a range is one emitted function, or one section's part of it (hot/cold); its function has the
 *   symbol's name (so with .isra, .constprop), without ".cold". Ranges are grouped by the section
 *   that they are in, and there in the order of their addresses: base is the address of the
 *   section's first label, and each entry but the section's first and those with WEFT_ENTRY_SAME
 *   has a delta, in bytes from the label before, across functions. Several entries may share an
 *   address (WEFT_ENTRY_SAME: the one of the entry before, in the same range) and several may share
 *   an access: the relation is many to many. base 0 after linking means that the linker dropped the
 *   section.
 * - e is the sum of all entries; access_delta is against the access of the entry before (0 at
 *   first). effect_flags is WEFT_ENTRY_SAME and effect_code << WEFT_ENTRY_EFFECT_SHIFT, where
 *   effect_code 0 is the effect that the access's kind suggests (WEFT_EFFECT_OF_KIND), and n + 1 is
 *   effect n. The effect says what the labelled instruction does for the access, which need not be
 *   the access's kind: setting a bit-field may load a word first, and the pointer that `f = p->f;
 *   f()` gets has the effect call at the call. A call instruction may have a segment prefix, may go
 *   to a thunk, and may be a jump (a tail call).
 */
#ifndef WEFT_JOINPOINT_TABLE_H
#define WEFT_JOINPOINT_TABLE_H

/*
 * The section's name. It must survive the kernel's linker script and modpost and be dropped by
 * `strip -g`: this is an old DWARF extension's name that vmlinux.lds keeps ("DWARF 2 SGI
 * extensions") and that nothing produces any more.
 */
#define WEFT_TABLE_SECTION ".debug_weaknames"

#define WEFT_TABLE_MAGIC "WEFT"
#define WEFT_TABLE_VERSION 2

/* The most that a unit's lists may be, unpacked: some hundred times those of the largest unit. */
#define WEFT_LISTS_MAX (16u << 20)

/* Kinds of access; the low bits of an access's kind_flags. */
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
#define WEFT_ACCESS_MACRO 0x08u /* it is among the macros */

/* Where an access of a macro is spelled. */
enum weft_spelling {
	WEFT_SPELLING_LAST = 0, /* as the last access of its field that was spelled in full */
	WEFT_SPELLING_NEAR = 1, /* in the access's file, line and column relative to the access's */
	WEFT_SPELLING_FULL = 2,
	WEFT_SPELLING_COUNT
};

/* How a field's path is made. */
enum weft_path {
	WEFT_PATH_PLAIN = 0,
	WEFT_PATH_PREFIX = 1,
	WEFT_PATH_PARENT = 2,
	WEFT_PATH_COUNT
};

/* More levels than this are not the plugin's. */
#define WEFT_PATH_MAX 32

/* Flags of a field. */
#define WEFT_FIELD_BITFIELD 0x01u
#define WEFT_FIELD_UNION 0x02u /* "struct" is a union's tag */
#define WEFT_FIELD_TYPEDEF 0x04u /* "struct" is a typedef's name, there is no tag */
#define WEFT_FIELD_FUNCTION 0x08u /* the member is a pointer to a function */

/* Flags of a function. */
#define WEFT_FUNCTION_STATIC 0x01u
#define WEFT_FUNCTION_INLINE 0x02u /* declared inline */

/* What an instruction does for an access. */
enum weft_access_effect {
	WEFT_EFFECT_LOAD = 0,
	WEFT_EFFECT_STORE = 1,
	WEFT_EFFECT_RMW = 2,
	WEFT_EFFECT_CALL = 3, /* the call instruction itself */
	WEFT_EFFECT_ADDRESS = 4,
	WEFT_EFFECT_COUNT
};

/* The effect of most labels of accesses of a kind, by kind. */
#define WEFT_EFFECT_OF_KIND                                                              \
	{                                                                             \
		WEFT_EFFECT_LOAD, WEFT_EFFECT_STORE, WEFT_EFFECT_RMW, WEFT_EFFECT_ADDRESS,        \
			WEFT_EFFECT_CALL, WEFT_EFFECT_STORE                                 \
	}

#define WEFT_ENTRY_SAME 0x01u /* the address of the entry before */
#define WEFT_ENTRY_EFFECT_SHIFT 1

#endif /* WEFT_JOINPOINT_TABLE_H */
