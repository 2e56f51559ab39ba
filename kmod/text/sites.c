// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sorted copies of the kernel's and of modules' tables; see sites.h. The kernel's own tables are
 * found by symbols. These are data symbols, which kallsyms has only with CONFIG_KALLSYMS_ALL. In a
 * kernel without it, the kernel's own functions are asked who owns a byte, which is slow; and the
 * targets of jump labels and fixups stay unknown, so that no splice there covers several
 * instructions.
 */
#include <linux/bitops.h>
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/static_call_types.h>
#include <asm/extable.h>

#include "text/module-text.h"
#include "text/sites.h"
#include "base/unexported.h"

enum { STATIC_CALL_SIZE = 5 };

/*
 * One table of the kernel or of a module: ->n addresses, ascending. ->known: the table was found.
 */
struct sites {
	unsigned long *addresses;
	unsigned int n;
	bool known;
};

/* The tables of the kernel or of a module. */
struct tables {
	struct list_head list; /* entry in the list `modules`; not used for the kernel */
	const struct module *module; /* NULL: the kernel proper */
	struct sites labels, label_targets, faults, fixups, static_calls;
};

static struct tables kernel;
static LIST_HEAD(modules);

static unsigned long label_at(const void *entry)
{
	return jump_entry_code(entry);
}

static unsigned long label_target_at(const void *entry)
{
	return jump_entry_target(entry);
}

static unsigned long fault_at(const void *entry_)
{
	const struct exception_table_entry *entry = entry_;

	return (unsigned long)&entry->insn + entry->insn;
}

static unsigned long fixup_at(const void *entry_)
{
	const struct exception_table_entry *entry = entry_;

	return (unsigned long)&entry->fixup + entry->fixup;
}

static unsigned long static_call_at(const void *site_)
{
	const struct static_call_site *site = site_;

	return (unsigned long)&site->addr + site->addr;
}

static int compare(const void *left, const void *right)
{
	unsigned long a = *(const unsigned long *)left, b = *(const unsigned long *)right;

	return a < b ? -1 : a > b;
}

static int read_table(const void *start, unsigned int n, unsigned int size,
		      unsigned long (*at)(const void *entry), struct sites *ret)
{
	ret->n = n;
	ret->addresses = kvmalloc_array(ret->n + 1, sizeof(*ret->addresses), GFP_KERNEL);
	if (!ret->addresses)
		return -ENOMEM;
	for (unsigned int i = 0; i < ret->n; i++)
		ret->addresses[i] = at(start + i * size);
	sort(ret->addresses, ret->n, sizeof(*ret->addresses), compare, NULL);
	ret->known = true;
	return 0;
}

/*
 * Reads the table between two symbols. If the kernel does not have the symbols, returns 0 and
 * leaves ->known false.
 */
static int __init read_between(unsigned long start, unsigned long end, unsigned int size,
			       unsigned long (*at)(const void *entry), struct sites *ret)
{
	if (!start || end < start)
		return 0;
	return read_table((void *)start, (end - start) / size, size, at, ret);
}

static void free_tables(struct tables *tables)
{
	kvfree(tables->labels.addresses);
	kvfree(tables->label_targets.addresses);
	kvfree(tables->faults.addresses);
	kvfree(tables->fixups.addresses);
	kvfree(tables->static_calls.addresses);
}

int __init wk_sites_init(void)
{
	const struct wk_unexported *s = &wk_unexported;
	const unsigned int label = sizeof(struct jump_entry);
	const unsigned int fault = sizeof(struct exception_table_entry);
	int ret = read_between(s->jump_table, s->jump_table_end, label, label_at, &kernel.labels);

	if (!ret)
		ret = read_between(s->jump_table, s->jump_table_end, label, label_target_at,
				   &kernel.label_targets);
	if (!ret)
		ret = read_between(s->ex_table, s->ex_table_end, fault, fault_at, &kernel.faults);
	if (!ret)
		ret = read_between(s->ex_table, s->ex_table_end, fault, fixup_at, &kernel.fixups);
	if (!ret)
		ret = read_between(s->static_calls, s->static_calls_end,
				   sizeof(struct static_call_site), static_call_at,
				   &kernel.static_calls);
	if (ret)
		wk_sites_deinit();
	return ret;
}

void wk_sites_deinit(void)
{
	free_tables(&kernel);
	while (!list_empty(&modules))
		wk_sites_forget(list_first_entry(&modules, struct tables, list)->module);
}

/* ---- the tables of sites in modules ---------------------------------------------------------- */

void wk_sites_forget(const struct module *module)
{
	struct tables *tables, *next;

	list_for_each_entry_safe(tables, next, &modules, list) {
		if (tables->module != module)
			continue;
		list_del(&tables->list);
		free_tables(tables);
		kfree(tables);
	}
}

/*
 * Reads the tables of @module. The kernel drops the entries of init code from the exception table
 * when the init function has run, but does not move the other entries.
 */
