/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thunks that were found (thunks.h), and what a branch to one does. Besides them there are those
 * that a kernel with the ITS mitigation, but without retpolines, makes at boot: it replaces each
 * indirect branch by one to a thunk in module memory, which has no symbol.
 */
#ifndef WK_THUNK_TABLE_H
#define WK_THUNK_TABLE_H

#include <linux/types.h>

/* A kernel has some 100 thunks, most of them for one register each. */
enum { WK_THUNKS_MOST = 256 };

/* Constant after wk_thunks_find(). */
extern struct wk_thunk_table {
	struct wk_thunk {
		unsigned long start, end; /* live */
		int number; /* enum wr_register: what it calls or jumps to; -1: no register */
	} list[WK_THUNKS_MOST];
	unsigned int nr;
} wk_thunk_table;

/* Is live @target, of a branch of the kernel's text, in a thunk? May sleep. */
bool wk_is_thunk(unsigned long target);

/*
 * The register (enum wr_register) whose value a branch to live @target calls or jumps to, where that
 * is a thunk; -1: it is none for a register. May sleep.
 */
int wk_thunk_register(unsigned long target);

#endif /* WK_THUNK_TABLE_H */
