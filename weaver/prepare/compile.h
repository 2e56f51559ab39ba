/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles units by kbuild with the plugin, in the folder wv_compile_folder(). kbuild itself finds
 * out which units are compiled already, and which have to be compiled again because the source, the
 * configuration, the compiler or the plugin has changed.
 */
#ifndef WV_COMPILE_H
#define WV_COMPILE_H

#include <stdint.h>

#include "base/vec.h"
#include "prepare/prepare.h"

/*
 * Configures the source, and builds kbuild's own tools and other files that all units need. Returns
 * -WV_E_MISMATCH if the configuration is of another version, or has options that the source does
 * not know.
 */
int wv_compile_configure(struct wv_prepare *prepare, struct wv_error *error);

/* An estimate of the work for the chosen units that have no object yet. */
struct wv_estimate {
	size_t nr_units, seconds;
	uint64_t bytes; /* disk space for the objects and the database */
};

struct wv_estimate wv_compile_estimate(const struct wv_prepare *prepare);

struct wv_units_compiled {
	size_t nr_compiled;      /* number of units that were compiled in this run */
	/* units that could not be compiled: their numbers in .units of struct wv_prepare */
	WV_VEC(uint32_t) failed;
};

/*
 * Compiles the chosen units. If a unit cannot be compiled, that is an error only if the disk is
 * full, or if no unit can be compiled.
 */
int wv_compile_units(struct wv_prepare *prepare, struct wv_units_compiled *ret,
		     struct wv_error *error);

/*
 * Returns whether there is no object of the unit, because it was never compiled or could not be
 * compiled.
 */
bool wv_compile_lacks(const struct wv_prepare *prepare, uint32_t unit);

/* Sets @path to the folder that has the objects. */
void wv_compile_folder(const struct wv_prepare *prepare, char path[PATH_MAX + 32]);

#endif /* WV_COMPILE_H */
