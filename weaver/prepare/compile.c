// SPDX-License-Identifier: GPL-2.0-or-later
/* Compiles units by kbuild; see compile.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/hash.h"
#include "base/notation.h"
#include "base/progress.h"
#include "base/replace.h"
#include "module/prepared.h"
#include "prepare/compile.h"
#include "prepare/config.h"
#include "prepare/programs.h"

/*
 * Maximum number of bytes of goals in one run of make. kbuild passes all goals in one variable of
 * the environment, which may have at most 128 KiB (MAX_ARG_STRLEN).
 */
enum { GOALS_MAX = 100000 };

void wv_compile_folder(const struct wv_prepare *prepare, char path[PATH_MAX + 32])
{
	snprintf(path, PATH_MAX + 32, "%s/" WV_PREPARED_OBJECTS, prepare->folder);
}

/* ---- running make ---------------------------------------------------------------------------- */

/* The command line of make. The strings of the first line belong to this struct. */
struct make {
	char *jobs, *objects, *compiler, *host_compiler, *flags, *makefile;
	/* pointers to these strings, to constants, to the path of the source and to goals */
	WV_VEC(char *) arguments;
};

static void make_deinit(struct make *make)
{
	free(make->jobs);
	free(make->objects);
	free(make->compiler);
	free(make->host_compiler);
	free(make->flags);
	free(make->makefile);
	wv_vec_deinit(&make->arguments);
}

static char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

static char *text_of(const char *format, ...)
{
	va_list args;
	char *text;
	int n;

	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	return n < 0 ? NULL : text;
}

/*
 * Returns a hash of the file @path. The hash of the plugin is part of a compiler flag, because
 * kbuild compiles a unit again when a flag has changed. So it compiles all units again when the
 * plugin has changed.
 */
static uint32_t hash_of(const char *path)
{
	_cleanup_str_ struct wv_str bytes = { 0 };

	wv_read_text(path, &bytes);
	return wv_hash_bytes(wv_str_text(&bytes), bytes.n);
}

static size_t nr_jobs(const struct wv_prepare *prepare)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	return prepare->jobs ? prepare->jobs : cpus > 0 ? (size_t)cpus : 1;
}

/*
 * A makefile that each make of kbuild reads before its own makefiles. Without this makefile, two
 * makes would compile some units at the same time.
 *
 * kbuild runs one make per folder. A make passes a goal (an object) on to the make of each folder
 * that it lists and that contains the object. The topmost make lists both arch/x86 and
 * arch/x86/lib. So an object in arch/x86/lib would be built twice: by the make of arch/x86/lib,
 * which the topmost make starts, and by way of arch/x86, without the flags that
 * arch/x86/lib/Makefile adds. As kbuild compares flags, each later run would build it again.
 *
 * Each make adds the folders that it lists to WEFT_FOLDERS, and exports this variable to the makes
 * that it starts. If a goal is in a folder of WEFT_FOLDERS that is below the make's own folder,
 * another make builds the goal, and this make gets an empty recipe for it.
 */
static const char once_makefile[] =
	"weft-folders := $(WEFT_FOLDERS)\n"
	"export WEFT_FOLDERS = $(weft-folders) $(subdir-ym)\n"
	"ifdef obj\n"
	"$(filter $(addsuffix /%,$(filter $(obj)/%,$(weft-folders))),$(MAKECMDGOALS)): ;\n"
	"endif\n";

static void once_makefile_path(const struct wv_prepare *prepare, char path[PATH_MAX + 64])
{
	char objects[PATH_MAX + 32];

	wv_compile_folder(prepare, objects);
	snprintf(path, PATH_MAX + 64, "%s/weft-once.mk", objects);
}

static int write_once_makefile(const struct wv_prepare *prepare, struct wv_error *error)
{
	char path[PATH_MAX + 64];

	once_makefile_path(prepare, path);
	return wv_replace_file(path, (const unsigned char *)once_makefile,
			       sizeof(once_makefile) - 1, error);
}

/*
 * Fills @make with those arguments that all runs of make have. -fdebug-prefix-map makes file names
 * relative to the source tree. BTF is switched off, because weft does not read the BTF of objects,
 * and kbuild would first have to build the tools that make BTF. The configuration that C code sees
 * stays the same.
 */
