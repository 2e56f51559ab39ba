// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Looks up kernel symbols that are not exported. kallsyms_lookup_name() would do that, but is not
 * exported either (since 5.7, commit 0bd476e6c671). Its address is found by a kprobe:
 * register_kprobe() accepts a symbol name and stores the symbol's address. So a kprobe on that
 * function is registered and removed at once.
 *
 * Each function that was found becomes the target of its static call. static_call_update(), which
 * is exported, makes the kernel write a direct call to every place in weft.ko's text where
 * wk_call() is used. The call of a function that this kernel does not have stays a nop.
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/extable.h>
#include <linux/ftrace.h>
#include <linux/jump_label.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kgdb.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/set_memory.h>
#include <linux/string.h>

#include <asm/alternative.h>
#include <asm/text-patching.h>

#include "base/unexported.h"

/*
 * Compares the types by which weft.ko calls the functions (unexported.h) with the kernel's
 * declarations. Only for functions that a header declares with the same type in all kernels that
 * weft.ko is built for.
 */
#define WK_SAME(name, function) \
	static_assert(__same_type(wk_type_##name, function), #function " has another type here")
WK_SAME(find, kallsyms_lookup_name);
WK_SAME(kallsyms_lookup_size_offset, kallsyms_lookup_size_offset);
WK_SAME(text_poke, text_poke);
WK_SAME(within_kprobe_blacklist, within_kprobe_blacklist);
WK_SAME(get_kprobe, get_kprobe);
WK_SAME(search_exception_tables, search_exception_tables);
WK_SAME(find_module, find_module);
WK_SAME(module_text_address, __module_text_address);
WK_SAME(module_kallsyms_lookup_name, module_kallsyms_lookup_name);
WK_SAME(set_memory_ro, set_memory_ro);
WK_SAME(set_memory_x, set_memory_x);
WK_SAME(static_call_text_reserved, static_call_text_reserved);
#ifdef CONFIG_JUMP_LABEL
WK_SAME(jump_label_text_reserved, jump_label_text_reserved);
WK_SAME(jump_label_lock, jump_label_lock);
WK_SAME(jump_label_unlock, jump_label_unlock);
#endif
#ifdef CONFIG_DYNAMIC_FTRACE
WK_SAME(ftrace_text_reserved, ftrace_text_reserved);
#endif
#ifdef CONFIG_PERF_EVENTS
WK_SAME(perf_event_text_poke, perf_event_text_poke);
WK_SAME(perf_event_ksymbol, perf_event_ksymbol);
#endif
#ifdef CONFIG_KGDB
WK_SAME(kgdb_has_hit_break, kgdb_has_hit_break);
#endif
#undef WK_SAME

struct wk_unexported wk_unexported __ro_after_init;

#define WK_DEFINE(type, name, parameters) DEFINE_STATIC_CALL_NULL(wk_##name, wk_type_##name);
WK_REQUIRED_FUNCTIONS(WK_DEFINE)
WK_OPTIONAL_FUNCTIONS(WK_DEFINE)

/*
 * Returns the start of the function that @address is in; 0: unknown. The address that a kprobe has
 * stored may be after the ENDBR with which the function begins. But a call must go to the start
 * itself: a kernel with call thunks redirects calls to code right before the start, which it finds
 * by the call's target.
 */
static unsigned long __init start_of(unsigned long address)
{
	char name[KSYM_SYMBOL_LEN], *offset;

	sprint_symbol(name, address); /* NAME+0xOFFSET/0xSIZE */
	offset = strchr(name, '+');
	return offset ? address - simple_strtoul(offset + 1, NULL, 16) : 0;
}

static int __init find_lookup(void)
{
	struct kprobe probe = { .symbol_name = WK_NAME_find };
	unsigned long address;
	int ret = register_kprobe(&probe);

	if (ret) {
		pr_err("cannot look up kernel symbols: register_kprobe: %d\n", ret);
		return -ENOENT;
	}
	address = start_of((unsigned long)probe.addr);
	unregister_kprobe(&probe);
	if (!address) {
		pr_err("cannot look up kernel symbols: no name for %pS\n", probe.addr);
		return -ENOENT;
	}
	static_call_update(wk_find, (void *)address);
	return 0;
}

static unsigned long __init require(const char *name, int *ret)
{
	unsigned long address = wk_call(find)(name);

	if (!address) {
		pr_err("this kernel has no symbol %s\n", name);
		*ret = -ENOENT;
	}
	return address;
}

/*
 * Finds the kernel's hash table of kprobes, kprobe_table, an array of list heads. Its size must be
 * guessed: kallsyms gives the distance to the next symbol, which may be more than the size of the
 * array. The bytes after the array (KASAN puts a redzone there) are no lists and must not be
 * walked. The number of lists is a power of two, so the number that fits is rounded down to one.
 */
static void __init find_kprobes(void)
{
	unsigned long table = wk_call(find)("kprobe_table"), size, offset;

	if (!table || !wk_call(kallsyms_lookup_size_offset)(table, &size, &offset) || offset ||
	    size < sizeof(*wk_unexported.kprobes))
		return;
	wk_unexported.kprobes = (void *)table;
	wk_unexported.kprobe_lists = rounddown_pow_of_two(size / sizeof(*wk_unexported.kprobes));
}

int __init wk_unexported_init(void)
{
	int ret = find_lookup();

	if (ret)
		return ret;
#define WK_REQUIRE(type, name, parameters) \
	static_call_update(wk_##name, (void *)require(WK_NAME_##name, &ret));
	WK_REQUIRED_FUNCTIONS(WK_REQUIRE)
#define WK_FIND(type, name, parameters) \
	static_call_update(wk_##name, (void *)wk_call(find)(WK_NAME_##name));
	WK_OPTIONAL_FUNCTIONS(WK_FIND)
	wk_unexported.text_mutex = (void *)require(WK_NAME_text_mutex, &ret);
	wk_unexported.kprobe_mutex = (void *)require(WK_NAME_kprobe_mutex, &ret);
	wk_unexported.text = require("_text", &ret);
	wk_unexported.stext = require("_stext", &ret);
	wk_unexported.etext = require("_etext", &ret);
	wk_unexported.jump_table = wk_call(find)("__start___jump_table");
	wk_unexported.jump_table_end = wk_call(find)("__stop___jump_table");
	wk_unexported.ex_table = wk_call(find)("__start___ex_table");
	wk_unexported.ex_table_end = wk_call(find)("__stop___ex_table");
	wk_unexported.notes = wk_call(find)("__start_notes");
	wk_unexported.notes_end = wk_call(find)("__stop_notes");
	wk_unexported.static_calls = wk_call(find)("__start_static_call_sites");
	wk_unexported.static_calls_end = wk_call(find)("__stop_static_call_sites");
	wk_unexported.current_kprobe = (void __percpu *)wk_call(find)("current_kprobe");
	if (!ret)
		find_kprobes();
	return ret;
}
