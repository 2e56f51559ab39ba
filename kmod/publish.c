// SPDX-License-Identifier: GPL-2.0-or-later
/* Publishes aspects; see publish.h. */
#include <linux/cred.h>
#include <linux/user_namespace.h>

#include "aspect.h"
#include "base/lock.h"
#include "publish.h"
#include "record/view.h"

int wk_publish(struct wk_aspect *aspect, const struct weft_publish *request)
{
	const bool publish = request->flags & WEFT_PUBLISH_ON;

	wk_assert_locked();
	if (request->flags & ~(WEFT_PUBLISH_ON | WEFT_PUBLISH_GROUP))
		return -EINVAL;
	/* There a task runs softirqs, and the count of preemption does not say so. */
	if (publish && IS_ENABLED(CONFIG_PREEMPT_RT))
		return -EOPNOTSUPP;
	if (!publish && !aspect->published.is)
		return -ENODATA;
	aspect->published = (struct wk_published){
		.is = publish,
		.has_group = publish && request->flags & WEFT_PUBLISH_GROUP,
		.group = KGIDT_INIT(request->group),
	};
	wk_views_end_users(&aspect->records);
	wk_views_publish(&aspect->records, publish);
	return 0;
}

static bool is_member(const struct cred *cred, kgid_t group)
{
	const struct group_info *others = cred->group_info;

	if (gid_eq(cred->fsgid, group))
		return true;
	for (int i = 0; i < others->ngroups; i++)
		if (gid_eq(others->gid[i], group))
			return true;
	return false;
}

bool wk_may_read(const struct wk_aspect *aspect, const struct cred *cred, bool *everything_ret)
{
	const struct wk_published *published = &aspect->published;

	wk_assert_locked();
	*everything_ret = published->has_group && is_member(cred, published->group);
	return published->is;
}
