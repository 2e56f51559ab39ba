// SPDX-License-Identifier: GPL-2.0-or-later
/* Learns a recipe from kbuild; see recipe-learn.h. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/child.h"
#include "base/cleanup.h"
#include "module/build-folder.h"
#include "module/recipe-learn.h"
#include "module/recipe-probe.h"
#include "module/recipe-run.h"
#include "module/recipe-words.h"

/*
 * The names of the modules from which a recipe is learned. Their lengths differ, so that a number
 * in a command that is the length of a name is noticed. The recipe is learned from the first two
 * and proven on all three.
 */
static const char *const probes[] = { "weft_probe", "weft_probe_of_a_longer_name", "weft_p" };
enum { PROBES = 3 };

/*
 * Lines for the Kbuild file: make writes the folder in which kbuild's commands run, and the folder
 * of the kernel's source, to two files.
 */
static const char where[] = "$(file >$(src)/weft.directory,$(CURDIR))\n"
			    "$(file >$(src)/weft.source,$(abspath $(srctree)))\n";

struct learner {
	struct wv_recipe *recipe;
	const struct wv_kbuild_folders *folders;
	const char *own;       /* the folder that the recipe is being written to */
	char folder[PATH_MAX]; /* temporary folder in which the probes are built */
	char log[PATH_MAX + 8];
	char directory[PATH_MAX]; /* the folder in which kbuild's commands run */
	char source[PATH_MAX];	  /* the folder of the kernel's source */
	struct wv_error *error;
};

static int path_in(char ret[PATH_MAX], const char *folder, const char *name,
		   struct wv_error *error)
{
	if (snprintf(ret, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX)
		return wv_fail_errno(error, ENAMETOOLONG, "%s", folder);
	return 0;
}

/* Sets @ret to the first line of the file @name in the probes' folder. */
static int read_line(struct learner *learner, const char *name, char ret[PATH_MAX])
{
	_cleanup_str_ struct wv_str text = { 0 };
	char path[PATH_MAX];
	int failed = path_in(path, learner->folder, name, learner->error);

	if (failed)
		return failed;
	wv_build_file_read(path, &text);
	snprintf(ret, PATH_MAX, "%.*s", (int)strcspn(wv_str_text(&text), "\n"),
		 wv_str_text(&text));
	return *ret ? 0 : wv_fail(learner->error, WV_E_FAILURE, "kbuild has not written %s", name);
}

/* ---- telling failures that may pass from those that last ------------------------------------- */

/*
 * Number of bytes that is more than a recipe and its probes ever need. If the disk has less free
 * space, a command may have failed only for lack of space.
 */
enum { ROOM = 128 << 20 };

static bool has_room(const char *folder)
{
	struct statvfs status;

	return statvfs(folder, &status) || status.f_bavail * status.f_frsize >= ROOM;
}

/*
 * Returns whether the command that has failed may succeed later: its output, or the free space,
 * suggests that it lacked space or memory.
 */
static bool may_pass(const struct learner *learner)
{
	static const char *const words[] = { "No space left on device", "Disk quota exceeded",
					     "File too large", "Cannot allocate memory",
					     "out of memory", "memory exhausted", "Killed",
					     "Too many open files", "Input/output error" };
	_cleanup_str_ struct wv_str log = { 0 };

	wv_build_file_read(learner->log, &log);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strstr(wv_str_text(&log), words[i]))
			return true;
	return log.failed || !has_room(learner->folder) || !has_room(learner->own);
}

/*
 * Reports a failure, with the message "@what @fails". Returns -WV_E_FORMAT if this kernel's kbuild
 * is the cause, so that every further try would fail. Returns another code if there was no room or
 * memory, so that a later try may succeed.
 */
static int command_fails(struct learner *learner, const char *what, const char *fails)
{
	if (may_pass(learner))
		return wv_fail(learner->error, WV_E_FAILURE, "%s %s: no room or memory", what,
			       fails);
	return wv_fail(learner->error, WV_E_FORMAT, "%s %s", what, fails);
}

