/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two more sections of an aspect's module, which the weaver writes when it is compiled
 * (weaver/module/late-tables.h). A part of the interface (abi.h), in whose version they are.
 */
#ifndef WEFT_CODE_TABLES_H
#define WEFT_CODE_TABLES_H

#include <linux/types.h>

#define WEFT_SECTION_LINES ".weft.lines"       /* struct weft_line[] */
#define WEFT_SECTION_LEAVABLE ".weft.leavable" /* struct weft_leavable[] */

/*
 * The code from @offset in the module's .text on, up to the next element's, is of this line of the
 * author's XML; 0: of none. In ascending order. The first element is none of them: its @line is the
 * number of those that follow, its @offset that of the first function that struct weft_aspect names
 * (the advices' entries, start, end).
 */
struct weft_line {
	__u32 offset, line;
};

/*
 * A function of the kernel that advice may be left in, after a fault there: it takes no lock, does
 * not change the preemption count, the interrupt flag, or the registers that aspects never change,
 * and writes to none of the kernel's variables. In ascending order. The first element is none of
 * them: its @size is the number of those that follow.
 */
struct weft_leavable {
	__u32 offset; /* from _text */
	__u32 size;   /* bytes */
};

#endif /* WEFT_CODE_TABLES_H */
