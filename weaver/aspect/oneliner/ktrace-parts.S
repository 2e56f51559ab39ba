/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts aspects/ktrace/ktrace.xml into the program, as a string; see ktrace-aspect.c. */
	.section .rodata
	.globl	wv_ktrace_whole
	.type	wv_ktrace_whole, @object
wv_ktrace_whole:
	.incbin	"ktrace.xml"
	.byte	0
	.size	wv_ktrace_whole, . - wv_ktrace_whole

	.section .note.GNU-stack, "", @progbits
