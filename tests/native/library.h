/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a shared library that this process has loaded, for splicing: where its functions are, and
 * every address in its text that control may reach other than from the instruction before.
 * Libraries of distributions are stripped, so a function is what .eh_frame describes.
 */
#ifndef WEFT_TEST_LIBRARY_H
#define WEFT_TEST_LIBRARY_H

#include "x86/decode.h"
#include "base/vec.h"

struct function {
	uint64_t start; /* The live address. */
	uint32_t size;	/* The size in bytes. */
	/*
	 * The function is not woven: some of its bytes are data, or the address of a label in it is
	 * stored.
	 */
	bool excluded;
	/* The function has landing pads: it catches exceptions, or they pass through it. */
	bool pads;
};

struct library {
	const char *name; /* The end of the library's path. */
	uint64_t base;	  /* Live addresses minus link addresses. */
	/* Live addresses and sizes of the sections .text and .rodata. */
	uint64_t text, text_size, constants, constants_size;
	WV_VEC(struct function) functions; /* Ascending, not overlapping. */
	/*
	 * All branch targets, ascending: of direct branches, also of those outside functions;
	 * landing pads; addresses that relocations and instructions make; and addresses that tables
	 * of distances may lead to.
	 */
	WV_VEC(uint64_t) branch_targets;
};

/*
 * Reads the library whose path ends in @name. Ends the program if this process has not loaded it,
 * or if anything else is unexpected.
 */
void library_init(struct library *library, const char *name, struct wv_decoder *decoder);
void library_deinit(struct library *library);

/* Returns the first branch target in [@start, @start + @size), and their number in *@n_ret. */
const uint64_t *library_branch_targets(const struct library *library, uint64_t start, uint64_t size,
				       size_t *n_ret);

/* Returns the function that contains @address, or NULL. */
const struct function *library_function(const struct library *library, uint64_t address);

#endif /* WEFT_TEST_LIBRARY_H */
