// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads and writes recipes; see recipe.h. The file begins with the line FORMAT. Then come groups,
 * each with a line "NAME N" and N further lines. The last line is "end HASH", where HASH is a hash
 * of everything before that line.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "module/build-folder.h"
#include "module/recipe-probe.h"
#include "module/recipe.h"

/*
 * The first line of the file. Change it when the format of the file changes, or when weft learns
 * recipes in another way: then older recipes are not used any more.
 */
#define FORMAT "weft recipe 1\n"

void wv_recipe_deinit(struct wv_recipe *recipe)
{
	free(recipe->own);
	free(recipe->reason);
	free(recipe->directory);
	for (size_t i = 0; i < WV_RECIPE_STEPS; i++)
		wv_commands_deinit(&recipe->steps[i]);
	for (size_t i = 0; i < WV_RECIPE_TEXTS; i++)
		wv_str_deinit(&recipe->texts[i]);
	wv_vec_for_each(file, &recipe->files)
		free(file->path);
	wv_vec_deinit(&recipe->files);
	wv_vec_for_each(program, &recipe->programs) {
		free(program->name);
		free(program->path);
	}
	wv_vec_deinit(&recipe->programs);
	*recipe = (struct wv_recipe){ 0 };
}

static uint64_t hash(uint64_t before, const char *text, size_t n)
{
	uint64_t value = before ? before : 0xcbf29ce484222325;

	while (n--)
		value = (value ^ (unsigned char)*text++) * 0x100000001b3;
	return value;
}

/*
 * Returns a hash of the C and the makefile that weft gives to kbuild to learn a recipe. A version
 * of weft with another C or makefile has another hash, and so does not use this version's recipes.
 */
static uint64_t hash_of_sources(void)
{
	uint64_t value = hash(0, FORMAT, strlen(FORMAT));

	value = hash(value, wv_kbuild_text, strlen(wv_kbuild_text));
	return hash(value, wv_recipe_probe, strlen(wv_recipe_probe));
}

void wv_recipe_key(const struct wv_kbuild_folders *folders, char ret[17])
{
	uint64_t value = hash_of_sources();

	/* Hash the terminating zeros, too: else "ab", "c" would give the same hash as "a", "bc". */
	value = hash(value, folders->kernel, strlen(folders->kernel) + 1);
	value = hash(value, folders->runtime, strlen(folders->runtime) + 1);
	value = hash(value, folders->kmod, strlen(folders->kmod) + 1);
	snprintf(ret, 17, "%016llx", (unsigned long long)value);
}

/* ---- files and programs that a recipe depends on --------------------------------------------- */

/*
 * Sets the size and times in @ret to those that the file has now. A relative @path is in the
 * recipe's own folder. False: there is no such file.
 */
static bool file_now(const struct wv_recipe *recipe, const char *path, struct wv_recipe_file *ret)
{
	char inside[PATH_MAX];
	struct stat status;

	if (*path != '/' && snprintf(inside, PATH_MAX, "%s/%s", recipe->own, path) >= PATH_MAX)
		return false;
	if (stat(*path == '/' ? path : inside, &status) || !S_ISREG(status.st_mode))
		return false;
	ret->size = status.st_size;
	ret->modified = status.st_mtim.tv_sec * 1000000000LL + status.st_mtim.tv_nsec;
	ret->changed = status.st_ctim.tv_sec * 1000000000LL + status.st_ctim.tv_nsec;
	return true;
}

static bool is_unchanged(const struct wv_recipe *recipe, const struct wv_recipe_file *file)
{
	struct wv_recipe_file now;

	return file_now(recipe, file->path, &now) && now.size == file->size &&
	       now.modified == file->modified && now.changed == file->changed;
}

