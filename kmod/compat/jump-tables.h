/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What jumps through a register or memory may do in the C code of the kernel. */
#ifndef WK_JUMP_TABLES_H
#define WK_JUMP_TABLES_H

#include <linux/types.h>

/* Does every such jump leave its function? It does if the compiler makes no jump tables. */
static inline bool wk_no_jump_tables(void)
{
#ifdef WK_HAS_NO_JUMP_TABLES
	return true;
#else
	return false;
#endif
}

#endif /* WK_JUMP_TABLES_H */
