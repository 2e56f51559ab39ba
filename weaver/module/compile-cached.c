// SPDX-License-Identifier: GPL-2.0-or-later
/* Compiles aspects into the cache; see compile-module.h. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "database/db.h"
#include "module/cache.h"
#include "module/compile-module.h"
#include "module/kernel-folders.h"

/* The kinds of messages that the cache keeps with a module. */
#define KEPT (WV_MESSAGE_BIT(WV_MESSAGE_NOTE) | WV_MESSAGE_BIT(WV_MESSAGE_LINES))

static int compile_to(const struct wv_compile *what, const struct wv_cache_inputs *inputs,
		      const char *path, struct wv_compile_result *ret, struct wv_error *error)
{
	_cleanup_str_ struct wv_str notes = { 0 };
	struct wv_compile into = *what;
	char after[PATH_MAX];
	int failed;

	into.output = path;
	/*
	 * If modules are signed, use no template: a module that is made of one would have no
	 * signature.
	 */
	into.templates = inputs->signing->tool[0] ? NULL : inputs;
	failed = wv_compile(&into, 1, ret, error);
	if (!failed)
		failed = wv_cache_path(inputs, after, error);
	if (failed)
		return failed;
	if (strcmp(path, after)) {
		unlink(path);
		return wv_fail(error, WV_E_FAILURE, "%s changed while it was compiled",
			       what->aspect);
	}
	wv_messages_text(&ret->messages, KEPT, &notes);
	wv_cache_note(path, notes.failed || ret->messages.failed ? NULL : notes.data);
	wv_cache_trim(path);
	return 0;
}

int wv_compile_cached(const struct wv_compile *what, char path[PATH_MAX],
		      struct wv_compile_result *ret, struct wv_error *error)
{
	_cleanup_db_ struct wv_db *db = NULL;
	_cleanup_free_ char *kmod = NULL, *runtime = NULL;
	_cleanup_str_ struct wv_str notes = { 0 };
	struct wv_signing signing;
	struct wv_cache_inputs inputs = { .aspect = what->aspect, .text = what->text,
					  .kernel = what->kernel,
					  .db = what->db, .filtered = what->filtered };
	int failed = wv_db_open(what->db, &db, error);

	*ret = (struct wv_compile_result){ 0 };
	if (!failed)
		failed = wv_find_kmod(what->kmod, what->kernel, &kmod, error);
	if (!failed)
		failed = wv_find_runtime(what->runtime, &runtime, error);
	if (failed)
		return failed;
	failed = wv_signing_find(what->kernel, what->sign_key, what->sign_certificate, &signing,
				 error);
	if (failed)
		return failed;
	inputs.signing = &signing;
	inputs.build_id = wv_db_build_id(db, &inputs.build_id_size);
	inputs.kmod = kmod;
	inputs.runtime = runtime;
	failed = wv_kernel_check(what->kernel, what->db, inputs.build_id, inputs.build_id_size,
				 error);
	if (!failed)
		failed = wv_cache_path(&inputs, path, error);
	if (failed)
		return failed;
	if (!wv_cache_has(path))
		return compile_to(what, &inputs, path, ret, error);
	wv_cache_notes(path, &notes);
	if (notes.n)
		wv_messages_add(&ret->messages, WV_MESSAGE_LINES, "%s", notes.data);
	return 0;
}
