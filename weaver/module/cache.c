// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes keys, and manages the cache's folder; see cache.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "module/cache.h"
#include "base/cleanup.h"
#include "base/own-folder.h"
#include "base/replace.h"

/*
 * A hash of 128 bits: FNV-1a twice, from different starts. Long enough that two keys are never
 * equal by accident.
 */
struct key {
	uint64_t half[2];
};

static void add_bytes(struct key *key, const void *bytes, size_t n)
{
	const uint64_t prime = 0x100000001b3;

	for (const uint8_t *byte = bytes; n--; byte++) {
		key->half[0] = (key->half[0] ^ *byte) * prime;
		key->half[1] = (key->half[1] ^ *byte ^ (key->half[1] >> 32)) * prime;
	}
}

/*
 * Adds the @n bytes to the key, and their number: else "ab" and "c" would give the same key as "a"
 * and "bc".
 */
static void add_part(struct key *key, const void *bytes, size_t n)
{
	uint64_t size = n;

	add_bytes(key, &size, sizeof(size));
	add_bytes(key, bytes, n);
}

static int add_file(struct key *key, const char *path, struct wv_error *error)
{
	_cleanup_fclose_ FILE *stream = fopen(path, "re");
	char buffer[16384];
	uint64_t size = 0;
	size_t n;

	if (!stream)
		return wv_fail_errno(error, errno, "%s", path);
	while ((n = fread(buffer, 1, sizeof(buffer), stream))) {
		add_bytes(key, buffer, n);
		size += n;
	}
	if (ferror(stream))
		return wv_fail_errno(error, errno, "%s", path);
	add_bytes(key, &size, sizeof(size));
	return 0;
}

static int add_file_in(struct key *key, const char *folder, const char *name,
		       struct wv_error *error)
{
	char path[PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), "%s/%s", folder, name) >= sizeof(path))
		return wv_fail_errno(error, ENAMETOOLONG, "%s", folder);
	return add_file(key, path, error);
}

/*
 * Adds a file's size and modification time instead of its content, for files that take long to
 * read.
 */
static int add_status(struct key *key, const char *path, struct wv_error *error)
{
	struct stat status;
	int64_t facts[3];

	if (stat(path, &status))
		return wv_fail_errno(error, errno, "%s", path);
	facts[0] = status.st_size;
	facts[1] = status.st_mtim.tv_sec;
	facts[2] = status.st_mtim.tv_nsec;
	add_bytes(key, facts, sizeof(facts));
	return 0;
}

static int is_header(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);

	return n > 2 && !strcmp(entry->d_name + n - 2, ".h");
}

static int add_headers(struct key *key, const char *folder, struct wv_error *error)
{
	struct dirent **headers;
	int n = scandir(folder, &headers, is_header, alphasort), ret = 0;

	if (n < 0)
		return wv_fail_errno(error, errno, "%s", folder);
	for (int i = 0; i < n; i++) {
		if (!ret)
			ret = add_file_in(key, folder, headers[i]->d_name, error);
		free(headers[i]);
	}
	free(headers);
	return ret;
}

static int add_signing(struct key *key, const struct wv_signing *signing, struct wv_error *error)
{
	int failed;

	if (!signing->tool[0])
		return 0;
	add_part(key, signing->key, strlen(signing->key));
	add_part(key, signing->hash, strlen(signing->hash));
	failed = wv_signing_key_is_file(signing->key) ? add_status(key, signing->key, error) : 0;
	return failed ? failed : add_status(key, signing->certificate, error);
}

/*
 * Adds the state of the file at @path to the key: its size and time, or that there is no such file.
 */
static void add_state(struct key *key, const char *path)
{
	struct wv_error ignored;

	if (add_status(key, path, &ignored))
		add_bytes(key, "none", 4);
}

/*
 * Adds the states of the programs that @line of an aspect names in attributes `program`, and of
 * their databases, to the key: a module is made for one build of each program.
 */
