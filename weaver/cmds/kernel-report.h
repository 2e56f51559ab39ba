/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes reports of the numbers that the kernel has now, for `weft report` and `weft serve`. */
#ifndef WV_KERNEL_REPORT_H
#define WV_KERNEL_REPORT_H

#include "base/error.h"
#include "base/str.h"
#include "live/requests.h"
#include "report/html.h"

/*
 * Sets @ret to the status of the aspect @name. If the kernel does not know the aspect any more,
 * sets only .name of @ret, and all else to zero.
 */
int wv_kernel_status(const struct wv_device *device, const char *name, struct weft_status *ret,
		     struct wv_error *error);

/*
 * Adds a page with the totals that the kernel has now to @out. This function finds .facts, .totals
 * and .places of @page itself; the caller has set everything else. The kernel has only totals, so
 * the page shows how metrics have changed over time only if the caller has set .samples.
 */
int wv_kernel_page(const struct wv_device *device, const struct wv_page *page, struct wv_str *out,
		   struct wv_error *error);

/* What to do if the kernel does not know an aspect that the caller has named. */
enum wv_absent {
	WV_ABSENT_FAILS, /* return -WV_E_STATE */
	WV_ABSENT_SHOWN, /* show the aspect with weft_aspect_loaded 0 */
};

/*
 * Adds the metrics of the @n aspects in @names to @out as OpenMetrics, in this order. If @n is 0,
 * adds those of all aspects that weft.ko knows.
 */
int wv_kernel_openmetrics(const struct wv_device *device, char *const *names, size_t n,
			  enum wv_absent absent, struct wv_str *out, struct wv_error *error);

#endif /* WV_KERNEL_REPORT_H */