/* ---- reading the commands of kbuild ---------------------------------------------------------- */

/*
 * Reads the commands by which kbuild built the probe @name. Replaces its name and folder in them by
 * placeholder bytes, so that the commands apply to any module.
 */
static int read_steps(struct learner *learner, const char *name, wv_commands steps[WV_RECIPE_STEPS])
{
	static const char *const files[WV_RECIPE_STEPS] = {
		[WV_RECIPE_SOURCE] = ".%s.o.cmd",
		[WV_RECIPE_MODPOST] = ".Module.symvers.cmd",
		[WV_RECIPE_SECOND] = ".%s.mod.o.cmd",
		[WV_RECIPE_LINK] = ".%s.ko.cmd",
	};
	int ret = 0;

	for (size_t i = 0; i < WV_RECIPE_STEPS && !ret; i++) {
		char file[128], path[PATH_MAX];

		snprintf(file, sizeof(file), files[i], name);
		ret = path_in(path, learner->folder, file, learner->error);
		if (!ret)
			ret = wv_commands_read(path, &steps[i], learner->error);
		wv_vec_for_each(command, &steps[i])
			wv_vec_for_each(word, &command->words)
				if (!ret)
					ret = wv_recipe_generalize(word, learner->folder, name,
								   learner->error);
	}
	return ret;
}

static int read_texts(struct learner *learner, const char *name, struct wv_str *objects,
		      struct wv_str *list)
{
	_cleanup_str_ struct wv_str order = { 0 };
	char path[PATH_MAX], file[128];
	int ret;

	snprintf(file, sizeof(file), "%s.mod", name);
	ret = path_in(path, learner->folder, file, learner->error);
	if (ret)
		return ret;
	wv_build_file_read(path, objects);
	ret = path_in(path, learner->folder, "modules.order", learner->error);
	if (ret)
		return ret;
	wv_build_file_read(path, &order);
	if (objects->failed || order.failed)
		return wv_no_memory(learner->error);
	if (!objects->data)
		return wv_fail(learner->error, WV_E_FORMAT, "kbuild has written no %s", file);
	ret = wv_recipe_generalize(&objects->data, learner->folder, name, learner->error);
	return ret ? ret : wv_recipe_list_line(wv_str_text(&order), learner->folder, name, list,
					       learner->error);
}

/*
 * Reads the commands and texts of the first two probes, and checks that they are equal, apart from
 * the names that placeholder bytes replace.
 */
static int read_all(struct learner *learner)
{
	struct wv_recipe *recipe = learner->recipe;
	wv_commands other[WV_RECIPE_STEPS] = { 0 };
	struct wv_str objects = { 0 }, list = { 0 };
	int ret = read_steps(learner, probes[0], recipe->steps);
	bool same = true;

	if (!ret)
		ret = read_texts(learner, probes[0], &recipe->texts[WV_RECIPE_OBJECTS],
				 &recipe->texts[WV_RECIPE_LIST]);
	if (!ret)
		ret = read_steps(learner, probes[1], other);
	if (!ret)
		ret = read_texts(learner, probes[1], &objects, &list);
	for (size_t i = 0; i < WV_RECIPE_STEPS; i++) {
		same &= wv_commands_equal(&recipe->steps[i], &other[i]);
		wv_commands_deinit(&other[i]);
	}
	same &= !strcmp(wv_str_text(&objects), wv_str_text(&recipe->texts[WV_RECIPE_OBJECTS])) &&
		!strcmp(wv_str_text(&list), wv_str_text(&recipe->texts[WV_RECIPE_LIST]));
	wv_str_deinit(&objects);
	wv_str_deinit(&list);
	if (ret || same)
		return ret;
	return wv_fail(learner->error, WV_E_FORMAT,
		       "kbuild's commands for two modules differ in more than their names");
}

/* ---- collecting the files and programs that the recipe depends on ---------------------------- */

/*
 * Adds a file that the recipe depends on. @name may be relative to the folder in which the commands
 * run. Temporary files of this run are not added.
 */