static int make_init(const struct wv_prepare *prepare, struct make *make, struct wv_error *error)
{
	const char *source = prepare->source_found.data, *plugin = prepare->plugin_found.data;
	char objects[PATH_MAX + 32], once[PATH_MAX + 64];
	char *fixed[12];
	size_t n = 0;

	wv_compile_folder(prepare, objects);
	once_makefile_path(prepare, once);
	*make = (struct make){
		.jobs = text_of("-j%zu", nr_jobs(prepare)),
		.objects = text_of("O=%s", objects),
		.compiler = text_of("CC=%s", prepare->compiler_found.data),
		.host_compiler = text_of("HOSTCC=%s", prepare->compiler_found.data),
		.flags = text_of("KCFLAGS=-fplugin=%s -D__WEFT_PLUGIN__=0x%08x "
				 "-fdebug-prefix-map=%s/=",
				 plugin, hash_of(plugin), source),
		.makefile = text_of("MAKEFILES=%s", once),
	};
	fixed[n++] = "make";
	fixed[n++] = make->jobs;
	fixed[n++] = "-k";
	fixed[n++] = "-C";
	fixed[n++] = (char *)source;
	fixed[n++] = make->objects;
	fixed[n++] = make->compiler;
	fixed[n++] = make->host_compiler;
	fixed[n++] = make->flags;
	fixed[n++] = make->makefile;
	fixed[n++] = "CONFIG_DEBUG_INFO_BTF=";
	for (size_t i = 0; i < n; i++) {
		char **slot = wv_vec_push(&make->arguments);

		if (!slot || !fixed[i])
			return wv_no_memory(error);
		*slot = fixed[i];
	}
	return 0;
}

static int add_argument(struct make *make, char *argument, struct wv_error *error)
{
	char **slot = wv_vec_push(&make->arguments);

	if (!slot)
		return wv_no_memory(error);
	*slot = argument;
	return 0;
}

/*
 * Runs make for the @nr_goals goals at the end of make->arguments, and then removes these goals
 * from make->arguments. Sets *@ok_ret to whether make succeeded.
 */
static int run_make(struct wv_prepare *prepare, struct make *make, size_t nr_goals,
		    void (*tick)(void *context), void *context, bool *ok_ret,
		    struct wv_error *error)
{
	int ret = add_argument(make, NULL, error);
	const struct wv_child child = { .argv = make->arguments.data,
					.folder = prepare->folder,
					.log = prepare->log,
					.advice = WV_GO_ON,
					.tick = tick,
					.context = context };

	if (ret)
		return ret;
	ret = wv_child_succeeds(&child, ok_ret, error);
	make->arguments.n -= nr_goals + 1;
	return ret;
}

static int run_goal(struct wv_prepare *prepare, const char *goal, struct wv_error *error)
{
	struct make make;
	long offset = wv_program_log_size(prepare);
	char what[80];
	bool ok = false;
	int ret = make_init(prepare, &make, error);

	if (!ret)
		ret = add_argument(&make, (char *)goal, error);
	if (!ret)
		ret = run_make(prepare, &make, 1, NULL, NULL, &ok, error);
	make_deinit(&make);
	snprintf(what, sizeof(what), "`make %s` failed in the kernel's source", goal);
	return ret || ok ? ret : wv_program_fail(prepare, offset, WV_E_FAILURE, what, error);
}

/* ---- configuring the source ------------------------------------------------------------------ */

/*
 * Returns whether the option in @line, a line of the kernel's configuration, may have another value
 * in the configuration that kbuild makes. Some options depend on the tools that are installed on
 * this machine, or on files that only the distribution has. If another value changes code, weft
 * notices later, when it compares the functions of the objects with those of the kernel.
 */
static bool may_differ(const char *line)
{
	static const char *const parts[] = { "_VERSION", "CONFIG_CC_",	 "CONFIG_AS_", "CONFIG_LD_",
					     "RUST",	 "CONFIG_TOOLS_", "PAHOLE",
					     "CONFIG_GCC_" };
	static const char *const whole[] = { "CONFIG_SYSTEM_TRUSTED_KEYS=" };

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		const char *at = strstr(line, parts[i]);

		if (at && at < line + strcspn(line, "="))
			return true;
	}
	for (size_t i = 0; i < sizeof(whole) / sizeof(*whole); i++)
		if (!strncmp(line, whole[i], strlen(whole[i])))
			return true;
	return false;
}

