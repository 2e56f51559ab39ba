/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of woven libraries as kernel text, and executable memory near it. */
#ifndef SHIM_TEXT_H
#define SHIM_TEXT_H

#include "kernel-shim/kernel.h"

/*
 * @size bytes at @start are text from now on: it can be written only through a second mapping. Not
 * while anybody runs it.
 */
void shim_text_add(unsigned long start, size_t size);

/* Writes what is left of it back to private memory of this process, as it was before. */
void shim_text_deinit(void);

/* @size bytes at @base are reserved: executable memory comes from there. */
void shim_exec_init(void *base, size_t size);

/* Nothing of it may be in use any more. */
void shim_exec_deinit(void);

/*
 * Handles an int3 of text_poke_queue()'s. False: it is none. Calls nothing that may be woven.
 */
bool shim_poke_int3(struct pt_regs *regs);

/* The kernel's functions that are called by wk_call(). */
void *text_poke(void *address, const void *bytes, size_t size);
void text_poke_sync(void);
void text_poke_queue(void *address, const void *bytes, size_t size, const void *emulate);
void text_poke_finish(void);
void *execmem_alloc(enum execmem_type type, size_t size);
void execmem_free(void *region);
int set_memory_ro(unsigned long address, int pages);
int set_memory_x(unsigned long address, int pages);

#endif /* SHIM_TEXT_H */
