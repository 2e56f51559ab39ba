/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What `weft drill` has found: a tree of calls with their times, made of the metrics of its aspect
 * (aspect/oneliner/drill-aspect.h), as text and as JSON. What could not be timed is a part of the
 * caller's own time, and is listed with its reason.
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
	const char *symbol; /* the function, or its cold part */
	uint32_t offset, length;
	const char *inlined; /* the inlined function that the source is in, or NULL */
	const char *file;    /* NULL: not known */
	uint32_t line;
	const char *to; /* what it calls; NULL: that is known only when it runs */
	/* why the call is not timed; WEFT_REFUSAL_NONE: it is timed */
	enum weft_refusal refusal;
	/* it is in a cold part that is not known as one of the function: likewise */
	bool cold;
};

/* A function whose calls are timed. */
struct wv_drill_into {
	const char *name;
	WV_VEC(struct wv_drill_site) sites;
};

struct wv_drill_node {
	char *function; /* what is called, as the kernel names it */
	uint64_t id, from; /* of the call, and of the call in which it is */
	const struct wv_drill_site *site; /* NULL: it is the whole, or not known */
	size_t parent; /* index of the node; of the whole its own */
	unsigned int level;
	bool gone_into; /* .self is known */
	uint64_t count;
	int64_t wall, cpu, min, max;	/* ns */
	int64_t self_wall, self_cpu;	/* without the calls that were timed */
};

struct wv_drill {
	WV_VEC(struct wv_drill_node) nodes; /* each after its caller, the longest first */
	uint64_t under_way; /* calls, and of the whole, that had not ended */
	uint64_t lost;	    /* calls that found no room */
	uint64_t apart;	    /* calls of calls that had not ended */
	char unseen[WV_UNSEEN_TEXT]; /* where starts or ends of the whole were refused; "" */
};

/* What was measured: the functions that are gone into, the whole first, and how deep. */
struct wv_drill_facts {
	const struct wv_drill_into *into;
	size_t n;
	unsigned int depth;
};

/* Fills @ret. @readings: of the drill's aspect. Its nodes have sites of @facts. */
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
