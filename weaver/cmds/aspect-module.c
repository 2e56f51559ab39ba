// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Aspect + database -> C -> kbuild -> module, for every command that needs a module of an aspect;
 * see aspect-module.h. Each step is a call; what it found out is told here.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aspect/language/aspect-model.h"
#include "module/cache.h"
#include "module/diagnose.h"
#include "aspect/generate/generate.h"
#include "module/kbuild.h"
#include "module/kernel-folders.h"
#include "aspect/resolve/select.h"
#include "aspect/resolve/values.h"
#include "base/cleanup.h"
#include "base/notation.h"
#include "cmds/aspect-errors.h"
#include "cmds/aspect-module.h"
#include "cmds/aspect-notes.h"
#include "cmds/cmd.h"
#include "cmds/defaults.h"
#include "cmds/show-progress.h"

/* The limit: more than any aspect means that names its points one by one, and less than what takes kbuild minutes. */
const struct wv_module_options wv_module_defaults = { .limit = 10000 };

static int load(const char *path, struct wv_aspect **ret, struct wv_error *error)
{
	int failed = wv_aspect_open(path, ret, error);

	if (failed)
		return failed;
	if ((*ret)->advices.n)
		return 0;
	failed = wv_fail_at(error, WV_E_ASPECT, path, (*ret)->location.line, (*ret)->location.column,
			    "there is no advice, so there is nothing to compile");
	wv_aspect_destroy(*ret);
	*ret = NULL;
	return failed;
}

static int keep_c(const struct wv_module_options *options, const struct wv_kbuild *build, struct wv_error *error)
{
	char folder[PATH_MAX];
	char *slash;

	snprintf(folder, sizeof(folder), "%s", *options->keep ? options->keep : options->output);
	slash = strrchr(folder, '/');
	if (!*options->keep && slash)
		*slash = '\0';
	else if (!*options->keep)
		strcpy(folder, ".");
	if (mkdir(folder, 0777) && errno != EEXIST)
		return wv_fail_errno(error, errno, "%s", folder);
	return wv_kbuild_write(build, folder, error);
}

static int build(const struct wv_module_options *options, const struct wv_aspect *aspect, const char *source,
		 struct wv_str *notes, struct wv_error *error)
{
	_cleanup_free_ char *kmod = NULL, *runtime = NULL;
	struct wv_kbuild kbuild = { .name = aspect->name, .source = source,
				    .kernel = options->kernel, .output = options->output };
	_cleanup_str_ struct wv_str log = { 0 }, report = { 0 };
	bool built = false;
	int ret;

	ret = wv_find_kmod(options->kmod, &kmod, error);
	if (!ret)
		ret = wv_find_runtime(options->runtime, &runtime, error);
	kbuild.kmod = kmod;
	kbuild.runtime = runtime;
	if (!ret && options->keep)
		ret = keep_c(options, &kbuild, error);
	wv_progress_begin("compiling", aspect->path);
	if (!ret)
		ret = wv_kbuild_run(&kbuild, &built, &log, error);
	wv_progress_end();
	if (ret)
		return ret;
	ret = wv_diagnose(aspect, options->kernel, wv_str_text(&log), &report, error);
	if (options->verbose && log.data)
		fputs(log.data, stderr);
	if (report.data)
		wv_note(notes, "%s", report.data);
	if (built)
		return 0;
	return ret ? ret : wv_fail(error, WV_E_FAILURE,
				   "the module does not build; --verbose shows what kbuild says");
}

/* The variables that only the kernel's DWARF can place. */
static int find_values(const struct wv_module_options *options, const struct wv_aspect *aspect, struct wv_db *db,
		       struct wv_selection *selection, struct wv_values *values, struct wv_errors *errors,
		       struct wv_error *error)
{
	_cleanup_free_ char *vmlinux = NULL;
	int ret;

	if (wv_values_wanted(aspect) && !options->kernel)
		return wv_usage(error, "compile", "--kernel is missing: variables such as $(name) are looked up in its vmlinux");
	if (asprintf(&vmlinux, "%s/vmlinux", options->kernel ? options->kernel : "") < 0)
		return wv_no_memory(error);
	wv_progress_begin("looking up the variables of", aspect->path);
	ret = wv_values_find(values, aspect, selection, db, vmlinux, errors, error);
	wv_progress_end();
	return ret;
}

static int find_shadows(struct wv_selection *ret, const struct wv_aspect *aspect, struct wv_db *db,
		  struct wv_errors *errors, struct wv_error *error)
{
	int err;

