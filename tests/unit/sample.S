/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small image with everything that `weft index` reads, written by hand so that every number in it
 * is known: functions, a line table, and a joinpoint table. That has two units, which share a
 * header, and a third without accesses.
 *
 *   fs/sample.c:10  destroy():  skb->destructor(skb);  call, exact; the load as well
 *   fs/sample.c:12              skb->len += 1;         rmw, exact, split into load and store
 *   fs/sample.c:20  touch():    x = sk->sk_state;      get, no label, line table by column
 *   fs/sample.c:21              return sk->__sk_common.skc_refcnt;
 *                                                      get, no label, the one instruction by its
 *                                                      operand
 *   fs/sample.c:21              ... + skb->len         get, no label, line table by line
 *   fs/sample.c:30              gone->away = 1;        set, no code left
 *   include/sample.h:5  peek()  return skb->len;       get, inlined into destroy() and other()
 *   fs/other.c:7    other():    f = ops->get; f();     get with a load and a call
 */
/*
 * The table's format, stated a second time: runtime/joinpoint-table.h is C. Version 2 has no fates.
 */
#define WEFT_TABLE_MAGIC "WEFT"
#define WEFT_TABLE_VERSION 2
#define WEFT_FIELD_FUNCTION 8
#define WEFT_FUNCTION_STATIC 1
#define WEFT_FUNCTION_INLINE 2
#define WEFT_PATH_PLAIN 0
#define WEFT_PATH_PARENT 2
#define WEFT_SPELLING_FULL 2
#define USE(use) ((use + 1) << 1)
#define LOAD 0
#define STORE 1
#define CALL 3
#define GET 0
#define SET 1
#define RMW 2
#define CALLS 4 /* kind of an access: call */
#define MACRO 8

	/* File 0 must differ from file 1, with which every sequence of rows begins. */
	.file 0 "/build" "fs/zero.c"
	.file 1 "./fs/sample.c"
	.file 2 "/build/include/sample.h"
	.file 3 "/source/tree/fs/other.c"

	.text
	.globl _text
_text:

	.globl __fentry__
	.type __fentry__, @function
__fentry__:
	ret
	.size __fentry__, . - __fentry__

	.globl destroy
	.type destroy, @function
destroy:
	.loc 1 9 1
	endbr64
	call __fentry__
	.loc 1 10 5
.Ldestroy_load:
	mov 0x60(%rdi), %rax
	.loc 1 10 8 is_stmt 0
.Ldestroy_call:
	call *%rax
	.loc 1 12 2 is_stmt 1
.Ldestroy_len_load:
	mov 0x70(%rbx), %ecx
	inc %ecx
.Ldestroy_len_store:
	mov %ecx, 0x70(%rbx)
	.loc 2 5 9
.Ldestroy_peek:
	mov 0x70(%rbx), %eax
	ret
	.size destroy, . - destroy
.Ldestroy_end:

	.type touch, @function
touch:
	.loc 1 19 1
	call __fentry__
	.loc 1 20 3
	nop
	.loc 1 20 11
.Ltouch_state:
	mov 0x12(%rdi), %al
	.loc 1 21 2
.Ltouch_return:
	mov 0x80(%rdi), %eax
	.loc 1 21 20 is_stmt 0
	ret
	.size touch, . - touch

	.globl other
	.type other, @function
	.globl other_alias
	.set other_alias, other
other:
	.loc 3 6 1 is_stmt 1
	endbr64
	.loc 3 7 4
.Lother_load:
	mov 0x8(%rdi), %rax
	.loc 2 5 9
.Lother_peek:
	mov 0x70(%rsi), %edx
	.loc 3 7 9
.Lother_call:
	jmp *%rax
	.size other, . - other
.Lother_end:

	/*
	 * Like a thunk of a retpoline: a global symbol that is no function. The text before it ends
	 * there, which is a symbol, too.
	 */
	.globl a_end
a_end:
	.globl thunk
thunk:
	jmp *%rdx

	/*
	 * Both functions begin with a nop. That of nopped() is ftrace's call, made a nop at build
	 * time: it is in the kernel's list of such calls, __start_mcount_loc. That of unlisted() is
	 * not.
	 */
	.globl nopped
	.type nopped, @function
nopped:
	.byte 0x0f, 0x1f, 0x44, 0x00, 0x00     /* nopl of five bytes */
	ret
	.size nopped, . - nopped
	.globl unlisted
	.type unlisted, @function
