// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The fuzzing targets "aspect" and "records". An aspect is taken through all that precedes the C
 * compiler; each error in it must have its line and column, and a message of one line. Records are
 * printed from bytes as weft.ko hands them to `weft read`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/generate/generate.h"
#include "aspect/language/load.h"
#include "aspect/resolve/finder.h"
#include "aspect/resolve/select.h"
#include "aspect/resolve/values-find.h"
#include "aspect/resolve/values.h"
#include "base/str.h"
#include "index/build.h"
#include "report/records.h"
#include "targets.h"

static bool is_placed(const struct wv_error *error)
{
	/* WV_E_FORMAT means here that the database lacks what the aspect needs. */
	return (error->code == WV_E_ASPECT || error->code == WV_E_NO_MATCH ||
		error->code == WV_E_FORMAT) && error->message[0] &&
	       !strchr(error->message, '\n') && error->line && error->column &&
	       !strcmp(error->file, targets_input);
}

/*
 * Returns whether each of @errors has a location inside the input, and a message of one line; and
 * @error as well if the reader has @failed. If one of them does not, *@message_ret is its text.
 * Frees @errors.
 */
static bool are_placed(int failed, const struct wv_error *error, struct wv_errors *errors,
		       const char **message_ret)
{
	static char said[1200];
	const struct wv_error *wrong = failed && !is_placed(error) ? error : NULL;

	/* The last error may be "N more not shown", which has no location. */
	wv_vec_for_each(one, &errors->list)
		if (!is_placed(one) && !strstr(one->message, " not shown"))
			wrong = one;
	if (wrong)
		*message_ret = wv_error_text(wrong, said, sizeof(said));
	wv_errors_deinit(errors);
	return !wrong;
}

/*
 * Returns the database of the undamaged vmlinux, which the first call makes. On failure returns
 * NULL and sets @error.
 */
static struct wv_db *sound_db(struct wv_error *error)
{
	static struct wv_db *db;
	struct wv_index_image image = { .path = targets_vmlinux };
	struct wv_index_totals totals;

	if (!db && (wv_index_images(&image, 1, targets_output, true, &totals, error) ||
		    wv_db_open(targets_output, &db, error)))
		return NULL;
	return db;
}

static bool compile(struct wv_db *db, const struct wv_aspect *aspect, const char **message_ret)
{
	static struct wv_error error;
	struct wv_selection selection = { 0 };
	struct wv_values values = { 0 };
	struct wv_errors errors = { 0 };
	struct wv_str source = { 0 };
	const struct wv_kernel_files files = { .vmlinux = targets_vmlinux };
	bool fine;
	int ret = wv_selection_query(&selection, aspect, db, &errors, &error);

	fine = are_placed(ret, &error, &errors, message_ret);
	if (!ret) {
		ret = wv_values_find(&values, aspect, &selection, db, &files, &errors, &error);
		fine &= are_placed(ret, &error, &errors, message_ret);
	}
	if (!ret) {
		ret = wv_generate(aspect, &selection, &values, "", &source, &error);
		fine &= are_placed(ret, &error, &errors, message_ret);
	}
	wv_str_deinit(&source);
	wv_values_deinit(&values);
	wv_selection_deinit(&selection);
	return fine;
}

bool run_aspect(const uint8_t *bytes, size_t n, const char **message_ret)
{
	static struct wv_error error;
	struct wv_errors errors = { 0 };
	struct wv_aspect *aspect = NULL;
	struct wv_db *db = sound_db(&error);
	bool fine;
	int ret;

	if (!db) {
		*message_ret = error.message;
		return false;
	}
	if (!targets_write_input(bytes, n, message_ret))
		return false;
	ret = wv_aspect_load_all(targets_input, &aspect, &errors, &error);
	fine = are_placed(ret, &error, &errors, message_ret);
	if (!ret && fine && aspect->advices.n)
		fine = compile(db, aspect, message_ret);
	if (!ret)
		wv_aspect_destroy(aspect);
	return fine;
}

bool run_records(const uint8_t *bytes, size_t n, const char **message_ret)
{
	static struct wv_error error;
	const struct wv_device none = { .fd = -1 };
	int ret = 0;

	for (int json = 0; json < 2 && !ret; json++) {
		struct wv_record_printer printer = { .device = &none,
						     .aspect = "fuzz",
						     .json = json };
		char *text = NULL;
		size_t size;
		FILE *out = open_memstream(&text, &size);

		if (!out) {
			*message_ret = "no stream";
			return false;
		}
		ret = wv_records_print(&printer, out, bytes, n, &error);
		fclose(out);
		free(text);
		wv_record_printer_deinit(&printer);
	}
	*message_ret = error.message;
	return !ret || ret == -WV_E_FORMAT;
}