static void add_programs(struct key *key, const char *line)
{
	static const char attribute[] = "program";
	char path[PATH_MAX], database[PATH_MAX + 8];

	for (const char *at = line; (at = strstr(at, attribute)); at++) {
		const char *value = at + strlen(attribute);
		size_t n;

		value += strspn(value, " \t=");
		if (*value != '"' && *value != '\'')
			continue;
		n = strcspn(value + 1, *value == '"' ? "\"" : "'");
		if (n >= sizeof(path))
			continue;
		memcpy(path, value + 1, n);
		path[n] = '\0';
		snprintf(database, sizeof(database), "%s.weft", path);
		add_state(key, path);
		add_state(key, database);
	}
}

static int add_programs_of(struct key *key, const struct wv_cache_inputs *inputs,
			   struct wv_error *error)
{
	_cleanup_fclose_ FILE *stream = NULL;
	_cleanup_free_ char *line = NULL;
	size_t room = 0;

	if (inputs->text) {
		add_programs(key, wv_str_text(inputs->text));
		return 0;
	}
	stream = fopen(inputs->aspect, "re");
	if (!stream)
		return wv_fail_errno(error, errno, "%s", inputs->aspect);
	while (getline(&line, &room, stream) > 0)
		add_programs(key, line);
	return 0;
}

/*
 * Adds the aspect's text to the key. A text in a file and the same text in memory give the same
 * key.
 */
static int add_aspect(struct key *key, const struct wv_cache_inputs *inputs,
		      struct wv_error *error)
{
	uint64_t size;

	if (!inputs->text)
		return add_file(key, inputs->aspect, error);
	size = inputs->text->n;
	add_bytes(key, wv_str_text(inputs->text), size);
	add_bytes(key, &size, sizeof(size));
	return 0;
}

/* Adds the files on which the module of every aspect depends, whatever its text is. */
static int add_surroundings(struct key *key, const struct wv_cache_inputs *inputs,
			    struct wv_error *error)
{
	int failed = add_file_in(key, inputs->kernel, ".config", error);

	if (!failed)
		failed = add_file_in(key, inputs->kmod, "Module.symvers", error);
	if (!failed)
		failed = add_headers(key, inputs->runtime, error);
	if (!failed)
		failed = add_status(key, inputs->db, error);
	return failed ? failed : add_status(key, "/proc/self/exe", error);
}

static struct key begin_key(const struct wv_cache_inputs *inputs, const char *name)
{
	struct key key = { { 0xcbf29ce484222325, 0x6c62272e07bb0142 } };

	add_part(&key, name, strlen(name));
	add_part(&key, inputs->build_id, inputs->build_id_size);
	add_part(&key, inputs->kernel, strlen(inputs->kernel));
	add_bytes(&key, &inputs->filtered, sizeof(inputs->filtered));
	return key;
}

static int make_key(const struct wv_cache_inputs *inputs, struct key *ret, struct wv_error *error)
{
	const char *name = strrchr(inputs->aspect, '/');
	int failed;

	/* add the file's name: the module contains it, in messages and #line directives */
	*ret = begin_key(inputs, name ? name + 1 : inputs->aspect);
	failed = add_signing(ret, inputs->signing, error);
	if (!failed)
		failed = add_aspect(ret, inputs, error);
	if (!failed)
		failed = add_programs_of(ret, inputs, error);
	return failed ? failed : add_surroundings(ret, inputs, error);
}

/* ---- managing the cache's folder ------------------------------------------------------------- */

int wv_cache_folder(const char *name, const char *what, char path[PATH_MAX],
		    struct wv_error *error)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	bool own = cache && cache[0] == '/';
	int n;

	if (!own && (!home || home[0] != '/'))
		return wv_fail(error, WV_E_FAILURE,
			       "no folder for %s: neither XDG_CACHE_HOME nor HOME is "
			       "set; name the module with `weft compile -o`", what);
	n = snprintf(path, PATH_MAX, "%s%s/weft/%s", own ? cache : home, own ? "" : "/.cache",
		     name);
	if (n < 0 || n >= PATH_MAX - 64)
		return wv_fail_errno(error, ENAMETOOLONG, "the folder for %s", what);
	for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		/* If the folder cannot be made, the code after the loop reports it. */
		mkdir(path, 0700);
		*slash = '/';
	}
	if (mkdir(path, 0700) && errno != EEXIST)
		return wv_fail_errno(error, errno, "%s", path);
	return wv_own_folder_check(path, what, "XDG_CACHE_HOME", error);
}