unlisted:
	.byte 0x0f, 0x1f, 0x44, 0x00, 0x00     /* nopl of five bytes */
	ret
	.size unlisted, . - unlisted
.Ltext_end:
	/* A row at the section's end, where no instruction is: the reader must drop it. */
	.loc 3 9 77 view .Lend_view

	.section .other, "ax", @progbits
	.balign 64
	.loc 3 11 1
	ret

	.section .init.data, "a", @progbits
	.globl __start_mcount_loc, __stop_mcount_loc
__start_mcount_loc:
	.quad nopped
	.quad destroy + 4
__stop_mcount_loc:

	/*
	 * A unit's header with its length, and the size of the lists that follow (plain, not
	 * packed). In the lists 0 mentions the next string, function or field that was not
	 * mentioned yet, and n mentions the n-th before that one again.
	 */
	.macro unit number
	.ascii WEFT_TABLE_MAGIC
	.byte WEFT_TABLE_VERSION, 8
	.short 0
	.long .Lunit_end\number - .Lunit_start\number
.Lunit_start\number:
	.uleb128 .Llists_end\number - .Llists_start\number, 0
.Llists_start\number:
	.endm

	.section .debug_weaknames, "", @progbits
	unit 1
	.uleb128 0, 0                          /* "/build", "fs/sample.c" */
	.uleb128 7                             /* accesses */
	/*
	 * The accesses' functions: destroy twice, touch twice, vanished, peek, touch. (0: the next
	 * one that is new, n: the n-th before that.)
	 */
	.uleb128 0, 1, 0, 1, 0, 0, 3
	/* Their files: ./fs/sample.c three times, fs/sample.c twice, the header, fs/sample.c. */
	.uleb128 0, 1, 1, 2, 2, 0, 3
	.uleb128 CALLS, RMW, GET | MACRO, GET, SET, GET, GET
	.sleb128 10, 2, 8, 21, 9, 5, 21        /* lines: 10, 12, 20, 21, 30, 5, 21 */
	.uleb128 5, 9, 11, 30, 1, 9, 33        /* columns */
	.uleb128 0, 0, 0, 0, 0, 4, 4           /* fields: five new ones, then len twice */
	.uleb128 WEFT_SPELLING_FULL, 0, 0      /* the macro: sk_state, include/net/sock.h */
	.sleb128 300
	.uleb128 22
	.uleb128 2                             /* sections */
	.uleb128 1, 4, 5                       /* one range: destroy */
	.uleb128 1, 2, 1                       /* a function that the linker dropped: vanished */
	.sleb128 0, 0, 1, 0, 4, -1             /* the labels' accesses, as differences */
	.uleb128 USE(LOAD), USE(CALL), USE(LOAD), USE(STORE), USE(LOAD), USE(STORE)
	.uleb128 0, 0, 0, 0                    /* functions' names */
	.uleb128 0, WEFT_FUNCTION_STATIC, 0, WEFT_FUNCTION_STATIC | WEFT_FUNCTION_INLINE
	.uleb128 WEFT_PATH_PLAIN, WEFT_PATH_PLAIN, WEFT_PATH_PARENT, 0, WEFT_PATH_PARENT, 1
	.uleb128 WEFT_PATH_PLAIN, WEFT_PATH_PLAIN
	.uleb128 0, 1, 0, 1, 0, 0              /* sk_buff and sock_common twice, gone, sock */
	.uleb128 0, 0, 0, 0, 0, 0              /* members */
	.uleb128 WEFT_FIELD_FUNCTION, 0, 0, 0, 0, 0
	.asciz "/build"
	.asciz "fs/sample.c"
	.asciz "./fs/sample.c"
	.asciz "/build/include/../include/sample.h"
	.asciz "sk_state"
	.asciz "include/net/sock.h"
	.asciz "destroy"
	.asciz "touch"
	.asciz "vanished"
	.asciz "peek"
	.asciz "sk_buff"
	.asciz "sock_common"
	.asciz "gone"
	.asciz "sock"
	.asciz "destructor"
	.asciz "len"
	.asciz "skc_state"
	.asciz "skc_refcnt"
	.asciz "away"
	.asciz "__sk_common"
.Llists_end1:
	.quad .Ldestroy_load
	.uleb128 .Ldestroy_call - .Ldestroy_load
	.uleb128 .Ldestroy_len_load - .Ldestroy_call
	.uleb128 .Ldestroy_len_store - .Ldestroy_len_load
	.uleb128 .Ldestroy_peek - .Ldestroy_len_store
	.quad 0
