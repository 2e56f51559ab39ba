/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs that an aspect has pointcuts for, opened while the aspect is compiled. */
#ifndef WV_PROGRAM_H
#define WV_PROGRAM_H

#include <stdint.h>

#include "base/error.h"
#include "base/vec.h"
#include "database/db.h"
#include "image/dwarf/scopes.h"
#include "image/image.h"
#include "plan/function-cache.h"

struct wv_program {
	const char *path; /* path of the file, as in the aspect; the string belongs to the aspect */
	struct wv_db *db;
	struct wv_image *image;
	/*
	 * What is used to look up variables. NULL until wv_program_look_up() is called for the
	 * first time.
	 */
	struct wv_scopes *scopes;
	struct wv_functions *functions;
	/*
	 * Set by wv_selection_query(). .part: number of the program's part. .away: the link address
	 * of the program's text minus the text's offset in the file.
	 */
	uint32_t part;
	uint64_t away;
};

/* Each program is allocated separately, so that pointers to it stay valid when the list grows. */
struct wv_programs {
	WV_VEC(struct wv_program *) list;
};

/*
 * Adds the program at @path, whose database is @database. Returns -WV_E_MISMATCH if the two do not
 * belong together.
 */
int wv_programs_add(struct wv_programs *programs, const char *path, const char *database,
		    struct wv_error *error);

/* Returns the program at @path; NULL: it was not added. */
struct wv_program *wv_programs_find(const struct wv_programs *programs, const char *path);

/* Sets .scopes and .functions, unless they are set already. */
int wv_program_look_up(struct wv_program *program, struct wv_error *error);

void wv_programs_deinit(struct wv_programs *programs);

#endif /* WV_PROGRAM_H */
