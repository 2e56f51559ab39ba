// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds breakpoints of kgdb; see kgdb.h. Asks the function that kgdb's own int3 handler asks: is
 * there a breakpoint in state ACTIVE? Breakpoints that are only SET become ACTIVE before the CPUs
 * go on, so this code never finds one in that state.
 */
#include "base/unexported.h"
#include "text/kgdb.h"

bool wk_kgdb_breakpoint_in(unsigned long address, unsigned int size)
{
	if (!wk_has(kgdb_has_hit_break))
		return false;
	for (unsigned long at = address; at != address + size; at++)
		if (wk_call(kgdb_has_hit_break)(at))
			return true;
	return false;
}
