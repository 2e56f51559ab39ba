/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two more sections of an aspect's module, which the weaver writes after the module is compiled
 * (weaver/module/late-tables.h). They belong to the interface in abi.h and share its version
 * number, WEFT_ABI_VERSION.
 */
#ifndef WEFT_CODE_TABLES_H
#define WEFT_CODE_TABLES_H

#include <linux/types.h>

#define WEFT_SECTION_LINES ".weft.lines"       /* struct weft_line[] */
#define WEFT_SECTION_LEAVABLE ".weft.leavable" /* struct weft_leavable[] */

/*
 * The code from @offset in the module's .text on, up to the @offset of the next element, was
 * compiled from line @line of the author's XML; 0: from none. In ascending order. The first element
 * is a header: its @line is the number of elements after it, its @offset that of the first function
 * that struct weft_aspect names (in the order of the advices' entries, arounds, start, end).
 */
struct weft_line {
	__u32 offset, line;
};

/*
 * A function of the kernel that can be abandoned in the middle if it faults when advice calls it:
 * it takes no lock; it does not change the preemption count, the interrupt flag, or the registers
 * that aspects never change; and it writes to none of the kernel's variables. The elements are in
 * ascending order. The first one is a header: its @size is the number of elements after it.
 */
struct weft_leavable {
	__u32 offset; /* bytes from _text to the function */
	__u32 size;   /* bytes */
};

#endif /* WEFT_CODE_TABLES_H */
