/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the HTML page of a session (cmds/run-session.h). While the aspect is woven, collects what
 * the page shows: the metrics over time, and records. All functions do nothing if the user wants no
 * page.
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
	 * NULL, or the text of a tree of calls (wv_drill_json()), which is shown in place of the
	 * metrics; the text is read when the page is written
	 */
	const struct wv_str *drill;
};

struct wv_session_page {
	const struct wv_page_wanted *wanted;
	struct wv_page_joinpoints places;
	struct wv_totals totals;   /* of the weave */
	struct wv_samples samples; /* the metrics over time */
	struct wv_record_printer printer; /* writes .records */
	struct wv_str records; /* lines of JSON */
	size_t left_out;       /* number of records left out, because the page would be too large */
};

/* Begins the page. The caller has just woven the aspect; @summary is the result. */
int wv_session_page_begin(struct wv_session_page *page, const struct wv_page_wanted *wanted,
			  const struct wv_device *device, const struct wv_aspect_module *module,
			  const struct wv_summary *summary, struct wv_error *error);

/*
 * If an interval is over, reads the metrics of the aspect @name. The caller calls this again and
 * again while the aspect is woven.
 */
int wv_session_page_sample(struct wv_session_page *page, const char *name, struct wv_error *error);

/* Adds records that were read from the kernel: the @used bytes at @buffer. */
int wv_session_page_records(struct wv_session_page *page, const void *buffer, size_t used,
			    struct wv_error *error);

/* Writes the page. The caller has unwoven the aspect. */
int wv_session_page_write(struct wv_session_page *page, const struct weft_status *status,
			  const struct wv_readings *readings, const struct wv_once *once,
			  struct wv_error *error);
void wv_session_page_deinit(struct wv_session_page *page);

#endif /* WV_SESSION_PAGE_H */
