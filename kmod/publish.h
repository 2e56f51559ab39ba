/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which aspects are published: users without privilege may read their records (read-device.c).
 */
#ifndef WK_PUBLISH_H
#define WK_PUBLISH_H

#include <linux/types.h>

#include "runtime/abi.h"

struct cred;
struct wk_aspect;
struct wk_published;

/*
 * Handles WEFT_IOC_PUBLISH for @aspect, whose module is loaded. An aspect that is published again
 * has a new group, and the views of users begin anew. Under wk_mutex. May sleep.
 */
int wk_publish(struct wk_aspect *aspect, const struct weft_publish *request);

/*
 * May @cred read records of an aspect that is published as @published says? Sets *@everything_ret
 * to whether it may read all of them. Takes no lock.
 */
bool wk_may_read(const struct wk_published *published, const struct cred *cred,
		 bool *everything_ret);

#endif /* WK_PUBLISH_H */
