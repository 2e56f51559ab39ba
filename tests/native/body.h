/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A function's instructions as the weaver's splice engine has analysed them: whether each can be
 * relocated, which displaced ranges it allows, which registers are live. Each function is analysed
 * once and woven many times.
 */
#ifndef WEFT_TEST_BODY_H
#define WEFT_TEST_BODY_H

#include "library.h"
#include "runtime/trampoline.h"
#include "splice/choose.h"

struct instruction {
	struct wr_insn insn; /* The decoded instruction. */
	uint32_t live;	     /* The live registers before it, as WR_BIT()s. */
	uint8_t refusal;     /* An enum weft_refusal. */
};

struct body {
	const struct function *function; /* The function in the library. */
	const struct library *library;	 /* The library that has the function. */
	struct instruction *insns;	 /* All instructions, ascending. */
	size_t n;			 /* The number of instructions. */
	bool sanitize;			 /* Whether trampolines must sanitize. */
	/* Chooses splices in the function and in the padding after it. */
	struct wv_chooser *chooser;
	/* The padding of the function, and of other functions within reach of a short jump. */
	wv_padding_list paddings;
};

struct bodies {
	WV_VEC(struct body) list;
};

/* Analyses all functions of @library that are not excluded, and adds them. */
void bodies_add(struct bodies *bodies, const struct library *library, struct wv_decoder *decoder);
void bodies_deinit(struct bodies *bodies);

#endif /* WEFT_TEST_BODY_H */