int wv_recipe_add_file(struct wv_recipe *recipe, const char *path, struct wv_error *error)
{
	struct wv_recipe_file now, *slot;

	if (!file_now(recipe, path, &now))
		return 0;
	wv_vec_for_each(file, &recipe->files)
		if (!strcmp(file->path, path))
			return 0;
	now.path = strdup(path);
	slot = now.path ? wv_vec_push(&recipe->files) : NULL;
	if (!slot) {
		free(now.path);
		return wv_no_memory(error);
	}
	*slot = now;
	return 0;
}

/* Finds the program @name in PATH, as a shell would; @ret gets its path. False: there is none. */
static bool find_program(const char *name, char ret[PATH_MAX])
{
	const char *list = getenv("PATH");
	struct stat status;

	for (list = list ? list : "/usr/bin:/bin"; *list; list += strspn(list, ":")) {
		int n = (int)strcspn(list, ":");

		if (snprintf(ret, PATH_MAX, "%.*s/%s", n, list, name) < PATH_MAX &&
		    !access(ret, X_OK) && !stat(ret, &status) && S_ISREG(status.st_mode))
			return true;
		list += n;
	}
	return false;
}

int wv_recipe_add_program(struct wv_recipe *recipe, const char *name, struct wv_error *error)
{
	struct wv_recipe_program *slot;
	char path[PATH_MAX];

	wv_vec_for_each(program, &recipe->programs)
		if (!strcmp(program->name, name))
			return 0;
	if (!find_program(name, path))
		return wv_fail(error, WV_E_FAILURE, "there is no program %s", name);
	slot = wv_vec_push(&recipe->programs);
	if (!slot)
		return wv_no_memory(error);
	slot->name = strdup(name);
	slot->path = strdup(path);
	if (!slot->name || !slot->path)
		return wv_no_memory(error);
	return wv_recipe_add_file(recipe, path, error);
}

static bool is_current(const struct wv_recipe *recipe)
{
	char path[PATH_MAX];

	wv_vec_for_each(program, &recipe->programs)
		if (!find_program(program->name, path) || strcmp(path, program->path))
			return false;
	wv_vec_for_each(file, &recipe->files)
		if (!is_unchanged(recipe, file))
			return false;
	return true;
}

/* ---- writing the file ------------------------------------------------------------------------ */

static void add_line(struct wv_str *out, const char *name, const char *line)
{
	wv_str_addf(out, "%s 1\n%s\n", name, line);
}

/* Adds a group whose lines are those of @text. Adds a newline if the last one has none. */
static void add_text(struct wv_str *out, const char *name, const char *text)
{
	size_t n = 0;

	for (const char *at = text; *at; at += *at == '\n') {
		at += strcspn(at, "\n");
		n++;
	}
	wv_str_addf(out, "%s %zu\n%s%s", name, n, text,
		    !n || text[strlen(text) - 1] == '\n' ? "" : "\n");
}

static void add_head(struct wv_str *out, const struct wv_kbuild_folders *folders)
{
	wv_str_add(out, FORMAT);
	wv_str_addf(out, "of 1\n%016llx\n", (unsigned long long)hash_of_sources());
	add_line(out, "kernel", folders->kernel);
	add_line(out, "runtime", folders->runtime);
	add_line(out, "kmod", folders->kmod);
}

int wv_recipe_write(const struct wv_recipe *recipe, const char *own,
		    const struct wv_kbuild_folders *folders, struct wv_error *error)
{
	_cleanup_str_ struct wv_str out = { 0 };

	add_head(&out, folders);
	if (recipe->reason)
		add_line(&out, "reason", recipe->reason);
	add_line(&out, "directory", recipe->directory ? recipe->directory : "");
	wv_str_addf(&out, "files %zu\n", recipe->files.n);
	wv_vec_for_each(file, &recipe->files)
		wv_str_addf(&out, "%lld %lld %lld %s\n", file->size, file->modified, file->changed,
			    file->path);
	wv_vec_for_each(program, &recipe->programs)
		wv_str_addf(&out, "program 2\n%s\n%s\n", program->name, program->path);
	for (size_t i = 0; i < WV_RECIPE_TEXTS; i++)
		add_text(&out, "text", wv_str_text(&recipe->texts[i]));
	for (size_t i = 0; i < WV_RECIPE_STEPS; i++)
		wv_vec_for_each(command, &recipe->steps[i]) {
			wv_str_addf(&out, "command-%zu %zu\n", i, command->words.n);
			wv_vec_for_each(word, &command->words)
				wv_str_addf(&out, "%s\n", *word);
		}
	if (out.failed)
		return wv_no_memory(error);
	wv_str_addf(&out, "end %016llx\n", (unsigned long long)hash(0, out.data, out.n));
	if (out.failed)
		return wv_no_memory(error);
	return wv_build_file_write(own, "recipe", out.data, error);
}

