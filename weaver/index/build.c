// SPDX-License-Identifier: GPL-2.0-or-later
/* Builds a joinpoint database: runs the passes in order; see build.h. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/notation.h"
#include "base/progress.h"
#include "image/branch-targets.h"
#include "image/debug-file.h"
#include "image/dwarf/debug.h"
#include "image/image.h"
#include "image/dwarf/lines.h"
#include "image/patch-sites.h"
#include "image/module-files.h"
#include "image/symbols.h"
#include "image/table-reader.h"
#include "index/build.h"
#include "index/located-calls.h"
#include "index/inlined.h"
#include "index/merge.h"
#include "index/newer.h"
#include "index/parsed.h"
#include "index/stack-protector.h"
#include "index/fates.h"
#include "index/shadows.h"
#include "index/source-places.h"
#include "index/store.h"
#include "index/unlabelled.h"

enum { THREADS_MAX = 16 };

/* State that is passed from pass to pass. */
struct build {
	struct wv_image *image;
	struct wv_merge merge;
	struct wv_symbols symbols;
	wv_rows rows;
	struct wv_debug debug;
	struct wv_owners owners;
	struct wv_branch_targets branch_targets;
	struct wv_operands operands;
	struct wv_source_places places;
	struct wv_inlined_list inlined;
	struct wv_shadows shadows;
	struct wv_calls calls;
};

static void cleanup_build(struct build *build)
{
	wv_calls_deinit(&build->calls);
	wv_shadows_deinit(&build->shadows);
	wv_inlined_list_deinit(&build->inlined);
	wv_source_places_deinit(&build->places);
	wv_operands_deinit(&build->operands);
	wv_branch_targets_deinit(&build->branch_targets);
	wv_owners_deinit(&build->owners);
	wv_debug_deinit(&build->debug);
	wv_vec_deinit(&build->rows);
	wv_symbols_deinit(&build->symbols);
	wv_merge_deinit(&build->merge);
	wv_image_close(build->image);
}

static int check_kind(const struct wv_image *image, bool is_module, struct wv_error *error)
{
	size_t size;

	wv_image_build_id(image, &size);
	if (!size && wv_image_is_program(image))
		return wv_fail_at(error, WV_E_FORMAT, wv_image_path(image), 0, 0,
				  "has no build-id, so another build of it would be taken for it: "
				  "link it with -Wl,--build-id");
	if (is_module && wv_image_is_program(image))
		return wv_fail_at(error, WV_E_FORMAT, wv_image_path(image), 0, 0,
				  "a program, which has a database of its own");
	if (!is_module && wv_image_is_relocatable(image))
		return wv_fail_at(error, WV_E_FORMAT, wv_image_path(image), 0, 0,
				  "not linked (an object or a module); the vmlinux comes first");
	if (is_module && !wv_image_is_relocatable(image))
		return wv_fail_at(error, WV_E_FORMAT, wv_image_path(image), 0, 0, "not a module");
	return 0;
}

/*
 * Reads the image's joinpoint table. Called before everything that takes long, so that a missing
 * table is reported at once. If the table is missing, returns an error if @needed; otherwise sets
 * *@no_table_ret.
 */
static int read_table(struct build *build, bool needed, bool *no_table_ret, struct wv_error *error)
{
	/* strip(1) treats the table as debug information, so it may be only in the debug file. */
	struct wv_image *debug;
	const char *path = wv_image_path(build->image);
	const struct wv_section *section;
	struct wv_table table;
	struct wv_unit unit = { 0 };
	bool more = true;
	int ret;

	ret = wv_debug_file_find(build->image, &debug, error);
	if (!ret)
		ret = wv_image_section(debug ? debug : build->image, WEFT_TABLE_SECTION, &section,
				       error);
	if (ret)
		return ret;
	*no_table_ret = !needed && (!section || !section->data);
	if (*no_table_ret) {
		build->merge.partial = true;
		return 0;
	}
	if (!section || !section->data)
		return wv_fail_at(
			error, WV_E_FORMAT, path, 0, 0,
			"has no joinpoint table (section " WEFT_TABLE_SECTION
			"); build the kernel with make KCFLAGS=-fplugin=.../weft_joinpoints.so, "
			"or see `weft prepare`, --objects and --no-accesses");
	wv_table_init(&table, path, section->data, section->size);
	while (!ret && more) {
		ret = wv_table_next(&table, &unit, &more, error);
		if (!ret && more)
			ret = wv_merge_unit(&build->merge, &unit, error);
	}
	wv_unit_deinit(&unit);
	return ret;
}