.Lunit_end1:

	unit 2
	.uleb128 0, 0                          /* "/build", "/source/tree/fs/other.c" */
	.uleb128 2                             /* accesses */
	.uleb128 0, 0                          /* functions: peek, other */
	.uleb128 0, 2                          /* files: the header, the main file */
	.uleb128 GET, GET
	.sleb128 5, 7                          /* lines */
	.uleb128 9, 4                          /* columns */
	.uleb128 0, 0                          /* fields */
	.uleb128 1, 1, 1, 3                    /* one section, one range: other */
	.sleb128 1, -1, 1                      /* the labels' accesses, as differences */
	.uleb128 0, USE(LOAD), USE(CALL)
	.uleb128 0, 0                          /* functions' names */
	.uleb128 WEFT_FUNCTION_STATIC | WEFT_FUNCTION_INLINE, 0
	.uleb128 WEFT_PATH_PLAIN, WEFT_PATH_PLAIN
	.uleb128 0, 0, 0, 0                    /* structs: sk_buff, ops; members: len, get */
	.uleb128 0, WEFT_FIELD_FUNCTION
	.asciz "/build"
	.asciz "/source/tree/fs/other.c"
	.asciz "include/sample.h"
	.asciz "peek"
	.asciz "other"
	.asciz "sk_buff"
	.asciz "ops"
	.asciz "len"
	.asciz "get"
.Llists_end2:
	.quad .Lother_load
	.uleb128 .Lother_peek - .Lother_load
	.uleb128 .Lother_call - .Lother_peek
.Lunit_end2:

	/*
	 * A third unit with nothing but a main file: the source tree is what the files outside
	 * /build share.
	 */
	unit 3
	.uleb128 0, 0, 0, 0
	.asciz "/build"
	.asciz "/source/tree/init/main.c"