/* ---- reading the file ------------------------------------------------------------------------ */

/* A group of the file: its name, and its @n lines, each of which is terminated by a zero. */
struct group {
	char *name;
	size_t n;
	char *lines;
};

/* Returns the line at *@at, terminated by a zero, and moves *@at to the next one. NULL: no line. */
static char *next_line(char **at)
{
	char *line = *at, *end = strchr(line, '\n');

	if (!end)
		return NULL;
	*end = '\0';
	*at = end + 1;
	return line;
}

static bool next_group(char **at, struct group *ret)
{
	char *head = next_line(at), *blank = head ? strchr(head, ' ') : NULL, *end;

	if (!blank)
		return false;
	*blank = '\0';
	ret->name = head;
	ret->n = strtoull(blank + 1, &end, 10);
	ret->lines = *at;
	for (size_t i = 0; i < ret->n; i++)
		if (!next_line(at))
			return false;
	return !*end;
}

static bool set(char **where, const struct group *group)
{
	if (group->n != 1 || *where)
		return false;
	*where = strdup(group->lines);
	return *where;
}

static bool is_line(const struct group *group, const char *wanted)
{
	return group->n == 1 && !strcmp(group->lines, wanted);
}

static bool read_files(struct wv_recipe *recipe, const struct group *group)
{
	char *line = group->lines;

	for (size_t i = 0; i < group->n; i++, line += strlen(line) + 1) {
		struct wv_recipe_file *file = wv_vec_push(&recipe->files);
		int at = 0;

		if (!file || sscanf(line, "%lld %lld %lld %n", &file->size, &file->modified,
				    &file->changed, &at) != 3)
			return false;
		file->path = strdup(line + at);
		if (!file->path)
			return false;
	}
	return true;
}

static bool read_program(struct wv_recipe *recipe, const struct group *group)
{
	struct wv_recipe_program *program = wv_vec_push(&recipe->programs);

	if (!program || group->n != 2)
		return false;
	program->name = strdup(group->lines);
	program->path = strdup(group->lines + strlen(group->lines) + 1);
	return program->name && program->path;
}

static bool read_text(struct wv_recipe *recipe, size_t which, const struct group *group)
{
	char *line = group->lines;

	if (which >= WV_RECIPE_TEXTS)
		return false;
	for (size_t i = 0; i < group->n; i++, line += strlen(line) + 1)
		wv_str_addf(&recipe->texts[which], "%s\n", line);
	return !recipe->texts[which].failed;
}

static bool read_command(struct wv_recipe *recipe, const struct group *group)
{
	const unsigned long step = strtoul(strchr(group->name, '-') + 1, NULL, 10);
	struct wv_command *command;
	struct wv_error ignored;
	char *line = group->lines;

	if (step >= WV_RECIPE_STEPS || !group->n)
		return false;
	command = wv_vec_push(&recipe->steps[step]);
	for (size_t i = 0; command && i < group->n; i++, line += strlen(line) + 1)
		if (wv_command_add(command, line, &ignored))
			return false;
	return command;
}

