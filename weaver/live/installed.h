/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks what is installed: of weft, and for one kernel. Looks only at the files of a system: this
 * machine, or a system below another root, such as a chroot or an image. Runs no programs.
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
 * Each of these functions checks one thing that is or is not installed, and fills in .level, .found
 * and .remedy of @check. .name is set by the caller.
 */
void wv_installed_module(const struct wv_system *system, struct wv_health_check *check);
void wv_installed_debug(const struct wv_system *system, struct wv_health_check *check);
void wv_installed_source(const struct wv_system *system, struct wv_health_check *check);
void wv_installed_plugin(const struct wv_system *system, struct wv_health_check *check);
/* Like the functions above. @enforced: the kernel loads signed modules only. */
void wv_installed_key(const struct wv_system *system, bool enforced,
		      struct wv_health_check *check);

/* Returns whether @system has weft.ko where modprobe finds it. */
bool wv_has_module(const struct wv_system *system);

#endif /* WV_INSTALLED_H */