.Llists_end3:
.Lunit_end3:

	/* The least DWARF that leads to the line table: one unit, DWARF 5. */
	.section .debug_abbrev, "", @progbits
	.uleb128 1, 0x11                       /* DW_TAG_compile_unit, with children */
	.byte 1
	.uleb128 0x10, 0x17                    /* DW_AT_stmt_list, DW_FORM_sec_offset */
	.uleb128 0x1b, 0x08                    /* DW_AT_comp_dir, DW_FORM_string */
	.uleb128 0x03, 0x08                    /* DW_AT_name, DW_FORM_string */
	.uleb128 0x11, 0x01                    /* DW_AT_low_pc, DW_FORM_addr */
	.uleb128 0x12, 0x07                    /* DW_AT_high_pc, DW_FORM_data8 */
	.uleb128 0, 0
	.uleb128 2, 0x13                       /* DW_TAG_structure_type, with children */
	.byte 1
	.uleb128 0x03, 0x08                    /* DW_AT_name, DW_FORM_string */
	.uleb128 0x0b, 0x05                    /* DW_AT_byte_size, DW_FORM_data2 */
	.uleb128 0, 0
	.uleb128 3, 0x17                       /* DW_TAG_union_type without a name, with children */
	.byte 1
	.uleb128 0, 0
	.uleb128 4, 0x0d                       /* DW_TAG_member */
	.byte 0
	.uleb128 0x03, 0x08                    /* DW_AT_name, DW_FORM_string */
	.uleb128 0x49, 0x13                    /* DW_AT_type, DW_FORM_ref4 */
	.uleb128 0x38, 0x0b                    /* DW_AT_data_member_location, DW_FORM_data1 */
	.uleb128 0, 0
	.uleb128 5, 0x0d                       /* DW_TAG_member without a name */
	.byte 0
	.uleb128 0x49, 0x13                    /* DW_AT_type, DW_FORM_ref4 */
	.uleb128 0x38, 0x0b                    /* DW_AT_data_member_location, DW_FORM_data1 */
	.uleb128 0, 0
	.uleb128 6, 0x24                       /* DW_TAG_base_type */
	.byte 0
	.uleb128 0x03, 0x08                    /* DW_AT_name, DW_FORM_string */
	.uleb128 0x0b, 0x0b                    /* DW_AT_byte_size, DW_FORM_data1 */
	.uleb128 0x3e, 0x0b                    /* DW_AT_encoding, DW_FORM_data1 */
	.uleb128 0, 0
	.uleb128 7, 0x2e                       /* DW_TAG_subprogram, abstract */
	.byte 0
	.uleb128 0x03, 0x08                    /* DW_AT_name, DW_FORM_string */
	.uleb128 0, 0
	.uleb128 8, 0x2e                       /* DW_TAG_subprogram, with children */
	.byte 1
	.uleb128 0x03, 0x08                    /* DW_AT_name, DW_FORM_string */
	.uleb128 0x11, 0x01                    /* DW_AT_low_pc, DW_FORM_addr */
	.uleb128 0x12, 0x07                    /* DW_AT_high_pc, DW_FORM_data8 */
	.uleb128 0x40, 0x18                    /* DW_AT_frame_base, DW_FORM_exprloc */
	.uleb128 0, 0
	.uleb128 9, 0x1d                       /* DW_TAG_inlined_subroutine with a place of entry */
	.byte 0
	.uleb128 0x31, 0x13                    /* DW_AT_abstract_origin, DW_FORM_ref4 */
	.uleb128 0x52, 0x01                    /* DW_AT_entry_pc, DW_FORM_addr */
	.uleb128 0x11, 0x01                    /* DW_AT_low_pc, DW_FORM_addr */
	.uleb128 0x12, 0x0b                    /* DW_AT_high_pc, DW_FORM_data1 */
	.uleb128 0, 0
	.uleb128 10, 0x1d                      /* DW_TAG_inlined_subroutine with ranges alone */
	.byte 0
	.uleb128 0x31, 0x13                    /* DW_AT_abstract_origin, DW_FORM_ref4 */
	.uleb128 0x55, 0x17                    /* DW_AT_ranges, DW_FORM_sec_offset */
	.uleb128 0, 0
	/* DW_TAG_formal_parameter with a list of locations */
	.uleb128 11, 0x05
	.byte 0
	.uleb128 0x03, 0x08                    /* DW_AT_name, DW_FORM_string */
	.uleb128 0x49, 0x13                    /* DW_AT_type, DW_FORM_ref4 */
	.uleb128 0x02, 0x17                    /* DW_AT_location, DW_FORM_sec_offset */
	.uleb128 0, 0
	.uleb128 12, 0x34                      /* DW_TAG_variable with one location */
	.byte 0
	.uleb128 0x03, 0x08                    /* DW_AT_name, DW_FORM_string */
	.uleb128 0x49, 0x13                    /* DW_AT_type, DW_FORM_ref4 */
	.uleb128 0x02, 0x18                    /* DW_AT_location, DW_FORM_exprloc */
	.uleb128 0, 0
	.uleb128 13, 0x0f                      /* DW_TAG_pointer_type */
	.byte 0
	.uleb128 0x49, 0x13                    /* DW_AT_type, DW_FORM_ref4 */
	.uleb128 0, 0
	.uleb128 14, 0x0b                      /* DW_TAG_lexical_block */
	.byte 1
	.uleb128 0x11, 0x01                    /* DW_AT_low_pc, DW_FORM_addr */
	.uleb128 0x12, 0x0b                    /* DW_AT_high_pc, DW_FORM_data1 */
	.uleb128 0, 0
	.byte 0

	.section .debug_info, "", @progbits
.Lunit:
	.long .Linfo_end - .Linfo_start
.Linfo_start:
	.short 5                               /* version */
	.byte 1, 8                             /* DW_UT_compile, address size */
	.long .debug_abbrev
	.uleb128 1
	.long .debug_line
	.asciz "/build"
	.asciz "fs/sample.c"
	.quad _text
	.quad .Ltext_end - _text
.Lint:
	.uleb128 6
	.asciz "int"
	.byte 4, 5                             /* DW_ATE_signed */
	/*
	 * struct sock { struct sock_common __sk_common; }, struct sock_common with an anonymous
	 * union
	 */
	.uleb128 2
	.asciz "sock"
	.short 0x100
	.uleb128 4
	.asciz "__sk_common"
	.long .Lsock_common - .Lunit
	.byte 0
	.uleb128 0
.Lsock_common:
	.uleb128 2
	.asciz "sock_common"
	.short 0x90
	.uleb128 4
	.asciz "skc_state"
	.long .Lint - .Lunit
	.byte 0x12
	.uleb128 5
	.long .Lanonymous - .Lunit
	.byte 0x7c
	.uleb128 0
.Lanonymous:
	.uleb128 3
	.uleb128 4
	.asciz "skc_refcnt"
	.long .Lint - .Lunit
	.byte 4
	.uleb128 0
	/* Two structs of the name sk_buff that differ: the offset of destructor is ambiguous. */
