/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Status flags that the architecture leaves undefined, in a program that is single-stepped. These
 * functions say which flags are undefined at an instruction, by the weaver's table
 * (x86/status-flags.h) and not by what one processor does, and change such flags to what processors
 * of other makers would leave.
 */
#ifndef WEFT_TEST_MAKERS_H
#define WEFT_TEST_MAKERS_H

#include "x86/decode.h"

#include <stdint.h>
#include <ucontext.h>

/* Which values a processor leaves in undefined flags. */
enum maker {
	MAKER_HERE,   /* Leaves what this processor leaves. */
	MAKER_KEEPS,  /* Leaves their values from before the instruction. */
	MAKER_CLEARS, /* Clears them. */
	MAKER_SETS, /* Sets them. */
	MAKERS /* The number of makers. */
};

extern const char *const maker_names[MAKERS];

/* The undefined bits of EFLAGS, and of r11. */
struct undefined {
	uint16_t flags; /* Undefined status flags. */
	/*
	 * Bits of r11 that are undefined, since SYSCALL copies the flags there, until r11 changes.
	 */
	uint16_t r11;
};

/*
 * Must be called once in a process, before it is stepped. @taken makes an error on purpose, which
 * the tests must notice: its flags are taken for undefined after every instruction that defines
 * them. @decoder is used in signal handlers, so nobody else may use it meanwhile.
 */
void makers_begin(struct wv_decoder *decoder, enum maker maker, uint16_t taken);

/*
 * Must be called by the step handler before each instruction. Changes the undefined flags that the
 * last instruction has left to those of makers_begin()'s @maker, and returns which flags are
 * undefined now.
 */
struct undefined makers_step(ucontext_t *context);

#endif /* WEFT_TEST_MAKERS_H */
