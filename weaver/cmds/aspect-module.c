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

#include "aspect/aspect.h"
#include "aspect/cache.h"
#include "aspect/diagnose.h"
#include "aspect/generate.h"
#include "aspect/kbuild.h"
#include "aspect/kernel.h"
#include "aspect/select.h"
#include "aspect/values.h"
#include "base/cleanup.h"
#include "cmds/aspect-errors.h"
#include "cmds/aspect-module.h"
#include "cmds/cmd.h"
#include "cmds/defaults.h"
#include "cmds/progress.h"
#include "splice/refusal.h"

/* The limit: more than any aspect means that names its points one by one, and less than what takes kbuild minutes. */
const struct wv_module_options wv_module_defaults = { .limit = 10000 };

static int load(const char *path, struct wv_aspect **ret, struct wv_error *error)
{
	int failed = wv_aspect_open(path, ret, error);

	if (failed)
		return failed;
	if ((*ret)->advices.n)
		return 0;
	failed = wv_fail_at(error, WV_E_ASPECT, path, (*ret)->place.line, (*ret)->place.column,
			    "there is no advice, so there is nothing to compile");
	wv_aspect_destroy(*ret);
	*ret = NULL;
	return failed;
}

static void tell_unused(const struct wv_aspect *aspect)
{
	wv_vec_for_each(pointcut, &aspect->pointcuts) {
		bool used = pointcut->referred;

		wv_vec_for_each(advice, &aspect->advices)
			used |= advice->pointcut == (size_t)(pointcut - aspect->pointcuts.data);
		if (!used)
			fprintf(stderr, "weft: %s:%u:%u: note: no advice is bound to pointcut '%s'\n",
				aspect->path, pointcut->place.line, pointcut->place.column,
				pointcut->name);
	}
}

static void tell_elided(const struct wv_selection *selection)
{
	if (!selection->elided.n)
		return;
	fprintf(stderr, "weft: note: %zu joinpoint%s: the compiler left no instruction of %s\n",
		selection->elided.n,
		selection->elided.n == 1 ? " has no shadow" : "s have no shadow",
		selection->elided.n == 1 ? "it" : "them");
	wv_vec_for_each(elided, &selection->elided)
		fprintf(stderr, "  %s:%u:%u %s\n", elided->match->file ? elided->match->file : "?",
			elided->match->line, elided->match->column, elided->what);
}

/* After-advice: what nothing comes after, and the exits that are no returns. */
static void tell_after(const struct wv_selection *selection)
{
	size_t by_reason[WEFT_REFUSAL_COUNT] = { 0 }, tails = 0;

	wv_vec_for_each(joinpoint, &selection->list) {
		by_reason[joinpoint->when == WEFT_BEFORE ? WEFT_REFUSAL_NONE : joinpoint->refusal]++;
		tails += joinpoint->tail && joinpoint->when == WEFT_LEAVING;
	}
	for (unsigned int i = WEFT_REFUSAL_NONE + 1; i < WEFT_REFUSAL_COUNT; i++)
		if (by_reason[i])
			fprintf(stderr, "weft: note: %zu shadow%s of after-advice refused (%s): %s\n", by_reason[i],
				by_reason[i] == 1 ? "" : "s", wv_refusal_name(i), wv_refusal_reason(i));
	if (tails)
		fprintf(stderr, "weft: note: %zu exit%s: after-advice runs before the other function does\n",
			tails, tails == 1 ? " is a jump to another function" : "s are jumps to other functions");
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
		 struct wv_error *error)
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
	ret = wv_diagnose(aspect, options->kernel, log.data ? log.data : "", &report, error);
	if (options->verbose && log.data)
		fputs(log.data, stderr);
	if (report.data)
		fputs(report.data, stderr);
	if (built)
		return 0;
	return ret ? ret : wv_fail(error, WV_E_FAILURE,
				   "the module does not build; --verbose shows what kbuild says");
}

/* What a whole generation is told on standard error, once it is known. */
static void tell_dropped(const struct wv_aspect *aspect, const struct wv_values *values)
{
	wv_vec_for_each(own, &values->advices) {
		const struct wv_aspect_advice *advice =
			&aspect->advices.data[own - values->advices.data];

		if (own->dropped && advice->optional)
			fprintf(stderr, "weft: %s:%u:%u: note: %zu shadow%s dropped: a variable of this optional advice cannot be had there\n",
				aspect->path, advice->place.line, advice->place.column, own->dropped,
				own->dropped == 1 ? " is" : "s are");
	}
}

