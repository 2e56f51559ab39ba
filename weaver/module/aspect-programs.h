/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs that an aspect has pointcuts for, with their databases. */
#ifndef WV_ASPECT_PROGRAMS_H
#define WV_ASPECT_PROGRAMS_H

#include "aspect/language/aspect-model.h"
#include "aspect/resolve/program.h"
#include "base/error.h"

/*
 * Adds the programs that pointcuts with advice are for to @programs, and indexes those that have no
 * database (module/program-database.h). @error says which place of the aspect names the program.
 */
int wv_aspect_programs_open(const struct wv_aspect *aspect, struct wv_programs *programs,
			    struct wv_error *error);

#endif /* WV_ASPECT_PROGRAMS_H */
