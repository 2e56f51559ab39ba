// SPDX-License-Identifier: GPL-2.0-or-later
/* Names the kinds of access that a member or file has; see missing-kinds.h. */
#include <stdio.h>
#include <string.h>

#include "runtime/joinpoint-table.h"
#include "database/missing-kinds.h"
#include "database/pointcut-kinds.h"
#include "database/query.h"
#include "database/wildcard.h"

int wv_db_explain_kinds(struct wv_db *db, const struct wv_pointcut *asked, struct wv_error *error)
{
	struct wv_pointcut all = *asked;
	struct wv_matches matches;
	uint32_t kinds = 0;
	char names[128] = "";
	int ret;

	all.kinds = WV_KINDS_ALL;
	ret = wv_db_query_like(db, &all, &matches, error);
	if (ret)
		return ret;
	for (unsigned int kind = 0; kind < WEFT_KIND_COUNT; kind++) {
		size_t used = strlen(names);

		wv_vec_for_each(match, &matches.list)
			if (!strcmp(match->kind, wv_kind_name(kind)))
				kinds |= WV_KIND_BIT(kind);
		if (kinds & WV_KIND_BIT(kind))
			snprintf(names + used, sizeof(names) - used, "%s%s", used ? ", " : "",
				 wv_kind_name(kind));
	}
	wv_matches_deinit(&matches);
	if (wv_pointcut_kind(asked->type)->subject == WV_SUBJECT_FILE)
		return wv_fail(error, WV_E_NO_MATCH, "'%s' has no access%s%s", asked->file,
			       kinds ? " of this kind; it has " : "", names);
	return wv_fail(error, WV_E_NO_MATCH, "'%s.%s' has no access of this kind; it has %s",
		       asked->structure, asked->member, names);
}
