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
	char *header; /* the header's name, between the angle brackets of #include */
	struct wv_text_location location;
};

enum {
	/*
	 * Bits for the kinds of joinpoints that a pointcut may pick. CALL: calls, function entries,
	 * and lines that may have a call, where the argument registers hold arguments. EXIT:
	 * function exits. TRACEPOINT: tracepoints. After-advice is not possible at exits and
	 * tracepoints.
	 */
	WV_MAY_CALL = 1,
	WV_MAY_EXIT = 2, /* function exits: after-advice is not possible */
	WV_MAY_TRACEPOINT = 4, /* tracepoints: after-advice is not possible */
	WV_MAY_OTHER = 8, /* neither function entries nor calls: no around-advice */
	WV_MAY_ENTRY = 16, /* function entries: around-advice has no $target */
};

/*
 * How far the <ref>s of a pointcut have been followed: not yet, being followed, done. A <ref> to a
 * pointcut in the state OPEN closes a loop.
 */
enum wv_ref_state { WV_REF_NEW, WV_REF_OPEN, WV_REF_DONE };

/* A <cflow> of a pointcut: a function that must be active or, if .absent, must not be active. */
struct wv_flow_use {
	size_t flow; /* index into the aspect's flows */
	bool absent;
};

/*
 * An <xflow> of a pointcut: the object must carry a tag or, if .absent, must not carry it. The tag
 * is found by its name when the whole aspect is loaded.
 */
struct wv_tag_use {
	char *name;
	struct wv_text_location location; /* of the value of the attribute `tag` */
	size_t tag; /* index into the aspect's tags */
	bool absent;
	struct wv_aspect_code object; /* expression: the object's address */
};

struct wv_aspect_pointcut {
	char *name; /* NULL: the pointcut has no name, and is the only one */
	struct wv_pick *pick;
	/*
	 * path, from the root folder, of the program or shared library whose joinpoints the
	 * pointcut picks; NULL: it picks those of the kernel and its modules
	 */
	char *program;
	struct wv_text_location program_location; /* of the value of the attribute `program` */
	/* location of the element that <pointcut> contains */
	struct wv_text_location location;
	/*
	 * WV_MAY_* bits: kinds of joinpoints that the pointcut may pick, itself or through the
	 * pointcuts in its <ref>s
	 */
	unsigned int may_pick;
	/*
	 * flows that are checked at each hit; they have no influence on which joinpoints are picked
	 */
	WV_VEC(struct wv_flow_use) flows;
	/* tags that are checked at each hit, after the flows */
	WV_VEC(struct wv_tag_use) tagged;
	bool referred; /* a <ref> in another pointcut names this pointcut */
	enum wv_ref_state state;
};

/* A filter. A hit passes if it matches at least one entry of each list that is not empty. */
struct wv_hit_filter {
	WV_VEC(uint32_t) pids, uids;
	WV_VEC(char *) comms;
};

struct wv_aspect_advice {
	/*
	 * The C that runs at a hit. A condition becomes the first statement of this C
	 * (aspect/language/condition.h). The C of metrics and flows is generated later; for these
	 * .code lists only the variables that the metric's expressions name. Its text is empty,
	 * except that of an <elapsed> in the advice at the end.
	 */
	struct wv_aspect_code code;
	bool after;	 /* runs after the joinpoint instead of before it */
	/* runs instead of the function or of what the call leads to, and may call it */
	bool around;
	size_t pointcut; /* index into the aspect's pointcuts */
	/*
	 * true: leave out shadows at which a variable of .code.named is unavailable, without an
	 * error
	 */
	bool optional;
	const struct wv_hit_filter *filter; /* one of the aspect's filters; NULL: none */
	/* nanoseconds since the beginning of the aspect's time; .stop_after 0: never stops */
	uint64_t start_after, stop_after;
	bool conditional; /* .code begins with a condition */
	bool once;	  /* runs once at each shadow, and the shadow's text is then restored */
	/* metric to which this advice belongs; NULL: the author wrote the advice */
	const struct wv_metric *metric;
	bool ends;	  /* true: ends the measurements that the metric's other advice begins */
	/*
	 * 1 + index of a flow of the aspect: this advice counts the flow's entries and exits; 0:
	 * none
	 */
	size_t flow;
	/*
	 * 1 + index of a tag of the aspect: this advice tags objects or, if .untags, takes the tag
	 * from them; 0: none. Its C is in the tag.
	 */
	size_t tag;
	bool untags;
};

