/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A report as one self-contained HTML page. Its text and tables are HTML. The page also contains
 * the same data as lines of JSON, from which its script (weaver/report/page/) draws plots.
 */
#ifndef WV_HTML_H
#define WV_HTML_H

#include <time.h>

#include "base/str.h"
#include "live/once-states.h"
#include "live/read-metrics.h"
#include "live/requests.h"
#include "report/page-joinpoints.h"
#include "report/samples.h"
#include "splice/totals.h"

/* The kernel on which a report was made, and the time. */
struct wv_page_facts {
	char host[65], release[65], version[65]; /* from uname() */
	char build_id[2 * WEFT_BUILD_ID_MAX + 1]; /* in hexadecimal; "": not known */
	time_t at; /* when the report was made */
};

void wv_page_facts_get(struct wv_page_facts *ret);

/* Which parts of a page are written. */
enum wv_page_part {
	WV_PAGE_WHOLE, /* all: the page is a file */
	/* all: the page comes from `weft serve`; its script asks for WV_PAGE_CONTENT repeatedly */
	WV_PAGE_LIVE,
	WV_PAGE_CONTENT, /* all but the style and the script */
};

/* The content of a page. A member that is NULL is left out. */
struct wv_page {
	const struct wv_page_facts *facts;
	const struct weft_status *status;
	/* totals of the weave; NULL: not known, because the aspect is not woven any more */
	const struct wv_totals *totals;
	const struct wv_readings *readings;
	const struct wv_once *once; /* where advice that runs once has run */
	const struct wv_page_joinpoints *places;
	const struct wv_samples *samples; /* the metrics over time */
	const char *command; /* command line of the program that ran while the aspect was woven */
	const char *xml;     /* text of the aspect's file */
	const char *records; /* records of the aspect, as lines of JSON */
	size_t records_left_out; /* number of records that .records lacks, as the page is limited */
	/* tree of calls (wv_drill_json()), which is shown instead of the metrics */
	const char *drill;
	const char *tree; /* folder of the kernel's source */
	enum wv_page_part part;
};

/* Writes the page to @out. All text is escaped, because names and records may have any content. */
void wv_page_html(const struct wv_page *page, struct wv_str *out);

/*
 * Write a page that lists aspects, with a link to the page of each. The caller calls the first
 * function, the second one for each aspect, and the third.
 */
void wv_list_html_begin(const struct wv_page_facts *facts, struct wv_str *out);
void wv_list_html_row(const struct weft_status *status, struct wv_str *out);
void wv_list_html_end(struct wv_str *out);

/* A report that `weft report --json` or `weft run --json` has written. */
struct wv_compared {
	const char *name; /* the file's name */
	struct wv_str text; /* what the file contains */
};

/* Writes a page that compares two reports to @out. */
void wv_compare_html(const struct wv_page_facts *facts, const struct wv_compared compared[2],
		     struct wv_str *out);

/*
 * Computes the totals of an aspect that is woven now from @shadows, the splices that the kernel
 * lists. A joinpoint without a splice counts as refused, unless advice that runs once has run
 * there.
 */
void wv_page_totals(const struct weft_status *status, const struct wv_spliced *shadows,
		    const struct wv_once *once, struct wv_totals *ret);

#endif /* WV_HTML_H */
