/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advice for woven libraries. It keeps no registers but those that C has to, and leaves rubbish in
 * the others and in the flags. What it is made of uses general registers only, as in a kernel:
 * trampolines do not save vectors.
 */
#ifndef WEFT_TEST_ADVICE_H
#define WEFT_TEST_ADVICE_H

#include "runtime/frame.h"

#include <stddef.h>
#include <stdint.h>

/* Entries for trampolines; not to be called from C. */
void advice_clobber(void);
void advice_clobber_frame(void);
void advice_record(void);

/* What a shadow, or a step, saw. */
struct state {
	uint64_t address; /* of the shadow */
	struct weft_frame frame;
};

/* Where advice_record() writes; one thread only. */
struct record {
	size_t n, size;
	struct state states[];
};
extern struct record *advice_record_to;
extern const struct shadow *advice_shadows;

#endif /* WEFT_TEST_ADVICE_H */
