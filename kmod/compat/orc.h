/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads ORC, the kernel's table for its unwinder. For each range of instructions a row says where
 * the caller's stack pointer and frame pointer are. The format of a row differs between kernels;
 * the functions here return it as a struct wk_orc. A kernel with another unwinder has no table.
 */
#ifndef WK_ORC_H
#define WK_ORC_H

#include <linux/module.h>

/* What a row says about the frame of the code that it describes. */
enum wk_orc_type {
	WK_ORC_OTHER, /* nothing, or something that only the kernel's unwinder handles */
	WK_ORC_END,   /* there is no caller: the bottom of a kernel thread's stack */
	WK_ORC_CALL,  /* the frame ends with a return address */
	WK_ORC_REGS,  /* the frame is a struct pt_regs, which the entry code has stored */
};

/*
 * How the previous stack pointer is found: the one that the caller has after the return.
 * SP: add .sp_offset to this frame's stack pointer.
 * BP: add .sp_offset to the frame pointer.
 * SP_INDIRECT: load the word at the stack pointer, and add .sp_offset to it.
 * REALIGNED: load the word at frame pointer + .sp_offset, since the function has aligned its stack.
 * The caller's frame pointer is saved in the word at the frame pointer.
 */
enum wk_orc_base { WK_ORC_SP, WK_ORC_BP, WK_ORC_SP_INDIRECT, WK_ORC_REALIGNED };

struct wk_orc {
	enum wk_orc_type type;
	enum wk_orc_base base;
	/* bytes, see enum wk_orc_base; of WK_ORC_REGS: to the struct pt_regs instead */
	int sp_offset;
	/*
	 * bytes from the previous stack pointer to where the caller's frame pointer was saved; 0:
	 * it was not saved, and is still in its register
	 */
	int bp_offset;
};

/* The table of the kernel or of a module; the two arrays have @n elements each. */
struct wk_orc_table {
	const int *starts; /* of each row's range: distance from the element itself; ascending */
	const struct orc_entry *rows;
	unsigned int n;
};

#ifdef CONFIG_UNWINDER_ORC

#include <linux/objtool.h>
#include <asm/orc_types.h>

#define WK_ORC_ROW_SIZE sizeof(struct orc_entry)

static inline struct wk_orc_table wk_orc_of_module(const struct module *module)
{
	return (struct wk_orc_table){ module->arch.orc_unwind_ip, module->arch.orc_unwind,
				      module->arch.num_orcs };
}

static inline enum wk_orc_type wk_orc_type(const struct orc_entry *row)
{
#ifdef ORC_TYPE_CALL
	/*
	 * Linux 6.4 or newer. ->signal: the frame's return address is not one after a call, but the
	 * address of an interrupted instruction. Other frames than REGS with it are left to the
	 * kernel's unwinder.
	 */
	if (row->type == ORC_TYPE_END_OF_STACK)
		return WK_ORC_END;
	if (row->type == ORC_TYPE_CALL && !row->signal)
		return WK_ORC_CALL;
	return row->type == ORC_TYPE_REGS && row->signal ? WK_ORC_REGS : WK_ORC_OTHER;
#else
	if (row->sp_reg == ORC_REG_UNDEFINED)
		return row->end ? WK_ORC_END : WK_ORC_OTHER;
#ifdef WK_HAS_ORC_SIGNAL
	if (row->signal != (row->type == UNWIND_HINT_TYPE_REGS))
		return WK_ORC_OTHER;
#endif
	if (row->type == UNWIND_HINT_TYPE_CALL)
		return WK_ORC_CALL;
	return row->type == UNWIND_HINT_TYPE_REGS ? WK_ORC_REGS : WK_ORC_OTHER;
#endif
}

static inline struct wk_orc wk_orc_read(const struct wk_orc_table *table, unsigned int index)
{
	const struct orc_entry *row = &table->rows[index];
	struct wk_orc orc = { .type = wk_orc_type(row), .sp_offset = row->sp_offset };

	if (orc.type == WK_ORC_OTHER || orc.type == WK_ORC_END)
		return orc;
	if (row->sp_reg == ORC_REG_BP_INDIRECT && row->bp_reg == ORC_REG_BP && !row->bp_offset) {
		orc.base = WK_ORC_REALIGNED;
		return orc;
	}
	if (row->sp_reg == ORC_REG_BP)
		orc.base = WK_ORC_BP;
	else if (row->sp_reg == ORC_REG_SP_INDIRECT)
		orc.base = WK_ORC_SP_INDIRECT;
	else if (row->sp_reg != ORC_REG_SP)
		orc.type = WK_ORC_OTHER;
	if (row->bp_reg == ORC_REG_PREV_SP && row->bp_offset)
		orc.bp_offset = row->bp_offset;
	else if (row->bp_reg != ORC_REG_UNDEFINED)
		orc.type = WK_ORC_OTHER;
	return orc;
}

#else

#define WK_ORC_ROW_SIZE 1

static inline struct wk_orc_table wk_orc_of_module(const struct module *module)
{
	return (struct wk_orc_table){};
}

static inline struct wk_orc wk_orc_read(const struct wk_orc_table *table, unsigned int index)
{
	return (struct wk_orc){ .type = WK_ORC_OTHER };
}

#endif /* CONFIG_UNWINDER_ORC */

static inline unsigned long wk_orc_start(const struct wk_orc_table *table, unsigned int index)
{
	return (unsigned long)&table->starts[index] + table->starts[index];
}

/*
 * Returns the row for the code at @address, a live address. Of several rows with the same start the
 * kernel takes the last, since the others only say that another file's code has ended there.
 */
static inline struct wk_orc wk_orc_find(const struct wk_orc_table *table, unsigned long address)
{
	unsigned int least = 0, end = table->n;

	while (least < end) {
		unsigned int middle = least + (end - least) / 2;

		if (wk_orc_start(table, middle) <= address)
			least = middle + 1;
		else
			end = middle;
	}
	return least ? wk_orc_read(table, least - 1) : (struct wk_orc){ .type = WK_ORC_OTHER };
}

#endif /* WK_ORC_H */
