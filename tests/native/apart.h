/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The same work in several children of one parent, to be compared: they have the same addresses,
 * start with the same registers on the same stack, and differ in nothing but what is to be tested.
 */
#ifndef WEFT_TEST_APART_H
#define WEFT_TEST_APART_H

#include "makers.h"
#include "runtime/frame.h"
#include "work.h"

#include <stdbool.h>

/* Memory that children write and the parent reads. */
void *apart_shared(size_t size);

/*
 * @run(@work) in a child; its status as wait() has it, 0 where all is well. @quiet: it is expected
 * to die.
 */
int apart_child(void (*run)(const struct work *work), const struct work *work, bool quiet);

/*
 * @run(@size) on a stack of its own, with nothing in the registers that the caller's code has left
 * there.
 */
uint64_t apart_run(uint64_t (*run)(unsigned int size), unsigned int size);

/*
 * WR_BIT()s of what is @live, and the stack pointer in any case, that differ. WR_FLAGS is in it
 * where a flag differs that is not @undefined.
 */
uint32_t apart_differing(const struct weft_frame *a, const struct weft_frame *b, uint32_t live,
			 struct undefined undefined);

/*
 * WR_BIT()s of registers that the instruction there may fill with what happens to be on the stack.
 * Compilers pop what nobody has pushed, to move the stack pointer: what such a register has in it
 * depends on what was below the stack some time ago. And they load a whole word from the stack, and
 * mask it, of which they have stored a half.
 */
uint32_t apart_leftover(uint64_t address);

#endif /* WEFT_TEST_APART_H */