.Lsk_buff:
	.uleb128 2
	.asciz "sk_buff"
	.short 0x80
	.uleb128 4
	.asciz "len"
	.long .Lint - .Lunit
	.byte 0x70
	.uleb128 4
	.asciz "destructor"
	.long .Lint - .Lunit
	.byte 0x60
	.uleb128 0
	.uleb128 2
	.asciz "sk_buff"
	.short 0x88
	.uleb128 4
	.asciz "destructor"
	.long .Lint - .Lunit
	.byte 0x68
	.uleb128 0
.Lpeek:
	.uleb128 7
	.asciz "peek"
.Lsk_buff_pointer:
	.uleb128 13
	.long .Lsk_buff - .Lunit
	/*
	 * destroy(skb): skb in %rdi up to the call and in %rbx from there; count on the stack, and
	 * another one in a block.
	 */
	.uleb128 8
	.asciz "destroy"
	.quad destroy, .Ldestroy_end - destroy
	.uleb128 1
	.byte 0x9c                             /* DW_OP_call_frame_cfa */
	.uleb128 11
	.asciz "skb"
	.long .Lsk_buff_pointer - .Lunit
	.long .Lskb_places
	.uleb128 12
	.asciz "count"
	.long .Lint - .Lunit
	.uleb128 2
	.byte 0x91, 0x70                       /* DW_OP_fbreg -16 */
	.uleb128 14
	.quad .Ldestroy_len_load
	.byte .Ldestroy_peek - .Ldestroy_len_load
	.uleb128 12
	.asciz "count"
	.long .Lint - .Lunit
	.uleb128 1
	.byte 0x52                             /* DW_OP_reg2: rcx */
	.uleb128 0
	.uleb128 9
	.long .Lpeek - .Lunit
	.quad .Ldestroy_peek
	.quad .Ldestroy_len_store
	.byte .Ldestroy_end - .Ldestroy_len_store
	/* An inlined instance of which no code is left. */
	.uleb128 9
	.long .Lpeek - .Lunit
	.quad .Ldestroy_call
	.quad .Ldestroy_call
	.byte 0
	.uleb128 0
	/* other(gone): a parameter without a location. */
	.uleb128 8
	.asciz "other"
	.quad other, .Lother_end - other
	.uleb128 1
	.byte 0x9c
	.uleb128 12
	.asciz "gone"
	.long .Lint - .Lunit
	.uleb128 0
	.uleb128 12
	.asciz "kept"
	.long .Lint - .Lunit
	.uleb128 1
	.byte 0x56                             /* DW_OP_reg6: rbp */
	.uleb128 10
	.long .Lpeek - .Lunit
	.long .Lranges
	.uleb128 0
	.uleb128 0
.Linfo_end:

	.section .debug_rnglists, "", @progbits
.Lranges:
	.byte 6                                /* DW_RLE_start_end */
	.quad .Lother_peek, .Lother_call
	.byte 0

	.section .debug_loclists, "", @progbits
	.long .Lloclists_end - .Lloclists
.Lloclists:
	.short 5
	.byte 8, 0
	.long 0
.Lskb_places:
	.byte 7                                /* DW_LLE_start_end */
	.quad destroy, .Ldestroy_call
	.uleb128 1
	.byte 0x55                             /* DW_OP_reg5: rdi */
	.byte 8                                /* DW_LLE_start_length */
	.quad .Ldestroy_call
	.uleb128 .Ldestroy_end - .Ldestroy_call
	.uleb128 1
	.byte 0x53                             /* DW_OP_reg3: rbx */
	.byte 0
.Lloclists_end:

	.section .debug_aranges, "", @progbits
	.long .Laranges_end - .Laranges
.Laranges:
	.short 2
	.long 0
	.byte 8, 0
	.long 0                                /* up to a multiple of 16 */
	.quad _text, .Ltext_end - _text
	.quad 0, 0
.Laranges_end:

	.section .debug_frame, "", @progbits
.Lcommon:
	.long .Lcommon_end - . - 4, 0xffffffff
	.byte 1, 0                             /* version, no augmentation */
	.uleb128 1
	.sleb128 -8
	.byte 16
	.byte 0x0c, 7, 8                       /* DW_CFA_def_cfa rsp, 8 */
	.balign 8
.Lcommon_end:
	.long .Lframe_end - . - 4, .Lcommon
	.quad destroy, .Ldestroy_end - destroy
	.byte 0x02, .Ldestroy_call - destroy   /* DW_CFA_advance_loc1 */
	.byte 0x0e, 32                         /* DW_CFA_def_cfa_offset */
	.balign 8
.Lframe_end:

	.section .debug_line, "", @progbits
	.section .note.GNU-stack, "", @progbits
