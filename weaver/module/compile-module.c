// SPDX-License-Identifier: GPL-2.0-or-later
/* The pipeline from an aspect to its module; see compile-module.h. Each step is a function. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "module/aspect-programs.h"
#include "module/cache.h"
#include "module/check-calls.h"
#include "module/compile-module.h"
#include "module/compile-notes.h"
#include "module/diagnose.h"
#include "aspect/generate/generate.h"
#include "module/kbuild.h"
#include "module/late-tables.h"
#include "module/kernel-folders.h"
#include "module/template.h"
#include "aspect/language/load.h"
#include "aspect/resolve/select.h"
#include "aspect/resolve/values-find.h"
#include "base/notation.h"
#include "base/cleanup.h"
#include "base/progress.h"
#include "database/db.h"

/* State of one compile. */
struct compile {
	const struct wv_compile *what;
	struct wv_aspect *aspect;
	struct wv_db *db;
	struct wv_programs programs;
	struct wv_selection selection;
	struct wv_values values;
	/* what the module's note (incomplete-note.h) says: which joinpoints the aspect may lack */
	struct wv_str incomplete;
	struct wv_compile_result *result;
	/*
	 * true: do not keep errors as messages, since another build of the module will find them
	 * again
	 */
	bool silent;
	struct wv_error *error;
};

/*
 * Moves @errors to the messages, except the last one, which wv_compile() returns in @error. Leaves
 * @errors empty.
 */
static void take_errors(struct wv_messages *messages, struct wv_errors *errors)
{
	for (size_t i = 0; i + 1 < errors->list.n; i++)
		wv_messages_add_error(messages, &errors->list.data[i]);
	wv_errors_deinit(errors);
}

static int load(struct compile *compile)
{
	struct wv_errors errors = { 0 };
	int failed = wv_aspect_load_text(compile->what->aspect, compile->what->text,
					 &compile->aspect, &errors, compile->error);
	const struct wv_text_location *location;

	if (failed && errors.list.n)
		*compile->error = errors.list.data[errors.list.n - 1];
	take_errors(&compile->result->messages, &errors);
	if (failed)
		return failed;
	location = &compile->aspect->location;
	if (!compile->aspect->advices.n)
		return wv_fail_at(compile->error, WV_E_ASPECT, compile->what->aspect,
				  location->line, location->column,
				  "there is no advice, so there is nothing to compile");
	if (compile->what->filtered)
		wv_aspect_set_filtered(compile->aspect);
	return 0;
}

/* ---- generating C and compiling it ----------------------------------------------------------- */

static int make_c(struct compile *compile, struct wv_str *out, struct wv_error *error)
{
	return wv_generate(compile->aspect, &compile->selection, &compile->values,
			   wv_str_text(&compile->incomplete), out, error);
}

static int keep_c(const struct wv_compile *what, const struct wv_kbuild *build,
		  struct wv_error *error)
{
	char folder[PATH_MAX];
	char *slash;

	snprintf(folder, sizeof(folder), "%s", *what->keep ? what->keep : what->output);
	slash = strrchr(folder, '/');
	if (!*what->keep && slash)
		*slash = '\0';
	else if (!*what->keep)
		strcpy(folder, ".");
	if (mkdir(folder, 0777) && errno != EEXIST)
		return wv_fail_errno(error, errno, "%s", folder);
	return wv_kbuild_write(build, folder, error);
}

/* wv_kbuild_module.check: checks the calls of the finished module. */
static int check_calls(void *compile_, const char *calls, struct wv_error *error)
{
	struct compile *compile = compile_;
	struct wv_errors errors = { 0 };
	int ret = wv_check_calls(compile->aspect, &compile->selection, compile->db, calls,
				 &errors, error);

	if (ret && errors.list.n)
		*error = errors.list.data[errors.list.n - 1];
	if (compile->silent)
		wv_errors_deinit(&errors);
	else
		take_errors(&compile->result->messages, &errors);
	return ret;
}

