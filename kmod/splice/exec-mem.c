// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Executable memory from the kernel's own allocator of memory for code (compat/exec-alloc.h), which
 * is within 2 GiB of the kernel's text; see exec-mem.h.
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <asm/pgtable.h>

#include "splice/exec-mem.h"
#include "splice/ksym.h"
#include "splice/perf-events.h"
#include "base/unexported.h"
#include "base/lock.h"

enum { INT3 = 0xcc };

static const char name[] = "weft_trampolines";

/* list of struct wk_exec_mem, linked by .sealed; changed under wk_mutex, read under RCU */
static LIST_HEAD(sealed);

/*
 * Checks that all pages of @memory can be written; if not, logs that, since a store would be an
 * oops. In newer kernels some types of memory for code are read-only from the start, and which ones
 * may change from version to version (compat/exec-alloc.h).
 */
static bool is_writable(const struct wk_exec_mem *memory)
{
	for (unsigned int at = 0; at < memory->size; at += PAGE_SIZE) {
		unsigned int level;
		const pte_t *entry = lookup_address((unsigned long)memory->base + at, &level);

		if (!entry || !(pte_flags(*entry) & _PAGE_RW)) {
			pr_err("this kernel's " WK_NAME_text_alloc "() gives memory that cannot be "
			       "written, so weft cannot make its trampolines there\n");
			return false;
		}
	}
	return true;
}

/*
 * Tests whether @size bytes can be allocated without the OOM killer. The kernel's allocator of
 * memory for code takes no flags, so if memory is short, the OOM killer ends a process. To avoid
 * that, as much memory is allocated first with flags that forbid it, and freed again.
 */
static bool is_available(unsigned int size)
{
	void *memory = __vmalloc(size, WK_GFP_TABLE);

	vfree(memory);
	return memory != NULL;
}

static void destroy(struct wk_exec_mem *memory)
{
	wk_account_close(&memory->memory);
	kfree(memory);
}

struct wk_exec_mem *wk_exec_mem_create(unsigned int size)
{
	struct wk_exec_mem *memory = kzalloc(sizeof(*memory), WK_GFP_TABLE);

	if (!memory)
		return NULL;
	INIT_LIST_HEAD(&memory->sealed);
	memory->size = PAGE_ALIGN(size);
	if (wk_account_charge(&memory->memory, memory->size) && is_available(memory->size))
		memory->base = wk_call(text_alloc) WK_TEXT_ALLOC_ARGS(memory->size);
	if (!memory->base || !is_writable(memory)) {
		if (memory->base)
			wk_call(text_free)(memory->base);
		destroy(memory);
		return NULL;
	}
	/* A stray jump to unused bytes then traps. */
	memset(memory->base, INT3, memory->size);
	return memory;
}

int wk_exec_mem_seal(struct wk_exec_mem *memory)
{
	int pages = memory->size >> PAGE_SHIFT;
	int ret = wk_call(set_memory_ro)((unsigned long)memory->base, pages);

	if (!ret)
		ret = wk_call(set_memory_x)((unsigned long)memory->base, pages);
	if (!ret && wk_ksym_possible()) {
		memory->ksym = wk_ksym_create(name, memory->base, memory->size);
		ret = memory->ksym ? 0 : -ENOMEM;
	}
	if (ret)
		return ret;
	list_add_rcu(&memory->sealed, &sealed);
	wk_perf_code(name, memory->base, memory->used);
	return 0;
}

const struct wk_exec_mem *wk_exec_mem_at(unsigned long address)
{
	const struct wk_exec_mem *memory;

	list_for_each_entry_rcu(memory, &sealed, sealed)
		if (address - (unsigned long)memory->base < memory->size)
			return memory;
	return NULL;
}

void wk_exec_mem_destroy(struct wk_exec_mem *memory)
{
	if (!memory)
		return;
	if (!list_empty(&memory->sealed)) {
		list_del_rcu(&memory->sealed);
		wk_perf_code_gone(name, memory->base, memory->used);
	}
	if (memory->ksym) {
		wk_ksym_destroy(memory->ksym);
		/*
		 * perf may be reading these bytes in an NMI: it takes addresses of branches that
		 * the processor has recorded, and decodes the bytes there if the address is kernel
		 * text, which includes code with a symbol. The symbol is gone now, so no NMI begins
		 * to do that. Once every CPU has handled an interrupt, none is still doing it.
		 */
		kick_all_cpus_sync();
	}
	/* The allocator resets the permissions itself (VM_FLUSH_RESET_PERMS). */
	wk_call(text_free)(memory->base);
	wk_account_close(&memory->memory);
	kfree_rcu(memory, freed);
}

void wk_exec_mem_put(struct wk_exec_mem *memory)
{
	wk_assert_locked();
	if (!--memory->trampolines)
		wk_exec_mem_destroy(memory);
}
