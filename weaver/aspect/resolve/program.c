// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens the programs of an aspect; see program.h. */
#include <stdlib.h>
#include <string.h>

#include "aspect/resolve/program.h"

struct wv_program *wv_programs_find(const struct wv_programs *programs, const char *path)
{
	for (size_t i = 0; programs && i < programs->list.n; i++)
		if (!strcmp(programs->list.data[i]->path, path))
			return programs->list.data[i];
	return NULL;
}

int wv_programs_add(struct wv_programs *programs, const char *path, const char *database,
		    struct wv_error *error)
{
	struct wv_program *program = calloc(1, sizeof(*program));
	struct wv_program **slot = program ? wv_vec_push(&programs->list) : NULL;
	const uint8_t *own, *indexed;
	size_t size, indexed_size;
	int failed;

	if (!slot) {
		free(program);
		return wv_no_memory(error);
	}
	*slot = program;
	program->path = path;
	failed = wv_db_open(database, &program->db, error);
	if (!failed)
		failed = wv_image_open(path, &program->image, error);
	if (failed)
		return failed;
	own = wv_image_build_id(program->image, &size);
	indexed = wv_db_build_id(program->db, &indexed_size);
	if (size != indexed_size || memcmp(own, indexed, size))
		return wv_fail(error, WV_E_MISMATCH,
			       "%s was replaced while it was indexed", path);
	return 0;
}

int wv_program_look_up(struct wv_program *program, struct wv_error *error)
{
	int failed = 0;

	if (!program->scopes)
		failed = wv_scopes_create(program->image, &program->scopes, error);
	if (!failed && !program->functions)
		failed = wv_functions_create(program->db, &program->functions, error);
	return failed;
}

void wv_programs_deinit(struct wv_programs *programs)
{
	wv_vec_for_each(slot, &programs->list) {
		struct wv_program *program = *slot;

		wv_functions_destroy(program->functions);
		wv_scopes_destroy(program->scopes);
		wv_image_close(program->image);
		wv_db_close(program->db);
		free(program);
	}
	wv_vec_deinit(&programs->list);
}
