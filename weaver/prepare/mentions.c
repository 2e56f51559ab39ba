// SPDX-License-Identifier: GPL-2.0-or-later
/* Chooses units by what their source mentions; see mentions.h. */
#include <dirent.h>
#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "prepare/choose-units.h"
#include "prepare/mentions.h"
#include "prepare/source-text.h"

/* Where every unit's headers are, from the top of the source. */
static const char *const header_folders[] = { "include", "arch/x86/include" };

enum { FILTER_SIZE = 1 << 16, WORD_MAX_SIZE = 255 };

struct search {
	struct wv_prepare *prepare;
	WV_VEC(struct wv_source_text) texts; /* headers, and what else units may include */
	struct wv_pool known;		     /* paths of texts and units */
	struct wv_pool words;
	bool filter[FILTER_SIZE]; /* false: no word has this hash */
	WV_VEC(uint32_t) loose;	  /* positions of the texts that count for all that include them */
	bool grows;
	struct wv_error *error;
};

static void search_deinit(struct search *search)
{
	wv_vec_for_each(text, &search->texts)
		wv_source_text_deinit(text);
	wv_vec_deinit(&search->texts);
	wv_pool_deinit(&search->known);
	wv_pool_deinit(&search->words);
	wv_vec_deinit(&search->loose);
}

/* ---- the texts ------------------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *suffix)
{
	size_t n = strlen(name), m = strlen(suffix);

	return n > m && !strcmp(name + n - m, suffix);
}

static bool is_included(const char *name)
{
	return ends_with(name, ".h") || ends_with(name, ".c") || ends_with(name, ".inc") ||
	       ends_with(name, ".def");
}

/* Reads a file, unless it is a unit or was read already. */
static int add_text(struct search *search, const char *path)
{
	uint32_t before = search->known.strings.n, number = wv_pool_add(&search->known, path);
	struct wv_source_text *slot;

	if (number == WV_POOL_FAILED)
		return wv_no_memory(search->error);
	if (number < before)
		return 0;
	slot = wv_vec_push(&search->texts);
	if (!slot)
		return wv_no_memory(search->error);
	return wv_source_text_read(search->prepare->source_found.data, path, slot, search->error);
}

static int add_tree(struct search *search, const char *folder)
{
	const char *source = search->prepare->source_found.data;
	char root[2 * PATH_MAX], *roots[] = { root, NULL };
	FTSENT *entry;
	FTS *walk;
	int ret = 0;

	snprintf(root, sizeof(root), "%s/%s", source, folder);
	if (access(root, F_OK))
		return 0;
	walk = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
	if (!walk)
		return wv_fail_errno(search->error, errno, "%s", root);
	while (!ret && (entry = fts_read(walk)))
		if (entry->fts_info == FTS_F && is_included(entry->fts_name))
			ret = add_text(search, entry->fts_path + strlen(source) + 1);
	fts_close(walk);
	return ret;
}

/* Adds the files beside a unit. */
static int add_beside(struct search *search, const char *unit)
{
	const char *source = search->prepare->source_found.data, *slash = strrchr(unit, '/');
	char path[2 * PATH_MAX];
	struct dirent *entry;
	int ret = 0;
	DIR *folder;

	if (!slash)
		return 0;
	snprintf(path, sizeof(path), "%s/%.*s", source, (int)(slash - unit), unit);
	folder = opendir(path);
	while (!ret && folder && (entry = readdir(folder))) {
		if (!is_included(entry->d_name))
			continue;
		snprintf(path, sizeof(path), "%.*s/%s", (int)(slash - unit), unit, entry->d_name);
		ret = add_text(search, path);
	}
	if (folder)
		closedir(folder);
	return ret;
}

static int read_texts(struct search *search)
{
	const struct wv_pool *units = &search->prepare->units;
	int ret = 0;

	for (size_t i = 0; i < units->strings.n && !ret; i++)
		if (wv_pool_add(&search->known, wv_pool_get(units, i)) == WV_POOL_FAILED)
			ret = wv_no_memory(search->error);
	for (size_t i = 0; i < sizeof(header_folders) / sizeof(*header_folders) && !ret; i++)
		ret = add_tree(search, header_folders[i]);
	for (size_t i = 0; i < units->strings.n && !ret; i++)
		ret = add_beside(search, wv_pool_get(units, i));
	return ret;
}

/* ---- the words ------------------------------------------------------------------------------- */

static uint32_t filter_slot(const char *word, size_t n)
{
	return wv_hash_bytes(word, n) % FILTER_SIZE;
}

static int add_word(struct search *search, const char *word, size_t n)
{
	size_t before = search->words.strings.n;

	if (n > WORD_MAX_SIZE)
		return 0;
	if (wv_pool_add_n(&search->words, word, n) == WV_POOL_FAILED)
		return wv_no_memory(search->error);
	search->filter[filter_slot(word, n)] = true;
	search->grows |= search->words.strings.n > before;
	return 0;
}