static void count(const struct build *build, struct wv_index_totals *ret)
{
	ret->units += build->merge.nr_units;
	ret->accesses += build->merge.nr_accesses;
	ret->joinpoints += build->merge.joinpoints.n;
	ret->lines += build->shadows.lines.n;
	for (size_t i = 0; i <= WEFT_FATE_COUNT; i++)
		ret->by_fate[i] += build->shadows.nr_fates[i];
	ret->dropped += build->merge.nr_dropped;
	ret->inlined += build->inlined.list.n;
	wv_vec_for_each(symbol, &build->symbols.list)
		ret->functions += !symbol->label;
	wv_vec_for_each(joinpoint, &build->merge.joinpoints) {
		uint32_t name = build->merge.functions.data[joinpoint->function].name;

		ret->data += !*wv_pool_get(&build->merge.names, name);
	}
	for (size_t i = 0; i <= WEFT_PRECISION_OPTIMIZED_OUT; i++)
		ret->by_precision[i] += build->shadows.nr_joinpoints[i];
	wv_vec_for_each(shadow, &build->shadows.list)
		ret->shadows += shadow->chosen != WV_CHOSEN_NOT;
}

/*
 * Sets @name to the image's name as far as its path tells: "vmlinux", or a module's name as the
 * kernel knows it.
 */
static void name_image(const char *path, bool is_module, char name[WV_MODULE_NAME_SIZE])
{
	if (is_module)
		wv_module_name(path, name);
	else
		strcpy(name, "vmlinux");
}

/* If @image is a program, sets @name to the name of its file. @image may be NULL. */
static void name_program(const struct wv_image *image, char name[WV_MODULE_NAME_SIZE])
{
	if (image && wv_image_is_program(image))
		snprintf(name, WV_MODULE_NAME_SIZE, "%s", wv_base_name(wv_image_path(image)));
}

/*
 * Fails if neither the image nor a debug file has debug information about the image. Without debug
 * information the database would have only the functions of the image. Nothing else would show that
 * a module was stripped.
 */
static int check_debug(struct wv_image *image, struct wv_error *error)
{
	struct wv_image *debug;
	int ret = wv_debug_file_find(image, &debug, error);

	return ret || debug ? ret : wv_debug_file_missing(image, error);
}

static int read_image(struct build *build, bool is_module, struct wv_index_image *image,
		      struct wv_error *error)
{
	int ret = check_kind(build->image, is_module, error);

	if (!ret)
		ret = check_debug(build->image, error);
	wv_progress_stage("what the compiler noted");
	if (!ret && image->folder)
		ret = wv_parsed_read(&build->merge, build->image, image->folder, image->plugged,
				     &image->proof, error);
	else if (!ret)
		ret = read_table(build,
				 !is_module && !image->no_accesses &&
					 !wv_image_is_program(build->image),
				 &image->no_table, error);
	if (image->folder)
		image->no_table = !build->merge.nr_units;
	if (!ret)
		ret = wv_protector_step(&build->merge, build->image, error);
	if (!ret)
		ret = wv_symbols_init(&build->symbols, build->image, error);
	wv_progress_stage("line tables");
	if (!ret)
		ret = wv_lines_read(build->image, &build->merge.paths, &build->rows, error);
	wv_progress_stage("debug information");
	if (!ret)
		ret = wv_merge_sort(&build->merge, error);
	if (!ret)
		ret = wv_debug_init(&build->debug, build->image, build->merge.fields.n, error);
	if (!ret && !wv_image_is_program(build->image))
		ret = wv_owners_init(&build->owners, build->image, error);
	wv_progress_stage("branches");
	if (!ret)
		ret = wv_branch_targets_init(&build->branch_targets, build->image, &build->symbols,
				       &build->owners, error);
	wv_progress_stage("operands and inlined instances");
	if (!ret)
		ret = wv_operands_init(&build->operands, build->image, &build->debug, &build->merge,
				       error);
	if (!ret)
		ret = wv_source_places_init(&build->places, &build->debug, &build->rows,
					    &build->merge, error);
	if (!ret)
		ret = wv_inlined_list_init(&build->inlined, &build->debug, &build->places,
					   &build->symbols, error);
	wv_progress_stage("shadows");
	if (!ret)
		ret = wv_shadows_init(&build->shadows, &build->merge, &build->rows, &build->symbols,
				      &build->operands, error);
	if (!ret)
		ret = wv_unlabelled_add(&build->shadows, &build->merge, &build->rows,
					&build->symbols, &build->operands, &build->inlined, error);
	if (!ret)
		ret = wv_fates_place(&build->shadows, &build->merge, &build->symbols, error);
	if (!ret)
		ret = wv_calls_init(&build->calls, &build->branch_targets, &build->symbols,
				    &build->places, error);
	if (!ret && image->folder)
		ret = wv_parsed_check(&build->merge, &build->symbols, &build->debug, &build->rows,
				      image->folder, error);
	return ret;
}

