/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles units by kbuild with the plugin, in .folder/objects. kbuild itself knows what is done
 * already and what has to be done again: because the source, the configuration, the compiler or the
 * plugin is another.
 */
#ifndef WV_COMPILE_H
#define WV_COMPILE_H

#include <stdint.h>

#include "base/vec.h"
#include "prepare/prepare.h"

/*
 * Configures the source and makes what every unit needs. -WV_E_MISMATCH: the configuration is of
 * another version, or has options that the source does not know.
 */
int wv_compile_configure(struct wv_prepare *prepare, struct wv_error *error);

/* What is to be done for the chosen units that have no object yet. */
struct wv_estimate {
	size_t nr_units, seconds;
	uint64_t bytes; /* on the disk */
};

struct wv_estimate wv_compile_estimate(const struct wv_prepare *prepare);

struct wv_compiled {
	size_t nr_compiled;      /* how many were compiled now */
	WV_VEC(uint32_t) failed; /* numbers in .units of those that could not be */
};

/* Compiles the chosen units. A unit that cannot be compiled is no error, unless all are. */
int wv_compile_units(struct wv_prepare *prepare, struct wv_compiled *ret, struct wv_error *error);

/* Whether the unit was not compiled, or could not be. */
bool wv_compile_lacks(const struct wv_prepare *prepare, uint32_t unit);

/* The folder with the objects. */
void wv_compile_folder(const struct wv_prepare *prepare, char path[PATH_MAX + 32]);

#endif /* WV_COMPILE_H */
