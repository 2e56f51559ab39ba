// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Registers symbols for trampoline memory; see ksym.h. The kernel keeps them in a tree that is read
 * under RCU.
 */
#include <linux/bpf.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "splice/ksym.h"
#include "base/unexported.h"

struct wk_ksym {
	struct bpf_ksym symbol;
	struct rcu_head freed;
};

bool wk_ksym_possible(void)
{
	return wk_has(bpf_ksym_add) && wk_has(bpf_ksym_del);
}

struct wk_ksym *wk_ksym_create(const char *name, void *base, unsigned int size)
{
	struct wk_ksym *ksym = wk_ksym_possible() ? kzalloc(sizeof(*ksym), GFP_KERNEL) : NULL;

	if (!ksym)
		return NULL;
	ksym->symbol.start = (unsigned long)base;
	ksym->symbol.end = ksym->symbol.start + size;
	strscpy(ksym->symbol.name, name, sizeof(ksym->symbol.name));
	INIT_LIST_HEAD(&ksym->symbol.lnode);
	wk_call(bpf_ksym_add)(&ksym->symbol);
	return ksym;
}

void wk_ksym_destroy(struct wk_ksym *ksym)
{
	if (!ksym)
		return;
	wk_call(bpf_ksym_del)(&ksym->symbol);
	kfree_rcu(ksym, freed);
}