	wv_progress_begin("looking up the shadows of", aspect->path);
	err = wv_selection_query(ret, aspect, db, errors, error);
	wv_progress_end();
	return err;
}

/* The C without what lacks a variable: what the compiler has to say of it goes to @report. */
static void check_c(const struct wv_module_options *options, const struct wv_aspect *aspect, struct wv_db *db,
		    const struct wv_selection *selection, const struct wv_values *values, struct wv_str *report)
{
	_cleanup_free_ char *kmod = NULL, *runtime = NULL;
	_cleanup_str_ struct wv_str source = { 0 }, log = { 0 };
	struct wv_kbuild kbuild = { .name = aspect->name, .kernel = options->kernel };
	size_t build_id_size;
	const uint8_t *build_id = wv_db_build_id(db, &build_id_size);
	struct wv_error error;
	bool built;

	/* What is used where nothing is written is not unused. */
	wv_str_add(&source, "#pragma GCC diagnostic ignored \"-Wunused\"\n#pragma GCC diagnostic ignored \"-Wunused-function\"\n");
	if (wv_find_kmod(options->kmod, &kmod, &error) || wv_find_runtime(options->runtime, &runtime, &error) ||
	    wv_generate(aspect, selection, values, build_id, build_id_size, &source, &error))
		return;
	kbuild.kmod = kmod;
	kbuild.runtime = runtime;
	kbuild.source = source.data;
	wv_progress_begin("compiling", aspect->path);
	if (wv_kbuild_run(&kbuild, &built, &log, &error) || !log.data ||
	    wv_diagnose(aspect, options->kernel, log.data, report, &error) != -WV_E_ADVICE)
		wv_str_deinit(report);
	wv_progress_end();
}

/*
 * Where names are wrong, what else is wrong is told with them, as far as it does not depend on them: variables at the shadows that were
 * found, and C. @selected: shadows of some pointcuts are missing, which @error is about; else it is about variables.
 */
static void look_further(const struct wv_module_options *options, const struct wv_aspect *aspect, struct wv_db *db,
			 struct wv_selection *selection, struct wv_values *values, bool selected, struct wv_error *error)
{
	_cleanup_str_ struct wv_str report = { 0 };
	struct wv_errors errors = { 0 };
	struct wv_error other;

	if (options->print_c || !options->kernel)
		return;
	if (!selected)
		find_values(options, aspect, db, selection, values, &errors, &other);
	check_c(options, aspect, db, selection, values, &report);
	if (errors.list.n || report.data) {
		wv_print_error(error);
		wv_vec_for_each(one, &errors.list)
			wv_print_error(one);
		fputs(wv_str_text(&report), stderr);
		wv_fail_at(error, error->code, aspect->path, 0, 0, "no module; C that needs what is missing was not compiled");
	}
	wv_errors_deinit(&errors);
}

/* Shadows and variables; what is wrong with them is told, but for the last, which is @error. */
static int select_all(const struct wv_module_options *options, const struct wv_aspect *aspect, struct wv_db *db,
		      struct wv_selection *selection, struct wv_values *values, struct wv_str *notes, struct wv_error *error)
{
	struct wv_errors errors = { 0 };
	int ret = find_shadows(selection, aspect, db, &errors, error);

	wv_print_errors(&errors);
	/* Also where it then fails: that nothing is left is best explained by what is not. */
	if (!ret || ret == -WV_E_NO_MATCH)
		wv_note_optimized_out(notes, selection);
	wv_note_inlined(notes, aspect, db);
	if (ret == -WV_E_NO_MATCH)
		look_further(options, aspect, db, selection, values, false, error);
	if (!ret && selection->list.n > options->limit)
		ret = wv_fail_at(error, WV_E_TOO_MANY, aspect->path, aspect->location.line,
				 aspect->location.column,
				 "the aspect has %s, more than the %zu of --at-most",
				 wv_count_text(selection->list.n, "shadow").text, options->limit);
	if (ret)
		return ret;
	ret = find_values(options, aspect, db, selection, values, &errors, error);
	wv_print_errors(&errors);
	if (ret == -WV_E_ASPECT)
		look_further(options, aspect, db, selection, values, true, error);
	if (!ret)
		wv_note_dropped(notes, aspect, values);
	return ret;
}

static int generate(const struct wv_module_options *options, const struct wv_aspect *aspect, struct wv_db *db,
		    struct wv_str *source, size_t *count_ret, struct wv_str *notes, struct wv_error *error)
{
	struct wv_selection selection = { 0 };
	struct wv_values values = { 0 };
	const uint8_t *build_id;
	size_t build_id_size;
	int ret;

