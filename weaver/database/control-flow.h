/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Joinpoints that a function's instructions tell: its exits, basic blocks, calls and callers. */
#ifndef WV_CONTROL_FLOW_H
#define WV_CONTROL_FLOW_H

#include <stdint.h>

#include "base/error.h"
#include "database/pointcut.h"

struct wv_db;

/* Gets one shadow's offset from _text; a value other than 0 ends the search and is returned. */
typedef int (*wv_flow_take)(void *context, uint64_t offset, struct wv_error *error);

/* Finds the shadows of an EXIT, BLOCK, CALLS or CALLERS pointcut, function by function. */
int wv_db_flow(struct wv_db *db, const struct wv_pointcut *pointcut, wv_flow_take take,
	       void *context, struct wv_error *error);

#endif /* WV_CONTROL_FLOW_H */
