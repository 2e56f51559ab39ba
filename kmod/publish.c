// SPDX-License-Identifier: GPL-2.0-or-later
/* Publishes aspects: lets users read their records; see publish.h. */
#include <linux/cred.h>
#include <linux/user_namespace.h>

#include "aspect.h"
#include "base/lock.h"
#include "publish.h"
#include "record/view.h"

static void set_published(struct wk_aspect *aspect, struct wk_published published)
{
	spin_lock(&wk_readers_lock);
	aspect->published = published;
	spin_unlock(&wk_readers_lock);
}

int wk_publish(struct wk_aspect *aspect, const struct weft_publish *request)
{
	const bool publish = request->flags & WEFT_PUBLISH_ON;

	wk_assert_locked();
	if (request->flags & ~(WEFT_PUBLISH_ON | WEFT_PUBLISH_GROUP))
		return -EINVAL;
	/*
	 * In such a kernel softirqs run in tasks, and the preemption count does not show that: a
	 * user would get records of softirqs as those of their own task.
	 */
	if (publish && IS_ENABLED(CONFIG_PREEMPT_RT))
		return -EOPNOTSUPP;
	if (!publish && !aspect->published.is)
		return -ENODATA;
	/* So no user begins to read before the rings say from which record on users may read. */
	set_published(aspect, (struct wk_published){ 0 });
	wk_views_end_users(&aspect->records);
	wk_views_publish(&aspect->records, publish);
	if (publish)
		set_published(aspect, (struct wk_published){
					      .is = true,
					      .has_group = request->flags & WEFT_PUBLISH_GROUP,
					      .group = KGIDT_INIT(request->group),
				      });
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

bool wk_may_read(const struct wk_published *published, const struct cred *cred,
		 bool *everything_ret)
{
	*everything_ret = published->has_group && is_member(cred, published->group);
	return published->is;
}