/* wv_kbuild_module.complete: writes the tables of late-tables.h into the module at @path. */
static int write_tables(void *compile_, const char *path, const char *calls, struct wv_error *error)
{
	struct compile *compile = compile_;

	return wv_late_tables_write(path, wv_base_name(compile->aspect->path), compile->db, calls,
				    error);
}

/* Returns the description of the aspect's module for kbuild. */
static struct wv_kbuild_module module_of(struct compile *compile)
{
	return (struct wv_kbuild_module){
		.name = compile->aspect->name,
		.source = compile->result->source.data,
		.output = compile->what->output,
		.check = check_calls,
		.complete = write_tables,
		.context = compile,
	};
}

/*
 * Finds the folders that kbuild needs, and builds the modules of @build. @keep: also writes the C
 * and the Kbuild file of the modules to the folder @what->keep, if the user has named one.
 */
static int run_kbuild(const struct wv_compile *what, struct wv_kbuild build, bool keep,
		      struct wv_str *log, enum wv_built *built_ret, struct wv_error *error)
{
	_cleanup_free_ char *kmod = NULL, *runtime = NULL;
	struct wv_signing signing;
	int ret = wv_find_kmod(what->kmod, what->kernel, &kmod, error);

	if (!ret)
		ret = wv_find_runtime(what->runtime, &runtime, error);
	if (!ret)
		ret = wv_signing_find(what->kernel, what->sign_key, what->sign_certificate,
				      &signing, error);
	build.by_kbuild |= what->by_kbuild;
	build.signing = &signing;
	build.kernel = what->kernel;
	build.kmod = kmod;
	build.runtime = runtime;
	if (!ret && keep && what->keep)
		ret = keep_c(what, &build, error);
	wv_progress_stage(NULL);
	return ret ? ret : wv_kbuild_run(&build, built_ret, log, error);
}

/* ---- finding shadows and variables ----------------------------------------------------------- */

static int no_image(const char *kernel, struct wv_error *error)
{
	char release[WV_RELEASE_MAX];

	wv_kernel_release(kernel, release);
	return wv_fail(error, WV_E_FAILURE,
		       "variables such as $(name) are looked up in the kernel's debug information, "
		       "and %s has no vmlinux: build the kernel there, or install the debug "
		       "package of its kernel (on Debian linux-image-%s-dbg)",
		       kernel, release[0] ? release : "RELEASE");
}

/*
 * Finds the variables that differ from shadow to shadow. Some need the DWARF of the kernel's
 * vmlinux or of its modules.
 */
static int find_values(struct compile *compile, struct wv_errors *errors, struct wv_error *error)
{
	const char *kernel = compile->what->kernel;
	bool wanted = wv_values_wanted_of_kernel(compile->aspect);
	struct wv_kernel_files files;
	int ret;

	if (wanted && !kernel)
		return wv_fail(error, WV_E_USAGE,
			       "--kernel is missing: "
			       "variables such as $(name) are looked up in its vmlinux");
	wv_progress_stage("looking up variables");
	ret = wv_kernel_files_find(kernel, compile->what->modules, &compile->selection.parts,
				   &files, error);
	if (ret)
		return ret;
	ret = wanted && access(files.vmlinux, R_OK)
		      ? no_image(kernel, error)
		      : wv_values_find(&compile->values, compile->aspect, &compile->selection,
				       compile->db, &files, errors, error);
	wv_kernel_files_deinit(&files);
	return ret;
}

/*
 * Compiles as much of the aspect's C as is possible although shadows or variables are missing.
 * Writes no module: only the compiler's messages are wanted. Sets @report to these messages; leaves
 * @report empty if the author's C has no errors.
 */
