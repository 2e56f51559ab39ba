// SPDX-License-Identifier: GPL-2.0-or-later
/* Keeps rows of ORC by instruction; see stack-rows.h. */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/notifier.h>

#include "base/unexported.h"
#include "compat/orc.h"
#include "metrics/stack-rows.h"
#include "text/module-text.h"

wk_row wk_rows[1 << WK_ROWS_BITS];

/* Increases when a module is unloaded, before the rows are dropped. */
static unsigned int dropped;

atomic_t wk_rows_generation = ATOMIC_INIT(1);

static struct wk_orc_table own __ro_after_init; /* the ORC table of the kernel proper */
/*
 * The kernel's boot code, from its first byte to the one after its last. It is freed when the
 * kernel has booted, but the stack of the first idle task leads through it for ever, and no other
 * text is ever there.
 */
static unsigned long boot __ro_after_init, boot_end __ro_after_init;

/*
 * Addresses that the kernel puts in the place of a return address, so that it sees the function
 * return. Only the kernel's own unwinder can find the address that was there. 0: unused element.
 */
static unsigned long replaced[3] __ro_after_init;

/* ---- finding a row in the kernel's table ----------------------------------------------------- */

/*
 * Returns the row of the code at @address. The table of a module is freed after a grace period of
 * RCU, which waits for this code, since preemption is off. A module's init code is left to the
 * kernel's unwinder, and so is a module that is about to be unloaded: its text could be another
 * module's when the row is used.
 */
static struct wk_orc find(unsigned long address)
{
	const struct module *module;
	struct wk_orc_table table;

	if ((address >= wk_unexported.stext && address < wk_unexported.etext) ||
	    (address >= boot && address < boot_end))
		return wk_orc_find(&own, address);
	module = wk_call(module_text_address)(address);
	if (!module || READ_ONCE(module->state) != MODULE_STATE_LIVE ||
	    !wk_module_text_holds(module, address))
		return (struct wk_orc){ .type = WK_ORC_OTHER };
	table = wk_orc_of_module(module);
	return wk_orc_find(&table, address);
}

/* ---- making the word of a row ---------------------------------------------------------------- */

static enum wk_row_kind kind_of(const struct wk_orc *orc)
{
	if (orc->type == WK_ORC_END || orc->base == WK_ORC_SP_INDIRECT ||
	    orc->base == WK_ORC_REALIGNED)
		return WK_ROW_OTHER;
	if (orc->type == WK_ORC_REGS)
		return WK_ROW_REGS;
	if (orc->base == WK_ORC_BP)
		return WK_ROW_BASED;
	return orc->bp_offset ? WK_ROW_SAVES : WK_ROW_PLAIN;
}

/*
 * Does weft's walk over a stack (stack.c) handle such a row? The frame pointer must be saved within
 * the frame, since the walk only knows of the frame that it is on the stack; and the previous stack
 * pointer must be nearer to the stack's end.
 */
static bool is_common(const struct wk_orc *orc)
{
	const int least = orc->type == WK_ORC_REGS ? 0 : sizeof(long);

	if (orc->type == WK_ORC_END)
		return true;
	if (orc->base == WK_ORC_REALIGNED)
		return orc->type == WK_ORC_CALL && orc->sp_offset < 0;
	if (orc->type == WK_ORC_OTHER || orc->sp_offset < least || orc->sp_offset > S16_MAX ||
	    orc->bp_offset % (int)sizeof(long))
		return false;
	if (orc->base == WK_ORC_SP)
		return -orc->bp_offset >= 0 && -orc->bp_offset <= orc->sp_offset &&
		       (orc->type == WK_ORC_CALL || !orc->bp_offset);
	return orc->type == WK_ORC_CALL && orc->bp_offset <= 0 && orc->bp_offset >= S16_MIN;
}

static wk_row make(unsigned long key, const struct wk_orc *orc)
{
	const u16 distance = orc->type == WK_ORC_END ? 0 : orc->sp_offset;
	const u16 saved = orc->type == WK_ORC_END ? 0 : orc->bp_offset;

	return (u64)distance << 48 | (u64)saved << 32 | (u64)kind_of(orc) << 32 | (u32)key;
}

