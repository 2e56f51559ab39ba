/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Identifies the build of the running kernel: an aspect's tables are valid only for the vmlinux
 * that they were made from.
 */
#ifndef WK_BUILD_ID_H
#define WK_BUILD_ID_H

#include <linux/types.h>

/*
 * Is @id, @size bytes long, the GNU build-id of the running kernel? False also if the kernel has
 * none. Any context.
 */
bool wk_build_id_is(const u8 *id, unsigned int size);

#endif /* WK_BUILD_ID_H */
