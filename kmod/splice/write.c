// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writing text; see write.h.
 *
 * text_poke() maps the page for itself alone, writes, unmaps and flushes, with interrupts off: some
 * microseconds on a processor, and on an emulated one, which forgets all translations each time,
 * tens of them; for ten thousand splices, each of three writes, that is what weaving costs. So many
 * writes go through one second mapping of all their pages, which is writable, not executable, and
 * gone with the batch. What makes text_poke() map in a memory of its own is that nobody else shall
 * come by a writable address of the text: here other CPUs could use the mapping for the
 * milliseconds of the batch, at an address that only this file knows. A few writes, and all where
 * memory is short, go by text_poke().
 *
 * The locks are those of everybody who writes text, in the order that kprobes take them (all of
 * weft's: weave.c). A CPU that comes up is not among those that text_poke_sync() interrupts until
 * it is online, and runs a lot of the kernel before: none comes up meanwhile. Bringing one up takes
 * text_mutex inside the hotplug lock, so that comes first. Nobody takes wk_mutex, which we hold,
 * with any of them held.
 */
#include <linux/cpu.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "base/unexported.h"
#include "text/text.h"
#include "splice/write.h"

enum { MANY = 16 }; /* writes that are worth a mapping */

static struct {
	unsigned long first; /* of the text's addresses, a page's */
	size_t size;
	u8 *base; /* NULL: no mapping */
} alias;

static void map_text(unsigned long first, unsigned long end)
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

static void unmap_text(void)
{
	if (!alias.base)
		return;
	vunmap(alias.base);
	alias.base = NULL;
	/* No CPU remembers it. */
	vm_unmap_aliases();
}

/* Memory comes before the locks: who is short of it may wait long. */
void wk_write_begin(unsigned long first, unsigned long end, unsigned int n)
{
	if (n >= MANY)
		map_text(first, end);
	mutex_lock(wk_unexported.kprobe_mutex);
	cpus_read_lock();
	mutex_lock(wk_unexported.text_mutex);
	wk_text_look_for_kprobes(true);
}

void wk_write_end(void)
{
	wk_text_forget_kprobes();
	mutex_unlock(wk_unexported.text_mutex);
	cpus_read_unlock();
	mutex_unlock(wk_unexported.kprobe_mutex);
	unmap_text();
}

void wk_write(unsigned long address, const void *bytes, unsigned int size)
{
	unsigned long at = address - alias.first;

	if (!alias.base || at >= alias.size || size > alias.size - at)
		wk_unexported.text_poke((void *)address, bytes, size);
	else if (size == 1)
		WRITE_ONCE(alias.base[at], *(const u8 *)bytes);
	else
		memcpy(&alias.base[at], bytes, size);
}
