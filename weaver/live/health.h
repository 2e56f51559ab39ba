/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks whether a machine has what weft needs. The result of a check also says what the user can
 * do. The checks change nothing.
 */
#ifndef WV_HEALTH_H
#define WV_HEALTH_H

#include "base/vec.h"
#include "base/error.h"
#include "live/health-check.h"

struct wv_health {
	WV_VEC(struct wv_health_check) checks;
};

/* The options that a kernel needs to be woven, NULL at the end. */
extern const char *const wv_health_options[];

/*
 * The kernel and the files to check. With .root or .release set, only files are checked, not the
 * running kernel.
 */
struct wv_health_subject {
	const char *kernel;  /* build folder to compile aspects with; NULL: the release's headers */
	const char *db;	     /* path of a joinpoint database; NULL: none */
	const char *root;    /* the folder of another installed system; NULL: this machine's */
	/* the release of a kernel other than the running one; NULL: the running one */
	const char *release;
};

/* Runs all checks of @subject. */
int wv_health_check(const struct wv_health_subject *subject, struct wv_health *ret,
		    struct wv_error *error);
void wv_health_deinit(struct wv_health *health);

#endif /* WV_HEALTH_H */
