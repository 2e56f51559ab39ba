/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks whether this machine has what weft needs; each check comes with a remedy. Changes nothing.
 */
#ifndef WV_HEALTH_H
#define WV_HEALTH_H

#include "base/vec.h"
#include "base/error.h"

enum wv_health_level {
	WV_HEALTH_OK,
	WV_HEALTH_WARNING, /* something will not work, or the check was not possible */
	WV_HEALTH_MISSING, /* weaving cannot work */
};

struct wv_health_check {
	const char *name;
	enum wv_health_level level;
	char found[256];
	char remedy[256]; /* empty if nothing has to be done */
};

struct wv_health {
	WV_VEC(struct wv_health_check) checks;
};

/* The options that a kernel needs to be woven, NULL at the end. */
extern const char *const wv_health_options[];

/*
 * Runs all checks. @kernel: build folder to compile aspects with; NULL: the running kernel's
 * headers. @db: path of a joinpoint database; NULL: none.
 */
int wv_health_check(const char *kernel, const char *db, struct wv_health *ret,
		    struct wv_error *error);
void wv_health_deinit(struct wv_health *health);

#endif /* WV_HEALTH_H */