static int add_file(struct learner *learner, const char *name)
{
	char path[PATH_MAX];
	int ret;

	if (!strncmp(name, learner->folder, strlen(learner->folder)) ||
	    !strncmp(name, learner->own, strlen(learner->own)))
		return 0;
	if (*name == '/')
		return wv_recipe_add_file(learner->recipe, name, learner->error);
	ret = path_in(path, learner->directory, name, learner->error);
	return ret ? ret : wv_recipe_add_file(learner->recipe, path, learner->error);
}

static int is_makefile(const struct dirent *entry)
{
	return !strncmp(entry->d_name, "Makefile", 8) || !strncmp(entry->d_name, "Kbuild", 6) ||
	       !strncmp(entry->d_name, "module.lds", 10);
}

/* Adds the makefiles and configuration files that kbuild reads in @folder for any module. */
static int add_makefiles(struct learner *learner, const char *folder)
{
	static const char *const known[] = { "Makefile", "arch/x86/Makefile", ".config",
					     "include/config/auto.conf",
					     "include/config/kernel.release" };
	char path[PATH_MAX];
	struct dirent **list;
	int n, ret = 0;

	for (size_t i = 0; i < sizeof(known) / sizeof(*known) && !ret; i++) {
		ret = path_in(path, folder, known[i], learner->error);
		if (!ret)
			ret = wv_recipe_add_file(learner->recipe, path, learner->error);
	}
	if (!ret)
		ret = path_in(path, folder, "scripts", learner->error);
	n = ret ? -1 : scandir(path, &list, is_makefile, alphasort);
	for (int i = 0; i < n; i++) {
		char file[PATH_MAX];

		if (!ret)
			ret = path_in(file, path, list[i]->d_name, learner->error);
		if (!ret)
			ret = wv_recipe_add_file(learner->recipe, file, learner->error);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	return ret;
}

/*
 * Adds the programs that the commands run, and the files that the commands name. modpost's files
 * are left out: modpost runs for every module, and reads them again.
 */
static int add_programs(struct learner *learner)
{
	int ret = 0;

	for (size_t i = 0; i < WV_RECIPE_STEPS; i++)
		wv_vec_for_each(command, &learner->recipe->steps[i]) {
			const char *program = command->words.data[0];

			if (!ret)
				ret = strchr(program, '/')
					      ? add_file(learner, program)
					      : wv_recipe_add_program(learner->recipe, program,
								      learner->error);
			wv_vec_for_each(word, &command->words)
				if (!ret && i != WV_RECIPE_MODPOST && strchr(*word, '/') &&
				    !strpbrk(*word, "\001\002\003"))
					ret = add_file(learner, *word);
		}
	return ret;
}

/* Adds the programs that the compiler runs to the files that the recipe depends on. */
static int add_inner_programs(struct learner *learner)
{
	static const char *const names[] = { "cc1", "as" };
	const struct wv_command *compiler = &learner->recipe->steps[WV_RECIPE_SOURCE].data[0];
	int ret = 0;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !ret; i++) {
		_cleanup_str_ struct wv_str said = { 0 };
		char option[64], log[PATH_MAX + 32];
		char *argv[] = { compiler->words.data[0], option, NULL };
		bool ok;

		snprintf(option, sizeof(option), "-print-prog-name=%s", names[i]);
		snprintf(log, sizeof(log), "%s/weft.%s", learner->folder, names[i]);
		ret = wv_child_succeeds(&(struct wv_child){ .argv = argv, .log = log,
							    .folder = learner->directory },
					&ok, learner->error);
		if (ret)
			return ret;
		wv_build_file_read(log, &said);
		if (said.failed || !said.data)
			return wv_fail(learner->error, WV_E_FORMAT,
				       "the compiler does not say where its %s is", names[i]);
		said.data[strcspn(said.data, "\n")] = '\0';
		ret = strchr(said.data, '/') ? add_file(learner, said.data)
					     : wv_recipe_add_program(learner->recipe, said.data,
								     learner->error);
	}
	return ret;
}

