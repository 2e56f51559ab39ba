/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Declares the text of woven libraries, which stands for kernel text, and executable memory near
 * it.
 */
#ifndef SHIM_TEXT_H
#define SHIM_TEXT_H

#include "kernel-shim/kernel.h"

/*
 * Makes @size bytes at @start text, which can be written only through a second mapping. Must not be
 * called while a thread runs them.
 */
void shim_text_add(unsigned long start, size_t size);

/* Makes all text private memory of this process again, mapped as before, with its present bytes. */
void shim_text_deinit(void);

/* Reserves @size bytes at @base for execmem_alloc(). */
void shim_exec_init(void *base, size_t size);

/* Ends the process with an error if any executable memory is still in use. */
void shim_exec_deinit(void);

/*
 * If the int3 at @regs was written by text_poke_queue(), makes @regs go on where the jump will
 * lead; else returns false. Calls no function that may be woven.
 */
bool shim_poke_int3(struct pt_regs *regs);

/* These functions of the kernel are called by weft.ko through wk_call(). */
void *text_poke(void *address, const void *bytes, size_t size);
void text_poke_sync(void);
void text_poke_queue(void *address, const void *bytes, size_t size, const void *emulate);
void text_poke_finish(void);
void *execmem_alloc(enum execmem_type type, size_t size);
void execmem_free(void *region);
int set_memory_ro(unsigned long address, int pages);
int set_memory_x(unsigned long address, int pages);

#endif /* SHIM_TEXT_H */
