/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What this machine has of what weft needs, check by check, each with the remedy. Changes nothing.
 */
#ifndef WV_HEALTH_H
#define WV_HEALTH_H

#include "base/vec.h"
#include "base/error.h"

enum wv_health_level {
	WV_HEALTH_OK,
	WV_HEALTH_WARNING, /* something will not work, or could not be found out */
	WV_HEALTH_MISSING, /* weaving cannot work */
};

struct wv_health_check {
	const char *name;
	enum wv_health_level level;
	char found[256];
	char remedy[256]; /* empty where nothing is to be done */
};

struct wv_health {
	WV_VEC(struct wv_health_check) checks;
};

/*
 * @kernel: build folder to compile aspects with, or NULL: the running kernel's headers. @db: a
 * database, or NULL: none.
 */
int wv_health_check(const char *kernel, const char *db, struct wv_health *ret,
		    struct wv_error *error);
void wv_health_deinit(struct wv_health *health);

#endif /* WV_HEALTH_H */
