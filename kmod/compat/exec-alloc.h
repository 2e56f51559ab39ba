/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The allocator of memory for code near the kernel's text. The memory must be writable and not
 * executable until weft.ko has written the code and makes the memory executable
 * (splice/exec-mem.c). Not every type of memory is like that: memory for kprobes is read-only from
 * the start since 6.13. The type for ftrace is right in every kernel, because ftrace does the same
 * with its trampolines as weft: it writes them and then makes their memory executable.
 */
#ifndef WK_EXEC_ALLOC_H
#define WK_EXEC_ALLOC_H

#if defined(WK_HAS_EXECMEM_ALLOC_RW)
/*
 * 6.17: memory of each type may come out of a read-only cache; execmem_alloc_rw() makes it
 * writable.
 */
#include <linux/execmem.h>
#define WK_NAME_text_alloc "execmem_alloc_rw"
#define WK_NAME_text_free "execmem_free"
#define WK_TEXT_ALLOC_PROTO (enum execmem_type type, size_t size)
#define WK_TEXT_ALLOC_ARGS(size) (EXECMEM_FTRACE, (size))
#elif defined(WK_HAS_EXECMEM)
#include <linux/execmem.h>
#define WK_NAME_text_alloc "execmem_alloc"
#define WK_NAME_text_free "execmem_free"
#define WK_TEXT_ALLOC_PROTO (enum execmem_type type, size_t size)
#define WK_TEXT_ALLOC_ARGS(size) (EXECMEM_FTRACE, (size))
#else
/* Up to 6.9 there is only the module loader's allocator. */
#define WK_NAME_text_alloc "module_alloc"
#define WK_NAME_text_free "module_memfree"
#define WK_TEXT_ALLOC_PROTO (unsigned long size)
#define WK_TEXT_ALLOC_ARGS(size) (size)
#endif

#endif /* WK_EXEC_ALLOC_H */
