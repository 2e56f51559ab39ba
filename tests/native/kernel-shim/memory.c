// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory and messages for weft.ko's code. Freed memory is overwritten, or unmapped if it was
 * executable, so that code which still uses it is found.
 */
#include <err.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/table-memory.h"
#include "kernel-shim/text.h"

enum { POISON = 0x6b };

/* Formats as vprintf() does. Of the kernel's own formats only %pS occurs. */
static void print(const char *format, va_list arguments)
{
	char plain[256];
	size_t n = 0;

	for (const char *at = format; *at && n < sizeof(plain) - 1; at++)
		if (*at != 'S' || at - format < 2 || strncmp(at - 2, "%p", 2))
			plain[n++] = *at;
	plain[n] = 0;
	vfprintf(stderr, plain, arguments);
}

void shim_print(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print(format, arguments);
	va_end(arguments);
}

void shim_bug(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print(format, arguments);
	va_end(arguments);
	abort();
}

void *shim_alloc(size_t size)
{
	void *memory = calloc(1, size);

	if (!memory)
		err(2, "memory");
	return memory;
}

void shim_free(const void *memory)
{
	void *freed = (void *)memory;

	if (freed)
		memset(freed, POISON, malloc_usable_size(freed));
	free(freed);
}

/* ---- allocation of executable memory, in pages ----------------------------------------------- */

static struct {
	u8 *base;	    /* The first byte of the memory. */
	size_t pages, next; /* The search for free pages begins at .next. */
	/* For each page, how many pages the allocation has that begins there, or 0. */
	u32 *sizes;
} exec;

void shim_exec_init(void *base, size_t size)
{
	exec.base = base;
	exec.pages = size / PAGE_SIZE;
	exec.next = 0;
	exec.sizes = calloc(exec.pages, sizeof(*exec.sizes));
	if (!exec.sizes)
		err(2, "executable memory");
}

void shim_exec_deinit(void)
{
	for (size_t page = 0; page < exec.pages; page++)
		if (exec.sizes[page])
			shim_bug("executable memory at %p was never freed\n",
				 exec.base + page * PAGE_SIZE);
	wk_accounts_deinit();
	free(exec.sizes);
}

/* Returns the first of @n successive free pages, searching from page @from to the end, or -1. */
static ssize_t find_pages(size_t from, size_t n)
{
	size_t first = from;

	for (size_t page = from; page < exec.pages;) {
		if (exec.sizes[page]) {
			page += exec.sizes[page];
			first = page;
		} else if (++page - first == n) {
			return first;
		}
	}
	return -1;
}

void *execmem_alloc(enum execmem_type type, size_t size)
{
	size_t n = PAGE_ALIGN(size) / PAGE_SIZE;
	ssize_t first = find_pages(exec.next, n);
	u8 *at;

	if (first < 0)
		first = find_pages(0, n);
	if (first < 0)
		return NULL;
	exec.sizes[first] = n;
	exec.next = first + n;
	at = exec.base + first * PAGE_SIZE;
	if (mprotect(at, n * PAGE_SIZE, PROT_READ | PROT_WRITE))
		err(2, "executable memory");
	return at;
}

void execmem_free(void *region)
{
	u32 *size = &exec.sizes[((u8 *)region - exec.base) / PAGE_SIZE];

	if (mmap(region, *size * PAGE_SIZE, PROT_NONE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
		err(2, "executable memory");
	*size = 0;
}

int set_memory_ro(unsigned long address, int pages)
{
	return mprotect((void *)address, pages * PAGE_SIZE, PROT_READ) ? -errno : 0;
}

int set_memory_x(unsigned long address, int pages)
{
	return mprotect((void *)address, pages * PAGE_SIZE, PROT_READ | PROT_EXEC) ? -errno : 0;
}
