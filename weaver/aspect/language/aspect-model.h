/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The model of an aspect as written in the XML file: pointcuts, advice, metrics, headers, each with
 * its location in the file. load.h reads it. Independent of the kernel; the language is described
 * in docs/aspect-language.md.
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
#include "aspect/xml/xml-tree.h"
#include "base/vec.h"

struct wv_aspect_include {
	char *header; /* text between the angle brackets of #include */
	struct wv_text_location location;
};

enum {
	/*
	 * calls, function entries, and lines that may be a call: argument registers hold arguments
	 */
	WV_MAY_CALL = 1,
	WV_MAY_EXIT = 2, /* function exits: nothing comes after them */
};

/* state while references are followed */
enum wv_ref_state { WV_REF_NEW, WV_REF_OPEN, WV_REF_DONE };

/* A <cflow> of a pointcut: a function that must, or must not, be active. */
struct wv_flow_use {
	size_t flow; /* index into the aspect's flows */
	bool absent;
};

struct wv_aspect_pointcut {
	char *name; /* NULL: unnamed; then it is the only pointcut */
	struct wv_pick *pick;
	/* location of the element inside <pointcut> */
	struct wv_text_location location;
	unsigned int may_pick; /* WV_MAY_*; includes what its references pick */
	WV_VEC(struct wv_flow_use) flows; /* evaluated at each hit */
	bool referred; /* referred to by another pointcut */
	enum wv_ref_state state;
};

/* A filter. Of each non-empty list at least one entry must match. */
struct wv_hit_filter {
	WV_VEC(uint32_t) pids, uids;
	WV_VEC(char *) comms;
};

struct wv_aspect_advice {
	/*
	 * The C that it runs. A condition comes before the body (aspect/language/condition.h). The
	 * text of a metric's or flow's advice is empty, since its C is generated, but the variables
	 * that it uses are listed here.
	 */
	struct wv_aspect_code code;
	bool after;	 /* runs after the joinpoint, not before it */
	size_t pointcut; /* index into the aspect's pointcuts */
	bool optional;	 /* drop shadows at which one of .code.named is unavailable */
	const struct wv_hit_filter *filter; /* one of the aspect's filters; NULL: none */
	/* nanoseconds from the beginning; stop_after 0: never stops */
	uint64_t start_after, stop_after;
	bool conditional; /* .code begins with the condition */
	bool once;	  /* runs once at each shadow, which is then restored */
	/* metric that it belongs to; NULL: advice written by the author */
	const struct wv_metric *metric;
	bool ends;	  /* it is the second advice of .metric: the end of the pair */
	size_t flow;	  /* not 0: it tracks the aspect's flow number .flow - 1 */
};

/* A <task>: a variable of which each task has its own copy. */
struct wv_aspect_task {
	char *name;
	struct wv_text_location location; /* location of the attribute with its name */
	struct wv_aspect_code type;
};

/*
 * A function, or the functions that match a pattern, for which each task counts how often it is
 * inside.
 */
struct wv_aspect_flow {
	char *function;
	struct wv_text_location location; /* location of the first <cflow> that names it */
};

struct wv_aspect {
	char *path; /* as passed to wv_aspect_load() */
	struct wv_xml *xml; /* the file; for showing its lines */
	char *name;
	struct wv_text_location location; /* location of <aspect> */
	WV_VEC(struct wv_aspect_include) includes;
	WV_VEC(struct wv_aspect_code) declares;
	struct wv_aspect_code start, end; /* .location.line is 0 if there is none */
	WV_VEC(struct wv_aspect_task) tasks;
	WV_VEC(struct wv_aspect_flow) flows;
	uint32_t task_bits; /* log2 of the size of the task table: runtime/task-table.h */
	WV_VEC(struct wv_aspect_pointcut) pointcuts;
	/* includes those of flows, which come first, and of metrics */
	WV_VEC(struct wv_aspect_advice) advices;
	WV_VEC(struct wv_metric *) metrics;
	WV_VEC(struct wv_hit_filter *) filters;
	bool filtered; /* the user may give a filter at weave time */
};

/* Reserves room for a filter given at weave time: each hit checks it. */
void wv_aspect_set_filtered(struct wv_aspect *aspect);
void wv_aspect_destroy(struct wv_aspect *aspect);

#endif /* WV_ASPECT_MODEL_H */
