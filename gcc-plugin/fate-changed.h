/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a pass has changed the current function's GIMPLE. */
#ifndef WEFT_FATE_CHANGED_H
#define WEFT_FATE_CHANGED_H

#include "joinpoints.h"

/*
 * Returns a hash of the current function, which must be in SSA form: of its blocks, of their
 * statements in order, and of what the statements use and define. If the hash is the same before
 * and after a pass, the pass has changed nothing. Debug statements do not count. The hash is never
 * 0.
 */
uint64_t wp_body_hash(void);

/* A statement of a block that no pass removes while the block is reached; NULL: there is none. */
gimple *wp_lasting_statement(basic_block block);

#endif /* WEFT_FATE_CHANGED_H */