	build_id = wv_db_build_id(db, &build_id_size);
	ret = options->print_c ? 0 : wv_kernel_check(options->kernel, options->db, build_id,
						     build_id_size, error);
	if (!ret)
		ret = select_all(options, aspect, db, &selection, &values, notes, error);
	if (!ret)
		ret = wv_generate(aspect, &selection, &values, build_id, build_id_size, source, error);
	*count_ret = selection.list.n;
	if (!ret)
		wv_note_rest(notes, &selection);
	wv_values_deinit(&values);
	wv_selection_deinit(&selection);
	return ret;
}

int wv_module_complete(struct wv_module_options *options, const char *command, struct wv_error *error)
{
	if (!options->kernel)
		options->kernel = wv_default_kernel();
	if (!options->db)
		options->db = wv_default_database(options->kernel);
	if (!options->db)
		return wv_usage(error, command, "no database: --db FILE, or WEFT_DB in the environment");
	if (!options->kernel && !options->print_c)
		return wv_usage(error, command,
				"--kernel is missing: no WEFT_KERNEL in the environment, no folder build/ of the running kernel");
	return 0;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static int make_module(const struct wv_module_options *options, size_t *count_ret, struct wv_str *notes, struct wv_error *error)
{
	_cleanup_db_ struct wv_db *db = NULL;
	_cleanup_str_ struct wv_str source = { 0 };
	struct wv_aspect *aspect = NULL;
	int ret = load(options->aspect, &aspect, error);

	if (ret)
		return ret;
	if (options->filtered)
		wv_aspect_set_filtered(aspect);
	ret = wv_db_open(options->db, &db, error);
	if (!ret)
		wv_note_unused(notes, aspect, db);
	if (!ret)
		ret = generate(options, aspect, db, &source, count_ret, notes, error);
	if (!ret && options->print_c)
		fputs(source.data, stdout);
	else if (!ret)
		ret = build(options, aspect, source.data, notes, error);
	wv_aspect_destroy(aspect);
	return ret;
}

int wv_module_build(const struct wv_module_options *options, size_t *count_ret, struct wv_error *error)
{
	_cleanup_str_ struct wv_str notes = { 0 };

	return make_module(options, count_ret, &notes, error);
}

/* What was noted when it was compiled. */
static void tell_again(const char *module)
{
	char text[4096];
	FILE *file = wv_cache_notes(module);
	size_t n;

	while (file && (n = fread(text, 1, sizeof(text), file)))
		fwrite(text, 1, n, stderr);
	if (file)
		fclose(file);
}

int wv_module_cached(struct wv_module_options *options, char path[PATH_MAX], size_t *count_ret,
		     struct wv_error *error)
{
	_cleanup_db_ struct wv_db *db = NULL;
	_cleanup_free_ char *kmod = NULL, *runtime = NULL;
	_cleanup_str_ struct wv_str notes = { 0 };
	char after[PATH_MAX];
	struct wv_cache_inputs inputs = { .aspect = options->aspect, .kernel = options->kernel,
					  .db = options->db, .filtered = options->filtered };
	int ret = wv_db_open(options->db, &db, error);

	*count_ret = 0;
	if (!ret)
		ret = wv_find_kmod(options->kmod, &kmod, error);
	if (!ret)
		ret = wv_find_runtime(options->runtime, &runtime, error);
	if (ret)
		return ret;
	inputs.build_id = wv_db_build_id(db, &inputs.build_id_size);
	inputs.kmod = kmod;
	inputs.runtime = runtime;
	ret = wv_kernel_check(options->kernel, options->db, inputs.build_id, inputs.build_id_size,
			      error);
	if (!ret)
		ret = wv_cache_path(&inputs, path, error);
	if (!ret && wv_cache_has(path)) {
		tell_again(path);
		return 0;
	}
	if (ret)
		return ret;
	options->output = path;
	ret = make_module(options, count_ret, &notes, error);
	if (!ret)
		ret = wv_cache_path(&inputs, after, error);
	if (!ret && strcmp(path, after)) {
		unlink(path);
		return wv_fail(error, WV_E_FAILURE, "%s changed while it was compiled", options->aspect);
	}
	if (!ret)
		wv_cache_note(path, notes.failed ? NULL : notes.data);
	if (!ret)
		wv_cache_trim(path);
	return ret;
}
