// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Looks up kernel symbols that are not exported. kallsyms_lookup_name() is not exported either
 * (since 5.7, commit 0bd476e6c671). But register_kprobe() accepts a symbol name and stores its
 * address, so a kprobe on that function is registered and removed at once.
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/kernel.h>
#include <linux/log2.h>

#include "base/unexported.h"

struct wk_unexported wk_unexported __ro_after_init;

typedef unsigned long (*lookup_function)(const char *name);

static lookup_function __init find_lookup(void)
{
	struct kprobe probe = { .symbol_name = "kallsyms_lookup_name" };
	lookup_function lookup;
	int ret = register_kprobe(&probe);

	if (ret) {
		pr_err("cannot look up kernel symbols: register_kprobe: %d\n", ret);
		return NULL;
	}
	lookup = (lookup_function)probe.addr;
	unregister_kprobe(&probe);
	return lookup;
}

static unsigned long __init require(lookup_function lookup, const char *name, int *ret)
{
	unsigned long address = lookup(name);

	if (!address) {
		pr_err("this kernel has no symbol %s\n", name);
		*ret = -ENOENT;
	}
	return address;
}

/*
 * kprobe_table is an array of hash list heads. kallsyms gives the distance to the next symbol,
 * which is never less than the array's size. If it is more, what is behind the array (KASAN puts
 * something there) is no list, and must not be walked: the array has a power of two of them.
 */
static void __init find_kprobes(lookup_function lookup)
{
	unsigned long table = lookup("kprobe_table"), size, offset;

	if (!table || !wk_unexported.kallsyms_lookup_size_offset(table, &size, &offset) || offset ||
	    size < sizeof(*wk_unexported.kprobes))
		return;
	wk_unexported.kprobes = (void *)table;
	wk_unexported.kprobe_lists = rounddown_pow_of_two(size / sizeof(*wk_unexported.kprobes));
}

int __init wk_unexported_init(void)
{
	lookup_function lookup = find_lookup();
	int ret = 0;

	if (!lookup)
		return -ENOENT;
	wk_unexported.find = lookup;
#define WK_REQUIRE(type, name, parameters) \
	wk_unexported.name = (void *)require(lookup, WK_NAME_##name, &ret);
	WK_REQUIRED_FUNCTIONS(WK_REQUIRE)
#define WK_FIND(type, name, parameters) wk_unexported.name = (void *)lookup(WK_NAME_##name);
	WK_OPTIONAL_FUNCTIONS(WK_FIND)
	wk_unexported.text_mutex = (void *)require(lookup, WK_NAME_text_mutex, &ret);
	wk_unexported.kprobe_mutex = (void *)require(lookup, WK_NAME_kprobe_mutex, &ret);
	wk_unexported.text = require(lookup, "_text", &ret);
	wk_unexported.stext = require(lookup, "_stext", &ret);
	wk_unexported.etext = require(lookup, "_etext", &ret);
	wk_unexported.thunk_start = lookup("__indirect_thunk_start");
	wk_unexported.thunk_end = lookup("__indirect_thunk_end");
	wk_unexported.thunk_array = lookup("__x86_indirect_thunk_array");
	wk_unexported.jump_table = lookup("__start___jump_table");
	wk_unexported.jump_table_end = lookup("__stop___jump_table");
	wk_unexported.ex_table = lookup("__start___ex_table");
	wk_unexported.ex_table_end = lookup("__stop___ex_table");
	wk_unexported.notes = lookup("__start_notes");
	wk_unexported.notes_end = lookup("__stop_notes");
	wk_unexported.static_calls = lookup("__start_static_call_sites");
	wk_unexported.static_calls_end = lookup("__stop_static_call_sites");
	wk_unexported.current_kprobe = (void __percpu *)lookup("current_kprobe");
	if (!ret)
		find_kprobes(lookup);
	return ret;
}
