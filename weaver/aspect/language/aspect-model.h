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
	char *header; /* the text between the angle brackets of #include */
	struct wv_text_location location;
};

enum {
	/*
	 * calls, function entries, and lines that may contain a call: there the argument registers
	 * hold the arguments
	 */
	WV_MAY_CALL = 1,
	WV_MAY_EXIT = 2, /* function exits: nothing comes after them */
	WV_MAY_TRACEPOINT = 4, /* tracepoints: nothing comes after them, either */
};

/*
 * How far a pointcut's <ref>s have been followed. OPEN: in progress; a <ref> to an OPEN one is a
 * loop.
 */
enum wv_ref_state { WV_REF_NEW, WV_REF_OPEN, WV_REF_DONE };

/* A <cflow> of a pointcut: a function that must, or must not, be active. */
struct wv_flow_use {
	size_t flow; /* index into the aspect's flows */
	bool absent;
};

struct wv_aspect_pointcut {
	char *name; /* NULL: unnamed; then it is the only pointcut */
	struct wv_pick *pick;
	/* location of the element that <pointcut> contains */
	struct wv_text_location location;
	unsigned int may_pick; /* WV_MAY_*; includes what the pointcuts in its <ref>s pick */
	/* flows that are checked at each hit; they do not pick joinpoints */
	WV_VEC(struct wv_flow_use) flows;
	bool referred; /* a <ref> of another pointcut names this pointcut */
	enum wv_ref_state state;
};

/* A filter. A hit passes if, in each list that is not empty, at least one entry matches. */
struct wv_hit_filter {
	WV_VEC(uint32_t) pids, uids;
	WV_VEC(char *) comms;
};

struct wv_aspect_advice {
	/*
	 * The C to run. If there is a condition, it precedes the body in this C
	 * (aspect/language/condition.h). Advice of a metric or flow has no text here, since its C
	 * is generated; but the variables that its expressions name are listed.
	 */
	struct wv_aspect_code code;
	bool after;	 /* runs after the joinpoint, not before it */
	size_t pointcut; /* index into the aspect's pointcuts */
	/*
	 * leave out shadows at which a variable of .code.named is unavailable; that is no error
	 * then
	 */
	bool optional;
	const struct wv_hit_filter *filter; /* one of the aspect's filters; NULL: none */
	/* nanoseconds since the beginning of the aspect's time; .stop_after 0: never stops */
	uint64_t start_after, stop_after;
	bool conditional; /* .code begins with a condition */
	bool once;	  /* runs once at each shadow, which is then restored */
	/* the metric that this advice measures for; NULL: the author wrote the advice */
	const struct wv_metric *metric;
	bool ends;	  /* this advice ends a measurement that .metric's other advice begins */
	/* 1 + index of the aspect's flow whose entries and exits this advice counts; 0: none */
	size_t flow;
};

/* A <task>: a variable of which each task has its own copy. */
struct wv_aspect_task {
	char *name;
	struct wv_text_location location; /* location of the value of the attribute `name` */
	struct wv_aspect_code type;
};

/*
 * A <never-sleeps>: a function of the kernel that may sleep, but does not where the aspect's advice
 * calls it. The author knows that; the check of sleep (module/check-calls.h) cannot find it out.
 */
struct wv_aspect_awake {
	char *function;
	struct wv_text_location location; /* of the attribute's value */
};

/*
 * The function of a <cflow>, or the functions that match its pattern. Each task counts how many of
 * their calls it is inside.
 */
struct wv_aspect_flow {
	char *function;
	struct wv_text_location location; /* location of the first <cflow> with this function */
};

/*
 * Bytes of stack that advice may use if the aspect does not state a number. This is so little that
 * no hit checks whether it is left.
 */
enum { WV_STACK_SMALL = 1024 };

struct wv_aspect {
	char *path; /* as passed to wv_aspect_load() */
	struct wv_xml *xml; /* the file; its lines are shown below error messages */
	char *name;
	struct wv_text_location location; /* location of <aspect> */
	WV_VEC(struct wv_aspect_include) includes;
	WV_VEC(struct wv_aspect_code) declares;
	struct wv_aspect_code start, end; /* .location.line is 0: the aspect has no such element */
	WV_VEC(struct wv_aspect_task) tasks;
	WV_VEC(struct wv_aspect_flow) flows;
	WV_VEC(struct wv_aspect_awake) awake;
	uint64_t stack; /* bytes of stack that advice may use */
	/*
	 * what advice may take of the processor (WEFT_BUDGET_*, WEFT_SHARE_*); 0: not in the aspect
	 */
	uint64_t budget;
	uint32_t share;
	bool pending; /* wait for modules that are not loaded (WEFT_ASPECT_PENDING) */
	/* log2 of the number of buckets of the task table (runtime/task-table.h) */
	uint32_t task_bits;
	WV_VEC(struct wv_aspect_pointcut) pointcuts;
	/* the advice of flows comes first; the advice of metrics is included, too */
	WV_VEC(struct wv_aspect_advice) advices;
	WV_VEC(struct wv_metric *) metrics;
	WV_VEC(struct wv_hit_filter *) filters;
	bool filtered; /* a filter may be given at weave time; advice checks it at each hit */
};

/* Lets the user give a filter at weave time. All advice is then generated with a check of it. */
void wv_aspect_set_filtered(struct wv_aspect *aspect);
void wv_aspect_destroy(struct wv_aspect *aspect);

#endif /* WV_ASPECT_MODEL_H */
