/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out why this process may not open /dev/weft (device_open() in kmod/device.c). */
#ifndef WV_PRIVILEGE_H
#define WV_PRIVILEGE_H

#include <stdbool.h>

/*
 * Why something is denied (.found), and what the user can do about it (.remedy). Both are NULL if
 * nothing is denied.
 */
struct wv_denial {
	const char *found, *remedy;
};

/* Returns whether the capability CAP_... is effective in this process. */
bool wv_has_capability(int capability);

/*
 * Finds out whether this process has the privilege that weft.ko asks for: CAP_SYS_ADMIN in the
 * initial user namespace.
 */
struct wv_denial wv_privilege_denial(void);

/*
 * Finds out whether the kernel's lockdown forbids weaving. Only its strictest level,
 * confidentiality, does.
 */
struct wv_denial wv_lockdown_denial(void);

#endif /* WV_PRIVILEGE_H */
