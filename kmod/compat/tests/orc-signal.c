// SPDX-License-Identifier: GPL-2.0-or-later
/* Has a row of ORC a bit that says whether the row describes a signal frame (6.3)? */
#include <linux/module.h>
#include <asm/orc_types.h>

bool orc_signal(const struct orc_entry *row);

bool orc_signal(const struct orc_entry *row)
{
	return row->signal;
}