/* Adds the files in the list of prerequisites @path, a makefile's rule that the compiler wrote. */
static int add_prerequisites(struct learner *learner, const char *path)
{
	_cleanup_str_ struct wv_str text = { 0 };
	char *at, *word;
	int ret = 0;

	wv_build_file_read(path, &text);
	at = text.data ? strchr(text.data, ':') : NULL;
	if (text.failed || !at)
		return wv_fail(learner->error, WV_E_FORMAT,
			       "the compiler does not say which headers it has read");
	for (at++; !ret && (word = strtok_r(at, " \t\n\\", &at));)
		ret = add_file(learner, word);
	return ret;
}

/* ---- making the precompiled headers ---------------------------------------------------------- */

/* Precompiles the header @name, whose text is @text, by the first command of @step. */
static int precompile(struct learner *learner, enum wv_recipe_step step, const char *name,
		      const char *text)
{
	const struct wv_recipe *recipe = learner->recipe;
	struct wv_command command = { 0 };
	char header[PATH_MAX], compiled[PATH_MAX + 8], rule[PATH_MAX + 8], graph[2 * PATH_MAX];
	const char *const more[] = { "-x", "c-header", header, "-o", compiled, "-MD", "-MF", rule,
				     NULL };
	bool ok;
	int ret = wv_build_file_write(learner->own, name, text, learner->error);

	if (!ret)
		ret = path_in(header, learner->own, name, learner->error);
	if (!ret)
		ret = wv_recipe_header_command(&recipe->steps[step].data[0], &command,
					       learner->error);
	if (!ret) {
		snprintf(compiled, sizeof(compiled), "%s.gch", header);
		snprintf(rule, sizeof(rule), "%s.d", header);
		ret = wv_recipe_run_command(recipe, &command, more, probes[0], learner->folder,
					    learner->log, &ok, learner->error);
	}
	wv_command_deinit(&command);
	if (ret)
		return ret;
	if (!ok)
		return command_fails(learner, name, "cannot be precompiled");
	ret = add_prerequisites(learner, rule);
	unlink(rule);
	/* Remove the call graph that GCC writes for the header: nothing reads it. */
	snprintf(graph, sizeof(graph), "%s-%.*s.ci", compiled, (int)strcspn(name, "."), name);
	unlink(graph);
	return ret;
}

/*
 * Adds declarations to the text WV_RECIPE_NAMES: those that GCC loses when it reads a precompiled
 * aspect.h (wv_recipe_add_registers()).
 */
static int remind(struct learner *learner)
{
	struct wv_recipe *recipe = learner->recipe;
	_cleanup_str_ struct wv_str text = { 0 };
	struct wv_command command = { 0 };
	char header[PATH_MAX], path[PATH_MAX + 16];
	const char *const more[] = { "-E", "-P", "-o", path, header, NULL };
	bool ok = true;
	int ret = path_in(header, learner->own, WV_RECIPE_HEADER, learner->error);

	snprintf(path, sizeof(path), "%s/weft.i", learner->folder);
	if (!ret)
		ret = wv_recipe_header_command(&recipe->steps[WV_RECIPE_SOURCE].data[0], &command,
					       learner->error);
	if (!ret)
		ret = wv_recipe_run_command(recipe, &command, more, probes[0], learner->folder,
					    learner->log, &ok, learner->error);
	wv_command_deinit(&command);
	if (ret || !ok)
		return ret ? ret : command_fails(learner, "the headers", "cannot be preprocessed");
	wv_build_file_read(path, &text);
	wv_recipe_add_registers(wv_str_text(&text), &recipe->texts[WV_RECIPE_NAMES]);
	return text.failed || recipe->texts[WV_RECIPE_NAMES].failed ?
		       wv_no_memory(learner->error) : 0;
}

/*
 * Changes the commands of both compilers (for the source, and for modpost's .mod.c) so that they
 * use the recipe's precompiled headers, and makes these headers.
 */
