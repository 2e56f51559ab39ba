/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A function's instructions, analysed by the weaver's splice engine: whether each can be relocated,
 * which displaced ranges it allows, which registers are live. Analysed once, woven many times.
 */
#ifndef WEFT_TEST_BODY_H
#define WEFT_TEST_BODY_H

#include "library.h"
#include "runtime/trampoline.h"
#include "splice/choose.h"

struct instruction {
	struct wr_insn insn;
	uint32_t live;
	uint8_t refusal; /* enum weft_refusal */
};

struct body {
	const struct function *function;
	const struct library *library;
	struct instruction *insns;
	size_t n;
	bool sanitize;
	struct wv_chooser *chooser; /* chooser for the function and the padding after it */
	/* padding of the function and of what a short jump from it reaches */
	wv_padding_list paddings;
};

struct bodies {
	WV_VEC(struct body) list;
};

/* Analyses all functions of @library that are not excluded, and adds them. */
void bodies_add(struct bodies *bodies, const struct library *library, struct wv_decoder *decoder);
void bodies_deinit(struct bodies *bodies);

#endif /* WEFT_TEST_BODY_H */
