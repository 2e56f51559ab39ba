/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The joinpoint table: what the GCC plugin writes into every object and what the weaver reads.
 *
 * Each object carries one *unit* in a non-alloc section; the linker concatenates units, so the
 * section of a vmlinux is a sequence of them. All offsets are inside the unit, so concatenation
 * needs no fixing up. Only the addresses (base of a range) carry relocations.
 *
 * "uleb"/"sleb" are DWARF's variable-length integers, "str" is an index into the unit's string
 * list, "address" has the unit's address_size in bytes. Integers are in the target's byte order.
 *
 *   unit      := "WEFT" u8:version u8:address_size u16:flags(0) u32:length body[length]
 *   body      := strings fields functions records ranges
 *   strings   := uleb:n  n x NUL-terminated bytes
 *                str:compilation_directory str:main_file
 *   fields    := uleb:n  n x { str:struct str:member str:path uleb:flags }
 *   functions := uleb:n  n x { str:name uleb:flags }
 *   records   := uleb:n  n x { uleb:field uleb:kind_flags uleb:function
 *                              str:file sleb:line_delta uleb:column
 *                              [ str:macro str:spelling_file uleb:spelling_line
 *                                uleb:spelling_column ] }
 *   ranges    := uleb:n  n x { uleb:function uleb:entries address:base
 *                              entries x { uleb:delta uleb:record_use } }
 *
 * - String 0 is the empty string. File names and the directory are those of DWARF (prefix maps
 *   applied).
 * - struct is the tag, or the oldest typedef's name of a struct without one; member is the named
 *   member, anonymous levels between the two are skipped. A struct without any name takes the name
 *   of the struct that it is a member of; struct is the empty string where there is none either.
 *   path is the whole chain from the outermost named struct, as "sock.__sk_common.skc_state", array
 *   indices left out; the empty string where it would only repeat "struct.member".
 * - line_delta is against the previous record's line (0 before the first), whatever its file.
 * - file/line/column is the place of the `.` or `->`, and in a macro's expansion that of the
 *   macro's name: the place that DWARF's line table knows. A record with WEFT_RECORD_MACRO came
 *   out of an expansion; spelling_file/line/column is where its `.` or `->` is written, which is in
 *   the body of a macro or, for a macro's argument, in the code around; macro is the macro whose
 *   body or argument it is. The column of a bit-field's test that the front end has folded is the
 *   operator's; an initialiser's place is that of its value where GCC keeps it, or of the
 *   variable's name.
 * - function is the function whose source the access stands in, which for an inline function is not
 *   the one that the instruction belongs to. A record outside any function (an initialiser) has the
 *   function "".
 * - Accesses that agree in everything that a record says are one record.
 * - A part's access is the whole's: `p->a.b = x` is a record that sets b and one that sets a.
 * - a range is one emitted function, or one section's part of it (hot/cold); its function has the
 *   symbol's name (so with .isra, .constprop), without ".cold". base is the address of its first
 *   label, delta counts bytes from the label before (0 for the first entry). Several entries may
 *   share an address (delta 0) and several may share a record: the relation is many to many. base 0
 *   after linking means that the linker dropped the function's section.
 * - record_use is record << WEFT_USE_BITS | use, where use says what the labelled instruction does
 *   for the record. It need not be the record's kind: setting a bit-field may load a word first,
 *   and the pointer that `f = p->f; f()` gets has the use call at the call. A call instruction may
 *   have a segment prefix, may go to a thunk, and may be a jump (a tail call).
 */
#ifndef WEFT_TABLE_H
#define WEFT_TABLE_H

/*
 * The section's name. It must survive the kernel's linker script and modpost and be dropped by
 * `strip -g`: this is an old DWARF extension's name that vmlinux.lds keeps ("DWARF 2 SGI
 * extensions") and that nothing produces any more.
 */
#define WEFT_TABLE_SECTION ".debug_weaknames"

#define WEFT_TABLE_MAGIC "WEFT"
#define WEFT_TABLE_VERSION 1

/* Kinds of access; the low bits of a record's kind_flags. */
enum weft_kind {
	WEFT_KIND_GET = 0,
	WEFT_KIND_SET = 1,
	WEFT_KIND_RMW = 2,
	WEFT_KIND_ADDRESS = 3,
	WEFT_KIND_CALL = 4,
	WEFT_KIND_INIT = 5,
	WEFT_KIND_COUNT
};

#define WEFT_RECORD_KIND_MASK 0x07u
#define WEFT_RECORD_MACRO 0x08u /* the four macro items follow */

/* Flags of a field. */
#define WEFT_FIELD_BITFIELD 0x01u
#define WEFT_FIELD_UNION 0x02u /* "struct" is a union's tag */
#define WEFT_FIELD_TYPEDEF 0x04u /* "struct" is a typedef's name, there is no tag */
#define WEFT_FIELD_FUNCTION 0x08u /* the member is a pointer to a function */

/* Flags of a function. */
#define WEFT_FUNCTION_STATIC 0x01u
#define WEFT_FUNCTION_INLINE 0x02u /* declared inline */

/* What an instruction does for a record; the low bits of record_use. */
enum weft_use {
	WEFT_USE_LOAD = 0,
	WEFT_USE_STORE = 1,
	WEFT_USE_RMW = 2,
	WEFT_USE_CALL = 3, /* the call instruction itself */
	WEFT_USE_ADDRESS = 4,
	WEFT_USE_COUNT
};

#define WEFT_USE_BITS 3

#endif /* WEFT_TABLE_H */
