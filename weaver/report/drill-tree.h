/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The result of `weft drill`: a tree of calls with their times. The tree is made from the metrics
 * of the drill's aspect (aspect/oneliner/drill-aspect.h), and is written as text or as JSON. If a
 * call could not be timed, its time is in its caller's own time, and the report lists the call with
 * the reason.
 */
#ifndef WV_DRILL_TREE_H
#define WV_DRILL_TREE_H

#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"
#include "report/figures.h"
#include "runtime/abi.h"

/* A call instruction in a function whose calls are timed. The strings belong to the caller. */
struct wv_drill_site {
	/* name of the function that contains the instruction, or of the function's cold part */
	const char *symbol;
	uint32_t offset, length; /* bytes from the symbol's start; bytes of the instruction */
	const char *inlined; /* the inlined function whose source contains the call, or NULL */
	const char *file;    /* NULL: not known */
	uint32_t line;
	/* name of the function that is called; NULL: it is known only when the call runs */
	const char *to;
	/* why no splice can time the call; WEFT_REFUSAL_NONE: it is timed, unless .cold is set */
	enum weft_refusal refusal;
	/*
	 * true: the call is not timed, because it is in the cold part of a function whose name has
	 * a dot (wv_drill_is_dotted())
	 */
	bool cold;
};

/* A function whose calls are timed. */
struct wv_drill_into {
	const char *name;
	WV_VEC(struct wv_drill_site) sites;
};

struct wv_drill_node {
	char *function; /* name of the called function, as the kernel names it */
	/*
	 * .id: the call's identifier (drill-aspect.h). .from: the identifier of the call whose
	 * function has made this call.
	 */
	uint64_t id, from;
	/* the call instruction; NULL: not known, or the node is the drilled function as a whole */
	const struct wv_drill_site *site;
	/* index of the caller's node; the node of the drilled function has its own index here */
	size_t parent;
	unsigned int level; /* number of callers above; 0: the drilled function */
	/*
	 * the calls that this function makes were timed, so that .self_wall and .self_cpu are known
	 */
	bool gone_into;
	uint64_t count; /* number of executions of the call */
	/*
	 * All in nanoseconds. .wall: sum of the time that passed. .cpu: sum of the time on a CPU.
	 * .min, .max: time that passed in the shortest and in the longest execution.
	 */
	int64_t wall, cpu, min, max;
	/* nanoseconds: .wall and .cpu without those of the calls that the function makes */
	int64_t self_wall, self_cpu;
};

struct wv_drill {
	/* each node after its caller; of the calls of one caller, the longest first */
	WV_VEC(struct wv_drill_node) nodes;
	/* number of calls, and of executions of the drilled function, that had not ended */
	uint64_t under_way;
	/*
	 * number of calls that are not in the tree, because a table had no room for them, or too
	 * many calls of the same key were under way
	 */
	uint64_t lost;
	/*
	 * number of calls that are not in the tree, because their caller is not: it had not ended
	 */
	uint64_t apart;
	/* text about refused starts and ends of the drilled function; "" if none were refused */
	char unseen[WV_UNSEEN_TEXT];
};

/*
 * What was drilled.
 * .into: the .n functions whose calls were timed; the first is the drilled function itself.
 * .depth: calls in nodes of this level or more were not timed.
 */
struct wv_drill_facts {
	const struct wv_drill_into *into;
	size_t n;
	unsigned int depth;
};

/*
 * Makes the tree @ret from @readings, the metrics of the drill's aspect. The nodes of the tree
 * point to sites of @facts, which must outlive the tree.
 */
int wv_drill_read(const struct wv_readings *readings, const struct wv_drill_facts *facts,
		  struct wv_drill *ret, struct wv_error *error);
void wv_drill_deinit(struct wv_drill *drill);

/* Adds the tree as text. @top: the number of calls shown for each function; 0: all calls. */
void wv_drill_text(const struct wv_drill *drill, const struct wv_drill_facts *facts, size_t top,
		   struct wv_str *out);
/* Adds the tree as one JSON object on one line; docs/one-liners.md lists the keys. */
void wv_drill_json(const struct wv_drill *drill, const struct wv_drill_facts *facts,
		   struct wv_str *out);

#endif /* WV_DRILL_TREE_H */
