/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the HTML page of a session (cmds/run-session.h). While the aspect is woven, collects what
 * the page shows over time: samples of the metrics, and records. All functions do nothing if no
 * page was requested.
 */
#ifndef WV_SESSION_PAGE_H
#define WV_SESSION_PAGE_H

#include "base/error.h"
#include "live/apply.h"
#include "live/once-states.h"
#include "live/read-metrics.h"
#include "report/html.h"
#include "report/page-joinpoints.h"
#include "report/records.h"
#include "report/samples.h"

/* What the caller wants on the page. */
struct wv_page_wanted {
	const char *path; /* path of the page; NULL: no page */
	const char *xml;  /* text of the aspect, or NULL */
	const char *tree; /* root folder of the kernel's source, or NULL */
	char **command;	  /* the command and its arguments; *NULL or NULL: there was no command */
	/*
	 * a tree of calls, shown in place of the metrics; it must have its line of JSON when the
	 * page is written; or NULL
	 */
	const struct wv_str *drill;
};

struct wv_session_page {
	const struct wv_page_wanted *wanted;
	struct wv_page_joinpoints places;
	struct wv_totals totals;
	struct wv_samples samples;
	struct wv_record_printer printer;
	struct wv_str records; /* lines of JSON */
	size_t left_out;       /* number of records left out, because the page would be too large */
};

/* Begins the page. To be called when the aspect has just been woven. */
int wv_session_page_begin(struct wv_session_page *page, const struct wv_page_wanted *wanted,
			  const struct wv_device *device, const struct wv_aspect_module *module,
			  const struct wv_summary *summary, struct wv_error *error);

/* Reads the metrics if an interval is over. To be called repeatedly while the aspect is woven. */
int wv_session_page_sample(struct wv_session_page *page, const char *name, struct wv_error *error);

/* Adds records that were read from the kernel: the @used bytes at @buffer. */
int wv_session_page_records(struct wv_session_page *page, const void *buffer, size_t used,
			    struct wv_error *error);

/* Writes the page, if one was requested. Call it after the aspect was unwoven. */
int wv_session_page_write(struct wv_session_page *page, const struct weft_status *status,
			  const struct wv_readings *readings, const struct wv_once *once,
			  struct wv_error *error);
void wv_session_page_deinit(struct wv_session_page *page);

#endif /* WV_SESSION_PAGE_H */
