/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Labels at the stack protector's guard. GCC may make one pattern of three instructions of setting
 * the guard and of what clears the register again, the load of a member among it (i386.md,
 * stack_protect_set_*): the plugin's label can only be before the first,
 *
 *	mov  %gs:40, %rax		the label
 *	mov  %rax, 0x60(%rsp)
 *	mov  0x44(%rdi), %eax		the load
 */
#ifndef WV_STACK_PROTECTOR_H
#define WV_STACK_PROTECTOR_H

#include "image/image.h"
#include "index/merge.h"

/*
 * Moves such labels behind the guard's two instructions, a third where that clears the register
 * alone, and a fourth that loads the pointer which the labelled instruction after it uses. Before
 * wv_merge_sort().
 */
int wv_protector_step(struct wv_merge *merge, struct wv_image *image, struct wv_error *error);

#endif /* WV_STACK_PROTECTOR_H */
