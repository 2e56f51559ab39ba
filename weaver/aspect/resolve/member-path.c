// SPDX-License-Identifier: GPL-2.0-or-later
/* Follows paths of members; see member-path.h. */
#include <stdio.h>
#include <string.h>

#include "aspect/resolve/member-path.h"
#include "database/macro-member.h"
#include "database/renamed.h"

/* maximum number of names in a path, including those in the paths of macros */
#define NAMES_MAX 32

const char *wv_struct_name(const struct wv_type *type)
{
	const char *space = strchr(type->tag, ' ');

	return space ? space + 1 : "";
}

/* If *@entry is an array, replaces it by the type of its elements, and sets *@indexed. */
static void enter_array(const struct wv_dies *dies, uint64_t *entry, bool *indexed)
{
	uint64_t element;

	if (!wv_type_element(dies, *entry, &element))
		return;
	*entry = element;
	*indexed = true;
}

/*
 * Finds the member @name of the struct at @entry. @name is the member's name in the source, or the
 * one that the compiler sees if a macro renames the member (database/renamed.h).
 */
static int find_member(struct wv_finder *finder, uint64_t entry, const char *name, bool *found_ret,
		       struct wv_type_member *ret)
{
	const struct wv_dies *dies = wv_scopes_dies(finder->scopes);
	const char *seen = wv_renamed(name);
	int failed = wv_type_member(dies, entry, name, found_ret, ret, finder->error);

	if (!failed && !*found_ret && seen != name)
		failed = wv_type_member(dies, entry, seen, found_ret, ret, finder->error);
	return failed;
}

/*
 * Follows @path, a path without macros, from the type at which @ret is. *@left: how many names may
 * still be followed.
 */
static int follow(struct wv_finder *finder, const char *path, struct wv_member_path *ret,
		  unsigned int *left)
{
	const struct wv_dies *dies = wv_scopes_dies(finder->scopes);

	for (ret->found = true; ret->found && *path; path += *path == '.') {
		size_t n = strcspn(path, ".");
		struct wv_type_member member;
		int failed;

		snprintf(ret->lacking, sizeof(ret->lacking), "%.*s", (int)n, path);
		path += n;
		ret->found = (*left)-- > 1 && n < sizeof(ret->lacking);
		if (!ret->found)
			break;
		enter_array(dies, &ret->type, &ret->indexed);
		ret->structure = ret->type;
		failed = find_member(finder, ret->type, ret->lacking, &ret->found, &member);
		if (failed || !ret->found)
			return failed;
		ret->bit_offset += member.bit_offset;
		ret->bit_size = member.bit_size;
		ret->type = member.type;
	}
	return 0;
}

/*
 * The struct ret->structure has no member ret->lacking. If this name is a macro for a member of the
 * struct, follows the macro's path instead.
 */
static int follow_macro(struct wv_finder *finder, struct wv_member_path *ret, unsigned int *left)
{
	_cleanup_str_ struct wv_str path = { 0 };
	struct wv_type type;
	char name[sizeof(ret->lacking)];
	uint64_t structure = ret->structure;
	int failed;

	wv_type_describe(wv_scopes_dies(finder->scopes), structure, &type);
	if (!*wv_struct_name(&type))
		return 0;
	failed = wv_db_macro_member(finder->db, wv_struct_name(&type), ret->lacking, &path,
				    finder->error);
	if (failed || !path.n)
		return failed;
	strcpy(name, ret->lacking);
	ret->type = structure;
	failed = follow(finder, path.data, ret, left);
	if (!failed && !ret->found) {
		ret->structure = structure;
		strcpy(ret->lacking, name);
	}
	return failed;
}

static int follow_all(struct wv_finder *finder, const char *path, struct wv_member_path *ret)
{
	unsigned int left = NAMES_MAX;
	int failed = 0;

	ret->found = true;
	while (!failed && ret->found && *path) {
		char name[sizeof(ret->lacking)];
		size_t n = strcspn(path, ".");

		snprintf(name, sizeof(name), "%.*s", (int)n, path);
		failed = follow(finder, name, ret, &left);
		if (!failed && !ret->found && left)
			failed = follow_macro(finder, ret, &left);
		path += n + (path[n] == '.');
	}
	return failed;
}

int wv_member_path_find(struct wv_finder *finder, uint64_t structure, const char *path,
			struct wv_member_path *ret)
{
	const struct wv_member_path start = { .type = structure, .structure = structure };
	const size_t first = strcspn(path, ".");
	struct wv_member_path rest = start;
	struct wv_type type;
	int failed;

	*ret = start;
	failed = follow_all(finder, path, ret);
	if (failed || ret->found || !path[first])
		return failed;
	wv_type_describe(wv_scopes_dies(finder->scopes), structure, &type);
	if (strlen(wv_struct_name(&type)) != first ||
	    strncmp(wv_struct_name(&type), path, first))
		return 0;
	/* The path begins with the struct's own name: follow the rest. */
	failed = follow_all(finder, path + first + 1, &rest);
	*ret = rest;
	return failed;
}
