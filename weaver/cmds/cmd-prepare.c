// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft prepare`: makes the database of a kernel as shipped, from the distribution's packages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "aspect/language/aspect-model.h"
#include "base/cleanup.h"
#include "base/linux-version.h"
#include "base/notation.h"
#include "base/progress.h"
#include "cmds/aspect-errors.h"
#include "cmds/cmd.h"
#include "cmds/options.h"
#include "cmds/proof-report.h"
#include "cmds/show-progress.h"
#include "database/pointcut-kinds.h"
#include "database/pointcut-parse.h"
#include "database/within.h"
#include "index/build.h"
#include "live/running-kernel.h"
#include "module/prepared.h"
#include "prepare/choose-units.h"
#include "prepare/compile.h"
#include "prepare/compiler.h"
#include "prepare/config.h"
#include "prepare/locate.h"
#include "prepare/mentions.h"
#include "prepare/packages.h"
#include "prepare/prepared-images.h"
#include "prepare/share.h"
#include "prepare/source.h"

enum { FAILED_SHOWN = 5 };

struct options {
	char **folders;
	size_t n;
	const char *kernel, *source, *image, *config, *compiler, *plugin, *modules;
	size_t jobs;
	const char *module, *pointcut, *export_to, *import_from;
	bool all, dry_run;
};

static const struct wv_option known[] = {
	WV_TEXT(struct options, kernel, "kernel", 'k', "RELEASE", WV_COMPLETE_ANY,
		"the kernel, by its release as `uname -r` prints it (default: the one that runs)"),
	WV_FLAG(struct options, all, "all", 'a', "compile all that is built into the kernel"),
	WV_TEXT(struct options, module, "module", 'm', "NAME", WV_COMPLETE_ANY,
		"compile all of the modules of that name, which may have * and ?"),
	WV_TEXT(struct options, pointcut, "for", 'f', "POINTCUT", WV_COMPLETE_POINTCUT,
		"compile what can have an access of this member or call of this function: units "
		"that mention it, or something in a header that does; or of an ASPECT.xml: of all "
		"its members. As MODULE:POINTCUT in the modules of that name"),
	WV_TEXT(struct options, export_to, "export", 0, "FILE", WV_COMPLETE_FILE,
		"write the kernel's database to FILE, for other machines"),
	WV_TEXT(struct options, import_from, "import", 0, "FILE", WV_COMPLETE_FILE,
		"take the kernel's database from FILE, which another machine has exported; only "
		"that of the running kernel, unless --kernel or --vmlinux names another"),
	WV_FLAG(struct options, dry_run, "dry-run", 'n',
		"only print what would be done, and list the units"),
	WV_TEXT(struct options, source, "source", 's', "TREE", WV_COMPLETE_FILE,
		"the kernel's source: a folder in which nothing was built, or a tar file"),
	WV_TEXT(struct options, image, "vmlinux", 'v', "FILE", WV_COMPLETE_IMAGE,
		"the image with its debug information"),
	WV_TEXT(struct options, modules, "modules", 0, "FOLDER", WV_COMPLETE_FOLDER,
		"the folder of its modules (default: those of the package that the image is of)"),
	WV_TEXT(struct options, config, "config", 'c', "FILE", WV_COMPLETE_FILE,
		"its configuration"),
	WV_TEXT(struct options, compiler, "compiler", 0, "PROGRAM", WV_COMPLETE_PROGRAM,
		"the compiler (default: the one that the configuration names)"),
	WV_TEXT(struct options, plugin, "plugin", 0, "FILE", WV_COMPLETE_FILE,
		"the plugin weft_joinpoints.so for that compiler"),
	WV_NUMBER(struct options, jobs, "jobs", 'j', "N",
		  "how many compilers run at a time (default: one for each processor)"),
	{ 0 }
};

static int parse(int argc, char **argv, struct options *ret, struct wv_error *error)
{
	int first, failed, given;

	*ret = (struct options){ 0 };
	failed = wv_options_parse(&wv_cmd_prepare, argc, argv, ret, &first, error);
	if (failed)
		return failed;
	ret->folders = argv + first;
	ret->n = argc - first;
	given = !!ret->n + ret->all + !!ret->module + !!ret->pointcut + !!ret->export_to +
		!!ret->import_from;
	if (!given)
		return wv_usage(error, "prepare",
				"which units? name folders of the source, or give --for, --module "
				"or --all");
	if (given > 1)
		return wv_usage(error, "prepare",
				"give one of FOLDER..., --for, --module, --all, --export and "
				"--import");
	return 0;
}