/* One image on its way into the database. */
struct job {
	struct wv_index_image *image;
	bool is_module;
	const char *root; /* for a module: the root folder of the kernel's source tree */
	char name[WV_MODULE_NAME_SIZE];
	struct build build;
	/* for a module: its image was read, or reading it failed; protected by the crew's lock */
	bool done;
	int ret;
	struct wv_error error;
};

/*
 * Reads an image, and opens it first if it is not open yet. Jobs of different images change no
 * common data, so they may run in several threads.
 */
static void run_job(struct job *job)
{
	struct build *build = &job->build;

	if (!build->image)
		job->ret = wv_image_open(job->image->path, &build->image, &job->error);
	if (!job->ret && job->is_module)
		job->ret = wv_paths_set_root(&build->merge.paths, job->root, &job->error);
	if (!job->ret)
		job->ret = read_image(build, job->is_module, job->image, &job->error);
	if (!job->ret)
		job->image->newer = wv_newer_sources(&build->merge.paths, job->image->path,
						     job->image->newer_name,
						     sizeof(job->image->newer_name));
	wv_vec_deinit(&build->rows);
}

static int store_job(struct wv_store *store, struct job *job, struct wv_index_totals *totals,
		     struct wv_error *error)
{
	const struct wv_contents contents = {
		.name = job->name,
		.image = job->build.image,
		.symbols = &job->build.symbols,
		.merge = &job->build.merge,
		.shadows = &job->build.shadows,
		.operands = &job->build.operands,
		.places = &job->build.places,
		.inlined = &job->build.inlined,
		.debug = &job->build.debug,
		.owners = &job->build.owners,
		.branch_targets = &job->build.branch_targets,
		.calls = &job->build.calls,
		.mentions = job->image->mentions,
	};
	int ret = job->ret;

	name_program(job->build.image, job->name);
	if (ret)
		*error = job->error;
	else
		ret = wv_store_add(store, &contents, error);
	if (!ret)
		count(&job->build, totals);
	cleanup_build(&job->build);
	job->build = (struct build){ 0 };
	return ret;
}

/*
 * Sets *@ret to whether the old database has the image in this version: then the image need not be
 * read. Opens the image, to know its build-id. If the old database cannot be used, fails and sets
 * *@take_failed_ret to true.
 */
static int is_kept(struct wv_store *store, struct job *job, size_t number, bool *ret,
		   bool *take_failed_ret, struct wv_error *error)
{
	const uint8_t *build_id;
	size_t size;
	int failed;

	*ret = false;
	name_image(job->image->path, job->is_module, job->name);
	if (!wv_store_has_old(store))
		return 0;
	failed = wv_image_open(job->image->path, &job->build.image, error);
	if (failed)
		return failed;
	name_program(job->build.image, job->name);
	build_id = wv_image_build_id(job->build.image, &size);
	failed = wv_store_has(store, number, job->name, build_id, size, ret, error);
	*take_failed_ret = failed;
	return failed;
}

