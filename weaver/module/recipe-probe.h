/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The module from which recipes are learned, and on which they are proven. */
#ifndef WV_RECIPE_PROBE_H
#define WV_RECIPE_PROBE_H

/*
 * Its C. It has what aspects have, and what the kernel's tools look for in a module: an indirect
 * call, a static key, a WARN(), user memory, per-CPU variables, functions of the kernel's and of
 * weft.ko's.
 */
extern const char wv_recipe_probe[];

#endif /* WV_RECIPE_PROBE_H */
