// SPDX-License-Identifier: GPL-2.0-or-later
/* The language's table; see rules.h and docs/aspect-language.md. */
#include <string.h>

#include "aspect/language/rules.h"

/* The elements that pick joinpoints, for the table below. (<within> and <not> only filter.) */
#define PICKS \
	"member-access", "function", "call", "line", "block", "instruction", "tracepoint", "ref", \
	"and", "or"

/* The attributes that say for which hits (filter) and when (start, stop) advice runs. */
#define TIMES_AND_FILTER "pid", "comm", "uid", "start", "stop"
#define ADVICE "pointcut", "condition", "optional", "once", TIMES_AND_FILTER
#define AROUND "pointcut", "condition", "optional", TIMES_AND_FILTER
#define METRICS "counter", "sum", "histogram", "elapsed", "concurrency"
/*
 * Attributes. METRIC: of all metrics. VALUE: of metrics that have one advice (counter, sum,
 * histogram). PAIR: of metrics that measure between two points (elapsed, concurrency).
 */
#define METRIC "name", "by", "rows", "condition", "optional", TIMES_AND_FILTER
#define VALUE METRIC, "pointcut", "unit", "once"
#define PAIR METRIC, "of", "from", "to", "key", "to-key", "to-condition", "nest", "clock", "pairs"

const struct wv_rule wv_rules[] = {
	{ .name = "aspect",
	  .required = { "name" },
	  .optional = { "tasks", "stack", "budget", "share", "pending" },
	  .children = { "include", "declare", "start", "end", "task", "tag", "never-sleeps",
			"pointcut", "before-advice", "after-advice", "around-advice", METRICS } },
	{ .name = "include", .required = { "header" } },
	{ .name = "declare", .text = true },
	{ .name = "start", .text = true },
	{ .name = "end", .text = true },
	{ .name = "task", .required = { "name", "type" } },
	{ .name = "never-sleeps", .required = { "function" } },
	{ .name = "pointcut", .optional = { "name", "program" }, .children = { PICKS } },
	{ .name = "member-access",
	  .required = { "struct", "name" },
	  .optional = { "kind", "precision", "kernel" } },
	{ .name = "function", .required = { "name" }, .optional = { "at", "kernel" } },
	{ .name = "call", .optional = { "function", "from", "kernel" } },
	{ .name = "line", .required = { "file", "line" }, .optional = { "kernel" } },
	{ .name = "block", .required = { "function" }, .optional = { "kernel" } },
	{ .name = "instruction", .required = { "symbol", "offset" }, .optional = { "kernel" } },
	{ .name = "tracepoint", .required = { "name" }, .optional = { "kernel" } },
	{ .name = "ref", .required = { "pointcut" }, .optional = { "kernel" } },
	{ .name = "and", .children = { PICKS, "within", "not", "cflow", "xflow" } },
	{ .name = "or", .children = { PICKS, "within" } },
	{ .name = "not", .children = { PICKS, "within", "cflow", "xflow" } },
	{ .name = "cflow", .required = { "function" } },
	{ .name = "xflow", .required = { "tag", "object" } },
	{ .name = "tag",
	  .required = { "name", "from", "object", "until", "until-object" },
	  .optional = { "objects", "condition", "pid", "comm", "uid" } },
	{ .name = "within", .optional = { "function", "file", "module" } },
	{ .name = "counter", .optional = { VALUE } },
	{ .name = "sum", .required = { "value" }, .optional = { VALUE } },
	{ .name = "histogram",
	  .required = { "value" },
	  .optional = { VALUE, "scale", "fine", "least", "step", "buckets" } },
	{ .name = "elapsed", .optional = { PAIR }, .text = true },
	{ .name = "concurrency", .optional = { PAIR } },
	{ .name = "before-advice", .optional = { ADVICE }, .text = true },
	{ .name = "after-advice", .optional = { ADVICE }, .text = true },
	{ .name = "around-advice", .optional = { AROUND }, .text = true },
};

const size_t wv_nr_rules = sizeof(wv_rules) / sizeof(*wv_rules);

const struct wv_rule *wv_rule_find(const char *name)
{
	for (size_t i = 0; i < wv_nr_rules; i++)
		if (!strcmp(wv_rules[i].name, name))
			return &wv_rules[i];
	return NULL;
}

/* Older names of attributes, which GILK, an earlier tool, has used, and their present names. */
static const struct {
	const char *old, *now;
} aliases[] = { { "launch", "start" }, { "splash", "stop" } };

const char *wv_rule_attribute(const char *name)
{
	for (size_t i = 0; i < sizeof(aliases) / sizeof(*aliases); i++)
		if (!strcmp(aliases[i].old, name))
			return aliases[i].now;
	return name;
}

size_t wv_rule_count(const char *const *names)
{
	size_t n = 0;

	while (n < WV_RULE_NAMES && names[n])
		n++;
	return n;
}

bool wv_rule_has(const char *const *names, const char *name)
{
	for (size_t i = 0; i < wv_rule_count(names); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}
