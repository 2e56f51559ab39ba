/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects the errors of one file while the file is read. The errors are independent of each other:
 * an error that merely follows from another one is not collected.
 */
#ifndef WV_ERRORS_H
#define WV_ERRORS_H

#include <stdbool.h>
#include <stddef.h>

#include "aspect/xml/text-location.h"
#include "base/error.h"
#include "base/vec.h"

#define WV_ERRORS_MAX 20 /* maximum number of errors shown; further ones are only counted */

/*
 * Errors of one file that are independent of each other. wv_error_list_finish() sorts them by
 * location.
 */
struct wv_errors {
	WV_VEC(struct wv_error) list;
};

void wv_errors_deinit(struct wv_errors *errors);

struct wv_error_list {
	const char *path;
	struct wv_errors errors;
	/* number of errors beyond WV_ERRORS_MAX; an error that was found twice counts twice */
	size_t not_shown;
	bool no_memory;
};

void wv_report_error(struct wv_error_list *list, struct wv_text_location location,
		     const char *format, ...) __attribute__((format(printf, 3, 4), cold));

/*
 * Sorts the errors by location. If some are not shown, adds an error with their number at the end.
 * Returns 0 if there are no errors, else the negative code of the first one, which is copied to
 * @error. If memory ran out earlier, reports only that.
 */
int wv_error_list_finish(struct wv_error_list *list, struct wv_error *error);

#endif /* WV_ERRORS_H */