static void check_c(struct compile *compile, struct wv_str *report)
{
	_cleanup_str_ struct wv_str source = { 0 }, log = { 0 };
	struct wv_kbuild_module module = { .name = compile->aspect->name };
	struct wv_error error;
	enum wv_built built;

	/*
	 * Advice that lacks a shadow or variable gets an empty body: do not report names as unused
	 * that only the real body uses.
	 */
	wv_str_add(&source, "#pragma GCC diagnostic ignored \"-Wunused\"\n"
			    "#pragma GCC diagnostic ignored \"-Wunused-function\"\n");
	if (make_c(compile, &source, &error)) {
		wv_str_deinit(report);
		return;
	}
	module.source = source.data;
	if (run_kbuild(compile->what, (struct wv_kbuild){ .modules = &module, .n = 1 }, false, &log,
		       &built, &error) ||
	    !log.data ||
	    wv_diagnose(compile->aspect, compile->what->kernel, log.data, report, &error) !=
		    -WV_E_ADVICE)
		wv_str_deinit(report);
}

/*
 * Looks for further errors after an error in names, so that the author can correct all at once:
 * errors in variables, at those shadows that were found, and errors in the C. If there are any, all
 * errors become messages. @has_values: true: the first error was about variables; false: it was
 * about names in pointcuts, so that the shadows of these pointcuts are missing.
 */
static void look_further(struct compile *compile, bool has_values)
{
	struct wv_messages *messages = &compile->result->messages;
	_cleanup_str_ struct wv_str report = { 0 };
	struct wv_errors errors = { 0 };
	struct wv_error other;

	if (!compile->what->output || !compile->what->kernel)
		return;
	if (!has_values)
		find_values(compile, &errors, &other);
	check_c(compile, &report);
	if (errors.list.n || report.data) {
		wv_messages_add_error(messages, compile->error);
		wv_vec_for_each(one, &errors.list)
			wv_messages_add_error(messages, one);
		if (report.data)
			wv_messages_add(messages, WV_MESSAGE_LINES, "%s", report.data);
		wv_fail_at(compile->error, compile->error->code, compile->aspect->path, 0, 0,
			   "no module; C that needs what is missing was not compiled");
	}
	wv_errors_deinit(&errors);
}

static int find_shadows(struct compile *compile)
{
	struct wv_messages *messages = &compile->result->messages;
	const struct wv_aspect *aspect = compile->aspect;
	struct wv_errors errors = { 0 };
	size_t n;
	int ret;

	ret = wv_aspect_programs_open(aspect, &compile->programs, compile->error);
	if (ret)
		return ret;
	compile->selection.programs = &compile->programs;
	wv_progress_stage("looking up shadows");
	ret = wv_selection_query(&compile->selection, aspect, compile->db, &errors, compile->error);
	take_errors(messages, &errors);
	/*
	 * Note optimized-out joinpoints also on -WV_E_NO_MATCH: perhaps they are the reason why no
	 * shadow is left.
	 */
	if (!ret || ret == -WV_E_NO_MATCH)
		wv_note_optimized_out(messages, &compile->selection);
	wv_note_inlined(messages, aspect, compile->db);
	if (ret == -WV_E_NO_MATCH)
		look_further(compile, false);
	n = compile->selection.list.n;
	if (!ret && n > compile->what->limit)
		ret = wv_fail_at(compile->error, WV_E_TOO_MANY, aspect->path, aspect->location.line,
				 aspect->location.column,
				 "the aspect has %s, more than the %zu of --at-most",
				 wv_count_text(n, "shadow").text,
				 compile->what->limit);
	return ret;
}

static int find_variables(struct compile *compile)
{
	struct wv_messages *messages = &compile->result->messages;
	struct wv_errors errors = { 0 };
	int ret = find_values(compile, &errors, compile->error);

	take_errors(messages, &errors);
	if (ret == -WV_E_ASPECT)
		look_further(compile, true);
	if (!ret)
		wv_note_dropped(messages, compile->aspect, &compile->values);
	return ret;
}

/* ---- building the modules of several aspects ------------------------------------------------- */

static const char recipe_fails[] = "weft: made by kbuild: a command of the recipe fails\n";

