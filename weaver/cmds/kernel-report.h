/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports of what the kernel counts now, for `weft report` and `weft serve`. */
#ifndef WV_KERNEL_REPORT_H
#define WV_KERNEL_REPORT_H

#include "base/error.h"
#include "base/str.h"
#include "live/requests.h"
#include "report/html.h"

/*
 * Gets the status of aspect @name. If the kernel has just forgotten the aspect, only the name in
 * @ret is set, and all else is zero.
 */
int wv_kernel_status(const struct wv_device *device, const char *name, struct weft_status *ret,
		     struct wv_error *error);

/*
 * Adds a page with the kernel's present totals to @out. The caller has set all of @page except
 * .facts, .totals and .places, which this function finds itself. The kernel keeps totals only, so
 * the page shows how metrics changed over time only if the caller has set .samples.
 */
int wv_kernel_page(const struct wv_device *device, const struct wv_page *page, struct wv_str *out,
		   struct wv_error *error);

/* What to do about an aspect that is named and that the kernel does not know. */
enum wv_absent {
	WV_ABSENT_FAILS, /* return -WV_E_STATE */
	WV_ABSENT_SHOWN, /* say that it is absent: its weft_aspect_loaded is 0 */
};

/*
 * Adds the metrics of the @n aspects in @names to @out as OpenMetrics, in this order. If @n is 0,
 * adds those of all aspects that weft.ko knows.
 */
int wv_kernel_openmetrics(const struct wv_device *device, char *const *names, size_t n,
			  enum wv_absent absent, struct wv_str *out, struct wv_error *error);

#endif /* WV_KERNEL_REPORT_H */