static int learn_headers(struct learner *learner)
{
	struct wv_recipe *recipe = learner->recipe;
	_cleanup_str_ struct wv_str first = { 0 }, second = { 0 }, text = { 0 };
	char path[PATH_MAX], name[64];
	int ret = wv_recipe_use_header(&recipe->steps[WV_RECIPE_SOURCE], WV_RECIPE_HEADER,
				       ".names.h", learner->folders->runtime, learner->directory,
				       &recipe->texts[WV_RECIPE_NAMES], &first, learner->error);

	if (!ret)
		ret = wv_recipe_use_header(&recipe->steps[WV_RECIPE_SECOND],
					   WV_RECIPE_SECOND_HEADER, ".mod.names.h",
					   learner->folders->runtime, learner->directory,
					   &recipe->texts[WV_RECIPE_SECOND_NAMES], &second,
					   learner->error);
	if (ret)
		return ret;
	wv_recipe_add_includes(wv_recipe_probe, &first);
	snprintf(name, sizeof(name), "%s.mod.c", probes[0]);
	ret = path_in(path, learner->folder, name, learner->error);
	if (ret)
		return ret;
	wv_build_file_read(path, &text);
	wv_recipe_add_includes(wv_str_text(&text), &second);
	if (text.failed || first.failed || second.failed)
		return wv_no_memory(learner->error);
	ret = precompile(learner, WV_RECIPE_SOURCE, WV_RECIPE_HEADER, wv_str_text(&first));
	if (!ret)
		ret = remind(learner);
	return ret ? ret : precompile(learner, WV_RECIPE_SECOND, WV_RECIPE_SECOND_HEADER,
				      wv_str_text(&second));
}

/* ---- comparing the recipe's modules with kbuild's -------------------------------------------- */

/*
 * Reads the module @path into @ret, to be compared with another build of the same module. Two
 * things differ between such builds and do not count:
 * - The debug information has names of temporary files. It is stripped; the kernel does not load
 *   it.
 * - The build-id is a hash that includes the debug information. Its 20 bytes are set to zero.
 */
static int read_module(struct learner *learner, char *path, struct wv_str *ret)
{
	static const char note[] = "\4\0\0\0\24\0\0\0\3\0\0\0GNU";
	char *argv[] = { "strip", "-g", path, NULL };
	bool ok;
	int failed = wv_child_succeeds(&(struct wv_child){ .argv = argv, .log = learner->log }, &ok,
				       learner->error);
	char *at;

	if (failed)
		return failed;
	wv_build_file_read(path, ret);
	if (ret->failed || !ret->data || !ok)
		return command_fails(learner, path, "cannot be read");
	at = memmem(ret->data, ret->n, note, sizeof(note));
	if (at && (size_t)(ret->data + ret->n - at) >= sizeof(note) + 20)
		memset(at + sizeof(note), 0, 20);
	return 0;
}

/*
 * Builds the probe @name by the recipe, and fails unless the module is the same as the one that
 * kbuild built.
 */
static int prove(struct learner *learner, const char *name)
{
	_cleanup_str_ struct wv_str kbuilds = { 0 }, ours = { 0 };
	char made[PATH_MAX + 64], kept[PATH_MAX + 80];
	bool ok = true;
	int ret;

	snprintf(made, sizeof(made), "%s/%s.ko", learner->folder, name);
	snprintf(kept, sizeof(kept), "%s/%s.ko.kbuild", learner->folder, name);
	if (access(kept, F_OK) && rename(made, kept))
		return wv_fail_errno(learner->error, errno, "%s", made);
	ret = wv_recipe_run(learner->recipe, name, learner->folder, learner->log, &ok,
			    learner->error);
	if (!ret && !ok)
		ret = command_fails(learner, "kbuild's commands", "fail without it");
	if (!ret)
		ret = read_module(learner, kept, &kbuilds);
	if (!ret)
		ret = read_module(learner, made, &ours);
	if (ret || (kbuilds.n == ours.n && !memcmp(kbuilds.data, ours.data, ours.n)))
		return ret;
	return wv_fail(learner->error, WV_E_FORMAT,
		       "kbuild's commands make another module than kbuild does");
}

