/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A function of the live kernel, decoded once from its first byte to its last: where its instructions begin, and what is to be
 * known about it before one of them is spliced. Process context, may sleep; under wk_mutex.
 */
#ifndef WK_FUNCTION_H
#define WK_FUNCTION_H

#include <linux/types.h>

#include "../runtime/abi.h"

struct wk_function {
	unsigned long start; /* live */
	unsigned int size;   /* bytes up to the next symbol; 0: none was read */
	unsigned int known;  /* bytes that were decoded */
	enum weft_refusal why; /* why no more were: KPROBE, UNDECODABLE */
	bool careful;	     /* it may run with the direction flag set or user memory open */
	u8 *text;	     /* original bytes */
	unsigned long *begins; /* a bit for each byte: an instruction begins here */
	unsigned long *entered; /* likewise: control may come here from elsewhere; NULL: not looked at (window.c) */
	bool windows;	       /* @entered is all there is */
	unsigned long *padding; /* likewise: a bounce's jump may be put here; NULL: not looked at (slot.c) */
};

/*
 * Makes @function the one that @address lies in; does nothing where it is already. All zero at first. NOT_TEXT where no
 * symbol holds @address or memory is short.
 */
enum weft_refusal wk_function_read(struct wk_function *function, unsigned long address);
void wk_function_deinit(struct wk_function *function);

/* Does an instruction begin at @address, which lies in it? NONE, BOUNDARY, or why nobody knows. */
enum weft_refusal wk_function_boundary(const struct wk_function *function, unsigned long address);

#endif /* WK_FUNCTION_H */