/*
 * Chooses the units that mention the pointcut's member or symbol (prepare/mentions.h). If the
 * pointcut is a file or a line, chooses the units whose main source is this file.
 */
static int choose_pointcut(struct wv_prepare *prepare, struct wv_mentions **mentions,
			   const struct wv_pointcut *pointcut, struct wv_error *error)
{
	const char *word = pointcut->member ? wv_member_last(pointcut->member) : pointcut->symbol;
	int ret;

	wv_progress_stage("looking for what mentions it");
	if (pointcut->file)
		return wv_units_choose_file(prepare, pointcut->module, pointcut->file, error);
	if (strpbrk(word, "*?"))
		return wv_fail(error, WV_E_USAGE,
			       "'%s' is a pattern, which no unit can be asked for: name folders, "
			       "or give --all", word);
	ret = wv_mentions_read(prepare, mentions, error);
	return ret ? ret : wv_units_choose_mentions(prepare, *mentions, word, pointcut->module,
						    error);
}

/*
 * Adds the modules that the tree of a pointcut names, also in a <within>: the other elements of its
 * <and> may pick joinpoints in that module without naming it.
 */
static int add_modules(struct wv_prepare *prepare, const struct wv_aspect *aspect,
		       const struct wv_pick *pick, struct wv_error *error)
{
	const char *module = pick->type == WV_PICK_POINTCUT ? pick->pointcut.module :
			     pick->type == WV_PICK_WITHIN   ? pick->within.module :
							      NULL;
	struct wv_error plain;
	int ret = module ? wv_prepared_add_modules(prepare, module, &plain) : 0;

	if (ret)
		return wv_fail_at(error, plain.code, aspect->path, pick->location.line,
				  pick->location.column, "%s", plain.message);
	if (pick->type == WV_PICK_NOT)
		return 0;
	wv_vec_for_each(part, &pick->parts)
		if (!ret)
			ret = add_modules(prepare, aspect, *part, error);
	return ret;
}

/*
 * Chooses the units for all leaves of a pointcut's tree that pick accesses. Sets *@any_ret to true
 * if there is such a leaf.
 */
static int choose_pick(struct wv_prepare *prepare, struct wv_mentions **mentions,
		       const struct wv_aspect *aspect, const struct wv_pick *pick, bool *any_ret,
		       struct wv_error *error)
{
	const struct wv_linux_range *kernels = &pick->kernels;
	struct wv_error plain;
	int ret = 0;

	if (kernels->last &&
	    !wv_linux_in(wv_linux_version_of(wv_str_text(&prepare->kernel_version)), kernels))
		return 0;
	wv_vec_for_each(part, &pick->parts)
		if (!ret)
			ret = choose_pick(prepare, mentions, aspect, *part, any_ret, error);
	if (pick->type != WV_PICK_POINTCUT ||
	    wv_pointcut_kind(pick->pointcut.type)->picks != WV_PICKS_ACCESSES)
		return ret;
	*any_ret = true;
	ret = choose_pointcut(prepare, mentions, &pick->pointcut, &plain);
	return ret ? wv_fail_at(error, plain.code, aspect->path, pick->location.line,
				pick->location.column, "%s", plain.message) : 0;
}

/*
 * Chooses the units for an aspect's accesses. Pointcuts of functions and lines need no unit: the
 * database has the functions and lines of all units.
 */
static int choose_aspect(struct wv_prepare *prepare, struct wv_mentions **mentions,
			 const char *path, struct wv_error *error)
{
	struct wv_aspect *aspect;
	bool any = false;
	int ret = wv_aspect_open(path, &aspect, error);

	if (ret)
		return ret;
	wv_vec_for_each(pointcut, &aspect->pointcuts)
		if (!ret && !pointcut->program)
			ret = add_modules(prepare, aspect, pointcut->pick, error);
	wv_vec_for_each(pointcut, &aspect->pointcuts)
		if (!ret && !pointcut->program)
			ret = choose_pick(prepare, mentions, aspect, pointcut->pick, &any, error);
	if (!ret && !any)
		ret = wv_fail(error, WV_E_NO_MATCH,
			      "%s has no pointcut of a member: any database of this kernel has "
			      "what it picks", path);
	wv_aspect_destroy(aspect);
	return ret;
}

