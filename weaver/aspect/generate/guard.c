// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes guards as C; see guard.h. */
#include "aspect/generate/guard.h"

/*
 * Adds " && " unless @guard is empty. A guard is a list of terms joined by &&; to be called before
 * each term is added.
 */
static void begin_term(struct wv_str *guard)
{
	if (guard->n)
		wv_str_add(guard, " && ");
}

/*
 * Adds the term "(a || b)" to @guard, with one alternative for each of @values. Adds no term if
 * there are no values.
 */
#define ADD_ANY(guard, values, value, format, ...)                                               \
	do {                                                                                     \
		const char *separator = "(";                                                     \
                                                                                                 \
		if (!(values)->n)                                                                \
			break;                                                                   \
		begin_term(guard);                                                               \
		wv_vec_for_each(value, values) {                                                 \
			wv_str_add(guard, separator);                                   \
			wv_str_addf(guard, format, ##__VA_ARGS__);                      \
			separator = " || ";                                                      \
		}                                                                                \
		wv_str_add(guard, ")");                                                 \
	} while (0)

/*
 * Adds the terms about the task's process. Their result is the same as long as the task exists, so
 * the end of a pair may check them again, unlike those of add_names().
 */
static void add_process(struct wv_str *guard, bool filtered, const struct wv_hit_filter *filter)
{
	if (filtered) {
		begin_term(guard);
		wv_str_add(guard, "wr_is_wanted_process(&weft_aspect.filter)");
	}
	if (filter)
		ADD_ANY(guard, &filter->pids, pid, "current->tgid == %u", *pid);
}

static void add_names(struct wv_str *guard, bool filtered, const struct wv_hit_filter *filter)
{
	if (filtered) {
		begin_term(guard);
		wv_str_add(guard, "wr_is_wanted_name(&weft_aspect.filter)");
	}
	if (!filter)
		return;
	ADD_ANY(guard, &filter->uids, uid, "__kuid_val(current_uid()) == %u", *uid);
	if (!filter->comms.n)
		return;
	begin_term(guard);
	for (size_t i = 0; i < filter->comms.n; i++) {
		wv_str_add(guard, i ? " || wr_is_comm(" : "(wr_is_comm(");
		wv_str_add_c(guard, filter->comms.data[i]);
		wv_str_add(guard, ")");
	}
	wv_str_add(guard, ")");
}

static void add_flows(struct wv_str *guard, const struct wv_aspect_pointcut *pointcut)
{
	wv_vec_for_each(flow, &pointcut->flows) {
		begin_term(guard);
		wv_str_addf(guard, "%sweft_in_flow(%zu)", flow->absent ? "!" : "", flow->flow);
	}
}

bool wv_has_guard(const struct wv_aspect *aspect, const struct wv_aspect_advice *advice)
{
	return aspect->filtered || advice->filter ||
	       aspect->pointcuts.data[advice->pointcut].flows.n ||
	       aspect->pointcuts.data[advice->pointcut].tagged.n;
}

static void write_return(struct wv_str *guard, bool around, struct wv_str *out)
{
	if (around)
		wv_str_addf(out, "\treturn %s;\n", guard->n ? guard->data : "true");
	else if (guard->n)
		wv_str_addf(out, "\tif (!(%s))\n\t\treturn;\n", guard->data);
	out->failed |= guard->failed;
	wv_str_deinit(guard);
}

void wv_write_guard(const struct wv_aspect *aspect, const struct wv_aspect_advice *advice,
		    struct wv_str *out)
{
	const struct wv_aspect_pointcut *pointcut = &aspect->pointcuts.data[advice->pointcut];
	bool start = advice->metric && wv_metric_is_pair(advice->metric) && !advice->ends;
	bool pair = start || advice->ends;
	struct wv_str guard = { 0 };

	/* Advice that counts a flow or untags objects must see every execution, in every task. */
	if (advice->flow || advice->untags)
		return;
	if (!pair || advice->metric->of_task)
		add_process(&guard, aspect->filtered, advice->filter);
	if (start) {
		write_return(&guard, false, out);
		guard = (struct wv_str){ 0 };
		if (!advice->metric->of_task)
			add_process(&guard, aspect->filtered, advice->filter);
	}
	/*
	 * A term that may change between start and end is checked at the start only. Each start
	 * takes a slot in the table of pairs, and the end frees the slot. If the end checked the
	 * term again and it did not hold any more, the slot would stay taken.
	 */
	if (!advice->ends) {
		add_names(&guard, aspect->filtered, advice->filter);
		add_flows(&guard, pointcut);
	}
	if (!start) {
		write_return(&guard, advice->around, out);
		return;
	}
	if (pointcut->tagged.n)
		wv_str_addf(out, "\tconst bool weft_passes = %s;\n", guard.n ? guard.data : "true");
	else if (guard.n)
		wv_str_addf(out, "\tconst bool weft_active = %s;\n", guard.data);
	out->failed |= guard.failed;
	wv_str_deinit(&guard);
}