/* Builds one aspect's module. @keep: see run_kbuild(). @by_kbuild: do not use a recipe. */
static int build(struct compile *compile, bool keep, bool by_kbuild)
{
	const struct wv_kbuild_module module = module_of(compile);
	struct wv_messages *messages = &compile->result->messages;
	_cleanup_str_ struct wv_str log = { 0 }, report = { 0 };
	enum wv_built built = WV_NOT_BUILT;
	int ret = run_kbuild(compile->what,
			     (struct wv_kbuild){ .modules = &module, .n = 1,
						 .by_kbuild = by_kbuild },
			     keep, &log, &built, compile->error);

	if (ret)
		return ret;
	ret = wv_diagnose(compile->aspect, compile->what->kernel, log.data ? log.data : "",
			  &report, compile->error);
	if (built == WV_NOT_BUILT_BY_RECIPE && ret != -WV_E_ADVICE) {
		wv_messages_add(messages, WV_MESSAGE_LOG, "%s", recipe_fails);
		return build(compile, false, true);
	}
	if (log.data)
		wv_messages_add(messages, WV_MESSAGE_LOG, "%s", log.data);
	if (report.data)
		wv_messages_add(messages, WV_MESSAGE_LINES, "%s", report.data);
	if (built == WV_BUILT)
		return 0;
	return ret ? ret : wv_fail(compile->error, WV_E_FAILURE,
				   "the module does not build; --verbose shows what kbuild says");
}

/* Returns whether another aspect has the same name: one run of kbuild cannot build both. */
static bool shares_name(const struct compile *compiles, size_t n, size_t which)
{
	for (size_t i = 0; i < n; i++)
		if (i != which &&
		    !strcmp(compiles[i].aspect->name, compiles[which].aspect->name))
			return true;
	return false;
}

/*
 * The aspects whose modules are built. Aspects that are marked "alone" are each built by a run of
 * their own, the others by one run for all.
 */
struct batch {
	struct compile *compiles;
	bool *alone; /* for each aspect: whether it is built by a run of its own */
	size_t n, n_alone;
};

static void set_alone(struct batch *batch, size_t i)
{
	batch->n_alone += !batch->alone[i];
	batch->alone[i] = true;
}

/*
 * Builds the modules of all aspects that are not marked "alone", by a recipe or by one run of
 * kbuild. Sets @log to what the programs printed. If they printed anything, even only a warning, no
 * module is written, and *@built_ret is not WV_BUILT: it is not known yet to which aspect each
 * message belongs.
 */
static int build_together(const struct batch *batch, bool keep, bool by_kbuild, struct wv_str *log,
			  enum wv_built *built_ret, struct wv_error *error)
{
	_cleanup_free_ struct wv_kbuild_module *modules = calloc(batch->n, sizeof(*modules));
	size_t n = 0;

	if (!modules)
		return wv_no_memory(error);
	for (size_t i = 0; i < batch->n; i++)
		if (!batch->alone[i])
			modules[n++] = module_of(&batch->compiles[i]);
	return run_kbuild(batch->compiles->what,
			  (struct wv_kbuild){ .modules = modules, .n = n, .only_silent = true,
					      .by_kbuild = by_kbuild },
			  keep, log, built_ret, error);
}

/* Returns whether @log has @file as a whole name, with or without a folder before it. */
static bool has_file(const char *log, const char *file)
{
	for (const char *at = log; (at = strstr(at, file)); at++)
		if (at == log || strchr("/ \n'\"", at[-1]))
			return true;
	return false;
}

/*
 * Returns whether the output @log names the aspect's file or a file of its module. Compares names
 * without folders: #line gives the compiler the aspect's name without its folder, and the compiler
 * runs in the module's folder.
 */
static bool is_named(const struct compile *compile, const char *log)
{
	static const char *const endings[] = { "c", "o", "mod", "ko", NULL };

	for (const char *const *ending = endings; *ending; ending++) {
		_cleanup_str_ struct wv_str file = { 0 };

		wv_str_addf(&file, "%s.%s", compile->aspect->name, *ending);
		if (file.failed || has_file(log, wv_str_text(&file)))
			return true;
	}
	return has_file(log, wv_base_name(compile->aspect->path));
}

/*
 * Builds the modules of all aspects, together if possible. If the programs print messages, each
 * aspect that these name is taken out and built alone, so that it is certain to which aspect a
 * message belongs; the others are built together again. A recipe stops at the first module that
 * fails. If the messages do not name any module, the modules are built by kbuild instead, which
 * names all that fail.
 */