/*
 * Prints how the accesses in modules can be prepared, too, unless no modules are there. Called for
 * a pointcut, @text, that names no module.
 */
static int note_modules(struct wv_prepare *prepare, const char *text, struct wv_error *error)
{
	bool any;
	int ret = wv_prepared_has_modules(prepare, &any, error);

	if (ret || !any)
		return ret;
	wv_progress_end();
	printf("%s: modules are left out, but for those in the database: `weft prepare --for "
	       "MODULE:%s` adds one, --for '*:%s' all that mention it\n",
	       prepare->release_found.data, text, text);
	return 0;
}

static int choose_for(struct wv_prepare *prepare, struct wv_mentions **mentions, const char *text,
		      struct wv_error *error)
{
	struct wv_pointcut pointcut = { 0 };
	int ret;

	if (wv_is_aspect_file(text))
		return choose_aspect(prepare, mentions, text, error);
	ret = wv_pointcut_parse(text, WV_KINDS_ALL, &pointcut, error);
	if (!ret && pointcut.module)
		ret = wv_prepared_add_modules(prepare, pointcut.module, error);
	if (!ret)
		ret = choose_pointcut(prepare, mentions, &pointcut, error);
	if (!ret && pointcut.member && !pointcut.module)
		ret = note_modules(prepare, text, error);
	wv_pointcut_deinit(&pointcut);
	return ret;
}

static int choose(struct wv_prepare *prepare, struct wv_mentions **mentions,
		  const struct options *options, struct wv_error *error)
{
	int ret = 0;

	if (options->all)
		return wv_units_choose_all(prepare, WV_VMLINUX, error);
	if (options->pointcut)
		return choose_for(prepare, mentions, options->pointcut, error);
	if (options->module) {
		ret = wv_prepared_add_modules(prepare, options->module, error);
		return ret ? ret : wv_units_choose_all(prepare, options->module, error);
	}
	for (size_t i = 0; i < options->n && !ret; i++)
		ret = wv_units_choose_folder(prepare, options->folders[i], error);
	return ret;
}

/* Prints which packages are to be fetched, and how large they are. */
static void announce_packages(const struct wv_prepare *prepare, const struct wv_packages *packages)
{
	wv_progress_end();
	printf("%s: %.0f MB to download, %.1f GB in %s\n", prepare->release_found.data,
	       packages->download / 1e6, (packages->download + packages->unpacked) / 1e9,
	       prepare->folder);
	wv_vec_for_each(group, &packages->groups)
		wv_vec_for_each(package, &group->packages)
			printf("  %s\n", *package);
	fflush(stdout);
}

/*
 * Checks that the kernel has the options that weft.ko needs, and that its compiler is on this
 * machine. If the kernel's configuration is not on this machine yet, checks only what does not
 * depend on it.
 */
static int check_needs(struct wv_prepare *prepare, struct wv_error *error)
{
	int ret = 0;

	if (prepare->config_found.n)
		ret = wv_config_check(prepare->config_found.data, error);
	return ret ? ret : wv_compiler_find(prepare, error);
}

/*
 * Finds the files that are needed on this machine and, unless @dry_run is true, fetches the
 * packages with those that are not there. Sets *@ready_ret to whether all files are on this machine
 * now.
 */
static int gather(struct wv_prepare *prepare, bool dry_run, bool *ready_ret,
		  struct wv_error *error)
{
	struct wv_packages packages = { 0 };
	int ret = wv_prepare_locate(prepare, error);

	if (!ret)
		ret = wv_prepare_lock(prepare, error);
	if (!ret)
		ret = check_needs(prepare, error);
	if (!ret)
		ret = wv_source_find(prepare, error);
	if (!ret)
		ret = wv_packages_find(prepare, &packages, error);
	*ready_ret = !dry_run || !packages.groups.n;
	if (!ret && packages.groups.n) {
		announce_packages(prepare, &packages);
		wv_progress_begin("preparing", prepare->release_found.data);
	}
	if (!ret && *ready_ret)
		ret = wv_packages_fetch(prepare, &packages, error);
	wv_packages_deinit(&packages);
	if (ret || !*ready_ret)
		return ret;
	wv_prepare_locate_fetched(prepare);
	return wv_source_find(prepare, error);
}