/* ---- learning the assembler text of modpost's .mod.c ----------------------------------------- */

/*
 * Compiles the .mod.c that modpost has written for the probe @name to assembler text, and replaces
 * the probe's name and folder in it by placeholder bytes.
 */
static int read_assembly(struct learner *learner, const char *name, struct wv_str *ret)
{
	const struct wv_command *compiler = &learner->recipe->steps[WV_RECIPE_SECOND].data[0];
	char file[PATH_MAX + 64];
	const char *const more[] = { "-S", "-o", file, NULL };
	bool ok;
	int failed;

	snprintf(file, sizeof(file), "%s/%s.s", learner->folder, name);
	failed = wv_recipe_run_command(learner->recipe, compiler, more, name, learner->folder,
				       learner->log, &ok, learner->error);
	if (failed || !ok)
		return failed;
	wv_build_file_read(file, ret);
	if (ret->failed || !ret->data)
		return wv_no_memory(learner->error);
	return wv_recipe_generalize(&ret->data, learner->folder, name, learner->error);
}

/*
 * Learns the assembler text that the compiler makes of modpost's .mod.c, so that later builds need
 * not run the compiler on it. Keeps the text only on two conditions: the texts of the first two
 * probes differ only by the modules' names, and the third probe, built with this text, is the same
 * as kbuild's.
 */
static int learn_assembly(struct learner *learner)
{
	struct wv_str *texts = learner->recipe->texts, both[2] = { 0 };
	char path[PATH_MAX + 64];
	int ret = read_assembly(learner, probes[0], &both[0]);

	if (!ret)
		ret = read_assembly(learner, probes[1], &both[1]);
	if (!ret && !wv_recipe_merge(wv_str_text(&both[0]), strlen(probes[0]),
				     wv_str_text(&both[1]), strlen(probes[1]),
				     &texts[WV_RECIPE_ASSEMBLY]))
		wv_str_deinit(&texts[WV_RECIPE_ASSEMBLY]);
	wv_str_deinit(&both[0]);
	wv_str_deinit(&both[1]);
	snprintf(path, sizeof(path), "%s/%s.mod.c", learner->folder, probes[0]);
	wv_build_file_read(path, &texts[WV_RECIPE_SECOND_SOURCE]);
	if (!ret && texts[WV_RECIPE_SECOND_SOURCE].n)
		ret = wv_recipe_generalize(&texts[WV_RECIPE_SECOND_SOURCE].data, learner->folder,
					   probes[0], learner->error);
	if (ret || !prove(learner, probes[PROBES - 1]) || wv_child_interrupted())
		return ret;
	wv_str_deinit(&texts[WV_RECIPE_ASSEMBLY]);
	return prove(learner, probes[PROBES - 1]);
}

/* ---- learning a whole recipe ----------------------------------------------------------------- */

static int run_kbuild(struct learner *learner)
{
	struct wv_module_source sources[PROBES];
	bool ok;
	int ret;

	for (size_t i = 0; i < PROBES; i++)
		sources[i] = (struct wv_module_source){ probes[i], wv_recipe_probe };
	ret = wv_kbuild_sources(learner->folders, sources, PROBES, where, learner->folder,
				learner->error);

	if (!ret)
		ret = wv_kbuild_make(learner->folders, true, learner->folder, learner->log, &ok,
				     learner->error);
	if (!ret && !ok)
		ret = wv_fail(learner->error, WV_E_FAILURE, "kbuild fails in %s",
			      learner->folders->kernel);
	return ret;
}

/*
 * Learns the recipe from the probes that kbuild has built. -WV_E_FORMAT: this kernel's kbuild does
 * something that weft does not know.
 */