/* Reads all groups, from @at on. False: they are not what wv_recipe_write() writes for @folders. */
static bool read_groups(struct wv_recipe *recipe, char *at,
			const struct wv_kbuild_folders *folders)
{
	struct group group;
	size_t texts = 0;
	bool ok = true;
	char of[17];

	snprintf(of, sizeof(of), "%016llx", (unsigned long long)hash_of_sources());
	while (ok && *at && next_group(&at, &group)) {
		if (!strcmp(group.name, "of"))
			ok = is_line(&group, of);
		else if (!strcmp(group.name, "kernel"))
			ok = is_line(&group, folders->kernel);
		else if (!strcmp(group.name, "runtime"))
			ok = is_line(&group, folders->runtime);
		else if (!strcmp(group.name, "kmod"))
			ok = is_line(&group, folders->kmod);
		else if (!strcmp(group.name, "reason"))
			ok = set(&recipe->reason, &group);
		else if (!strcmp(group.name, "directory"))
			ok = set(&recipe->directory, &group);
		else if (!strcmp(group.name, "files"))
			ok = read_files(recipe, &group);
		else if (!strcmp(group.name, "program"))
			ok = read_program(recipe, &group);
		else if (!strcmp(group.name, "text"))
			ok = read_text(recipe, texts++, &group);
		else
			ok = !strncmp(group.name, "command-", 8) && read_command(recipe, &group);
	}
	return ok && !*at && texts == WV_RECIPE_TEXTS;
}

/*
 * Checks the first line and the hash in the last one, and cuts the last line off. False: the text
 * is damaged, or of another version.
 */
static bool check_end(struct wv_str *text)
{
	static const char end[] = "end ";
	const size_t size = sizeof(end) - 1 + 16 + 1, head = strlen(FORMAT);
	char wanted[32];

	if (text->failed || text->n < size + head || memcmp(text->data, FORMAT, head))
		return false;
	text->n -= size;
	snprintf(wanted, sizeof(wanted), "%s%016llx\n", end,
		 (unsigned long long)hash(0, text->data, text->n));
	if (strcmp(text->data + text->n, wanted))
		return false;
	text->data[text->n] = '\0';
	return true;
}

bool wv_recipe_read(struct wv_recipe *ret, const char *own,
		    const struct wv_kbuild_folders *folders)
{
	_cleanup_str_ struct wv_str text = { 0 };
	char path[PATH_MAX];

	*ret = (struct wv_recipe){ 0 };
	if ((size_t)snprintf(path, sizeof(path), "%s/recipe", own) >= sizeof(path))
		return false;
	wv_build_file_read(path, &text);
	ret->own = strdup(own);
	if (ret->own && check_end(&text) &&
	    read_groups(ret, text.data + strlen(FORMAT), folders) && is_current(ret))
		return true;
	wv_recipe_deinit(ret);
	return false;
}

/*
 * Expands what follows a WV_RECIPE_LENGTH placeholder at @text: "+N;" adds N + @length to @ret,
 * "-N;" adds N - @length, but at least 0. @length is that of the module's name. Returns the text
 * after the semicolon.
 */
static const char *expand_length(const char *text, size_t length, struct wv_str *ret)
{
	char *end;
	unsigned long n = strtoul(text + 1, &end, 10);

	wv_str_addf(ret, "%lu", *text == '+' ? n + length : n > length ? n - length : 0);
	return end + (*end == ';');
}

void wv_recipe_expand(const struct wv_recipe *recipe, const char *text, const char *folder,
		      const char *name, struct wv_str *ret)
{
	static const char marks[] = { WV_RECIPE_FOLDER, WV_RECIPE_NAME, WV_RECIPE_OWN,
				      WV_RECIPE_LENGTH, '\0' };

	for (;;) {
		size_t n = strcspn(text, marks);

		wv_str_add_n(ret, text, n);
		text += n;
		if (!*text)
			return;
		text++;
		if (text[-1] == WV_RECIPE_LENGTH)
			text = expand_length(text, strlen(name), ret);
		else
			wv_str_add(ret, text[-1] == WV_RECIPE_FOLDER ? folder :
					text[-1] == WV_RECIPE_NAME   ? name :
								       recipe->own);
	}
}
