/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which accesses statements do before GCC's inter-procedural passes, and after them. These passes
 * inline functions with constants as arguments, and drop the code that is not reached with these.
 * fate-watch.cc sees a function only before and after a pass over that function alone.
 */
#ifndef WEFT_FATE_SEEN_H
#define WEFT_FATE_SEEN_H

#include "joinpoints.h"

/* Begins to look at all statements of the current function. */
void wp_seen_begin(void);

/* A statement of the current function does @access, and those that it is a part of. */
void wp_seen(unsigned access);

/*
 * A statement of the current function loads or stores @reference, and it is unknown which access
 * it does by that.
 */
void wp_seen_unknown(gimple *statement, tree reference);

/*
 * Whether the inter-procedural passes have dropped an access. That is so if a statement of the
 * access's function did it before these passes, and after them no statement of any function does
 * it, or may do it because it does an unknown access near the same line.
 */
bool wp_seen_dropped(unsigned access);

#endif /* WEFT_FATE_SEEN_H */
