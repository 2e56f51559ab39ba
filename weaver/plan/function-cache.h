/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of the database as the splice engine wants them: bytes, callees and rewritten text of a
 * whole function, by any address in it. Link addresses.
 */
#ifndef WV_FUNCTION_CACHE_H
#define WV_FUNCTION_CACHE_H

#include "database/db.h"
#include "splice/reaching-load.h"

struct wv_functions;

/* @db must stay open as long. */
int wv_functions_create(struct wv_db *db, struct wv_functions **ret, struct wv_error *error);
void wv_functions_destroy(struct wv_functions *functions);

static inline void wv_cleanup_functions(struct wv_functions **functions)
{
	wv_functions_destroy(*functions);
}
#define _cleanup_functions_ __attribute__((cleanup(wv_cleanup_functions)))

/*
 * What is live at the instruction at @address: WR_BIT()s, or WEFT_LIVE_UNKNOWN. Cheap for addresses
 * of one function that follow each other: the last one is kept.
 */
int wv_functions_live(struct wv_functions *functions, uint64_t address, uint32_t *ret,
		      struct wv_error *error);

/* The same behind the instruction, which goes on at the next one. */
int wv_functions_live_out(struct wv_functions *functions, uint64_t address, uint32_t *ret,
			     struct wv_error *error);

/*
 * The load of @joinpoint that made the pointer that the call at @address goes through; *@found_ret
 * is false where no register tells there (splice/reaching-load.h).
 */
int wv_functions_reaching_load(struct wv_functions *functions, uint64_t joinpoint, uint64_t address,
			       bool *found_ret, struct wv_load *ret, struct wv_error *error);

/* struct wv_function_info's callee; @functions is its context. */
enum wv_callee wv_functions_callee(void *functions, uint64_t address, unsigned int *ret);

typedef WV_VEC(struct wv_rewritten) wv_rewritten_list;

/* Adds what is rewritten in @size bytes of text from @offset on, ascending. */
int wv_functions_rewritten(struct wv_functions *functions, uint64_t offset, uint64_t size,
			   wv_rewritten_list *ret, struct wv_error *error);

#endif /* WV_FUNCTION_CACHE_H */