/*
 * The threads that read modules. They take the jobs in the order of crew->jobs. The thread that
 * called wv_index_images() makes the jobs available, and stores in the same order what was read. It
 * is the only thread that uses the database. So the contents of the database do not depend on which
 * thread is faster.
 */
struct crew {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct job *jobs;
	/*
	 * .taken: number of jobs that threads have taken. .given: number of jobs that threads may
	 * take. Both count from the first job of .jobs.
	 */
	size_t taken, given;
	bool stop;
	pthread_t threads[THREADS_MAX];
	size_t n;
};

static void *work(void *context)
{
	struct crew *crew = context;

	wv_progress_quiet();
	pthread_mutex_lock(&crew->lock);
	for (;;) {
		struct job *job;

		while (crew->taken == crew->given && !crew->stop)
			pthread_cond_wait(&crew->changed, &crew->lock);
		if (crew->stop)
			break;
		job = &crew->jobs[crew->taken++];
		if (!job->image->taken) {
			pthread_mutex_unlock(&crew->lock);
			run_job(job);
			pthread_mutex_lock(&crew->lock);
		}
		job->done = true;
		pthread_cond_broadcast(&crew->changed);
	}
	pthread_mutex_unlock(&crew->lock);
	return NULL;
}

static int crew_start(struct crew *crew, struct job *jobs, size_t n, struct wv_error *error)
{
	long wanted = sysconf(_SC_NPROCESSORS_ONLN);

	*crew = (struct crew){ .lock = PTHREAD_MUTEX_INITIALIZER,
			       .changed = PTHREAD_COND_INITIALIZER,
			       .jobs = jobs };
	if (wanted < 1)
		wanted = 1;
	while (crew->n < (size_t)wanted && crew->n < THREADS_MAX && crew->n < n) {
		int failed = pthread_create(&crew->threads[crew->n], NULL, work, crew);

		if (failed && !crew->n)
			return wv_fail_errno(error, failed, "a thread to read modules");
		if (failed)
			break;
		crew->n++;
	}
	return 0;
}

static void crew_stop(struct crew *crew)
{
	pthread_mutex_lock(&crew->lock);
	crew->stop = true;
	pthread_cond_broadcast(&crew->changed);
	pthread_mutex_unlock(&crew->lock);
	for (size_t i = 0; i < crew->n; i++)
		pthread_join(crew->threads[i], NULL);
}

static void crew_give(struct crew *crew)
{
	pthread_mutex_lock(&crew->lock);
	crew->given++;
	pthread_cond_broadcast(&crew->changed);
	pthread_mutex_unlock(&crew->lock);
}

static void crew_wait(struct crew *crew, const struct job *job)
{
	pthread_mutex_lock(&crew->lock);
	while (!job->done)
		pthread_cond_wait(&crew->changed, &crew->lock);
	pthread_mutex_unlock(&crew->lock);
}

/*
 * Lets the threads begin with module @i. If the database that `weft index` is about to replace has
 * the module, its rows are copied from there, and no thread reads the module's file. Sets
 * *@take_failed_ret to true if that database cannot be used. Returns 0 or an error.
 */
static int give_module(struct wv_store *store, struct crew *crew, struct wv_index_image *image,
		       size_t i, const char *root, bool *take_failed_ret, struct wv_error *error)
{
	struct job *job = &crew->jobs[i];
	int failed;

	*job = (struct job){ .image = image, .is_module = true, .root = root };
	failed = is_kept(store, job, i + 1, &image->taken, take_failed_ret, error);
	if (!failed)
		crew_give(crew);
	return failed;
}

/* Indexes the modules @images; the vmlinux is in the database already. */
static int index_modules(struct wv_store *store, struct wv_index_image *images, size_t n,
			 struct wv_index_totals *totals, bool *take_failed_ret,
			 struct wv_error *error)
{
	_cleanup_free_ struct job *jobs = calloc(n + 1, sizeof(*jobs));
	_cleanup_free_ char *root = NULL;
	struct crew crew;
	size_t given = 0;
	int failed = jobs ? wv_store_root(store, &root, error) : wv_no_memory(error);

