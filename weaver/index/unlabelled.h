/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions that do an access and have lost their label. GCC copies a block, and where copies
 * turn out alike it makes one of them again; what that one accesses it then no longer says
 * (merge_memattrs()). So some of a joinpoint's instructions are labelled and others not, and who
 * traces every write would miss some.
 *
 * A *unlabelled duplicate* is an instruction without any label that is in all that can be seen what
 * a labelled one of the joinpoint is: the line table has it at the same file, line and column, its
 * displacement is where DWARF says that the member lies, and it loads, stores or does both with as
 * many bytes; of what writes, one copy may load, change and store what another does in one
 * instruction. It is in the access's function, or in one that that is inlined into. Not taken is:
 * - one whose base is the stack pointer: a register that was put by has the place of the statement
 *   that needs it again;
 * - one at a place where labelled instructions of different members look like that, as in a macro's
 *   expansion;
 * - one that is another joinpoint's of the same member already, by its column or operand;
 * - the store of a read-modify-write in a function where its load is the shadow: one execution is
 *   counted once.
 */
#ifndef WV_UNLABELLED_H
#define WV_UNLABELLED_H

#include "index/inlined.h"
#include "index/operand.h"
#include "index/shadows.h"

/*
 * Adds them to @shadows->list, as *operand*. @rows are as wv_shadows_init() has sorted them.
 * Nothing is found without @operands.
 */
int wv_unlabelled_add(struct wv_shadows *shadows, const struct wv_merge *merge, const wv_rows *rows,
		 const struct wv_symbols *symbols, const struct wv_operands *operands,
		 const struct wv_inlined_list *inlined, struct wv_error *error);

#endif /* WV_UNLABELLED_H */
