/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks which files of weft and of one kernel are installed. The system is this machine, or one
 * below another root folder, such as a chroot or a mounted image. Only looks at files: runs no
 * programs.
 */
#ifndef WV_INSTALLED_H
#define WV_INSTALLED_H

#include <limits.h>
#include <stdbool.h>

#include "live/health-check.h"

struct wv_system {
	const char *root;    /* "", or the folder that is used as / */
	const char *release; /* release of the kernel that is checked */
	const char *config;  /* that kernel's configuration as text, or NULL */
};

/*
 * Each of these functions checks whether something is installed, and sets .level, .found and
 * .remedy of @check. The caller sets .name.
 */
void wv_installed_module(const struct wv_system *system, struct wv_health_check *check);
void wv_installed_debug(const struct wv_system *system, struct wv_health_check *check);
void wv_installed_source(const struct wv_system *system, struct wv_health_check *check);
void wv_installed_plugin(const struct wv_system *system, struct wv_health_check *check);
/*
 * Like the functions above, for a key that can sign modules. @enforced says whether the kernel
 * loads only signed modules.
 */
void wv_installed_key(const struct wv_system *system, bool enforced,
		      struct wv_health_check *check);

/* Returns whether @system has weft.ko where modprobe finds it. */
bool wv_has_module(const struct wv_system *system);

#endif /* WV_INSTALLED_H */
