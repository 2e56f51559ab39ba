// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Executable memory from the kernel's own allocator for module text, which is within 2 GiB of the
 * kernel's text; see exec-mem.h.
 */
#include <linux/mm.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "splice/exec-mem.h"
#include "splice/ksym.h"
#include "splice/perf-events.h"
#include "base/unexported.h"
#include "base/lock.h"

enum { INT3 = 0xcc };

static const char name[] = "weft_trampolines";

/* struct wk_exec_mem.sealed; changed under wk_mutex, read under RCU */
static LIST_HEAD(sealed);

struct wk_exec_mem *wk_exec_mem_create(unsigned int size)
{
	struct wk_exec_mem *area = kzalloc(sizeof(*area), GFP_KERNEL);

	if (!area)
		return NULL;
	INIT_LIST_HEAD(&area->sealed);
	area->size = PAGE_ALIGN(size);
	area->base = wk_unexported.text_alloc WK_TEXT_ALLOC_ARGS(area->size);
	if (!area->base) {
		kfree(area);
		return NULL;
	}
	/* so that a stray jump to unused bytes traps */
	memset(area->base, INT3, area->size);
	return area;
}

int wk_exec_mem_seal(struct wk_exec_mem *area)
{
	int pages = area->size >> PAGE_SHIFT;
	int ret = wk_unexported.set_memory_ro((unsigned long)area->base, pages);

	if (!ret)
		ret = wk_unexported.set_memory_x((unsigned long)area->base, pages);
	if (!ret && wk_ksym_possible()) {
		area->ksym = wk_ksym_create(name, area->base, area->size);
		ret = area->ksym ? 0 : -ENOMEM;
	}
	if (ret)
		return ret;
	list_add_rcu(&area->sealed, &sealed);
	wk_perf_code(name, area->base, area->used);
	return 0;
}

const struct wk_exec_mem *wk_exec_mem_at(unsigned long address)
{
	const struct wk_exec_mem *area;

	list_for_each_entry_rcu(area, &sealed, sealed)
		if (address - (unsigned long)area->base < area->size)
			return area;
	return NULL;
}

void wk_exec_mem_destroy(struct wk_exec_mem *area)
{
	if (!area)
		return;
	if (!list_empty(&area->sealed)) {
		list_del_rcu(&area->sealed);
		wk_perf_code_gone(name, area->base, area->used);
	}
	if (area->ksym) {
		wk_ksym_destroy(area->ksym);
		/*
		 * perf, in an NMI, takes an address of a branch that the processor has recorded,
		 * asks whether it is kernel text, which code with a symbol is, and decodes the
		 * bytes there. No CPU is still at it after an interrupt on each.
		 */
		kick_all_cpus_sync();
	}
	/* The allocator resets the permissions itself (VM_FLUSH_RESET_PERMS). */
	wk_unexported.text_free(area->base);
	kfree_rcu(area, freed);
}

void wk_exec_mem_put(struct wk_exec_mem *area)
{
	wk_assert_locked();
	if (!--area->trampolines)
		wk_exec_mem_destroy(area);
}
