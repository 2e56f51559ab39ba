/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks as keys of metrics: weft_stack() of runtime/advice.h. */
#ifndef WK_STACK_H
#define WK_STACK_H

/* Called after wk_platform_init(). Returns 0, or an error of register_module_notifier(). */
int wk_stack_init(void);
/* An aspect that takes stacks is about to be woven: makes room for paths (stack-paths.h). */
void wk_stack_need(void);
/* Called when no advice runs any more. */
void wk_stack_deinit(void);

#endif /* WK_STACK_H */
