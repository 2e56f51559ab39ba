// SPDX-License-Identifier: GPL-2.0-or-later
/* Names that the kernel's headers define as another name; see renamed.h. */
#include <string.h>

#include "base/str.h"
#include "database/renamed.h"

/*
 * The macros that expand to a single name and that other headers use to declare structs and
 * members. The headers of Linux 6.1 have many other macros that expand to the name of a member, but
 * no declaration uses one of them.
 */
static const struct {
	const char *written, *seen;
} renamed[] = {
	{ "rcu_head", "callback_head" },
};

static const char *renamed_n(const char *word, size_t n)
{
	for (size_t i = 0; i < sizeof(renamed) / sizeof(*renamed); i++)
		if (strlen(renamed[i].written) == n && !strncmp(renamed[i].written, word, n))
			return renamed[i].seen;
	return NULL;
}

const char *wv_renamed(const char *word)
{
	const char *seen = renamed_n(word, strlen(word));

	return seen ? seen : word;
}

/*
 * Adds the path @path to @out, with each of its names as the compiler sees this name. Sets
 * *@changed if at least one name differs from the one in @path.
 */
static void add_path(struct wv_str *out, const char *path, bool *changed)
{
	for (;; path++) {
		size_t n = strcspn(path, ".");
		const char *seen = renamed_n(path, n);

		*changed |= seen != NULL;
		if (seen)
			wv_str_add(out, seen);
		else
			wv_str_add_n(out, path, n);
		path += n;
		if (!*path)
			return;
		wv_str_add_n(out, ".", 1);
	}
}

int wv_pointcut_renamed(const struct wv_pointcut *pointcut, struct wv_pointcut *ret,
			bool *changed_ret, struct wv_error *error)
{
	_cleanup_str_ struct wv_str member = { 0 };
	struct wv_pointcut seen = *pointcut;
	const char *structure = wv_renamed(pointcut->structure);

	memset(ret, 0, sizeof(*ret));
	*changed_ret = structure != pointcut->structure;
	add_path(&member, pointcut->member, changed_ret);
	if (member.failed)
		return wv_no_memory(error);
	if (!*changed_ret)
		return 0;
	/* The casts are safe: wv_pointcut_copy() only reads and copies both texts. */
	seen.structure = (char *)structure;
	seen.member = member.data;
	return wv_pointcut_copy(&seen, ret) ? wv_no_memory(error) : 0;
}
