/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the same work in several children of one parent, so that the runs can be compared. The
 * children have the same addresses, start with the same registers on the same stack, and differ
 * only in what is tested.
 */
#ifndef WEFT_TEST_APART_H
#define WEFT_TEST_APART_H

#include "makers.h"
#include "runtime/frame.h"
#include "work.h"

#include <stdbool.h>

/* Allocates memory that children write and the parent reads. */
void *apart_shared(size_t size);

/*
 * Runs @run(@work) in a child. Returns the status that wait() gives, so 0 if the child exited with
 * 0. With @quiet the child's messages are dropped, since the child is expected to die.
 */
int apart_child(void (*run)(const struct work *work), const struct work *work, bool quiet);

/*
 * Calls @run(@size) on a separate stack, with all other registers cleared, so that nothing of the
 * caller's registers is left in them.
 */
uint64_t apart_run(uint64_t (*run)(unsigned int size), unsigned int size);

/*
 * Compares the registers of @live, and the stack pointer, in @a and @b. Returns those that differ
 * as WR_BIT()s. WR_FLAGS is among them if a flag differs that is not in @undefined.
 */
uint32_t apart_differing(const struct weft_frame *a, const struct weft_frame *b, uint32_t live,
			 struct undefined undefined);

/*
 * Returns, as WR_BIT()s, the registers that the instruction at @address may fill with leftovers:
 * values that depend on what was below the stack pointer some time ago. Two kinds of compiled code
 * do this. Some pops a word that nobody pushed, only to move the stack pointer. Some stores half a
 * word on the stack, loads the whole word and masks it.
 */
uint32_t apart_leftover(uint64_t address);

#endif /* WEFT_TEST_APART_H */
