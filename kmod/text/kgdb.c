// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds breakpoints of kgdb; see kgdb.h. Asks the same function of the kernel as kgdb's own int3
 * handler does: kgdb_has_hit_break() finds breakpoints in the state ACTIVE. A breakpoint that kgdb
 * has only SET is not in the text yet. It becomes ACTIVE before kgdb lets the CPUs go on, so no
 * code that runs here meets one that is SET.
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
