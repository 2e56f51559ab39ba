/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Generates the C of an aspect module: a readable source file in the kernel's style, made of the
 * macros in runtime/advice.h. The output is reproducible: the same aspect and joinpoints give the
 * same bytes in any folder.
 */
#ifndef WV_GENERATE_H
#define WV_GENERATE_H

#include "aspect/generate/tables.h"
#include "aspect/resolve/values.h"
#include "base/str.h"

/*
 * Appends the module's source to @out. @values: the values found for @selection. @incomplete: lines
 * of text about joinpoints that the aspect may lack, which are stored in the module; "" if there
 * are none. If the selection is not finished, the C cannot become a module: it is only compiled to
 * find errors.
 */
int wv_generate(const struct wv_aspect *aspect, const struct wv_selection *selection,
		const struct wv_values *values, const char *incomplete, struct wv_str *out,
		struct wv_error *error);

/*
 * Returns whether the aspect's C is the same wherever its joinpoints are: no advice, start or end
 * block reads the tables of tables.h, and there is no around-advice.
 */
bool wv_may_be_template(const struct wv_aspect *aspect, const struct wv_selection *selection,
			const struct wv_values *values);

/*
 * Like wv_generate(), for an aspect for which wv_may_be_template() is true. The module's tables are
 * left empty, and its header has only .magic and .abi. Only the size of the table of strings
 * depends on @tables (wv_tables_room()). If memory runs out, @out->failed is set.
 */
void wv_generate_template(const struct wv_aspect *aspect, const struct wv_selection *selection,
			  const struct wv_values *values, const char *incomplete,
			  const struct wv_tables *tables, struct wv_str *out);

/*
 * Returns whether @advice may use so much stack that each hit has to check whether enough of it is
 * left. Then the advice's function is named weft_deep_N, and weft_entry_N calls it after the check;
 * for around-advice the entry checks (write-around.h). Returns false for advice of metrics and
 * flows: a hit that finds too little stack skips the advice, and then a start or an entry would be
 * counted without its end, or an end without its start.
 */
bool wv_is_deep(const struct wv_aspect *aspect, const struct wv_aspect_advice *advice);

#endif /* WV_GENERATE_H */