static int build_batch(struct batch *batch, struct wv_error *error)
{
	const bool together = batch->n - batch->n_alone > 1;
	enum wv_built built = WV_NOT_BUILT;
	bool keep = true, by_kbuild = false;
	int ret = 0;

	for (; built != WV_BUILT && batch->n - batch->n_alone > 1 && !ret; keep = false) {
		_cleanup_str_ struct wv_str log = { 0 };
		size_t before = batch->n_alone;

		ret = build_together(batch, keep, by_kbuild, &log, &built, error);
		for (size_t i = 0; i < batch->n && !ret && built != WV_BUILT; i++)
			if (is_named(&batch->compiles[i], wv_str_text(&log)))
				set_alone(batch, i);
		if (before != batch->n_alone)
			continue;
		/*
		 * The messages name none of the modules that were built together, so any of them
		 * may have caused them: build each of them by a run of its own.
		 */
		if (built != WV_NOT_BUILT_BY_RECIPE)
			break;
		wv_messages_add(&batch->compiles->result->messages, WV_MESSAGE_LOG, "%s",
				recipe_fails);
		by_kbuild = true;
	}
	for (size_t i = 0; i < batch->n && !ret; i++)
		if (batch->alone[i] || built != WV_BUILT)
			ret = build(&batch->compiles[i],
				    !together || shares_name(batch->compiles, batch->n, i), false);
	return ret;
}

static int build_all(struct compile *compiles, size_t n, struct wv_error *error)
{
	_cleanup_free_ bool *alone = calloc(n, sizeof(*alone));
	struct batch batch = { .compiles = compiles, .alone = alone, .n = n };

	if (!alone)
		return wv_no_memory(error);
	for (size_t i = 0; i < n; i++)
		if (shares_name(compiles, n, i))
			set_alone(&batch, i);
	return build_batch(&batch, error);
}

/* ---- building a module of a template --------------------------------------------------------- */

/*
 * Compiles the template. Sets *@ret to whether it could be compiled. Errors in the C are not
 * reported: the caller then builds the module without a template, which reports them.
 */
static int make_template(struct compile *compile, const struct wv_template *template, bool *ret,
			 struct wv_error *error)
{
	_cleanup_str_ struct wv_str log = { 0 };
	enum wv_built built = WV_NOT_BUILT;
	struct wv_template_names names;
	struct wv_kbuild_module module;
	int failed = wv_template_names_init(&names, compile->aspect, error);

	*ret = false;
	if (!failed) {
		wv_template_names_swap(&names, compile->aspect);
		compile->silent = true;
		module = module_of(compile);
		module.source = template->source.data;
		module.output = template->path;
		failed = run_kbuild(compile->what,
				    (struct wv_kbuild){ .modules = &module, .n = 1,
							.only_silent = true },
				    false, &log, &built, error);
		compile->silent = false;
		wv_template_names_swap(&names, compile->aspect);
	}
	wv_template_names_deinit(&names);
	*ret = !failed && built == WV_BUILT;
	return failed == -WV_E_ADVICE || failed == -WV_E_ASPECT ? 0 : failed;
}

/*
 * Returns whether other aspects probably have the same C as this one. They do if the aspect was
 * made of a one-liner (its text is in no file), or if it consists of metrics only, without C of an
 * author.
 */
static bool is_common(const struct compile *compile)
{
	if (compile->what->text)
		return true;
	wv_vec_for_each(advice, &compile->aspect->advices)
		if (!advice->metric)
			return false;
	return true;
}

/*
 * Returns whether the headers, the kernel and weft are still those of which the template's path is
 * a hash. If one has changed while the template was compiled, removes the template: later runs
 * would take it for one that was compiled with the files before the change.
 */
static bool is_up_to_date(const struct compile *compile, const struct wv_template *template)
{
	char path[PATH_MAX];
	struct wv_error ignored;

	if (!wv_cache_template_path(compile->what->templates, &template->source, path, &ignored) &&
	    !strcmp(path, template->path))
		return true;
	unlink(template->path);
	return false;
}

