// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Allocates rings of records; see ring.h. Each ring's pages are mapped twice in a row, so that a
 * record that wraps around the end is contiguous in memory.
 */
#include <linux/cpumask.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "base/table-memory.h"
#include "record/ring.h"

static void free_pages_of(struct page **pages, unsigned int n)
{
	while (n--)
		__free_page(pages[n]);
}

/* Maps @size zeroed bytes twice, the second mapping right after the first. */
static void *map_twice(int cpu, unsigned long size)
{
	unsigned int n = size >> PAGE_SHIFT, got;
	struct page **pages = kvmalloc_array(2 * n, sizeof(*pages), WK_GFP_TABLE);
	void *base = NULL;

	if (!pages)
		return NULL;
	for (got = 0; got < n; got++) {
		pages[got] = alloc_pages_node(cpu_to_node(cpu), WK_GFP_TABLE | __GFP_ZERO, 0);
		if (!pages[got])
			break;
		pages[got + n] = pages[got];
	}
	if (got == n)
		base = vmap(pages, 2 * n, VM_MAP, PAGE_KERNEL);
	if (!base)
		free_pages_of(pages, got);
	kvfree(pages);
	return base;
}

static void unmap_twice(u8 *base, unsigned long size)
{
	unsigned int n = size >> PAGE_SHIFT;
	struct page *first = NULL;

	if (!base)
		return;
	/*
	 * The pages are found through the mapping, but the mapping must be removed before the pages
	 * are freed. So the pages are first put on a list, linked through page_private().
	 */
	for (unsigned int i = 0; i < n; i++) {
		struct page *page = vmalloc_to_page(base + i * PAGE_SIZE);

		set_page_private(page, (unsigned long)first);
		first = page;
	}
	vunmap(base);
	while (first) {
		struct page *next = (struct page *)page_private(first);

		set_page_private(first, 0);
		__free_page(first);
		first = next;
	}
}

struct wr_ring __percpu *wk_rings_create(struct wk_account *memory, unsigned long bytes)
{
	unsigned long size = roundup_pow_of_two(max(bytes, PAGE_SIZE));
	struct wr_ring __percpu *rings;
	int cpu;

	if (!wk_account_charge(memory, (u64)size * num_possible_cpus()))
		return NULL;
	rings = alloc_percpu(struct wr_ring);
	if (!rings)
		return NULL;
	for_each_possible_cpu(cpu) {
		struct wr_ring *ring = per_cpu_ptr(rings, cpu);

		*ring = WR_RING_INIT(map_twice(cpu, size), size);
		if (!ring->base) {
			wk_rings_destroy(rings);
			return NULL;
		}
	}
	return rings;
}

int wk_ring_map(const struct wr_ring *ring, struct vm_area_struct *vma)
{
	for (unsigned long at = 0; at < 2 * ring->size; at += PAGE_SIZE) {
		int ret = vm_insert_page(vma, vma->vm_start + at, vmalloc_to_page(ring->base + at));

		if (ret)
			return ret;
		cond_resched();
	}
	return 0;
}

void wk_rings_destroy(struct wr_ring __percpu *rings)
{
	int cpu;

	if (!rings)
		return;
	for_each_possible_cpu(cpu) {
		struct wr_ring *ring = per_cpu_ptr(rings, cpu);

		unmap_twice(ring->base, ring->size);
	}
	free_percpu(rings);
}