static int learn_way(struct learner *learner)
{
	static const char *const own[] = { WV_RECIPE_HEADER, WV_RECIPE_HEADER ".gch",
					   WV_RECIPE_SECOND_HEADER,
					   WV_RECIPE_SECOND_HEADER ".gch" };
	int ret = read_all(learner);

	if (!ret)
		ret = wv_recipe_give_list(&learner->recipe->steps[WV_RECIPE_MODPOST],
					  learner->error);
	if (!ret)
		ret = wv_recipe_check_steps(learner->recipe, learner->error);
	if (!ret)
		ret = learn_headers(learner);
	if (!ret)
		ret = add_programs(learner);
	if (!ret)
		ret = add_inner_programs(learner);
	for (size_t i = 0; i + 1 < PROBES && !ret; i++)
		ret = prove(learner, probes[i]);
	if (!ret)
		ret = learn_assembly(learner);
	for (size_t i = 0; i < sizeof(own) / sizeof(*own) && !ret; i++)
		ret = wv_recipe_add_file(learner->recipe, own[i], learner->error);
	return ret;
}

static int learn(struct learner *learner)
{
	struct wv_recipe *recipe = learner->recipe;
	int ret = run_kbuild(learner);

	if (!ret)
		ret = read_line(learner, "weft.directory", learner->directory);
	if (!ret)
		ret = read_line(learner, "weft.source", learner->source);
	if (ret)
		return ret;
	recipe->directory = strdup(learner->directory);
	if (!recipe->directory)
		return wv_no_memory(learner->error);
	ret = wv_recipe_generalize(&recipe->directory, learner->folder, probes[0], learner->error);
	if (!ret)
		ret = add_makefiles(learner, learner->folders->kernel);
	if (!ret)
		ret = add_makefiles(learner, learner->source);
	if (ret)
		return ret;
	ret = learn_way(learner);
	if (ret == -WV_E_FORMAT && !wv_child_interrupted()) {
		recipe->reason = strdup(learner->error->message);
		ret = recipe->reason ? 0 : wv_no_memory(learner->error);
	}
	return ret;
}

/* Learns the recipe and writes it to the folder @own, which is new and empty. */
static int learn_into(struct wv_recipe *ret, const char *own,
		      const struct wv_kbuild_folders *folders, struct wv_error *error)
{
	struct learner learner = { .recipe = ret, .folders = folders, .own = own, .error = error };
	int failed = wv_build_folder_make(learner.folder, error);

	if (failed)
		return failed;
	snprintf(learner.log, sizeof(learner.log), "%s/log", learner.folder);
	ret->own = strdup(own);
	failed = ret->own ? learn(&learner) : wv_no_memory(error);
	wv_build_folder_remove(learner.folder);
	return failed ? failed : wv_recipe_write(ret, own, folders, error);
}

/* Renames the new folder @made to @own, and removes the old folder @own, if there is one. */
static int replace(const char *made, const char *own, struct wv_error *error)
{
	char old[PATH_MAX + 8];

	snprintf(old, sizeof(old), "%s.old", made);
	if (rename(own, old) && errno != ENOENT)
		return wv_fail_errno(error, errno, "%s", own);
	/* If @own exists again, another weft has learned the recipe meanwhile: keep that one. */
	if (rename(made, own) && errno != EEXIST && errno != ENOTEMPTY)
		return wv_fail_errno(error, errno, "%s", own);
	wv_folder_remove(old);
	return 0;
}

int wv_recipe_learn(struct wv_recipe *ret, const char *own,
		    const struct wv_kbuild_folders *folders, struct wv_error *error)
{
	char made[PATH_MAX];
	int failed;

	*ret = (struct wv_recipe){ 0 };
	if (snprintf(made, sizeof(made), "%s.XXXXXX", own) >= PATH_MAX - 8)
		return wv_fail_errno(error, ENAMETOOLONG, "%s", own);
	wv_signals_hold();
	if (!mkdtemp(made) || chmod(made, 0755))
		failed = wv_fail_errno(error, errno, "%s", made);
	else
		failed = learn_into(ret, made, folders, error);
	if (!failed)
		failed = replace(made, own, error);
	wv_folder_remove(made);
	wv_signals_release();
	if (failed) {
		wv_recipe_deinit(ret);
		return failed;
	}
	free(ret->own);
	ret->own = strdup(own);
	return ret->own ? 0 : wv_no_memory(error);
}
