/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of woven libraries as kernel text, and executable memory near it. */
#ifndef SHIM_TEXT_H
#define SHIM_TEXT_H

#include "kernel-shim/kernel.h"

/*
 * From now on, @size bytes at @start are text: they can be written only through a second mapping.
 * Not to be called while anybody runs them.
 */
void shim_text_add(unsigned long start, size_t size);

/*
 * Makes all text private memory of this process again, with its present bytes, and mapped as it
 * was.
 */
void shim_text_deinit(void);

/* Reserves @size bytes at @base for execmem_alloc(). */
void shim_exec_init(void *base, size_t size);

/* Ends the process with an error if any executable memory is still in use. */
void shim_exec_deinit(void);

/*
 * If the int3 at @regs is one of text_poke_queue(), makes @regs go on where the jump will lead.
 * Returns false if it is not. Calls nothing that may be woven.
 */
bool shim_poke_int3(struct pt_regs *regs);

/* The kernel's functions that weft.ko calls by wk_call(). */
void *text_poke(void *address, const void *bytes, size_t size);
void text_poke_sync(void);
void text_poke_queue(void *address, const void *bytes, size_t size, const void *emulate);
void text_poke_finish(void);
void *execmem_alloc(enum execmem_type type, size_t size);
void execmem_free(void *region);
int set_memory_ro(unsigned long address, int pages);
int set_memory_x(unsigned long address, int pages);

#endif /* SHIM_TEXT_H */
