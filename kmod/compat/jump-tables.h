/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells whether a jump through a register or memory can stay inside its function, in the kernel's C
 * code.
 */
#ifndef WK_JUMP_TABLES_H
#define WK_JUMP_TABLES_H

#include <linux/types.h>

/*
 * Returns whether every jump through a register or memory leaves its function. That is so if the
 * compiler makes no jump tables.
 */
static inline bool wk_no_jump_tables(void)
{
#ifdef WK_HAS_NO_JUMP_TABLES
	return true;
#else
	return false;
#endif
}

#endif /* WK_JUMP_TABLES_H */
