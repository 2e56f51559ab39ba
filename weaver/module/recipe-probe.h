/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The module from which recipes are learned, and with which they are tested. */
#ifndef WV_RECIPE_PROBE_H
#define WV_RECIPE_PROBE_H

/*
 * The C source of the module. It contains what aspects contain and what the kernel's build tools
 * look for: an indirect call, a static key, a WARN(), access to user memory, per-CPU variables,
 * calls of functions of the kernel and of weft.ko.
 */
extern const char wv_recipe_probe[];

#endif /* WV_RECIPE_PROBE_H */