/*
 * Compares the kernel's configuration with the one at @path, which Kconfig has made from it. If
 * Kconfig has dropped or changed options, returns -WV_E_MISMATCH: the configuration does not belong
 * to this source.
 */
static int compare_configs(const struct wv_prepare *prepare, const char *path,
			   struct wv_error *error)
{
	_cleanup_config_ struct wv_config wanted = { 0 }, made = { 0 };
	const char *first = NULL;
	size_t lost = 0;
	int ret = wv_config_read(prepare->config_found.data, &wanted, error);

	if (!ret)
		ret = wv_config_read(path, &made, error);
	/*
	 * Without a Rust compiler Kconfig drops all options of code in Rust, which have no common
	 * name.
	 */
	if (!ret && wv_config_has(&wanted, "CONFIG_RUST") && !wv_config_has(&made, "CONFIG_RUST"))
		return 0;
	wv_vec_for_each(line, &wanted.lines.strings) {
		if (ret || may_differ(*line) ||
		    wv_pool_find(&made.lines, *line) != WV_POOL_FAILED)
			continue;
		if (!lost++)
			first = *line;
	}
	if (ret || !lost)
		return ret;
	return wv_fail(error, WV_E_MISMATCH,
		       "%s is not a configuration of %s: %s do not survive there, the first is %s",
		       prepare->config_found.data, prepare->source_found.data,
		       wv_count_text(lost, "option").text, first);
}

/* Sets @path to the file to which the last run copied the configuration that it used. */
static void config_of_last_run(const struct wv_prepare *prepare, char path[PATH_MAX + 64])
{
	char objects[PATH_MAX + 32];

	wv_compile_folder(prepare, objects);
	snprintf(path, PATH_MAX + 64, "%s/weft-config", objects);
}

/*
 * Copies the kernel's configuration to @objects, the folder in which kbuild builds, and runs
 * olddefconfig. Does so only if the configuration has changed since the last run, because kbuild
 * configures everything again whenever .config is written. Sets *@changed_ret to whether it has
 * changed.
 */
static int copy_config(const struct wv_prepare *prepare, const char *objects, bool *changed_ret,
		       struct wv_error *error)
{
	_cleanup_str_ struct wv_str wanted = { 0 }, found = { 0 };
	char of_last_run[PATH_MAX + 64], path[PATH_MAX + 64];
	int ret;

	snprintf(path, sizeof(path), "%s/.config", objects);
	config_of_last_run(prepare, of_last_run);
	if (!wv_read_text(prepare->config_found.data, &wanted))
		return wv_fail_errno(error, errno, "%s", prepare->config_found.data);
	*changed_ret = access(path, R_OK) || !wv_read_text(of_last_run, &found) ||
		       strcmp(wv_str_text(&wanted), wv_str_text(&found));
	if (!*changed_ret)
		return 0;
	unlink(of_last_run);
	ret = wv_replace_file(path, (const unsigned char *)wv_str_text(&wanted), wanted.n, error);
	if (!ret)
		ret = run_goal((struct wv_prepare *)prepare, "olddefconfig", error);
	if (!ret)
		ret = compare_configs(prepare, path, error);
	if (!ret)
		ret = wv_replace_file(of_last_run, (const unsigned char *)wv_str_text(&wanted),
				      wanted.n, error);
	return ret;
}

int wv_compile_configure(struct wv_prepare *prepare, struct wv_error *error)
{
	_cleanup_config_ struct wv_config config = { 0 };
	char objects[PATH_MAX + 32];
	bool changed;
	int ret = wv_config_read(prepare->config_found.data, &config, error);

	if (ret)
		return ret;
	if (config.version.n && strcmp(config.version.data, prepare->kernel_version.data))
		return wv_fail(error, WV_E_MISMATCH, "%s is of Linux %s, and %s is Linux %s",
			       prepare->config_found.data, config.version.data,
			       prepare->source_found.data, prepare->kernel_version.data);
	wv_compile_folder(prepare, objects);
	if (mkdir(objects, 0755) && errno != EEXIST)
		return wv_fail_errno(error, errno, "%s", objects);
	wv_progress_stage("configuring");
	ret = write_once_makefile(prepare, error);
	if (!ret)
		ret = copy_config(prepare, objects, &changed, error);
	if (!ret)
		wv_progress_stage("building kbuild's own tools");
	return ret ? ret : run_goal(prepare, "prepare", error);
}

/* ---- compiling the units --------------------------------------------------------------------- */