/*
 * Does what is needed before units can be chosen: reads the image, unpacks and checks the source,
 * and adds the modules that the database has already.
 */
static int make_ready(struct wv_prepare *prepare, struct wv_error *error)
{
	int ret;

	wv_progress_stage("reading the image");
	ret = wv_prepare_image(prepare, error);
	if (!ret)
		ret = check_needs(prepare, error);
	wv_progress_stage("unpacking the source");
	if (!ret)
		ret = wv_source_unpack(prepare, error);
	if (!ret)
		ret = wv_source_check(prepare, error);
	return ret ? ret : wv_prepared_keep_modules(prepare, error);
}

/*
 * Prints how many units will be compiled, or with @list which ones, how long this will take, and
 * how much disk space is needed. Fails if less space is free.
 */
static int announce(const struct wv_prepare *prepare, bool list, struct wv_error *error)
{
	struct wv_estimate estimate = wv_compile_estimate(prepare);

	wv_progress_end();
	printf("%s: %zu of its %s chosen, %zu to be compiled: about %s, %.1f GB\n",
	       prepare->release_found.data, prepare->chosen.n,
	       wv_count_text(prepare->units.strings.n, "unit").text, estimate.nr_units,
	       wv_count_text(estimate.seconds / 60 + 1, "minute").text, estimate.bytes / 1e9);
	if (list)
		wv_vec_for_each(unit, &prepare->chosen)
			printf("%s\n", wv_pool_get(&prepare->units, *unit));
	fflush(stdout);
	return list ? 0 : wv_check_space(prepare, estimate.bytes, error);
}

static int compile(struct wv_prepare *prepare, struct wv_error *error)
{
	struct wv_units_compiled compiled;
	size_t shown = 0;
	int ret = wv_compile_units(prepare, &compiled, error);

	wv_progress_end();
	if (!ret)
		printf("%s: %s, %zu compiled now\n", prepare->release_found.data,
		       wv_count_text(prepare->chosen.n, "unit").text, compiled.nr_compiled);
	wv_vec_for_each(unit, &compiled.failed)
		if (!ret && shown++ < FAILED_SHOWN)
			fprintf(stderr, "weft: warning: %s could not be compiled; see %s\n",
				wv_pool_get(&prepare->units, *unit), prepare->log);
	if (!ret && compiled.failed.n > FAILED_SHOWN)
		fprintf(stderr, "weft: warning: nor could %zu more\n",
			compiled.failed.n - FAILED_SHOWN);
	wv_vec_deinit(&compiled.failed);
	return ret;
}

/*
 * The .n images to index. .mentions has an element for each image: for each word, how many of those
 * units of the image mention the word that were not compiled (index/mention-counts.h).
 */
struct indexed {
	struct wv_index_image *images;
	struct wv_mention_counts *mentions;
	size_t n;
};

static void indexed_deinit(struct indexed *indexed)
{
	for (size_t i = 0; i < indexed->n; i++) {
		wv_proof_result_deinit(&indexed->images[i].proof);
		wv_mention_counts_deinit(&indexed->mentions[i]);
	}
	free(indexed->images);
	free(indexed->mentions);
}

static int list_indexed(const struct wv_prepare *prepare, const char *objects,
			struct wv_mentions *texts, struct indexed *ret, struct wv_error *error)
{
	const size_t n = prepare->images.n;
	int failed = 0;

	ret->images = calloc(n, sizeof(*ret->images));
	ret->mentions = calloc(n, sizeof(*ret->mentions));
	if (!ret->images || !ret->mentions)
		return wv_no_memory(error);
	for (ret->n = 0; ret->n < n && !failed; ret->n++) {
		ret->images[ret->n] = (struct wv_index_image){
			.path = prepare->images.data[ret->n].path,
			.folder = objects,
			.plugged = true,
			.mentions = &ret->mentions[ret->n],
		};
		failed = wv_mentions_count(prepare, texts, &prepare->images.data[ret->n],
					   wv_compile_lacks, &ret->mentions[ret->n], error);
	}
	return failed;
}

