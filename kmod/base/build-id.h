/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which build of which kernel runs: what an aspect's table says holds for that of its own image,
 * and for no other.
 */
#ifndef WK_BUILD_ID_H
#define WK_BUILD_ID_H

#include <linux/types.h>

/*
 * Is the running kernel the one whose GNU build-id has these bytes? False also where it has none.
 * Any context.
 */
bool wk_build_id_is(const u8 *id, unsigned int size);

#endif /* WK_BUILD_ID_H */
