// SPDX-License-Identifier: GPL-2.0-or-later
/* Symbols of patch memory, which the kernel keeps in a tree that is walked under RCU; see ksym.h. */
#include <linux/bpf.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "splice/ksym.h"
#include "unexported.h"

struct wk_named {
	struct bpf_ksym symbol;
	struct rcu_head freed;
};

bool wk_named_possible(void)
{
	return wk_symbols.bpf_ksym_add && wk_symbols.bpf_ksym_del;
}

struct wk_named *wk_named_create(void *base, unsigned int size)
{
	struct wk_named *named = wk_named_possible() ? kzalloc(sizeof(*named), GFP_KERNEL) : NULL;

	if (!named)
		return NULL;
	named->symbol.start = (unsigned long)base;
	named->symbol.end = named->symbol.start + size;
	strscpy(named->symbol.name, "weft_patches", sizeof(named->symbol.name));
	INIT_LIST_HEAD(&named->symbol.lnode);
	wk_symbols.bpf_ksym_add(&named->symbol);
	return named;
}

void wk_named_destroy(struct wk_named *named)
{
	if (!named)
		return;
	wk_symbols.bpf_ksym_del(&named->symbol);
	kfree_rcu(named, freed);
}