	if (failed)
		return failed;
	failed = crew_start(&crew, jobs, n, error);
	wv_progress_stage("modules");
	for (size_t i = 0; i < n && !failed; i++) {
		/* Hand out some jobs in advance, but not many: finished jobs wait in memory. */
		while (given < n && given < i + 2 * crew.n && !failed) {
			failed = give_module(store, &crew, &images[given], given, root,
					     take_failed_ret, error);
			given++;
		}
		if (failed)
			break;
		crew_wait(&crew, &jobs[i]);
		wv_progress_count(i, n);
		if (images[i].taken)
			failed = *take_failed_ret = wv_store_take(store, error);
		else
			failed = store_job(store, &jobs[i], totals, error);
	}
	crew_stop(&crew);
	for (size_t i = 0; i < given; i++)
		cleanup_build(&jobs[i].build);
	return failed;
}

static int index_vmlinux(struct wv_store *store, struct wv_index_image *image,
			 struct wv_index_totals *totals, bool *take_failed_ret,
			 struct wv_error *error)
{
	struct job job = { .image = image };
	int failed = is_kept(store, &job, 0, &image->taken, take_failed_ret, error);

	if (!failed && image->taken) {
		failed = *take_failed_ret = wv_store_take(store, error);
	} else if (!failed) {
		run_job(&job);
		wv_progress_stage("writing");
		failed = store_job(store, &job, totals, error);
	}
	cleanup_build(&job.build);
	return failed;
}

static int index_all(struct wv_index_image *images, size_t n, const char *database_path, bool keep,
		     struct wv_index_totals *ret, bool *take_failed_ret, struct wv_error *error)
{
	struct wv_store *store;
	int failed = wv_store_create(database_path, keep, &store, error);

	memset(ret, 0, sizeof(*ret));
	*take_failed_ret = false;
	if (!failed)
		failed = index_vmlinux(store, &images[0], ret, take_failed_ret, error);
	if (!failed && n > 1)
		failed = index_modules(store, &images[1], n - 1, ret, take_failed_ret, error);
	wv_progress_stage("writing");
	if (!failed)
		failed = wv_store_finish(store, error);
	wv_store_destroy(store);
	return failed;
}

/*
 * Returns an error if two modules have the same name, since nothing would distinguish their rows,
 * or if the database would get the path of one of the images.
 */
static int check_images(const struct wv_index_image *images, size_t n, const char *database_path,
			struct wv_error *error)
{
	_cleanup_pool_ struct wv_pool names = { 0 };
	struct stat database, image;
	bool exists = !stat(database_path, &database);

	for (size_t i = 0; i < n; i++) {
		char name[WV_MODULE_NAME_SIZE];
		uint32_t number;

		if (exists && !stat(images[i].path, &image) && image.st_dev == database.st_dev &&
		    image.st_ino == database.st_ino)
			return wv_fail(error, WV_E_USAGE, "the database would replace the image %s",
				       images[i].path);
		name_image(images[i].path, i, name);
		number = wv_pool_add(&names, name);
		if (number == WV_POOL_FAILED)
			return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
		if (number < i)
			return wv_fail(error, WV_E_USAGE,
				       "%s and %s are both named '%s': a kernel has one",
				       images[number].path, images[i].path, name);
	}
	return 0;
}

int wv_index_images(struct wv_index_image *images, size_t n, const char *database_path, bool fresh,
		    struct wv_index_totals *ret, struct wv_error *error)
{
	bool take_failed = false;
	int failed = check_images(images, n, database_path, error);

	if (!failed)
		failed = index_all(images, n, database_path, !fresh, ret, &take_failed, error);
	/* If copying from the old database fails, start again and read all images. */
	if (take_failed)
		failed = index_all(images, n, database_path, false, ret, &take_failed, error);
	return failed;
}

int wv_index_build(const char *image_path, const char *database_path,
		   struct wv_index_totals *ret, struct wv_error *error)
{
	struct wv_index_image image = { .path = image_path };

	return wv_index_images(&image, 1, database_path, true, ret, error);
}