/*
 * Makes the aspect's module of a template. Compiles the template first if it is not in the cache.
 * Sets *@done_ret to whether the module was made; if not, the caller has to compile the module.
 */
static int build_of_template(struct compile *compile, bool *done_ret, struct wv_error *error)
{
	const struct wv_compile *what = compile->what;
	struct wv_template template;
	bool made = false;
	int failed;

	*done_ret = false;
	if (!what->templates || what->keep || what->by_kbuild || !is_common(compile))
		return 0;
	failed = wv_template_find(compile->aspect, &compile->selection, &compile->values,
				  wv_str_text(&compile->incomplete), what->templates, &template,
				  &made, error);
	if (failed || !made)
		return failed;
	if (!wv_cache_has(template.path)) {
		failed = make_template(compile, &template, &made, error);
		made = made && is_up_to_date(compile, &template);
	}
	if (!failed && made) {
		failed = wv_template_fill(&template, compile->aspect, what->output, error);
		*done_ret = !failed;
		if (failed == -WV_E_FORMAT) {
			unlink(template.path);
			failed = 0;
		}
		wv_cache_trim(template.path);
	}
	if (*done_ret)
		wv_messages_add(&compile->result->messages, WV_MESSAGE_LOG,
				"weft: made of the template %s\n", template.path);
	wv_template_deinit(&template);
	return failed;
}

/* ---- compiling aspects to modules ------------------------------------------------------------ */

static int check_kernel(struct compile *compile)
{
	size_t size;
	const uint8_t *build_id = wv_db_build_id(compile->db, &size);

	if (!compile->what->output)
		return 0;
	return wv_kernel_check(compile->what->kernel, compile->what->db, build_id, size,
			       compile->error);
}

/* Does all steps of a compile up to and including the generated C. */
static int make_source(struct compile *compile)
{
	struct wv_messages *messages = &compile->result->messages;
	int ret = load(compile);

	if (!ret)
		ret = wv_db_open(compile->what->db, &compile->db, compile->error);
	if (ret)
		return ret;
	wv_note_unused(messages, compile->aspect, compile->db);
	ret = wv_note_unprepared(messages, compile->aspect, compile->db, &compile->incomplete,
				 compile->error);
	if (!ret)
		ret = check_kernel(compile);
	if (!ret)
		ret = find_shadows(compile);
	if (!ret)
		ret = find_variables(compile);
	if (!ret)
		ret = make_c(compile, &compile->result->source, compile->error);
	compile->result->shadows = compile->selection.list.n;
	if (!ret)
		wv_note_rest(messages, &compile->selection);
	return ret;
}

static void compile_deinit(struct compile *compile)
{
	wv_str_deinit(&compile->incomplete);
	wv_values_deinit(&compile->values);
	wv_selection_deinit(&compile->selection);
	wv_aspect_destroy(compile->aspect);
	wv_programs_deinit(&compile->programs);
	wv_db_close(compile->db);
}

int wv_compile(const struct wv_compile *what, size_t n, struct wv_compile_result *ret,
	       struct wv_error *error)
{
	_cleanup_free_ struct compile *compiles = calloc(n, sizeof(*compiles));
	bool done = false;
	int failed = 0;

	memset(ret, 0, n * sizeof(*ret));
	if (!compiles)
		return wv_no_memory(error);
	for (size_t i = 0; i < n && !failed; i++) {
		compiles[i] = (struct compile){ .what = &what[i], .result = &ret[i],
						.error = error };
		failed = make_source(&compiles[i]);
	}
	if (!failed && what->output && n == 1)
		failed = build_of_template(compiles, &done, error);
	if (!failed && what->output && !done)
		failed = build_all(compiles, n, error);
	wv_progress_stage(NULL);
	for (size_t i = 0; i < n; i++)
		compile_deinit(&compiles[i]);
	return failed;
}

void wv_compile_result_deinit(struct wv_compile_result *compiled)
{
	wv_messages_deinit(&compiled->messages);
	wv_str_deinit(&compiled->source);
}
