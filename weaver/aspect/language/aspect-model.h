/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An aspect as the XML file says it: pointcuts, advice, metrics, headers, each with its place in
 * the file; load.h reads it. Knows nothing of the kernel; docs/aspect-language.md is the
 * language.
 */
#ifndef WV_ASPECT_MODEL_H
#define WV_ASPECT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aspect/language/code.h"
#include "aspect/language/metric-elements.h"
#include "aspect/language/pick.h"
#include "aspect/xml/text-location.h"
#include "aspect/xml/xml.h"
#include "base/vec.h"

struct wv_aspect_include {
	char *header; /* as between the angle brackets of #include */
	struct wv_text_location location;
};

enum {
	WV_MAY_CALL = 1, /* calls, entries and what may be one: argument registers hold arguments */
	WV_MAY_EXIT = 2, /* functions' exits: nothing comes after them */
};

enum wv_ref_state { WV_REF_NEW, WV_REF_OPEN, WV_REF_DONE }; /* while references are followed */

/* A <cflow> of a pointcut's: a function that has to be active, or must not be. */
struct wv_flow_use {
	size_t flow; /* index into the aspect's flows */
	bool absent;
};

struct wv_aspect_pointcut {
	char *name; /* NULL: unnamed, and then the only one */
	struct wv_pick *pick;
	/* of the element inside <pointcut> that says what is picked */
	struct wv_text_location location;
	unsigned int may_pick; /* WV_MAY_*: of what its references lead to as well */
	WV_VEC(struct wv_flow_use) flows; /* asked at each hit */
	bool referred; /* by another pointcut */
	enum wv_ref_state state;
};

/* Whose hits an advice is for: of each list that is not empty one has to fit. */
struct wv_hit_filter {
	WV_VEC(uint32_t) pids, uids;
	WV_VEC(char *) comms;
};

struct wv_aspect_advice {
	/*
	 * What it runs. A condition stands before the body (aspect/language/condition.h). A
	 * metric's and a flow's text is empty: their C is generated, but the variables that it uses
	 * are here.
	 */
	struct wv_aspect_code code;
	bool after;	 /* after the joinpoint, not before it */
	size_t pointcut; /* index into the aspect's pointcuts */
	bool optional;	 /* shadows where one of .code.named cannot be had are dropped */
	const struct wv_hit_filter *filter; /* one of the aspect's; NULL: everybody's */
	uint64_t start_after, stop_after;  /* nanoseconds from the beginning; stop_after 0: none */
	bool conditional; /* its code begins with the condition */
	bool once;	  /* runs once at each shadow, which is then restored */
	const struct wv_metric *metric; /* that it belongs to; NULL: an author's advice */
	bool ends;	  /* it is the second advice of .metric, at its end */
	size_t flow;	  /* not 0: it follows the aspect's flow of this number, less one */
};

/* A <task>: a variable that every task has its own of. */
struct wv_aspect_task {
	char *name;
	struct wv_text_location location; /* of its name */
	struct wv_aspect_code type;
};

/* A function, or several by a pattern, of which every task knows how often it is in it. */
struct wv_aspect_flow {
	char *function;
	struct wv_text_location location; /* of the first <cflow> that names it */
};

struct wv_aspect {
	char *path; /* as it was given to wv_aspect_load() */
	struct wv_xml *xml; /* the file, for showing its lines */
	char *name;
	struct wv_text_location location; /* of <aspect> */
	WV_VEC(struct wv_aspect_include) includes;
	WV_VEC(struct wv_aspect_code) declares;
	struct wv_aspect_code start, end; /* .place.line is 0 where there is none */
	WV_VEC(struct wv_aspect_task) tasks;
	WV_VEC(struct wv_aspect_flow) flows;
	uint32_t task_bits; /* of the table that they are in: runtime/task-table.h */
	WV_VEC(struct wv_aspect_pointcut) pointcuts;
	/* those of flows, which come first, and of metrics among them */
	WV_VEC(struct wv_aspect_advice) advices;
	WV_VEC(struct wv_metric *) metrics;
	WV_VEC(struct wv_hit_filter *) whos;
	bool filtered; /* whoever weaves it may say whose hits it is for */
};

/* Makes room for a filter of the weave: every hit asks it. */
void wv_aspect_set_filtered(struct wv_aspect *aspect);
void wv_aspect_destroy(struct wv_aspect *aspect);

#endif /* WV_ASPECT_MODEL_H */
