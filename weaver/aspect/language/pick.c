// SPDX-License-Identifier: GPL-2.0-or-later
/* The tree of a pointcut; see pick.h. */
#include <stdlib.h>

#include "aspect/language/pick.h"

void wv_pick_destroy(struct wv_pick *pick)
{
	if (!pick)
		return;
	wv_vec_for_each(part, &pick->parts)
		wv_pick_destroy(*part);
	wv_vec_deinit(&pick->parts);
	wv_pointcut_deinit(&pick->pointcut);
	free(pick->name);
	free(pick->within.function);
	free(pick->within.file);
	free(pick->within.module);
	free(pick);
}

bool wv_pick_picks(const struct wv_pick *pick)
{
	size_t n = 0;

	wv_vec_for_each(part, &pick->parts)
		n += wv_pick_picks(*part);
	switch (pick->type) {
	case WV_PICK_POINTCUT:
	case WV_PICK_REF:
		return true;
	case WV_PICK_AND:
		return n;
	case WV_PICK_OR:
		return n && n == pick->parts.n;
	case WV_PICK_WITHIN:
	case WV_PICK_NOT:
		return false;
	}
	return false;
}