/*
 * Returns the name of the object that is compiled from a unit: "fs/namei.o" for "fs/namei.c". The
 * caller frees the name. NULL: out of memory.
 */
static char *object_of(const struct wv_prepare *prepare, uint32_t unit)
{
	char *name = strdup(wv_pool_get(&prepare->units, unit));

	if (name)
		name[strlen(name) - 1] = 'o';
	return name;
}

/* Sets @path to the path of the unit's object. False: out of memory, or the path is too long. */
static bool object_path(const struct wv_prepare *prepare, uint32_t unit, char path[2 * PATH_MAX])
{
	_cleanup_free_ char *name = object_of(prepare, unit);
	char folder[PATH_MAX + 32];

	wv_compile_folder(prepare, folder);
	return name && snprintf(path, 2 * PATH_MAX, "%s/%s", folder, name) < 2 * PATH_MAX;
}

bool wv_compile_lacks(const struct wv_prepare *prepare, uint32_t unit)
{
	char path[2 * PATH_MAX];

	return !object_path(prepare, unit, path) || access(path, F_OK);
}

/*
 * Numbers for estimates, measured with Debian's 6.12.
 * UNIT_MS: processor time per unit (0.7 s on average, 1.2 s in net).
 * TOOLS_MS: processor time to build kbuild's own tools.
 * ALONE_MS: time of the work that only one processor does: reading the headers and the image, and
 * writing the database.
 * UNIT_BYTES: disk space per unit; 0.9 MB were measured.
 * INDEX_BYTES: disk space of the database; 170 MB were measured for all units.
 */
enum { UNIT_MS = 900, TOOLS_MS = 20000, ALONE_MS = 15000 };
enum { UNIT_BYTES = 900000, INDEX_BYTES = 200000000 };

/*
 * Returns how many processors this run will get, while the programs that run already go on. The
 * result is more than 0 and at most the number of parallel compiles (nr_jobs()).
 */
static double processors(const struct wv_prepare *prepare)
{
	const double own = nr_jobs(prepare), there = sysconf(_SC_NPROCESSORS_ONLN);
	double load, share;

	if (getloadavg(&load, 1) < 1 || load < 1)
		load = 1;
	/* weft itself is one of the running programs that the load counts: subtract one. */
	share = there / (own + load - 1);
	return share < 1 ? own * share : own;
}

struct wv_estimate wv_compile_estimate(const struct wv_prepare *prepare)
{
	struct wv_estimate ret = { .bytes = INDEX_BYTES };
	char configured[PATH_MAX + 64];
	double ms, there = processors(prepare);

	wv_vec_for_each(unit, &prepare->chosen)
		ret.nr_units += wv_compile_lacks(prepare, *unit);
	ms = (double)ret.nr_units * UNIT_MS;
	config_of_last_run(prepare, configured);
	if (access(configured, F_OK))
		ms += TOOLS_MS;
	ret.seconds = (size_t)((ms / there + ALONE_MS / (there < 1 ? there : 1)) / 1000);
	ret.bytes += (uint64_t)ret.nr_units * UNIT_BYTES;
	return ret;
}

/*
 * Counts the units that make has begun to compile: make writes a line "  CC fs/namei.o" to the log
 * for each.
 * .log: the log, open for reading; everything before its position has been counted.
 * .done: number of units that make has begun to compile.
 * .total: number of units that are to be compiled.
 */
struct counting {
	FILE *log;
	size_t done, total;
};

static void count_lines(void *context)
{
	struct counting *counting = context;
	char line[1024];

	clearerr(counting->log);
	while (fgets(line, sizeof(line), counting->log))
		counting->done += !strncmp(line, "  CC ", 5);
	if (counting->total < counting->done)
		counting->total = counting->done;
	wv_progress_count(counting->done, counting->total);
}

/*
 * Adds the objects of chosen units to @make as goals, from index *@next of prepare->chosen on,
 * until the goals have GOALS_MAX bytes. Sets *@next to the index of the first unit that was not
 * added, and *@nr_ret to the number of goals that were added. The caller frees the goals.
 */