static int read_module(const struct module *module, struct tables *ret)
{
	const unsigned int fault = sizeof(struct exception_table_entry);
	int failed = read_table(module->extable, module->num_exentries, fault, fault_at,
				&ret->faults);

	if (!failed)
		failed = read_table(module->extable, module->num_exentries, fault, fixup_at,
				    &ret->fixups);
#ifdef CONFIG_JUMP_LABEL
	if (!failed)
		failed = read_table(module->jump_entries, module->num_jump_entries,
				    sizeof(struct jump_entry), label_at, &ret->labels);
	if (!failed)
		failed = read_table(module->jump_entries, module->num_jump_entries,
				    sizeof(struct jump_entry), label_target_at,
				    &ret->label_targets);
#else
	ret->labels.known = ret->label_targets.known = true;
#endif
#ifdef CONFIG_HAVE_STATIC_CALL_INLINE
	if (!failed)
		failed = read_table(module->static_call_sites, module->num_static_call_sites,
				    sizeof(struct static_call_site), static_call_at,
				    &ret->static_calls);
#endif
	return failed;
}

/*
 * Returns the tables of the text that holds @address. If memory is short, returns tables that are
 * marked as not known. Callers then ask the kernel's own functions instead.
 */
static const struct tables *tables_of(unsigned long address)
{
	static const struct tables unknown;
	const struct module *module = wk_module_text_owner(address);
	struct tables *tables;

	if (!module)
		return &kernel;
	list_for_each_entry(tables, &modules, list)
		if (tables->module == module)
			return tables;
	tables = kzalloc(sizeof(*tables), GFP_KERNEL);
	if (!tables)
		return &unknown;
	if (read_module(module, tables)) {
		free_tables(tables);
		kfree(tables);
		return &unknown;
	}
	tables->module = module;
	list_add(&tables->list, &modules);
	return tables;
}

/* Returns the index of the first entry at or above @address. */
static unsigned int first_from(const struct sites *sites, unsigned long address)
{
	unsigned int low = 0, high = sites->n;

	while (low < high) {
		unsigned int middle = low + (high - low) / 2;

		if (sites->addresses[middle] < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool any_in(const struct sites *sites, unsigned long start, unsigned long end)
{
	unsigned int i = first_from(sites, start);

	return i < sites->n && sites->addresses[i] < end;
}

static bool ask_jump_labels(unsigned long start, unsigned long end)
{
	bool owns;

	if (!wk_has(jump_label_text_reserved))
		return false;
	wk_call(jump_label_lock)(); /* the lookup also walks the labels of modules */
	preempt_disable();
	owns = wk_call(jump_label_text_reserved)((void *)start, (void *)end - 1);
	preempt_enable();
	wk_call(jump_label_unlock)();
	return owns;
}

static bool ask_static_calls(unsigned long start, unsigned long end)
{
	return wk_has(static_call_text_reserved) &&
	       wk_call(static_call_text_reserved)((void *)start, (void *)end - 1);
}

/*
 * Returns which kind of patch site overlaps the @size bytes at @address, where an instruction
 * begins. A jump label is one instruction, so none can begin before @address and reach into the
 * range. A static call may: the kernel may have written it as a return and int3s, which are several
 * instructions. So the search for static calls begins before @address.
 */
enum weft_refusal wk_sites_owner(unsigned long address, unsigned int size)
{
	const struct tables *tables = tables_of(address);
	unsigned long end = address + size;

	if (tables->labels.known ? any_in(&tables->labels, address, end)
				 : ask_jump_labels(address, end))
		return WEFT_REFUSAL_JUMP_LABEL;
	if (tables->static_calls.known
		    ? any_in(&tables->static_calls, address - STATIC_CALL_SIZE + 1, end)
		    : ask_static_calls(address, end))
		return WEFT_REFUSAL_STATIC_CALL;
	return WEFT_REFUSAL_NONE;
}

bool wk_sites_module_owns(unsigned long address, unsigned int size)
{
	return ask_jump_labels(address, address + size) ||
	       ask_static_calls(address, address + size);
}

bool wk_sites_faults(unsigned long address)
{
	const struct tables *tables = tables_of(address);

	return tables->faults.known ? any_in(&tables->faults, address, address + 1)
				    : wk_call(search_exception_tables)(address) != NULL;
}

bool wk_sites_none(unsigned long start, unsigned int size)
{
	const struct tables *tables = tables_of(start);
	const unsigned long end = start + size;

	return tables->labels.known && tables->static_calls.known && tables->faults.known &&
	       !any_in(&tables->labels, start, end) && !any_in(&tables->faults, start, end) &&
	       !any_in(&tables->static_calls, start - STATIC_CALL_SIZE + 1, end);
}

bool wk_sites_known(unsigned long address)
{
	const struct tables *tables = tables_of(address);

	return tables->label_targets.known && tables->fixups.known;
}

static void mark_from(const struct sites *sites, unsigned long start, unsigned int size,
		      unsigned long *bits)
{
	for (unsigned int i = first_from(sites, start);
	     i < sites->n && sites->addresses[i] < start + size; i++)
		__set_bit(sites->addresses[i] - start, bits);
}

void wk_sites_mark(unsigned long start, unsigned int size, unsigned long *bits)
{
	const struct tables *tables = tables_of(start);

	mark_from(&tables->label_targets, start, size, bits);
	mark_from(&tables->fixups, start, size, bits);
}
