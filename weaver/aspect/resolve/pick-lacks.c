// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds, for each leaf of an aspect's pointcuts, which joinpoints its answer may lack; see
 * pick-lacks.h.
 */
#include "aspect/resolve/pick-lacks.h"
#include "database/db.h"

struct walk {
	struct wv_db *db;
	int (*visit)(const struct wv_pick *leaf, const struct wv_unprepared *unprepared,
		     void *context, struct wv_error *error);
	void *context;
	struct wv_error *error;
};

static int visit_leaf(const struct walk *walk, const struct wv_pick *leaf, const char *within)
{
	_cleanup_unprepared_ struct wv_unprepared unprepared = { 0 };
	int ret = wv_db_unprepared(walk->db, &leaf->pointcut, within, &unprepared, walk->error);

	return ret || !unprepared.missing ? ret :
					    walk->visit(leaf, &unprepared, walk->context,
							walk->error);
}

/*
 * Visits the leaves of @pick that are for this kernel. Does not follow a <ref>, because the caller
 * visits all pointcuts anyway. @within: the file that a <within> around @pick names; NULL: there is
 * none.
 */
static int visit_pick(const struct walk *walk, const struct wv_pick *pick, const char *within)
{
	int ret = 0;

	if (pick->kernels.last && !wv_linux_in(wv_db_linux_version(walk->db), &pick->kernels))
		return 0;
	if (pick->type == WV_PICK_POINTCUT)
		return visit_leaf(walk, pick, within);
	if (pick->type == WV_PICK_AND)
		wv_vec_for_each(part, &pick->parts)
			if ((*part)->type == WV_PICK_WITHIN && (*part)->within.file)
				within = (*part)->within.file;
	wv_vec_for_each(part, &pick->parts)
		if (!ret)
			ret = visit_pick(walk, *part, within);
	return ret;
}

int wv_pick_lacks(const struct wv_aspect *aspect, struct wv_db *db,
		  int (*visit)(const struct wv_pick *leaf, const struct wv_unprepared *unprepared,
			       void *context, struct wv_error *error),
		  void *context, struct wv_error *error)
{
	const struct walk walk = { db, visit, context, error };
	int ret = 0;

	wv_vec_for_each(pointcut, &aspect->pointcuts)
		if (!ret && !pointcut->program)
			ret = visit_pick(&walk, pointcut->pick, NULL);
	return ret;
}
