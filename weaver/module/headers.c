// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Searches headers; see headers.h. Looks where kbuild looks: in folders of the build folder and, if
 * the kernel's sources are elsewhere, in folders of the sources. This takes a tenth of a second,
 * and is done only after a module could not be built.
 */
#include <ctype.h>
#include <fcntl.h>
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "module/headers.h"
#include "base/cleanup.h"

struct search {
	/* called for each header: its @name as in #include, its @path as a file */
	void (*each)(struct search *search, const char *name, const char *path);
	const char *type;
	size_t type_n;
	char *best;
	size_t best_size;
	struct wv_suggestion *suggestion;
};

/*
 * Returns whether the text defines @type ("struct NAME"): a line begins with @type, and the next
 * character that is not blank is '{'.
 */
static bool defines(const char *text, size_t n, const char *type, size_t type_n)
{
	const char *end = text + n, *at = text;

	while ((at = memmem(at, end - at, type, type_n))) {
		const char *brace = at + type_n;

		while (brace < end && isspace((unsigned char)*brace))
			brace++;
		if (brace < end && *brace == '{' && (at == text || at[-1] == '\n'))
			return true;
		at += type_n;
	}
	return false;
}

static bool file_defines(const char *path, const char *type, size_t type_n)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	bool found;
	char *text;

	if (fd < 0 || fstat(fd, &status) || !status.st_size)
		return false;
	text = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (text == MAP_FAILED)
		return false;
	found = defines(text, status.st_size, type, type_n);
	munmap(text, status.st_size);
	return found;
}

/*
 * Returns whether @name is a better header to propose than @than. A header in linux/ is better than
 * others, then a shorter name is better. If @than is "", any header is better.
 */
static bool is_better(const char *name, const char *than)
{
	bool general = !strncmp(name, "linux/", 6), other = !strncmp(than, "linux/", 6);

	if (!*than || general != other)
		return !*than || general;
	return strlen(name) != strlen(than) ? strlen(name) < strlen(than) : strcmp(name, than) < 0;
}

static void ask_for_type(struct search *search, const char *name, const char *path)
{
	if (strlen(name) < search->best_size && (!*search->best || is_better(name, search->best)) &&
	    file_defines(path, search->type, search->type_n))
		strcpy(search->best, name);
}

static void offer(struct search *search, const char *name, const char *path)
{
	wv_suggestion_offer(search->suggestion, name);
}

/*
 * Returns whether the folder @name has headers that kbuild generates, which authors do not include.
 */
static bool is_made(const char *name)
{
	return !strcmp(name, "config") || !strcmp(name, "generated");
}

static void walk_folder(struct search *search, const char *folder, const char *below)
{
	_cleanup_free_ char *path = NULL;
	char *roots[2] = { NULL };
	FTSENT *entry;
	FTS *walk;

	if (asprintf(&path, "%s/%s", folder, below) < 0)
		return;
	roots[0] = path;
	walk = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
	while (walk && (entry = fts_read(walk))) {
		const char *name = entry->fts_path + strlen(path) + 1;

		if (entry->fts_info == FTS_D && entry->fts_level == 1 && is_made(entry->fts_name))
			fts_set(walk, entry, FTS_SKIP);
		if (entry->fts_info != FTS_F || entry->fts_namelen < 3 ||
		    strcmp(entry->fts_name + entry->fts_namelen - 2, ".h"))
			continue;
		search->each(search, strncmp(name, "uapi/", 5) ? name : name + 5, entry->fts_path);
	}
	if (walk)
		fts_close(walk);
}

/*
 * Finds the folder of the kernel's sources if the kernel was built in another folder: the Makefile
 * in the build folder includes the Makefile of the sources. False: the kernel was built among its
 * sources, or @kernel has no such Makefile.
 */
static bool find_source(const char *kernel, char ret[PATH_MAX])
{
	_cleanup_free_ char *path = NULL;
	_cleanup_fclose_ FILE *stream = NULL;
	char line[PATH_MAX], *slash;

	if (asprintf(&path, "%s/Makefile", kernel) < 0)
		return false;
	stream = fopen(path, "re");
	while (stream && fgets(line, sizeof(line), stream)) {
		if (sscanf(line, "include %s", ret) != 1 || *ret != '/')
			continue;
		slash = strrchr(ret, '/');
		*slash = '\0';
		return !strcmp(slash + 1, "Makefile");
	}
	return false;
}

static void walk(struct search *search, const char *kernel)
{
	char source[PATH_MAX];

	walk_folder(search, kernel, "include");
	walk_folder(search, kernel, "arch/x86/include");
	if (!find_source(kernel, source))
		return;
	walk_folder(search, source, "include");
	walk_folder(search, source, "arch/x86/include");
}

bool wv_headers_define(const char *kernel, const char *type, char *ret, size_t size)
{
	struct search search = { .each = ask_for_type,
				 .type = type,
				 .type_n = strlen(type),
				 .best = ret,
				 .best_size = size };

	*ret = '\0';
	walk(&search, kernel);
	return *ret;
}

void wv_headers_suggest(const char *kernel, const char *header, struct wv_suggestion *ret)
{
	struct search search = { .each = offer, .suggestion = ret };

	*ret = (struct wv_suggestion){ .wanted = header };
	walk(&search, kernel);
	/*
	 * Keep only the nearest names: equal folders and the suffix .h make many other headers look
	 * similar.
	 */
	while (ret->n > 1 && ret->best[ret->n - 1].distance > ret->best[0].distance)
		ret->n--;
}
