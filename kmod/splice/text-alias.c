// SPDX-License-Identifier: GPL-2.0-or-later
/* Stores to text by a second mapping; see text-alias.h. */
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <asm/pgtable.h>

#include "splice/text-alias.h"

static struct page *page_of(unsigned long text)
{
	return text >= MODULES_VADDR && text < MODULES_END ? vmalloc_to_page((void *)text)
							   : virt_to_page((void *)text);
}

/*
 * Returns the page table entry by which the alias maps the page that holds @text. NULL: the mapping
 * there is not one of 4 KiB.
 */
static pte_t *slot_of(const struct wk_text_alias *alias, unsigned long text)
{
	unsigned int level;
	pte_t *slot = lookup_address((unsigned long)alias->base + (text - alias->text), &level);

	return slot && level == PG_LEVEL_4K ? slot : NULL;
}

/*
 * Clears the page table entries of the alias, and keeps them in ->entries. Nobody has accessed the
 * mapping yet, so no TLB holds a translation for it.
 */
static int unmap_all(struct wk_text_alias *alias)
{
	for (unsigned int i = 0; i < alias->pages; i++)
		if (!slot_of(alias, alias->text + i * PAGE_SIZE))
			return -ENOTSUPP;
	for (unsigned int i = 0; i < alias->pages; i++) {
		pte_t *slot = slot_of(alias, alias->text + i * PAGE_SIZE);

		alias->entries[i] = pte_val(*slot);
		set_pte(slot, __pte(0));
	}
	return 0;
}

static void *map_all(const struct wk_text_alias *alias)
{
	struct page **pages = kvmalloc_array(alias->pages, sizeof(*pages), GFP_KERNEL);
	void *base = NULL;
	unsigned int i;

	for (i = 0; pages && i < alias->pages; i++) {
		pages[i] = page_of(alias->text + i * PAGE_SIZE);
		if (!pages[i])
			break;
	}
	if (pages && i == alias->pages)
		base = vmap(pages, alias->pages, VM_MAP, PAGE_KERNEL);
	kvfree(pages);
	return base;
}

int wk_text_alias_reserve(struct wk_text_alias *ret, unsigned long text, unsigned long size)
{
	int failed = -ENOMEM;

	ret->text = text & PAGE_MASK;
	ret->pages = (PAGE_ALIGN(text + size) - ret->text) >> PAGE_SHIFT;
	ret->base = NULL;
	ret->entries = kvmalloc_array(ret->pages, sizeof(*ret->entries), GFP_KERNEL);
	if (!ret->entries)
		return failed;
	ret->base = map_all(ret);
	if (ret->base)
		failed = unmap_all(ret);
	if (failed)
		wk_text_alias_release(ret);
	return failed;
}

void wk_text_alias_release(struct wk_text_alias *alias)
{
	if (alias->base)
		vunmap(alias->base);
	kvfree(alias->entries);
	alias->base = NULL;
	alias->entries = NULL;
}

/*
 * Maps one page of the alias for a moment, and stores through it. Only this CPU accesses the
 * mapping, so only its TLB needs a flush.
 */
void wk_text_alias_store(const struct wk_text_alias *alias, unsigned long text, const void *from,
			 unsigned int size)
{
	void *address = alias->base + (text - alias->text);
	pte_t *slot = slot_of(alias, text);
	unsigned long flags;

	local_irq_save(flags);
	set_pte(slot, __pte(alias->entries[(text - alias->text) >> PAGE_SHIFT]));
	mb(); /* the mapping must be in place before the store */
	if (size == sizeof(u8))
		WRITE_ONCE(*(u8 *)address, *(const u8 *)from);
	else
		WRITE_ONCE(*(u64 *)address, *(const u64 *)from);
	set_pte(slot, __pte(0));
	asm volatile("invlpg (%0)" : : "r"(address) : "memory");
	local_irq_restore(flags);
}