static void print_indexed(const struct wv_prepare *prepare, const struct indexed *indexed,
			  const char *database, const struct wv_index_totals *totals)
{
	const size_t modules = indexed->n - 1;

	wv_proofs_print(indexed->images, indexed->n, false);
	printf("%s: %s, %zu exact", database, wv_count_text(totals->joinpoints, "joinpoint").text,
	       totals->by_precision[WEFT_PRECISION_EXACT]);
	if (modules)
		printf("; with %s: %s%s", wv_count_text(modules, "module").text,
		       prepare->images.data[1].name, modules > 1 ? " ..." : "");
	printf("\n");
}

static int write_database(struct wv_prepare *prepare, struct wv_mentions **texts,
			  struct wv_error *error)
{
	char database[PATH_MAX + 32], objects[PATH_MAX + 32];
	_cleanup_(indexed_deinit) struct indexed indexed = { 0 };
	struct wv_index_totals totals;
	int ret;

	wv_compile_folder(prepare, objects);
	snprintf(database, sizeof(database), "%s/" WV_PREPARED_DATABASE, prepare->folder);
	wv_progress_begin("indexing", prepare->image_found.data);
	wv_progress_stage("what the other units mention");
	ret = wv_mentions_read(prepare, texts, error);
	if (!ret)
		ret = list_indexed(prepare, objects, *texts, &indexed, error);
	if (!ret)
		ret = wv_index_images(indexed.images, indexed.n, database, true, &totals, error);
	wv_progress_end();
	if (!ret)
		print_indexed(prepare, &indexed, database, &totals);
	return ret;
}

/* ---- sharing databases with other machines --------------------------------------------------- */

static int export_database(const struct wv_prepare *prepare, const char *path,
			   struct wv_error *error)
{
	const char *release = prepare->release_found.data;
	char database[PATH_MAX];
	int ret;

	if (!wv_prepared_find(release, WV_PREPARED_DATABASE, database) &&
	    wv_prepared_refusal(release, error))
		return -(int)error->code;
	if (!wv_prepared_find(release, WV_PREPARED_DATABASE, database))
		return wv_fail(error, WV_E_FAILURE,
			       "no database of Linux %s is prepared: run `weft prepare` first",
			       release);
	wv_progress_begin("exporting", database);
	ret = wv_share_export(database, release, path, error);
	wv_progress_end();
	if (!ret)
		printf("%s: the database of Linux %s\n", path, release);
	return ret;
}

static int check_build_id(const struct wv_shared *shared, const char *path, const char *of_what,
			  const struct wv_build_id *wanted, struct wv_error *error)
{
	char has[2 * WEFT_BUILD_ID_MAX + 1], wants[2 * WEFT_BUILD_ID_MAX + 1];

	if (shared->build_id.size == wanted->size &&
	    !memcmp(shared->build_id.bytes, wanted->bytes, wanted->size))
		return 0;
	wv_build_id_text(shared->build_id.bytes, shared->build_id.size, has);
	wv_build_id_text(wanted->bytes, wanted->size, wants);
	return wv_fail(error, WV_E_MISMATCH,
		       "%s is of a Linux %s with the build-id %s, and %s has %s: take the file of "
		       "the very build",
		       path, shared->release, has, of_what, wants);
}

/*
 * Checks that the file @path, whose heading is @shared, is for the kernel that the command line
 * names or, if it names none, for the running kernel. If the build-id of that kernel is known, the
 * file must have the same.
 */
static int check_shared(const struct wv_prepare *prepare, const struct wv_shared *shared,
			const char *path, struct wv_error *error)
{
	const char *release = prepare->release_found.data;
	struct wv_build_id wanted;
	struct utsname name;
	int ret = 0;

	if (strcmp(shared->release, release))
		return wv_fail(error, WV_E_MISMATCH,
			       "%s is of Linux %s, and not of %s: name that kernel with --kernel, "
			       "or take the file of this one",
			       path, shared->release, release);
	if (prepare->image_found.n) {
		ret = wv_build_id_of_image(prepare->image_found.data, &wanted, error);
		return ret ? ret : check_build_id(shared, path, prepare->image_found.data, &wanted,
						  error);
	}
	if (uname(&name) || strcmp(name.release, release))
		return 0;
	ret = wv_kernel_build_id(wanted.bytes, sizeof(wanted.bytes), &wanted.size, error);
	return ret ? ret : check_build_id(shared, path, "the running kernel", &wanted, error);
}

