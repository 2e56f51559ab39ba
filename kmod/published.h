/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who may read the records of an aspect by /dev/weft-read; see publish.h. */
#ifndef WK_PUBLISHED_H
#define WK_PUBLISHED_H

#include <linux/types.h>
#include <linux/uidgid.h>

/*
 * Is an aspect published, and for whom? All zero: no. To change it, hold both wk_mutex and
 * wk_readers_lock.
 */
struct wk_published {
	bool is;
	bool has_group;
	kgid_t group; /* its members may read all records */
};

#endif /* WK_PUBLISHED_H */
