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

#define WV_ERRORS_MAX 20 /* more errors would not help the author: they are only counted */

/* Several independent errors of one file; wv_error_list_finish() sorts them by location. */
struct wv_errors {
	WV_VEC(struct wv_error) list;
};

void wv_errors_deinit(struct wv_errors *errors);

struct wv_error_list {
	const char *path;
	struct wv_errors errors;
	/* errors beyond WV_ERRORS_MAX; an error that was found twice counts twice */
	size_t not_shown;
	bool no_memory;
};

void wv_report_error(struct wv_error_list *list, struct wv_text_location location,
		     const char *format, ...) __attribute__((format(printf, 3, 4), cold));

/*
 * Sorts the errors by location; if some are not shown, adds an error with their number at the end.
 * Returns 0 if there are no errors. Else returns the code of the first error, negated, and copies
 * that error to @error. If memory ran out earlier, reports only that.
 */
int wv_error_list_finish(struct wv_error_list *list, struct wv_error *error);

#endif /* WV_ERRORS_H */