/* A <task>: a variable of which each task has its own copy. */
struct wv_aspect_task {
	char *name;
	struct wv_text_location location; /* of the value of the attribute `name` */
	struct wv_aspect_code type;
};

/*
 * A <never-sleeps>: a function of the kernel that may sleep, but of which the author states that it
 * does not sleep where the aspect's advice calls it. The check (module/check-calls.h) cannot find
 * this out.
 */
struct wv_aspect_awake {
	char *function;
	struct wv_text_location location; /* location of the value of the attribute `function` */
};

/*
 * A flow: the function in a <cflow>, or the functions that match its pattern. The aspect counts for
 * each task how many calls of these functions the task is inside.
 */
struct wv_aspect_flow {
	char *function;
	struct wv_text_location location; /* location of the first <cflow> with this function */
};

/*
 * A <tag>: objects get it at one pointcut and lose it at another, where they are freed. Which
 * objects have it is stored in a table of the tag's own (runtime/tag-table.h).
 */
struct wv_aspect_tag {
	char *name;
	struct wv_text_location location; /* of the element */
	const struct wv_xml_node *node; /* the element, in the aspect's tree */
	/* expressions: the object's address where it is tagged, and where it is freed */
	struct wv_aspect_code object, until_object;
	/* expression that must hold where an object is tagged; .location.line 0: there is none */
	struct wv_aspect_code condition;
	char *object_text; /* .object as the author wrote it */
	const struct wv_hit_filter *filter; /* of where objects are tagged; NULL: none */
	uint32_t bits; /* log2 of the number of buckets of its table */
};

/*
 * How many bytes of stack advice may use if the aspect does not say. This is so little that a hit
 * need not check whether so much stack is left.
 */
enum { WV_STACK_SMALL = 1024 };

struct wv_aspect {
	char *path; /* as passed to wv_aspect_load() */
	struct wv_xml *xml; /* the file; its lines are printed below error messages */
	char *name;
	struct wv_text_location location; /* of the element <aspect> */
	WV_VEC(struct wv_aspect_include) includes;
	WV_VEC(struct wv_aspect_code) declares;
	/* The C in <start> and <end>. .location.line is 0 if the aspect has no such element. */
	struct wv_aspect_code start, end;
	WV_VEC(struct wv_aspect_task) tasks;
	WV_VEC(struct wv_aspect_flow) flows;
	WV_VEC(struct wv_aspect_tag) tags;
	WV_VEC(struct wv_aspect_awake) awake;
	uint64_t stack; /* bytes of stack that advice may use */
	/*
	 * Limits of the time that advice may take (WEFT_BUDGET_*, WEFT_SHARE_*). 0: the aspect does
	 * not set the limit.
	 */
	uint64_t budget;
	uint32_t share;
	bool pending; /* true: wait for modules that are not loaded (WEFT_ASPECT_PENDING) */
	/* log2 of the number of buckets of the task table (runtime/task-table.h) */
	uint32_t task_bits;
	WV_VEC(struct wv_aspect_pointcut) pointcuts;
	/*
	 * All advice, with that of metrics. Advice of flows comes first, then advice that tags
	 * objects before a joinpoint. Last comes advice that tags objects after a joinpoint, and
	 * advice that untags them.
	 */
	WV_VEC(struct wv_aspect_advice) advices;
	WV_VEC(struct wv_metric *) metrics;
	WV_VEC(struct wv_hit_filter *) filters;
	/* true: a filter may be given when the aspect is woven, and advice checks it at each hit */
	bool filtered;
};

/*
 * Lets the user give a filter when the aspect is woven. All advice is then generated with a check
 * of it.
 */
void wv_aspect_set_filtered(struct wv_aspect *aspect);
void wv_aspect_destroy(struct wv_aspect *aspect);

#endif /* WV_ASPECT_MODEL_H */
