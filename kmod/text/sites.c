// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sorted copies of the kernel's tables; see sites.h. The tables' symbols are data symbols, which
 * kallsyms lacks without CONFIG_KALLSYMS_ALL. Then the kernel's own functions are asked who owns
 * what, which is slow, and the targets of jump labels and fixups stay unknown.
 */
#include <linux/bitops.h>
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/sort.h>
#include <linux/static_call_types.h>
#include <asm/extable.h>

#include "text/sites.h"
#include "base/unexported.h"

enum { STATIC_CALL_SIZE = 5 };

/* Addresses, ascending; @known: the kernel's table was found. */
struct sites {
	unsigned long *addresses;
	unsigned int n;
	bool known;
};

static struct sites labels, label_targets, faults, fixups, static_calls;

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

static int __init read_table(unsigned long start, unsigned long end, unsigned int size,
			     unsigned long (*at)(const void *entry), struct sites *ret)
{
	if (!start || end < start)
		return 0;
	ret->n = (end - start) / size;
	ret->addresses = kvmalloc_array(ret->n + 1, sizeof(*ret->addresses), GFP_KERNEL);
	if (!ret->addresses)
		return -ENOMEM;
	for (unsigned int i = 0; i < ret->n; i++)
		ret->addresses[i] = at((void *)(start + i * size));
	sort(ret->addresses, ret->n, sizeof(*ret->addresses), compare, NULL);
	ret->known = true;
	return 0;
}

int __init wk_sites_init(void)
{
	const struct wk_unexported *s = &wk_unexported;
	const unsigned int label = sizeof(struct jump_entry);
	int ret = read_table(s->jump_table, s->jump_table_end, label, label_at, &labels);

	if (!ret)
		ret = read_table(s->jump_table, s->jump_table_end, label, label_target_at,
				 &label_targets);
	if (!ret)
		ret = read_table(s->ex_table, s->ex_table_end, sizeof(struct exception_table_entry),
				 fault_at, &faults);
	if (!ret)
		ret = read_table(s->ex_table, s->ex_table_end, sizeof(struct exception_table_entry),
				 fixup_at, &fixups);
	if (!ret)
		ret = read_table(s->static_calls, s->static_calls_end,
				 sizeof(struct static_call_site), static_call_at, &static_calls);
	if (ret)
		wk_sites_deinit();
	return ret;
}

void wk_sites_deinit(void)
{
	kvfree(labels.addresses);
	kvfree(label_targets.addresses);
	kvfree(faults.addresses);
	kvfree(fixups.addresses);
	kvfree(static_calls.addresses);
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
 * An instruction begins at @address, and a jump label is one instruction, so none begins before
 * @address and reaches into the range. A static call may be a return and int3s, which are several
 * instructions.
 */
enum weft_refusal wk_sites_owner(unsigned long address, unsigned int size)
{
	unsigned long end = address + size;

	if (labels.known ? any_in(&labels, address, end) : ask_jump_labels(address, end))
		return WEFT_REFUSAL_JUMP_LABEL;
	if (static_calls.known ? any_in(&static_calls, address - STATIC_CALL_SIZE + 1, end) :
				 ask_static_calls(address, end))
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
	return faults.known ? any_in(&faults, address, address + 1)
			    : wk_call(search_exception_tables)(address) != NULL;
}

bool wk_sites_known(void)
{
	return label_targets.known && fixups.known;
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
	mark_from(&label_targets, start, size, bits);
	mark_from(&fixups, start, size, bits);
}