/* The variables that only the kernel's DWARF can place. */
static int find_values(const struct wv_module_options *options, const struct wv_aspect *aspect,
		       struct wv_db *db, struct wv_selection *selection, struct wv_values *values,
		       struct wv_error *error)
{
	_cleanup_free_ char *vmlinux = NULL;
	struct wv_errors errors = { 0 };
	int ret;

	if (wv_values_wanted(aspect) && !options->kernel)
		return wv_usage(error, "compile", "--kernel is missing: variables such as $(name) are looked up in its vmlinux");
	if (asprintf(&vmlinux, "%s/vmlinux", options->kernel ? options->kernel : "") < 0)
		return wv_no_memory(error);
	wv_progress_begin("looking up the variables of", aspect->path);
	ret = wv_values_find(values, aspect, selection, db, vmlinux, &errors, error);
	wv_progress_end();
	wv_tell_errors(&errors);
	if (!ret)
		tell_dropped(aspect, values);
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

static int generate(const struct wv_module_options *options, const struct wv_aspect *aspect, struct wv_db *db,
		    struct wv_str *source, size_t *count_ret, struct wv_error *error)
{
	struct wv_selection selection = { 0 };
	struct wv_values values = { 0 };
	struct wv_errors errors = { 0 };
	const uint8_t *build_id;
	size_t build_id_size;
	int ret;

	build_id = wv_db_build_id(db, &build_id_size);
	ret = options->print_c ? 0 : wv_kernel_check(options->kernel, options->db, build_id,
						     build_id_size, error);
	if (!ret)
		ret = find_shadows(&selection, aspect, db, &errors, error);
	wv_tell_errors(&errors);
	/* Also where it then fails: that nothing is left is best explained by what is not. */
	if (!ret || ret == -WV_E_NO_MATCH)
		tell_elided(&selection);
	if (!ret && selection.list.n > options->limit)
		ret = wv_fail_at(error, WV_E_TOO_MANY, aspect->path, aspect->place.line,
				 aspect->place.column,
				 "the aspect has %zu shadows, more than the %zu of --at-most",
				 selection.list.n, options->limit);
	if (!ret)
		ret = find_values(options, aspect, db, &selection, &values, error);
	if (!ret)
		ret = wv_generate(aspect, &selection, &values, build_id, build_id_size, source, error);
	*count_ret = selection.list.n;
	if (!ret && selection.in_modules)
		fprintf(stderr, "weft: note: %zu shadow%s in modules %s left out: those cannot be woven into\n",
			selection.in_modules, selection.in_modules == 1 ? "" : "s",
			selection.in_modules == 1 ? "is" : "are");
	if (!ret)
		tell_after(&selection);
	if (!ret && selection.merged)
		fprintf(stderr, "weft: note: %zu joinpoint%s the shadow of another, which stands for %s\n",
			selection.merged, selection.merged == 1 ? " shares" : "s share",
			selection.merged == 1 ? "it" : "them");
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

int wv_module_build(const struct wv_module_options *options, size_t *count_ret, struct wv_error *error)
{
	_cleanup_db_ struct wv_db *db = NULL;
	_cleanup_str_ struct wv_str source = { 0 };
	struct wv_aspect *aspect = NULL;
	int ret = load(options->aspect, &aspect, error);

	if (ret)
		return ret;
	tell_unused(aspect);
	if (options->filtered)
		wv_aspect_set_filtered(aspect);
	ret = wv_db_open(options->db, &db, error);
	if (!ret)
		ret = generate(options, aspect, db, &source, count_ret, error);
	if (!ret && options->print_c)
		fputs(source.data, stdout);
	else if (!ret)
		ret = build(options, aspect, source.data, error);
	wv_aspect_destroy(aspect);
	return ret;
}

int wv_module_cached(struct wv_module_options *options, char path[PATH_MAX], size_t *count_ret,
		     struct wv_error *error)
{
	_cleanup_db_ struct wv_db *db = NULL;
	_cleanup_free_ char *kmod = NULL, *runtime = NULL;
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
	if (ret || wv_cache_has(path))
		return ret;
	options->output = path;
	ret = wv_module_build(options, count_ret, error);
	if (!ret)
		ret = wv_cache_path(&inputs, after, error);
	if (!ret && strcmp(path, after)) {
		unlink(path);
		return wv_fail(error, WV_E_FAILURE, "%s changed while it was compiled", options->aspect);
	}
	if (!ret)
		wv_cache_trim(path);
	return ret;
}
