// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writing text; see write.h.
 *
 * text_poke() maps the page for itself alone, writes, unmaps and flushes, with interrupts off: some microseconds on a processor, and
 * on an emulated one, which forgets all translations each time, tens of them; for ten thousand splices, each of three writes, that
 * is what weaving costs. So many writes go through one second mapping of all their pages, which is writable, not executable, and gone
 * with the batch. What makes text_poke() map in a memory of its own is that nobody else shall come by a writable address of the
 * text: here other CPUs could use the mapping for the milliseconds of the batch, at an address that only this file knows. A few
 * writes, and all where memory is short, go by text_poke().
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "symbols.h"
#include "write.h"

static struct {
	unsigned long first; /* of the text's addresses, a page's */
	size_t size;
	u8 *base; /* NULL: no mapping */
} alias;

void wk_write_begin(unsigned long first, unsigned long end)
{
	unsigned long start = first & PAGE_MASK;
	unsigned int n = (PAGE_ALIGN(end) - start) / PAGE_SIZE;
	struct page **pages = kvmalloc_array(n, sizeof(*pages), GFP_KERNEL | __GFP_NOWARN);

	if (!pages)
		return;
	for (unsigned int i = 0; i < n; i++)
		pages[i] = virt_to_page((void *)start + i * PAGE_SIZE);
	alias.first = start;
	alias.size = n * PAGE_SIZE;
	alias.base = vmap(pages, n, VM_MAP, PAGE_KERNEL);
	kvfree(pages);
}

void wk_write_end(void)
{
	if (!alias.base)
		return;
	vunmap(alias.base);
	alias.base = NULL;
	/* No CPU remembers it. */
	vm_unmap_aliases();
}

void wk_write(unsigned long address, const void *bytes, unsigned int size)
{
	unsigned long at = address - alias.first;

	if (!alias.base || at >= alias.size || size > alias.size - at)
		wk_symbols.text_poke((void *)address, bytes, size);
	else if (size == 1)
		WRITE_ONCE(alias.base[at], *(const u8 *)bytes);
	else
		memcpy(&alias.base[at], bytes, size);
}
