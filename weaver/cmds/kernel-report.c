// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes reports of what the kernel counts now; see kernel-report.h. */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmds/kernel-report.h"
#include "report/openmetrics.h"

int wv_kernel_status(const struct wv_device *device, const char *name, struct weft_status *ret,
		     struct wv_error *error)
{
	const struct weft_status *status;
	struct wv_statuses statuses;
	int err = wv_device_list(device, &statuses, error);

	if (err)
		return err;
	memset(ret, 0, sizeof(*ret));
	snprintf(ret->name, sizeof(ret->name), "%s", name);
	status = wv_statuses_find(&statuses, name);
	if (status)
		*ret = *status;
	wv_statuses_deinit(&statuses);
	return 0;
}

int wv_kernel_page(const struct wv_device *device, const struct wv_page *page, struct wv_str *out,
		   struct wv_error *error)
{
	const bool woven = page->status->state == WEFT_STATE_WOVEN;
	struct wv_page whole = *page;
	struct wv_page_joinpoints places;
	struct wv_spliced shadows = { 0 };
	struct wv_page_facts facts;
	struct wv_totals totals;
	struct wv_error ignored;
	int err = wv_page_joinpoints_of_kernel(device, page->status, &places, error);

	if (!err && woven)
		wv_device_shadows(device, page->status->name, &shadows, &ignored);
	if (!err) {
		wv_page_facts_get(&facts);
		wv_page_totals(page->status, &shadows, page->once, &totals);
		whole.facts = &facts;
		whole.totals = woven ? &totals : NULL;
		whole.places = &places;
		wv_page_html(&whole, out);
		if (out->failed)
			err = wv_no_memory(error);
	}
	wv_spliced_deinit(&shadows);
	wv_page_joinpoints_deinit(&places);
	return err;
}

/* ---- OpenMetrics for monitors ---------------------------------------------------------------- */

struct exposed {
	WV_VEC(struct wv_exposed_aspect) list;
};

/* Adds @aspect to @ret, which takes over its readings. If memory runs out, frees the readings. */
static int add_exposed(struct exposed *ret, struct wv_exposed_aspect *aspect,
		       struct wv_error *error)
{
	struct wv_exposed_aspect *slot = wv_vec_push(&ret->list);

	if (!slot) {
		wv_readings_deinit(&aspect->readings);
		return wv_no_memory(error);
	}
	*slot = *aspect;
	return 0;
}

static int expose(const struct wv_device *device, const struct weft_status *status,
		  struct exposed *ret, struct wv_error *error)
{
	struct wv_exposed_aspect aspect = { .status = *status };
	int err = wv_readings_get(device, status->name, &aspect.readings, error);

	return err ? err : add_exposed(ret, &aspect, error);
}

static int expose_absent(const char *name, struct exposed *ret, struct wv_error *error)
{
	struct wv_exposed_aspect aspect = { .absent = true };

	snprintf(aspect.status.name, sizeof(aspect.status.name), "%s", name);
	return add_exposed(ret, &aspect, error);
}

static int expose_all(const struct wv_device *device, char *const *names, size_t n,
		      enum wv_absent absent, struct exposed *ret, struct wv_error *error)
{
	struct wv_statuses statuses;
	int err = wv_device_list(device, &statuses, error);

	if (err)
		return err;
	for (size_t i = 0; !err && i < (n ? n : statuses.list.n); i++) {
		const struct weft_status *status =
			n ? wv_statuses_find(&statuses, names[i]) : &statuses.list.data[i];

		if (status)
			err = expose(device, status, ret, error);
		else if (absent == WV_ABSENT_SHOWN)
			err = expose_absent(names[i], ret, error);
		else
			err = wv_fail(error, WV_E_STATE, "the kernel knows no aspect %s", names[i]);
	}
	wv_statuses_deinit(&statuses);
	return err;
}

int wv_kernel_openmetrics(const struct wv_device *device, char *const *names, size_t n,
			  enum wv_absent absent, struct wv_str *out, struct wv_error *error)
{
	struct exposed exposed = { 0 };
	int err = expose_all(device, names, n, absent, &exposed, error);

	if (!err) {
		wv_openmetrics(exposed.list.data, exposed.list.n, out);
		if (out->failed)
			err = wv_no_memory(error);
	}
	wv_vec_for_each(aspect, &exposed.list)
		wv_readings_deinit(&aspect->readings);
	wv_vec_deinit(&exposed.list);
	return err;
}
