// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens the kernel's images and moves from shadow to shadow; see finder.h. */
#include <stdlib.h>
#include <string.h>

#include "aspect/resolve/finder.h"
#include "database/db.h"

/* Opens an image, and checks that it has the given build-id. */
static int open_image(const char *path, const uint8_t *build_id, size_t build_id_size,
		      struct wv_image **ret, struct wv_scopes **scopes_ret, struct wv_error *error)
{
	size_t own_size;
	const uint8_t *own;
	int failed = wv_image_open(path, ret, error);

	if (failed)
		return failed;
	own = wv_image_build_id(*ret, &own_size);
	if (own_size != build_id_size || memcmp(own, build_id, own_size))
		return wv_fail(error, WV_E_MISMATCH,
			       "%s is not the image that the database was made of", path);
	return wv_scopes_create(*ret, scopes_ret, error);
}

int wv_finder_open(struct wv_finder *finder, struct wv_db *db, const struct wv_kernel_files *files)
{
	size_t build_id_size;
	const uint8_t *build_id = wv_db_build_id(db, &build_id_size);
	int failed;

	finder->db = finder->kernel_db = db;
	finder->files = files;
	failed = files ? open_image(files->vmlinux, build_id, build_id_size, &finder->kernel,
				    &finder->kernel_scopes, finder->error) : 0;
	finder->scopes = finder->kernel_scopes;
	if (!failed)
		failed = wv_decoder_create(&finder->decoder, finder->error);
	if (!failed)
		failed = wv_functions_create(db, &finder->kernel_functions, finder->error);
	finder->functions = finder->kernel_functions;
	return failed;
}

static void close_module(struct wv_finder *finder)
{
	wv_scopes_destroy(finder->module_scopes);
	wv_image_close(finder->module_image);
	finder->module = NULL;
	finder->module_scopes = NULL;
	finder->module_image = NULL;
}

void wv_finder_close(struct wv_finder *finder)
{
	wv_scope_deinit(&finder->scope);
	wv_vec_deinit(&finder->symbols);
	wv_functions_destroy(finder->kernel_functions);
	wv_decoder_destroy(finder->decoder);
	close_module(finder);
	wv_scopes_destroy(finder->kernel_scopes);
	wv_image_close(finder->kernel);
}

/*
 * Opens the image of the module that contains the joinpoint, unless it is open. The file is found
 * by the module's name, and must have the build-id that the database has for the module.
 */
static int open_module(struct wv_finder *finder, const char *module)
{
	uint8_t build_id[WEFT_BUILD_ID_MAX];
	size_t build_id_size;
	const char *path;
	int failed;

	if (finder->module && !strcmp(finder->module, module))
		return 0;
	close_module(finder);
	path = wv_module_files_find(&finder->files->modules, module);
	if (!path)
		return wv_fail(finder->error, WV_E_FAILURE,
			       "variables in %s are looked up in its %s.ko, which was not found: "
			       "name the folder of the modules that were indexed with --modules",
			       module, module);
	failed = wv_db_module_build_id(finder->db, module, build_id, &build_id_size, finder->error);
	if (!failed)
		failed = open_image(path, build_id, build_id_size, &finder->module_image,
				    &finder->module_scopes, finder->error);
	if (!failed)
		finder->module = module;
	return failed;
}

/*
 * Sets the finder's database, DWARF and functions to those of @program; NULL: to those of the
 * kernel.
 */
static int choose_target(struct wv_finder *finder, struct wv_program *program)
{
	int failed = program ? wv_program_look_up(program, finder->error) : 0;

	finder->db = program ? program->db : finder->kernel_db;
	finder->text = program ? program->away : wv_db_text_address(finder->kernel_db);
	finder->functions = program ? program->functions : finder->kernel_functions;
	finder->scopes = program ? program->scopes : finder->kernel_scopes;
	return failed;
}

int wv_finder_look_at(struct wv_finder *finder, const struct wv_selected *joinpoint)
{
	bool same = finder->joinpoint && finder->joinpoint->at == joinpoint->at &&
		    finder->joinpoint->program == joinpoint->program;
	const char *module = joinpoint->match->module;
	int failed = 0;

	finder->joinpoint = joinpoint;
	if (same)
		return 0;
	wv_scope_deinit(&finder->scope);
	finder->has_cfa = false;
	failed = choose_target(finder, joinpoint->program);
	if (!failed && module)
		failed = open_module(finder, module);
	if (failed)
		return failed;
	if (module)
		finder->scopes = finder->module_scopes;
	finder->struct_unit = 0;
	finder->at = joinpoint->at;
	/*
	 * In the database, a module's code has addresses that begin wv_db_away() bytes after _text.
	 * In the module's DWARF, the addresses of the same code begin at WV_LAYOUT_START.
	 */
	if (module)
		finder->at += WV_LAYOUT_START - wv_db_text_address(finder->db) -
			      wv_db_away(finder->db, joinpoint->at);
	return wv_scopes_find(finder->scopes, finder->at, &finder->scope, finder->error);
}
