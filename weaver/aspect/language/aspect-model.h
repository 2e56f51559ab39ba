/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An aspect as the XML file says it: pointcuts, advice bodies, headers, each with its place in the
 * file. Knows nothing of the database or of the kernel; docs/aspect-language.md is the language.
 */
#ifndef WV_ASPECT_MODEL_H
#define WV_ASPECT_MODEL_H

#include <stddef.h>
#include <stdint.h>

#include "aspect/language/pick.h"
#include "aspect/xml/text-location.h"
#include "aspect/xml/xml.h"
#include "base/error.h"
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
	struct wv_text_location location; /* of the element inside <pointcut> that says what is picked */
	unsigned int may_pick; /* WV_MAY_*: of what its references lead to as well */
	WV_VEC(struct wv_flow_use) flows; /* asked at each hit */
	bool referred; /* by another pointcut */
	enum wv_ref_state state;
};

/* A variable whose value is found per shadow: aspect/resolve/values.h. */
enum wv_reference_kind {
	WV_REFERENCE_LOCAL,	 /* $(name) */
	WV_REFERENCE_FIELD,	 /* $field(name) */
	WV_REFERENCE_SYMBOL, /* $sym(name) */
	WV_REFERENCE_TASK,	 /* $task(name): a <task> of the aspect's, in .tasks of who names it */
	WV_REFERENCE_OBJECT, /* $obj */
	WV_REFERENCE_VALUE,	 /* $value */
	WV_REFERENCE_RETURN, /* $ret */
	WV_REFERENCE_KINDS
};

struct wv_reference {
	enum wv_reference_kind kind;
	char *name; /* "" where the kind has none */
	struct wv_text_location location; /* where the body names it first */
};

/* Whose hits an advice is for: of each list that is not empty one has to fit. */
struct wv_hit_filter {
	WV_VEC(uint32_t) pids, uids;
	WV_VEC(char *) comms;
};

struct wv_metric;

/* Advice; <declare>, <start> and <end>, too, which have no pointcut and must name no variables. */
struct wv_aspect_advice {
	struct wv_text_location location; /* of the element */
	bool after;	       /* not before */
	size_t pointcut;       /* index into the aspect's pointcuts */
	struct wv_xml_text body; /* with the condition before it, aspect/language/condition.h */
	uint64_t variables; /* WV_VARIABLE_BIT()s that the body names, aspect/language/variables.h */
	WV_VEC(struct wv_reference) named; /* each once */
	WV_VEC(struct wv_reference) tasks; /* likewise: what it keeps of tasks */
	bool calls; /* other functions than weft's, which may take stack traces */
	bool optional; /* shadows where one of .named cannot be had are dropped */
	const struct wv_hit_filter *filter; /* one of the aspect's; NULL: everybody's */
	uint64_t start_after, stop_after; /* nanoseconds from the beginning; stop_after 0: none */
	bool conditional; /* its body begins with the condition */
	bool once; /* runs once at each shadow, which is then restored */
	const struct wv_metric *metric; /* whose body is made from it: aspect/language/metric-elements.h; NULL: an author's */
	bool ends; /* the metric's second advice, at its end */
	size_t flow; /* not 0: it follows the aspect's flow of this number, less one */
};

/* A <task>: a variable that every task has its own of. */
struct wv_aspect_task {
	char *name;
	struct wv_text_location location; /* of its name */
	struct wv_aspect_advice type; /* C */
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
	WV_VEC(struct wv_aspect_advice) declares;
	struct wv_aspect_advice start, end; /* .place.line is 0 where there is none */
	WV_VEC(struct wv_aspect_task) tasks;
	WV_VEC(struct wv_aspect_flow) flows;
	uint32_t task_bits; /* of the table that they are in: runtime/task-table.h */
	WV_VEC(struct wv_aspect_pointcut) pointcuts;
	WV_VEC(struct wv_aspect_advice) advices; /* those of flows, which come first, and of metrics among them */
	WV_VEC(struct wv_metric *) metrics;
	WV_VEC(struct wv_hit_filter *) whos;
	bool filtered; /* whoever weaves it may say whose hits it is for */
};

/* Several independent errors of one file, in the file's order. */
struct wv_errors {
	WV_VEC(struct wv_error) list;
};

void wv_errors_deinit(struct wv_errors *errors);

/*
 * Reads and checks @path. Everything that can be told without a database is checked: names,
 * attributes, advices bound to pointcuts, variables in bodies. -WV_E_ASPECT with the first error's
 * place; where @errors is not NULL it receives all of them (the first included), none of a file that cannot be read.
 */
int wv_aspect_load(const char *path, struct wv_aspect **ret, struct wv_error *error);
int wv_aspect_load_all(const char *path, struct wv_aspect **ret, struct wv_errors *errors,
		       struct wv_error *error);
/* Makes room for a filter: every hit asks it. */
void wv_aspect_set_filtered(struct wv_aspect *aspect);
void wv_aspect_destroy(struct wv_aspect *aspect);

#endif /* WV_ASPECT_MODEL_H */
