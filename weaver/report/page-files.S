/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts the files of the page into the program, each as a string; see page-files.h. */
	.macro	text name, file
	.globl	\name
	.type	\name, @object
\name:
	.incbin	"\file"
	.byte	0
	.size	\name, . - \name
	.endm

	.section .rodata
	text	wv_page_style, "style.css"
	text	wv_page_script, "script.js"
	text	wv_page_script_hash, "script.hash"
	text	wv_page_licence, "licence.txt"

	.section .note.GNU-stack, "", @progbits
