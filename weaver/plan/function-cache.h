/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Provides functions of the database to the code that chooses splices (weaver/splice): the bytes of
 * a function, the functions that it calls, and the text in it that the kernel rewrites. All
 * addresses are link addresses.
 */
#ifndef WV_FUNCTION_CACHE_H
#define WV_FUNCTION_CACHE_H

#include "database/db.h"
#include "splice/reaching-load.h"

struct wv_functions;

/* Prepares to read functions of @db, which must stay open until wv_functions_destroy(). */
int wv_functions_create(struct wv_db *db, struct wv_functions **ret, struct wv_error *error);
void wv_functions_destroy(struct wv_functions *functions);

static inline void wv_cleanup_functions(struct wv_functions **functions)
{
	wv_functions_destroy(*functions);
}
#define _cleanup_functions_ __attribute__((cleanup(wv_cleanup_functions)))

/*
 * Sets *@ret to the registers that are live before the instruction at @address: WR_BIT()s, or
 * WEFT_LIVE_UNKNOWN. Fast for successive addresses in one function, because the last function is
 * cached.
 */
int wv_functions_live(struct wv_functions *functions, uint64_t address, uint32_t *ret,
		      struct wv_error *error);

/* Like wv_functions_live(), but after the instruction at @address: see wv_liveness_out(). */
int wv_functions_live_out(struct wv_functions *functions, uint64_t address, uint32_t *ret,
			     struct wv_error *error);

/*
 * Finds the load from which the pointer comes that is called at @address. The candidates are the
 * labelled loads of @joinpoint, which is the joinpoint's number in the database. Sets *@found_ret
 * to false if it cannot be determined which of them it is. Otherwise sets *@ret as
 * wv_reaching_load_find() does (splice/reaching-load.h).
 */
int wv_functions_reaching_load(struct wv_functions *functions, uint64_t joinpoint, uint64_t address,
			       bool *found_ret, struct wv_load *ret, struct wv_error *error);

/* Implements wv_function_info.callee; @functions is its context. */
enum wv_callee wv_functions_callee(void *functions, uint64_t address, unsigned int *ret);

typedef WV_VEC(struct wv_rewritten) wv_rewritten_list;

/*
 * Adds the pieces of text that the kernel rewrites and that begin in the @size bytes from @offset
 * on (counted from _text), ascending.
 */
int wv_functions_rewritten(struct wv_functions *functions, uint64_t offset, uint64_t size,
			   wv_rewritten_list *ret, struct wv_error *error);

#endif /* WV_FUNCTION_CACHE_H */
