/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles units by kbuild with the plugin, in .folder/objects. kbuild itself finds out which units
 * are compiled already, and which have to be compiled again because the source, the configuration,
 * the compiler or the plugin has changed.
 */
#ifndef WV_COMPILE_H
#define WV_COMPILE_H

#include <stdint.h>

#include "base/vec.h"
#include "prepare/prepare.h"

/*
 * Configures the source and makes everything that all units need. -WV_E_MISMATCH: the configuration
 * is of another version, or has options that the source does not know.
 */
int wv_compile_configure(struct wv_prepare *prepare, struct wv_error *error);

/* The work that remains for the chosen units that have no object yet. */
struct wv_estimate {
	size_t nr_units, seconds;
	uint64_t bytes; /* space that the objects will need on the disk */
};

struct wv_estimate wv_compile_estimate(const struct wv_prepare *prepare);

struct wv_units_compiled {
	size_t nr_compiled;      /* number of units that were compiled in this run */
	WV_VEC(uint32_t) failed; /* numbers in .units of those that could not be compiled */
};

/* Compiles the chosen units. A unit that cannot be compiled is no error, unless all are. */
int wv_compile_units(struct wv_prepare *prepare, struct wv_units_compiled *ret,
		     struct wv_error *error);

/* Has the unit no object, because it was not compiled or could not be? */
bool wv_compile_lacks(const struct wv_prepare *prepare, uint32_t unit);

/* The folder with the objects. */
void wv_compile_folder(const struct wv_prepare *prepare, char path[PATH_MAX + 32]);

#endif /* WV_COMPILE_H */
