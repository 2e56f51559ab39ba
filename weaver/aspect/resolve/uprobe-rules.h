/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which instructions the kernel's uprobes take. */
#ifndef WV_UPROBE_RULES_H
#define WV_UPROBE_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Returns whether the kernel can put an uprobe at the instruction that begins at @bytes, of which
 * there are @n. The kernel itself says so only when a process maps the program, and if it cannot,
 * only in its return value to whoever registers the uprobe then; a process that starts later runs
 * without the uprobe. So weft asks before.
 */
bool wv_uprobe_takes(const uint8_t *bytes, size_t n);

#endif /* WV_UPROBE_RULES_H */
