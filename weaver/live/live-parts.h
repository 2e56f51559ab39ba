/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds where the parts of an aspect are in the running kernel. A part is the kernel, a section of
 * a module, or a program (struct weft_text_part). weft.ko knows the addresses.
 */
#ifndef WV_LIVE_PARTS_H
#define WV_LIVE_PARTS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/vec.h"
#include "live/requests.h"
#include "module/module-file.h"
#include "splice/live-plan.h"

struct wv_live_parts {
	WV_VEC(struct wv_plan_part) list; /* in the order of the aspect's table of parts */
	size_t waiting; /* number of shadows in parts whose module is not loaded */
};

/*
 * Finds where the parts of the aspect @module are. The aspect's own module must be loaded. If a
 * module in which the aspect has joinpoints is not loaded, returns -WV_E_STATE or, if @pending is
 * true, marks its parts as waiting. Returns -WV_E_MISMATCH if a module or program is another build
 * than the aspect was made for.
 */
int wv_live_parts(const struct wv_device *device, const struct wv_aspect_module *module,
		  bool pending, struct wv_live_parts *ret, struct wv_error *error);
void wv_live_parts_deinit(struct wv_live_parts *parts);

/*
 * Sets *@ret to whether all modules in which the aspect @name has joinpoints are loaded and their
 * init functions have returned. Returns -WV_E_STATE if the kernel does not know the aspect.
 */
int wv_modules_are_there(const struct wv_device *device, const char *name, bool *ret,
			 struct wv_error *error);

/* Returns "pending", "woven" and so on, for an enum weft_part_state. */
const char *wv_part_state_name(unsigned int state);

/* Returns why nothing is woven in a part. @error is .error of struct weft_part_status, not 0. */
const char *wv_part_error_text(int error);

#endif /* WV_LIVE_PARTS_H */
