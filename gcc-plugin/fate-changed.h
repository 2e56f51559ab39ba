/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a pass has changed the current function's GIMPLE. */
#ifndef WEFT_FATE_CHANGED_H
#define WEFT_FATE_CHANGED_H

#include "joinpoints.h"

/*
 * A hash of the blocks of the current function, which is in SSA form, of their statements in order,
 * and of what these use and define. If it is the same before and after a pass, the pass has changed
 * nothing. Debug statements do not count. Never 0.
 */
uint64_t wp_body_hash(void);

/* A statement of a block that no pass removes while the block is reached; NULL: there is none. */
gimple *wp_lasting_statement(basic_block block);

#endif /* WEFT_FATE_CHANGED_H */