/* Sets @path to the path of the file of @key in the folder @name of the cache. */
static int path_of(const struct key *key, const char *name, const char *what, char path[PATH_MAX],
		   struct wv_error *error)
{
	int ret = wv_cache_folder(name, what, path, error);
	size_t n;

	if (ret)
		return ret;
	n = strlen(path);
	snprintf(path + n, PATH_MAX - n, "/%016llx%016llx.ko", (unsigned long long)key->half[0],
		 (unsigned long long)key->half[1]);
	return 0;
}

int wv_cache_path(const struct wv_cache_inputs *inputs, char path[PATH_MAX], struct wv_error *error)
{
	struct key key;
	int ret = make_key(inputs, &key, error);

	return ret ? ret : path_of(&key, "aspects", "compiled aspects", path, error);
}

int wv_cache_template_path(const struct wv_cache_inputs *inputs, const struct wv_str *source,
			   char path[PATH_MAX], struct wv_error *error)
{
	struct key key = begin_key(inputs, "");
	int ret;

	add_part(&key, wv_str_text(source), source->n);
	ret = add_surroundings(&key, inputs, error);
	return ret ? ret : path_of(&key, "templates", "templates of aspects", path, error);
}

bool wv_cache_has(const char *path)
{
	return !access(path, R_OK) && (utimensat(AT_FDCWD, path, NULL, 0), true);
}

/*
 * Sets @ret to the path of the file KEY.notes, which has the messages of the compile of the module
 * @path, KEY.ko.
 */
static void notes_path(const char *path, char ret[PATH_MAX])
{
	snprintf(ret, PATH_MAX, "%.*s.notes", (int)(strlen(path) - strlen(".ko")), path);
}

void wv_cache_note(const char *path, const char *notes)
{
	char beside[PATH_MAX];
	struct wv_error ignored;

	notes_path(path, beside);
	/* No error is reported: a module without its notes can still be used. */
	if (!notes ||
	    wv_replace_file(beside, (const unsigned char *)notes, strlen(notes), &ignored))
		unlink(beside);
}

void wv_cache_notes(const char *path, struct wv_str *out)
{
	_cleanup_fclose_ FILE *file = NULL;
	char beside[PATH_MAX], text[4096];
	size_t n;

	notes_path(path, beside);
	file = fopen(beside, "re");
	while (file && (n = fread(text, 1, sizeof(text), file)))
		wv_str_add_n(out, text, n);
}

static int is_module(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);

	return n > 3 && !strcmp(entry->d_name + n - 3, ".ko");
}

/*
 * Finds the least recently used module in @folder; returns how many modules there are, or a
 * negative number if the folder cannot be read.
 */
static int find_oldest(const char *folder, char oldest[PATH_MAX])
{
	struct dirent **modules;
	struct timespec when = { 0 };
	int n = scandir(folder, &modules, is_module, NULL);

	for (int i = 0; i < n; i++) {
		char path[PATH_MAX];
		struct stat status;
		bool fits = (size_t)snprintf(path, sizeof(path), "%s/%s", folder,
					     modules[i]->d_name) < sizeof(path);

		if (fits && !stat(path, &status) &&
		    (!when.tv_sec || status.st_mtim.tv_sec < when.tv_sec ||
		     (status.st_mtim.tv_sec == when.tv_sec &&
		      status.st_mtim.tv_nsec < when.tv_nsec))) {
			when = status.st_mtim;
			strcpy(oldest, path);
		}
		free(modules[i]);
	}
	if (n >= 0)
		free(modules);
	return n;
}

void wv_cache_trim(const char *path)
{
	char folder[PATH_MAX], oldest[PATH_MAX] = "", notes[PATH_MAX];

	snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(path, '/') - path), path);
	while (find_oldest(folder, oldest) > WV_CACHE_MAX && *oldest) {
		if (unlink(oldest))
			return;
		notes_path(oldest, notes);
		unlink(notes);
	}
}
