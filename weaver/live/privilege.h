/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds out why weft.ko does not let this process in (device_open() in kmod/device.c). */
#ifndef WV_PRIVILEGE_H
#define WV_PRIVILEGE_H

#include <stdbool.h>

/* The reason of a denial, and what to do about it. Both are NULL if nothing is denied. */
struct wv_denial {
	const char *found, *remedy;
};

/* Is the CAP_... effective in this process? */
bool wv_has_capability(int capability);

/* Does this process have what weft.ko asks for: CAP_SYS_ADMIN in the initial user namespace? */
struct wv_denial wv_privilege_denial(void);

/* Does the kernel's lockdown allow weaving? Only its strictest level, confidentiality, does not. */
struct wv_denial wv_lockdown_denial(void);

#endif /* WV_PRIVILEGE_H */
