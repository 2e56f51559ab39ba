/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Corrects labels of loads that come right after the stack protector's guard is set. GCC sets the
 * guard, and then clears the register that held the guard's value, in one pattern of three
 * instructions. If the next load overwrites this register anyway, GCC lets the load take the place
 * of the clearing (i386.md, stack_protect_set_*). The plugin can place the load's label only before
 * the whole pattern, two instructions too early:
 *
 *     mov %gs:40, %rax          the label
 *     mov %rax, 0x60(%rsp)
 *     mov 0x44(%rdi), %eax      the load
 */
#ifndef WV_STACK_PROTECTOR_H
#define WV_STACK_PROTECTOR_H

#include "image/image.h"
#include "index/merge.h"

/*
 * Moves each such label to the instruction after the two that set the guard. If this instruction
 * only clears the register, or only prepares the pointer for the access, moves the label one
 * instruction further. Call this before wv_merge_sort().
 */
int wv_protector_step(struct wv_merge *merge, struct wv_image *image, struct wv_error *error);

#endif /* WV_STACK_PROTECTOR_H */
