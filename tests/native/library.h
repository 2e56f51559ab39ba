/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A shared library that this process has loaded, as splices see it: where its functions are, and
 * every address in its text where control may arrive from anywhere. Distribution libraries are
 * stripped, so functions are what .eh_frame describes.
 */
#ifndef WEFT_TEST_LIBRARY_H
#define WEFT_TEST_LIBRARY_H

#include "x86/decode.h"
#include "base/vec.h"

struct function {
	uint64_t start; /* live */
	uint32_t size;
	bool excluded; /* its bytes are read as data, or a label in it is kept somewhere */
	bool pads;     /* it has landing pads: exceptions are caught or pass through */
};

struct library {
	const char *name;
	uint64_t base; /* live address - link address */
	/* live: the sections .text and .rodata */
	uint64_t text, text_size, constants, constants_size;
	WV_VEC(struct function) functions; /* ascending, not overlapping */
	/*
	 * Ascending: targets of direct branches (also of code that no function claims), landing
	 * pads, what relocations and instructions make an address of, and what tables of distances
	 * may lead to.
	 */
	WV_VEC(uint64_t) branch_targets;
};

/* @name: the end of its path. Anything unexpected ends the program. */
void library_init(struct library *library, const char *name, struct wv_decoder *decoder);
void library_deinit(struct library *library);

/* Those in [@start, @start + @size): the first of them, their number in *@n_ret. */
const uint64_t *library_branch_targets(const struct library *library, uint64_t start, uint64_t size,
				       size_t *n_ret);

/* The function that @address is in, or NULL. */
const struct function *library_function(const struct library *library, uint64_t address);

#endif /* WEFT_TEST_LIBRARY_H */
