/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs that an aspect has pointcuts for, with their databases. */
#ifndef WV_ASPECT_PROGRAMS_H
#define WV_ASPECT_PROGRAMS_H

#include "aspect/language/aspect-model.h"
#include "aspect/resolve/program.h"
#include "base/error.h"

/*
 * Finds the programs that the aspect's pointcuts name (attribute `program`), as far as the
 * pointcuts have advice, and adds them to @programs. Indexes a program that has no database yet
 * (module/program-database.h). An error names the place in the aspect where the program is named.
 */
int wv_aspect_programs_open(const struct wv_aspect *aspect, struct wv_programs *programs,
			    struct wv_error *error);

#endif /* WV_ASPECT_PROGRAMS_H */