static bool has_word(const struct search *search, const char *text, size_t size)
{
	char copy[WORD_MAX_SIZE + 1];
	const char *word;
	size_t at = 0, n;

	while ((word = wv_next_word(text, size, &at, &n))) {
		if (n > WORD_MAX_SIZE || !search->filter[filter_slot(word, n)])
			continue;
		memcpy(copy, word, n);
		copy[n] = '\0';
		if (wv_pool_find(&search->words, copy) != WV_POOL_FAILED)
			return true;
	}
	return false;
}

/* Whether #include of @path may mean the file @file: the folders of -I are not known. */
static bool includes(const char *path, size_t n, const char *file)
{
	size_t size = strlen(file);

	while (n > 2 && path[0] == '.') {
		size_t step = path[1] == '/' ? 2 : path[1] == '.' && path[2] == '/' ? 3 : 0;

		if (!step)
			break;
		path += step;
		n -= step;
	}
	return size >= n && !strncmp(file + size - n, path, n) &&
	       (size == n || file[size - n - 1] == '/');
}

static bool includes_loose(const struct search *search, const struct wv_part *part)
{
	wv_vec_for_each(loose, &search->loose)
		if (includes(part->text, part->n, search->texts.data[*loose].path))
			return true;
	return false;
}

static int mark_loose(struct search *search, struct wv_source_text *text)
{
	uint32_t *slot;

	if (text->loose)
		return 0;
	slot = wv_vec_push(&search->loose);
	if (!slot)
		return wv_no_memory(search->error);
	*slot = text - search->texts.data;
	text->loose = search->grows = true;
	return 0;
}

static int look_at(struct search *search, struct wv_source_text *text, struct wv_part *part)
{
	bool found = part->kind == WV_PART_INCLUDE ? includes_loose(search, part) :
						     has_word(search, part->text, part->n);
	int ret = 0;

	if (!found)
		return 0;
	part->done = true;
	if (part->kind != WV_PART_NAMED)
		return mark_loose(search, text);
	for (size_t i = 0; i < part->nr_names && !ret; i++) {
		const struct wv_name *name = &text->names.data[part->first_name + i];

		ret = add_word(search, name->text, name->n);
	}
	return ret;
}

static int grow(struct search *search)
{
	int ret = 0;

	do {
		search->grows = false;
		wv_vec_for_each(text, &search->texts)
			wv_vec_for_each(part, &text->parts)
				if (!ret && !part->done)
					ret = look_at(search, text, part);
	} while (!ret && search->grows);
	return ret;
}

/* ---- the units ------------------------------------------------------------------------------- */

static bool is_mentioned(const struct search *search, const struct wv_source_text *unit)
{
	wv_vec_for_each(part, &unit->parts)
		if (part->kind == WV_PART_INCLUDE && includes_loose(search, part))
			return true;
	return has_word(search, unit->code, strlen(unit->code)) ||
	       (unit->directives &&
		has_word(search, unit->directives, strlen(unit->directives)));
}

/* A unit without a source here is generated by the build: it is not known what it mentions. */
static int choose_unit(struct search *search, uint32_t number, bool *any_ret)
{
	const char *name = wv_pool_get(&search->prepare->units, number);
	struct wv_source_text unit = { 0 };
	bool chosen = true;
	int ret = 0;

	if (!wv_unit_is_c(name))
		return 0;
	if (!wv_source_text_read(search->prepare->source_found.data, name, &unit, search->error))
		chosen = is_mentioned(search, &unit);
	else if (search->error->code == WV_E_NO_MEMORY)
		ret = -WV_E_NO_MEMORY;
	else
		chosen = false;
	wv_source_text_deinit(&unit);
	*any_ret |= chosen;
	return ret || !chosen ? ret : wv_units_choose(search->prepare, number, search->error);
}

int wv_units_choose_mentions(struct wv_prepare *prepare, const char *word, struct wv_error *error)
{
	struct search *search = calloc(1, sizeof(*search));
	bool any = false;
	int ret;

	if (!search)
		return wv_no_memory(error);
	search->prepare = prepare;
	search->error = error;
	ret = read_texts(search);
	if (!ret)
		ret = add_word(search, word, strlen(word));
	if (!ret)
		ret = grow(search);
	for (size_t i = 0; i < prepare->units.strings.n && !ret; i++)
		ret = choose_unit(search, i, &any);
	if (!ret && !any)
		ret = wv_fail(error, WV_E_NO_MATCH, "no unit of %s mentions %s",
			      prepare->image_found.data, word);
	search_deinit(search);
	free(search);
	return ret;
}
