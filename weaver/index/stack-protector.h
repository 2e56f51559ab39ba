/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Corrects labels of loads after the stack protector's guard is set. GCC can emit the setting of
 * the guard and the clearing of its register as one pattern of three instructions. The third may be
 * the load of a member, which overwrites the register (i386.md, stack_protect_set_*). The plugin
 * can place the load's label only before the whole pattern:
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
 * Moves each such label to the instruction after the two that set the guard. The label moves one
 * instruction further if that instruction only clears the register, or only loads or moves the
 * pointer of the access. Call this before wv_merge_sort().
 */
int wv_protector_step(struct wv_merge *merge, struct wv_image *image, struct wv_error *error);

#endif /* WV_STACK_PROTECTOR_H */
