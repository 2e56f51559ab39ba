/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Flags that the architecture leaves undefined, in a program that is stepped: which ones they are
 * at an instruction, by the weaver's table (x86/status-flags.h) and not by what one processor
 * does; and what processors of other makers would leave in them.
 */
#ifndef WEFT_TEST_MAKERS_H
#define WEFT_TEST_MAKERS_H

#include "x86/decode.h"

#include <stdint.h>
#include <ucontext.h>

/* What flags are left as that are undefined. */
enum maker {
	MAKER_HERE,   /* as this processor does it */
	MAKER_KEEPS,  /* as they were before the instruction */
	MAKER_CLEARS,
	MAKER_SETS,
	MAKERS
};

extern const char *const maker_names[MAKERS];

/* Of EFLAGS' bits, those that are undefined. */
struct undefined {
	uint16_t flags;
	uint16_t r11; /* where a system call leaves the flags, until something else is in it */
};

/*
 * To be called once in a process, before it is stepped. @taken: flags that are taken for undefined
 * behind every instruction that writes them, to see that somebody notices. @decoder is used in
 * signal handlers: nobody else may use it meanwhile.
 */
void makers_begin(struct wv_decoder *decoder, enum maker maker, uint16_t taken);

/*
 * To be called before each instruction of the program, by the step handler: makes @maker's flags of
 * those that the last one has left, and says which ones are undefined now.
 */
struct undefined makers_step(ucontext_t *context);

#endif /* WEFT_TEST_MAKERS_H */
