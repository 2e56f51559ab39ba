// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes text; see write.h.
 *
 * text_poke() maps the page at a temporary address, writes, unmaps and flushes, with interrupts
 * off. That takes some microseconds on a processor, and tens of them in an emulator, where each
 * flush discards all translations. With three writes for each of ten thousand splices it is the
 * main cost of weaving. So a large batch maps all of its pages once, writable but not executable,
 * and unmaps them when it ends. text_poke() uses an mm of its own, so no other CPU can access its
 * mapping. The mapping of a batch can be accessed by all CPUs for some milliseconds, but only this
 * file knows its address. Small batches, all of them if memory is short, and modules' text use
 * text_poke().
 *
 * The locks are those that every writer of text takes, in the order of kprobes (weft's whole lock
 * order: weave.c). A CPU that comes online runs much of the kernel's text before text_poke_sync()
 * can interrupt it. So no CPU may come online meanwhile. Bringing one online takes text_mutex
 * inside the hotplug lock, so the hotplug lock is taken first. The caller holds wk_mutex, which is
 * never taken with any of them held.
 */
#include <linux/cpu.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "base/unexported.h"
#include "text/text.h"
#include "splice/write.h"
#include "base/lock.h"

enum { MANY = 16 }; /* from this number of writes on, a mapping is faster */

static struct {
	unsigned long first; /* live address of the first page */
	size_t size;
	u8 *base; /* writable mapping of that page and those after it; NULL: none */
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
	/* Flush the translation from all CPUs' TLBs now, not lazily. */
	vm_unmap_aliases();
}

/*
 * Takes the locks for writing text, and maps the kernel's text if many writes follow. The mapping
 * is made before the locks are taken, since its allocations may wait long if memory is short. Text
 * of modules is not mapped: it is far from the kernel's text, and not contiguous.
 */
void wk_write_begin(unsigned long first, unsigned long end, unsigned int n)
{
	wk_assert_locked();
	end = min(end, wk_unexported.etext);
	if (n >= MANY && first < end)
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
		wk_call(text_poke)((void *)address, bytes, size);
	else if (size == 1)
		WRITE_ONCE(alias.base[at], *(const u8 *)bytes);
	else
		memcpy(&alias.base[at], bytes, size);
}
