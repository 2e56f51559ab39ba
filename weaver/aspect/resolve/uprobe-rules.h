/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which instructions the kernel's uprobes take. */
#ifndef WV_UPROBE_RULES_H
#define WV_UPROBE_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Returns whether the kernel can put an uprobe at the instruction that begins at @bytes; @n bytes
 * can be read there. The kernel itself checks the instruction only when a process maps the program.
 * If no process has done so when the uprobe is registered, nobody gets the error: processes that
 * start later run without the uprobe. So weft checks before it weaves.
 */
bool wv_uprobe_takes(const uint8_t *bytes, size_t n);

#endif /* WV_UPROBE_RULES_H */