static int add_goals(const struct wv_prepare *prepare, struct make *make, size_t *next,
		     size_t *nr_ret, struct wv_error *error)
{
	size_t bytes = 0;
	int ret = 0;

	for (*nr_ret = 0; !ret && *next < prepare->chosen.n && bytes < GOALS_MAX; (*next)++) {
		char *goal = object_of(prepare, prepare->chosen.data[*next]);

		ret = goal ? add_argument(make, goal, error) : wv_no_memory(error);
		if (ret)
			free(goal);
		else
			bytes += strlen(goal) + 1;
		*nr_ret += !ret;
	}
	return ret;
}

static int run_all(struct wv_prepare *prepare, struct make *make, struct counting *counting,
		   bool *ok_ret, struct wv_error *error)
{
	size_t next = 0, fixed = make->arguments.n, nr_goals;
	bool ok = true;
	int ret = 0;

	*ok_ret = true;

	while (!ret && next < prepare->chosen.n) {
		ret = add_goals(prepare, make, &next, &nr_goals, error);
		if (!ret)
			ret = run_make(prepare, make, nr_goals, count_lines, counting, &ok, error);
		for (size_t i = 0; i < nr_goals; i++)
			free(make->arguments.data[fixed + i]);
		make->arguments.n = fixed;
		*ok_ret &= ok;
	}
	return ret;
}

/*
 * Removes the objects that make could not build in this run. For each of them the log has a line
 * "make[2]: *** [MAKEFILE:LINE: OBJECT] Error 1" after @offset. The object of such a unit may still
 * exist, because an earlier run has built it. That object was made from other source or with other
 * flags, so it must not be used any more.
 */
static void remove_failed(const struct wv_prepare *prepare, long offset)
{
	_cleanup_fclose_ FILE *log = fopen(prepare->log, "re");
	_cleanup_pool_ struct wv_pool failed = { 0 };
	char line[2 * PATH_MAX], folder[PATH_MAX + 32];

	wv_compile_folder(prepare, folder);
	if (log)
		fseek(log, offset, SEEK_SET);
	while (log && fgets(line, sizeof(line), log)) {
		char *start = strstr(line, "*** ["), *end = strstr(line, "] Error");
		char *target = start;

		if (!start || !end || end < start)
			continue;
		*end = '\0';
		while ((start = strstr(target, ": ")))
			target = start + 2;
		/* Make the path relative to the folder of the objects, if it is absolute. */
		if (!strncmp(target, folder, strlen(folder)))
			target += strlen(folder) + 1;
		wv_pool_add(&failed, target);
	}
	wv_vec_for_each(unit, &prepare->chosen) {
		_cleanup_free_ char *name = object_of(prepare, *unit);

		if (name && wv_pool_find(&failed, name) != WV_POOL_FAILED &&
		    object_path(prepare, *unit, line))
			unlink(line);
	}
}

int wv_compile_units(struct wv_prepare *prepare, struct wv_units_compiled *ret,
		     struct wv_error *error)
{
	_cleanup_fclose_ FILE *log = NULL;
	struct counting counting = { .total = wv_compile_estimate(prepare).nr_units };
	struct make make = { 0 };
	long offset = wv_program_log_size(prepare);
	bool ok = false;
	int failed = make_init(prepare, &make, error);

	*ret = (struct wv_units_compiled){ 0 };
	wv_progress_stage("compiling");
	log = counting.log = fopen(prepare->log, "re");
	if (!failed && (!log || fseek(log, offset, SEEK_SET)))
		failed = wv_fail_errno(error, errno, "%s", prepare->log);
	if (!failed)
		failed = run_all(prepare, &make, &counting, &ok, error);
	make_deinit(&make);
	if (failed)
		return failed;
	if (!ok)
		remove_failed(prepare, offset);
	/*
	 * If the disk became full, fail instead of going on with the units that were compiled
	 * before. Otherwise the rest would be taken for units that cannot be compiled.
	 */
	if (!ok && wv_program_lacked_space(prepare, offset))
		return wv_program_fail(prepare, offset, WV_E_FAILURE,
				       "not all units could be compiled", error);
	ret->nr_compiled = counting.done;
	wv_vec_for_each(unit, &prepare->chosen) {
		uint32_t *slot;

		if (!wv_compile_lacks(prepare, *unit))
			continue;
		slot = wv_vec_push(&ret->failed);
		if (!slot)
			return wv_no_memory(error);
		*slot = *unit;
	}
	if (ret->failed.n && ret->failed.n == prepare->chosen.n)
		return wv_program_fail(prepare, offset, WV_E_FAILURE,
				       "no unit could be compiled", error);
	return 0;
}
