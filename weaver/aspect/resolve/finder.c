// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens the kernel's image and moves from shadow to shadow; see finder.h. */
#include <stdlib.h>
#include <string.h>

#include "aspect/resolve/finder.h"
#include "database/db.h"

int wv_finder_open(struct wv_finder *finder, struct wv_db *db, const char *vmlinux)
{
	size_t own_size, build_id_size;
	const uint8_t *own, *build_id = wv_db_build_id(db, &build_id_size);
	int failed = wv_image_open(vmlinux, &finder->image, finder->error);

	if (failed)
		return failed;
	own = wv_image_build_id(finder->image, &own_size);
	if (own_size != build_id_size || memcmp(own, build_id, own_size))
		return wv_fail(finder->error, WV_E_MISMATCH,
			       "%s is not the image that the database was made of", vmlinux);
	failed = wv_scopes_create(finder->image, &finder->scopes, finder->error);
	if (!failed)
		failed = wv_decoder_create(&finder->decoder, finder->error);
	if (!failed)
		failed = wv_functions_create(db, &finder->functions, finder->error);
	return failed;
}

void wv_finder_close(struct wv_finder *finder)
{
	wv_scope_deinit(&finder->scope);
	wv_vec_deinit(&finder->symbols);
	wv_functions_destroy(finder->functions);
	wv_decoder_destroy(finder->decoder);
	wv_scopes_destroy(finder->scopes);
	wv_image_close(finder->image);
}

int wv_finder_look_at(struct wv_finder *finder, const struct wv_selected *joinpoint)
{
	uint64_t address = joinpoint->at;
	bool same = finder->joinpoint && finder->joinpoint->at == address;

	finder->joinpoint = joinpoint;
	if (same)
		return 0;
	wv_scope_deinit(&finder->scope);
	finder->has_cfa = false;
	return wv_scopes_find(finder->scopes, address, &finder->scope, finder->error);
}
