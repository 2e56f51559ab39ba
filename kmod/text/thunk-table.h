/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thunks that wk_thunks_find() has found (thunks.h), and what a branch to a thunk does. Not all
 * thunks are in the table: a kernel with the ITS mitigation, but without retpolines, replaces each
 * indirect branch at boot by a branch to a thunk in module memory, which has no symbol. The
 * functions below recognize those by their code.
 */
#ifndef WK_THUNK_TABLE_H
#define WK_THUNK_TABLE_H

#include <linux/types.h>

/* A kernel has some 100 thunks, most of them for one register each. */
enum { WK_THUNKS_MOST = 256 };

/* Constant after wk_thunks_find(). */
extern struct wk_thunk_table {
	struct wk_thunk {
		unsigned long start, end; /* live addresses */
		/* enum wr_register that holds the address to which the thunk goes; -1: none */
		int number;
	} list[WK_THUNKS_MOST];
	unsigned int nr;
} wk_thunk_table;

/* Is @target, the live target of a branch in kernel text, in a thunk? May sleep. */
bool wk_is_thunk(unsigned long target);

/*
 * If @target, a live address, is a thunk for a register, returns the register (enum wr_register)
 * whose value the thunk calls or jumps to; else -1. May sleep.
 */
int wk_thunk_register(unsigned long target);

/*
 * @target is a thunk that the kernel uses for some register. Finds the thunk of the same kind for
 * register @reg, and sets *@ret to its live address; to 0 if no thunk is needed: a plain indirect
 * jump will do, placed as WR_PLATFORM_UPPER_HALF says. Returns false if that thunk is not known.
 * May sleep.
 */
bool wk_thunk_for(unsigned long target, unsigned int reg, unsigned long *ret);

#endif /* WK_THUNK_TABLE_H */