static int import_database(struct wv_prepare *prepare, const char *path, struct wv_error *error)
{
	char database[PATH_MAX + 32];
	struct wv_shared shared;
	int ret = wv_share_read(path, &shared, error);

	if (!ret)
		ret = check_shared(prepare, &shared, path, error);
	if (!ret)
		ret = wv_prepare_lock(prepare, error);
	snprintf(database, sizeof(database), "%s/" WV_PREPARED_DATABASE, prepare->folder);
	wv_progress_begin("importing", path);
	if (!ret)
		ret = wv_share_import(path, &shared, database, error);
	wv_progress_end();
	if (!ret)
		printf("%s: the database of Linux %s\n", database, shared.release);
	return ret;
}

/* ---- running the command --------------------------------------------------------------------- */

static int share(struct wv_prepare *prepare, const struct options *options, struct wv_error *error)
{
	int ret = wv_prepare_locate(prepare, error);

	if (ret)
		return ret;
	return options->export_to ? export_database(prepare, options->export_to, error) :
				    import_database(prepare, options->import_from, error);
}

static int run(int argc, char **argv, struct wv_error *error)
{
	_cleanup_prepare_ struct wv_prepare prepare;
	_cleanup_mentions_ struct wv_mentions *mentions = NULL;
	struct options options;
	bool ready;
	int ret;

	wv_prepare_init(&prepare);
	ret = parse(argc, argv, &options, error);
	if (ret)
		return ret;
	prepare.release = options.kernel;
	prepare.source = options.source;
	prepare.image = options.image;
	prepare.config = options.config;
	prepare.modules = options.modules;
	prepare.compiler = options.compiler;
	prepare.plugin = options.plugin;
	prepare.jobs = options.jobs;
	if (options.export_to || options.import_from)
		return share(&prepare, &options, error);
	wv_progress_begin("preparing", options.kernel);
	ret = gather(&prepare, options.dry_run, &ready, error);
	if (ret || !ready)
		return ret;
	ret = make_ready(&prepare, error);
	if (!ret)
		ret = choose(&prepare, &mentions, &options, error);
	wv_prepared_drop_modules(&prepare);
	if (!ret)
		ret = announce(&prepare, options.dry_run, error);
	if (ret || options.dry_run)
		return ret;
	wv_progress_begin("preparing", options.kernel);
	ret = wv_compile_configure(&prepare, error);
	if (!ret)
		ret = compile(&prepare, error);
	wv_progress_end();
	return ret ? ret : write_database(&prepare, &mentions, error);
}

const struct wv_cmd wv_cmd_prepare = {
	.name = "prepare",
	.run = run,
	.summary = "make the database of a kernel as shipped",
	.usage = "[--kernel RELEASE] FOLDER...|--for POINTCUT|--for ASPECT.xml|--module NAME|"
		 "--all|--export FILE|--import FILE",
	.options = known,
	.operands = { WV_COMPLETE_FOLDER },
	.more = true,
	.intro = "Compiles units of the kernel's source again, with the plugin, and takes their "
		 "labels\nwhere a function is proven to be the kernel's. What is not here is "
		 "downloaded from\nDebian, and not installed. See docs/stock-kernels.md.\n",
	.notes = "A kernel's folder is below /var/lib/weft for root, below\n"
		 "${XDG_CACHE_HOME:-~/.cache}/weft/prepared for others, or below $WEFT_PREPARED.\n",
	.examples = "weft prepare --for sk_buff.destructor\n"
		    "weft prepare --for nf_conntrack:nf_conn.status\n"
		    "weft prepare --for aspects/sock_state.xml\n"
		    "weft prepare net/core net/ipv4\n"
		    "weft prepare --module overlay\n"
		    "weft prepare --kernel 6.1.0-56-cloud-amd64 --all\n"
		    "weft prepare --export linux.weft.gz\n"
		    "weft prepare --import linux.weft.gz\n",
};