static bool is_replaced(unsigned long key)
{
	/* An interrupted instruction's key is its address plus 1. */
	for (unsigned int i = 0; i < ARRAY_SIZE(replaced); i++)
		if (replaced[i] && key - replaced[i] <= 1)
			return true;
	return false;
}

/* ---- keeping rows ---------------------------------------------------------------------------- */

/*
 * Stores @row at @index, and moves the row that was there to @index ^ 1. @seen: the value of
 * @dropped before the row was made. A module may have been unloaded since. Then either drop_all()
 * finds the row in the table, or this function finds a new value of @dropped, and takes the row out
 * itself. A path may have been made of the row in between, in the generation that drop_all() has
 * begun; so another generation begins.
 */
static void keep(wk_row row, unsigned int index, unsigned int seen)
{
	const wk_row other = READ_ONCE(wk_rows[index]);

	WRITE_ONCE(wk_rows[index ^ 1], other);
	WRITE_ONCE(wk_rows[index], row);
	smp_mb();
	if (READ_ONCE(dropped) == seen)
		return;
	WRITE_ONCE(wk_rows[index ^ 1], 0);
	WRITE_ONCE(wk_rows[index], 0);
	(void)atomic_inc_return(&wk_rows_generation);
}

notrace wk_row wk_row_find(unsigned long key)
{
	const unsigned int index = wk_row_index(key), seen = READ_ONCE(dropped);
	wk_row row = READ_ONCE(wk_rows[index ^ 1]);
	struct wk_orc orc;

	if (wk_row_is_of(row, key))
		return row;
	smp_rmb(); /* @dropped is read before the module's state */
	if (is_replaced(key))
		return 0;
	orc = find(key - 1);
	if (!is_common(&orc))
		return 0;
	row = make(key, &orc);
	if (!wk_row_is_of(row, key))
		return 0;
	keep(row, index, seen);
	return row;
}

/* Drops all rows. The module's state, which on_module() reports, has changed already. */
static void drop_all(void)
{
	/* Orders the module's state before @dropped; pairs with smp_rmb() in wk_row_find(). */
	smp_store_release(&dropped, dropped + 1);
	smp_mb();
	for (unsigned int i = 0; i < ARRAY_SIZE(wk_rows); i++)
		WRITE_ONCE(wk_rows[i], 0);
	(void)atomic_inc_return(&wk_rows_generation);
}

/*
 * The kernel calls this after it has changed the module's state. Its calls do not overlap, so
 * @dropped has one writer at a time.
 */
static int on_module(struct notifier_block *block, unsigned long state, void *module)
{
	if (state == MODULE_STATE_GOING)
		drop_all();
	return NOTIFY_OK;
}

static struct notifier_block on_module_block = { .notifier_call = on_module };

bool wk_rows_known(void)
{
	return own.n;
}

int __init wk_rows_init(void)
{
	const unsigned long starts = wk_call(find)("__start_orc_unwind_ip");
	const unsigned long rows = wk_call(find)("__start_orc_unwind");
	const unsigned long n = (wk_call(find)("__stop_orc_unwind_ip") - starts) / sizeof(int);

	if (!IS_ENABLED(CONFIG_UNWINDER_ORC) || !starts || !rows ||
	    wk_call(find)("__stop_orc_unwind") - rows != n * WK_ORC_ROW_SIZE)
		return 0;
	boot = wk_call(find)("_sinittext");
	boot_end = boot ? wk_call(find)("_einittext") : 0;
	replaced[0] = wk_call(find)("return_to_handler");
	replaced[1] = wk_call(find)("arch_rethook_trampoline");
	replaced[2] = wk_call(find)("__kretprobe_trampoline");
	own = (struct wk_orc_table){ (const int *)starts, (const void *)rows, n };
	return register_module_notifier(&on_module_block);
}

void wk_rows_deinit(void)
{
	if (wk_rows_known())
		unregister_module_notifier(&on_module_block);
}
