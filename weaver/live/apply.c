// SPDX-License-Identifier: GPL-2.0-or-later
/* Weaving and unweaving; see apply.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/notation.h"
#include "base/order.h"
#include "base/progress.h"
#include "live/running-kernel.h"
#include "live/live-parts.h"
#include "live/live-text.h"
#include "live/apply.h"
#include "splice/refusal.h"

/*
 * How long to wait for a grace period. On a healthy machine a grace period takes some hundredths of
 * a second, and a tenth of a second if it follows right after another one.
 * If it has taken GRACE_WAIT_MS, it is stalled, and weft gives up. The pause between two requests
 * for the state is POLL_MS plus the time waited so far divided by POLL_SHARE, at most POLL_MOST_MS.
 */
enum { POLL_MS = 1, POLL_MOST_MS = 10, POLL_SHARE = 20, GRACE_WAIT_MS = 15000 };

void wv_summary_deinit(struct wv_summary *summary)
{
	wv_plan_deinit(&summary->woven);
	wv_plan_deinit(&summary->refused);
}

/*
 * Sleeps for one pause, and adds its milliseconds to *@waited, the time waited so far. If this time
 * has reached GRACE_WAIT_MS, does not sleep, and returns false.
 */
static bool go_on_waiting(unsigned int *waited)
{
	unsigned int ms = POLL_MS + *waited / POLL_SHARE;
	struct timespec time;

	if (*waited >= GRACE_WAIT_MS)
		return false;
	if (ms > POLL_MOST_MS)
		ms = POLL_MOST_MS;
	time = (struct timespec){ .tv_nsec = ms * 1000000L };
	nanosleep(&time, NULL);
	*waited += ms;
	return true;
}

/*
 * Asks the kernel for the status of the aspect @name. Sets *@state_ret to its enum weft_state and,
 * unless @ret is NULL, *@ret to its status. If the kernel does not know @name, sets *@state_ret to
 * -1, and leaves *@ret as it is.
 */
static int read_state(const struct wv_device *device, const char *name, int *state_ret,
		      struct weft_status *ret, struct wv_error *error)
{
	const struct weft_status *status;
	struct wv_statuses statuses;
	int err = wv_device_list(device, &statuses, error);

	if (err)
		return err;
	status = wv_statuses_find(&statuses, name);
	*state_ret = status ? (int)status->state : -1;
	if (status && ret)
		*ret = *status;
	wv_statuses_deinit(&statuses);
	return 0;
}

/* Returns whether an aspect in this state was unwoven, and will be LOADED next. */
static bool is_leaving(int state)
{
	return state == WEFT_STATE_RETIRING || state == WEFT_STATE_ENDING;
}

/*
 * Waits until the aspect @name is no longer RETIRING or ENDING. Gives up after GRACE_WAIT_MS, or as
 * soon as the aspect's end block has died. Sets *@state_ret and *@ret as read_state() does; after
 * it has given up, *@state_ret is still RETIRING or ENDING.
 */
static int wait_retired(const struct wv_device *device, const char *name, int *state_ret,
			struct weft_status *ret, struct wv_error *error)
{
	unsigned int waited = 0;
	int err;

	do {
		err = read_state(device, name, state_ret, ret, error);
	} while (!err && is_leaving(*state_ret) && !ret->block_died && go_on_waiting(&waited));
	return err;
}

/* Returns -WV_E_STATE, and reports that the aspect's start or end block is running or has died. */
static int fail_block(const struct weft_status *status, struct wv_error *error)
{
	char text[WV_BLOCK_TEXT];

	return wv_fail(error, WV_E_STATE, "%s: %s", status->name, wv_block_text(status, text));
}

/* ---- weaving --------------------------------------------------------------------------------- */

static int check_build_id(const struct wv_aspect_module *module, const char *path,
			  struct wv_error *error)
{
	const struct weft_text_part *kernel = &module->parts[0];
	char wanted[2 * WEFT_BUILD_ID_MAX + 1], running[2 * 64 + 1];
	uint8_t id[64];
	size_t size;
	int err = wv_kernel_build_id(id, sizeof(id), &size, error);

	if (err)
		return err;
	if (size == kernel->build_id_size && !memcmp(id, kernel->build_id, size))
		return 0;
	wv_build_id_text(kernel->build_id, kernel->build_id_size, wanted);
	wv_build_id_text(id, size, running);
	return wv_fail(error, WV_E_MISMATCH,
		       "%s: made for the kernel with build-id %s; running is %s: compile the "
		       "aspect for the running kernel", path, wanted, running);
}

/*
 * Returns whether the loaded module has anything left of an earlier weave, as after a weft that was
 * killed. Such a module must not be used again. Its numbers would be added to what the next weave
 * counts. And if the aspect's time has ended or its advice has faulted, its data may be
 * inconsistent.
 */
static bool has_traces(const struct weft_status *status)
{
	return status->hits || status->missed || status->records || status->lost ||
	       status->dropped || status->faults || status->phase == WEFT_PHASE_ENDED;
}

/*
 * Loads the module file @path, unless the same module is loaded, not woven, and without traces of
 * an earlier weave. If another module of this name, or one with traces, is loaded and not woven,
 * replaces it. If that module has records that nobody has read, fails if @records_kept is true;
 * otherwise drops them, and sets *@dropped_ret to their number.
 */
static int load_module(const struct wv_device *device, const char *path,
		       const struct wv_aspect_module *module, bool records_kept,
		       uint64_t *dropped_ret, struct wv_error *error)
{
	const char *name = module->header.name;
	struct weft_status status = { 0 };
	bool loaded, usable;
	int state, err;

	wv_progress_stage("waiting for tasks to leave the previous weave");
	err = wait_retired(device, name, &state, &status, error);
	wv_progress_stage("loading the module");
	if (err)
		return err;
	if (state == WEFT_STATE_WOVEN)
		return wv_fail(error, WV_E_STATE, "%s is woven already: unweave it first", name);
	if (state == WEFT_STATE_STARTING || state == WEFT_STATE_ENDING)
		return fail_block(&status, error);
	if (state == WEFT_STATE_RETIRING)
		return wv_fail(error, WV_E_STATE,
			       "%s is still retiring: %s",
			       name,
			       status.inside ? "tasks are inside its around-advice" :
					       "a grace period is stalled, or a kprobe sits on a "
					       "splice");
	if (state == WEFT_STATE_LOADED && status.unread && records_kept)
		return wv_fail(error, WV_E_STATE,
			       "%s has %s of an earlier weave that nobody has read: `weft read %s` "
			       "prints them", name, wv_count_text(status.unread, "record").text,
			       name);
	usable = state == WEFT_STATE_LOADED && status.content == module->header.content &&
		 !has_traces(&status);
	if (state == WEFT_STATE_LOADED && !usable)
		err = wv_kernel_unload(name, error);
	if (err)
		return err;
	err = wv_kernel_load(path, &loaded, error);
	if (!err && loaded)
		*dropped_ret = status.unread;
	if (err || loaded || usable)
		return err;
	return wv_fail(error, WV_E_STATE, "a module named %s that is not an aspect is loaded: give "
		       "the aspect another name", name);
}

/*
 * Fetches the text from which the plan is made. If the aspect's table has a displaced range for a
 * joinpoint, fetches this range, unless @traps is true. For all other joinpoints, fetches the
 * shadow's own instruction.
 */
static int fetch_text(struct wv_text *text, const struct wv_aspect_module *module,
		      const struct wv_live_parts *parts, bool traps, struct wv_error *error)
{
	int err = 0;

	for (size_t i = 0; i < module->n && !err; i++) {
		const struct weft_joinpoint *joinpoint = &module->joinpoints[i];
		const struct wv_plan_part *part = &parts->list.data[joinpoint->part];
		uint64_t shadow = part->base + joinpoint->text_offset, rest = part->end - shadow;

		if (!part->base || shadow < part->base || shadow >= part->end)
			continue;
		if (joinpoint->displaced && !traps && !joinpoint->refusal)
			err = wv_text_want(text, shadow - joinpoint->before, joinpoint->displaced,
					   error);
		else
			err = wv_text_want(text, shadow,
					   rest < WEFT_INSN_MAX ? rest : WEFT_INSN_MAX, error);
	}
	return err ? err : wv_text_fetch(text, error);
}

static int submit(const struct wv_device *device, const struct wv_aspect_module *module,
		  struct wv_plan *plan, uint32_t flags, const struct wv_weave_options *options,
		  struct wv_error *error)
{
	struct weft_weave request = {
		.content = module->header.content,
		.splices = (uintptr_t)plan->splices.data,
		.nr_splices = plan->splices.n,
		.flags = flags,
		.filter = options->filter,
		.after = options->after,
		.lasts = options->lasts,
		.budget = options->budget,
		.share = options->share,
	};

	memcpy(request.name, module->header.name, sizeof(request.name));
	return wv_device_weave(device, &request, error);
}

/*
 * Moves the refused splices from summary->woven to summary->refused. Also moves each splice that is
 * useless without a refused one: the splice that notes a call, if that where the call returns is
 * refused. Returns -WV_E_REFUSED if nothing is left to weave, now or when a module is loaded.
 */
static int set_aside(const struct wv_aspect_module *module, const struct wv_plan_source *source,
		     struct wv_summary *summary, struct wv_error *error)
{
	int err = wv_plan_refuse_partners(source, &summary->woven, error);

	if (!err)
		err = wv_plan_drop_refused(&summary->woven, &summary->refused, error);
	if (err)
		return err;
	if (!summary->woven.splices.n && !summary->waiting && !summary->uprobes)
		return wv_fail(error, WV_E_REFUSED,
			       "%s: every shadow was refused; nothing was changed",
			       module->header.name);
	return 0;
}

int wv_unweave_check(const char *name, const struct wv_unweave_result *result,
		     struct wv_error *error)
{
	size_t wrong = result->bytes - result->same;

	if (!wrong)
		return 0;
	return wv_fail(error, WV_E_FAILURE, "%s: %s of text %s", name,
		       wv_count_text(wrong, "byte").text,
		       wv_plural(wrong, "is not the original one", "are not the original ones"));
}

/*
 * Returns -WV_E_REFUSED if a shadow was refused without which the aspect cannot run: an entry or
 * exit of one of its <cflow>s, or a place where its tagged objects are freed.
 */
static int check_required(const struct wv_aspect_module *module, const struct wv_summary *summary,
			  struct wv_error *error)
{
	wv_vec_for_each(splice, &summary->refused.splices) {
		const struct weft_joinpoint *point = &module->joinpoints[splice->joinpoint];

		if (point->required)
			return wv_fail(error, WV_E_REFUSED,
				       "%s: %s at %s was refused (%s), and a <cflow> or <tag> "
				       "cannot work without it; nothing was changed",
				       module->header.name, module->strings + point->what,
				       wv_symbol_text(module->strings + point->symbol,
						      point->symbol_offset)
					       .text,
				       wv_refusal_name(splice->refusal));
	}
	return 0;
}

/*
 * Adds the joinpoints in programs, which are in no plan, to the numbers in @summary. Adds those
 * that were refused when the aspect was compiled to summary->refused.
 */
static int count_uprobes(const struct wv_aspect_module *module, const struct wv_live_parts *parts,
			 struct wv_summary *summary, struct wv_error *error)
{
	for (size_t i = 0; i < module->n; i++) {
		const struct weft_joinpoint *joinpoint = &module->joinpoints[i];
		struct weft_splice *refused;

		if (!parts->list.data[joinpoint->part].program)
			continue;
		summary->matched++;
		if (!joinpoint->refusal) {
			summary->uprobes++;
			continue;
		}
		refused = wv_vec_push(&summary->refused.splices);
		if (!refused)
			return wv_no_memory(error);
		refused->joinpoint = i;
		refused->refusal = joinpoint->refusal;
	}
	return 0;
}

static int plan_and_apply(const struct wv_device *device, const struct wv_aspect_module *module,
			  const struct wv_weave_options *options, struct wv_summary *summary,
			  struct wv_error *error)
{
	struct wv_text text;
	const struct wv_text_reader reader = {
		.read = wv_text_read,
		.context = &text,
	};
	const bool pending = options->pending || module->header.flags & WEFT_ASPECT_PENDING;
	struct wv_live_parts parts;
	struct wv_plan_source source = {
		.joinpoints = module->joinpoints,
		.n = module->n,
		.reader = &reader,
		.traps = options->traps,
	};
	bool narrowed = true;
	int err = wv_live_parts(device, module, pending, &parts, error);

	if (err)
		return err;
	source.parts = parts.list.data;
	summary->waiting = parts.waiting;
	wv_progress_stage("reading the live text");
	wv_text_init(&text, device, true);
	err = fetch_text(&text, module, &parts, options->traps, error);
	if (!err)
		err = wv_plan_make(&source, &summary->woven, error);
	summary->matched = summary->woven.splices.n;
	if (!err)
		err = count_uprobes(module, &parts, summary, error);
	if (!err)
		err = set_aside(module, &source, summary, error);
	wv_progress_stage("checking the plan");
	/*
	 * If weft.ko refuses a displaced range, wv_plan_narrow() gives the shadow a splice of its
	 * own instruction only. This splice may overlap the displaced range of another shadow. So
	 * let weft.ko check the changed plan again, until the plan does not change any more.
	 */
	while (!err && narrowed && summary->woven.splices.n) {
		err = submit(device, module, &summary->woven, WEFT_WEAVE_CHECK, options, error);
		if (!err)
			err = wv_plan_narrow(&source, &summary->woven, &narrowed, error);
	}
	if (!err)
		err = set_aside(module, &source, summary, error);
	wv_progress_stage("writing");
	if (!err)
		err = check_required(module, summary, error);
	if (!err)
		err = submit(device, module, &summary->woven,
			     (options->bound ? WEFT_WEAVE_BOUND : 0) |
				     (options->urgent ? WEFT_WEAVE_URGENT : 0) |
				     (pending ? WEFT_WEAVE_PENDING : 0) |
				     (options->balance ? WEFT_WEAVE_BALANCE : 0),
			     options, error);
	wv_text_deinit(&text);
	wv_live_parts_deinit(&parts);
	return err;
}

int wv_weave(const struct wv_device *device, const char *path,
	     const struct wv_aspect_module *module, const struct wv_weave_options *options,
	     struct wv_summary *summary, struct wv_error *error)
{
	struct wv_error ignored;
	int err = check_build_id(module, path, error);

	memset(summary, 0, sizeof(*summary));
	if (!err && options->filter.asks && !(module->header.flags & WEFT_ASPECT_FILTERED))
		err = wv_fail(error, WV_E_MISMATCH,
			      "%s: was compiled without room for --pid, --comm and the like: weave "
			      "the aspect's source, or compile it with --filtered",
			      path);
	if (!err)
		err = load_module(device, path, module, options->on_loaded, &summary->dropped,
				  error);
	if (err)
		return err;
	if (options->on_loaded)
		err = options->on_loaded(options->context, error);
	if (!err)
		err = plan_and_apply(device, module, options, summary, error);
	/* If not even unloading works, `weft list` shows the aspect as loaded. */
	if (err)
		wv_kernel_unload(module->header.name, &ignored);
	return err;
}

int wv_wait_optimized(const struct wv_device *device, const char *name, uint32_t *ret,
		      struct wv_error *error)
{
	unsigned int waited = 0;

	do {
		struct weft_status status = { 0 };
		int state, err = read_state(device, name, &state, &status, error);

		if (err)
			return err;
		*ret = status.nr_optimizing;
	} while (*ret && go_on_waiting(&waited));
	return 0;
}

/* ---- unweaving ------------------------------------------------------------------------------- */

static int by_address(const void *a_, const void *b_)
{
	const struct weft_shadow_status *a = a_, *b = b_;

	return wv_order(a->address, b->address);
}

static int compare_addresses(const void *a, const void *b, void *context)
{
	return by_address(a, b);
}

static void sort_addresses(struct wv_spliced *list)
{
	wv_sort(list->list.data, list->list.n, sizeof(*list->list.data), compare_addresses, NULL);
}

static int add_address(struct wv_spliced *list, uint64_t address, struct wv_error *error)
{
	struct weft_shadow_status *added = wv_vec_push(&list->list);

	if (!added)
		return wv_no_memory(error);
	*added = (struct weft_shadow_status){ .address = address };
	return 0;
}

/*
 * Sets @ret to the addresses of text that all aspects which are woven now have changed: of their
 * splices, and of what was changed to make slots for their springboards. The addresses are in
 * ascending order; only .address of each element is set.
 */
static int find_others(const struct wv_device *device, struct wv_spliced *ret,
		       struct wv_error *error)
{
	struct wv_statuses statuses;
	int err = wv_device_list(device, &statuses, error);

	memset(ret, 0, sizeof(*ret));
	if (err)
		return err;
	wv_vec_for_each(status, &statuses.list) {
		struct wv_spliced shadows;

		if (status->state != WEFT_STATE_WOVEN)
			continue;
		err = wv_device_shadows(device, status->name, &shadows, error);
		if (err)
			break;
		wv_vec_for_each(shadow, &shadows.list) {
			err = add_address(ret, shadow->address, error);
			if (!err && shadow->freed)
				err = add_address(ret, shadow->freed, error);
			if (err)
				break;
		}
		wv_spliced_deinit(&shadows);
		if (err)
			break;
	}
	wv_statuses_deinit(&statuses);
	sort_addresses(ret);
	return err;
}

/* Returns whether @address is in the list that find_others() made. */
static bool contains(const struct wv_spliced *shadows, uint64_t address)
{
	const struct weft_shadow_status key = { .address = address };

	return shadows->list.n && bsearch(&key, shadows->list.data, shadows->list.n,
					  sizeof(*shadows->list.data), by_address);
}

/*
 * Sets @ret to the addresses of the text that was changed to make the slots of the springboards in
 * @shadows: padding, or the displaced ranges of donors. This text may also hold slots of other
 * aspects, so weft.ko restores it later than the splices. The addresses are in ascending order;
 * only .address of each element is set.
 */
static int find_freed(const struct wv_spliced *shadows, struct wv_spliced *ret,
		      struct wv_error *error)
{
	int err = 0;

	wv_vec_for_each(shadow, &shadows->list)
		if (!err && shadow->freed)
			err = add_address(ret, shadow->freed, error);
	sort_addresses(ret);
	return err;
}

static int fetch_spliced(struct wv_text *text, const struct wv_spliced *before,
			 struct wv_error *error)
{
	int err = 0;

	wv_vec_for_each (shadow, &before->list)
		if (!err)
			err = wv_text_want(text, shadow->address, shadow->length, error);
	return err ? err : wv_text_fetch(text, error);
}

/*
 * Returns whether the text at @address could not be read because its module was unloaded meanwhile,
 * so that there is no text to compare. @err is the result of reading it.
 */
static bool is_gone(const struct wv_device *device, int err, uint64_t address)
{
	return err == -WV_E_REFUSED &&
	       (address < device->info.text || address >= device->info.etext);
}

/*
 * Compares the live text at the splices in @before with the original text, and adds the results to
 * .bytes, .same and .shared of @ret. Leaves out text that verify_vacated() compares later.
 */
static int verify_restored(const struct wv_device *device, const struct wv_spliced *before,
			   struct wv_unweave_result *ret, struct wv_error *error)
{
	struct wv_text text;
	struct wv_spliced others = { 0 }, later = { 0 };
	int err = find_others(device, &others, error);

	wv_text_init(&text, device, false);
	if (!err)
		err = find_freed(before, &later, error);
	if (!err)
		err = fetch_spliced(&text, before, error);
	for (size_t i = 0; !err && i < before->list.n; i++) {
		const struct weft_shadow_status *shadow = &before->list.data[i];
		uint8_t live[sizeof(shadow->old)];

		/* If the aspect has two advices at a shadow, @before has their splice twice. */
		if ((i && shadow->address == before->list.data[i - 1].address) ||
		    contains(&later, shadow->address))
			continue;
		if (contains(&others, shadow->address)) {
			ret->shared += shadow->length;
			continue;
		}
		err = wv_text_read(&text, shadow->address, live, shadow->length, error);
		if (is_gone(device, err, shadow->address)) {
			err = 0;
			continue;
		}
		ret->bytes += shadow->length;
		for (size_t byte = 0; !err && byte < shadow->length; byte++)
			ret->same += live[byte] == shadow->old[byte];
	}
	wv_text_deinit(&text);
	wv_spliced_deinit(&others);
	wv_spliced_deinit(&later);
	return err;
}

/*
 * Like verify_restored(), for the text that was changed to make slots of springboards. weft.ko
 * restores it when no task can be in a slot any more, and no aspect has a slot in it.
 */
static int verify_vacated(const struct wv_device *device, const struct wv_spliced *before,
			  struct wv_unweave_result *ret, struct wv_error *error)
{
	struct wv_spliced others = { 0 };
	int err = find_others(device, &others, error);

	for (size_t i = 0; !err && i < before->list.n; i++) {
		const struct weft_shadow_status *shadow = &before->list.data[i];
		uint8_t live[sizeof(shadow->freed_old)];

		if (!shadow->freed || (i && shadow[-1].freed == shadow->freed))
			continue;
		if (contains(&others, shadow->freed)) {
			ret->shared += shadow->freed_length;
			continue;
		}
		err = wv_device_text(device, shadow->freed, live, shadow->freed_length, false,
				     error);
		if (is_gone(device, err, shadow->freed)) {
			err = 0;
			continue;
		}
		ret->bytes += shadow->freed_length;
		for (size_t byte = 0; !err && byte < shadow->freed_length; byte++)
			ret->same += live[byte] == shadow->freed_old[byte];
	}
	wv_spliced_deinit(&others);
	return err;
}

/*
 * Returns whether the kernel itself has unwoven the aspect @name, because the aspect's time has
 * ended or its advice has faulted. The caller was told that the aspect is not woven, and asks why.
 */
static bool has_just_ended(const struct wv_device *device, const char *name)
{
	struct weft_status status = { 0 };
	struct wv_error ignored;
	int state;

	return !read_state(device, name, &state, &status, &ignored) &&
	       (status.phase == WEFT_PHASE_ENDED || status.faults);
}

/* Unweaves the aspect @name. Sets *@before to the splices that it had. */
static int take_out(const struct wv_device *device, const char *name, struct wv_spliced *before,
		    struct wv_unweave_result *ret, struct wv_error *error)
{
	int err = wv_device_shadows(device, name, before, error);

	if (!err)
		err = wv_device_unweave(device, name, &ret->restored, error);
	if (err == -WV_E_STATE && has_just_ended(device, name))
		err = 0;
	if (!err)
		err = verify_restored(device, before, ret, error);
	ret->was_woven = !err;
	return err;
}

static int unweave(const struct wv_device *device, const char *name, bool keeps,
		   struct wv_unweave_result *ret, struct wv_error *error)
{
	struct wv_spliced before = { 0 };
	struct weft_status status = { 0 };
	int state, err = read_state(device, name, &state, &status, error);

	memset(ret, 0, sizeof(*ret));
	if (err)
		return err;
	if (state < 0 || state == WEFT_STATE_GONE)
		return wv_fail(error, WV_E_STATE, "%s is not woven", name);
	if (state == WEFT_STATE_STARTING)
		return fail_block(&status, error);
	ret->had_ended = status.phase == WEFT_PHASE_ENDED;
	ret->had_faulted = status.faults;
	if (state == WEFT_STATE_WOVEN)
		err = take_out(device, name, &before, ret, error);
	wv_progress_stage("waiting for tasks to leave the trampolines");
	if (!err)
		err = wait_retired(device, name, &state, &status, error);
	/* weft.ko has restored the text at all slots before it runs the aspect's end block. */
	if (!err && state != WEFT_STATE_RETIRING)
		err = verify_vacated(device, &before, ret, error);
	wv_spliced_deinit(&before);
	if (!err && state == WEFT_STATE_ENDING)
		return fail_block(&status, error);
	ret->is_retiring = state == WEFT_STATE_RETIRING;
	ret->inside = status.inside;
	if (err || ret->is_retiring)
		return err;
	ret->end_faulted = wv_device_fault(device, name, &ret->fault) &&
			   ret->fault.joinpoint == WEFT_JOINPOINT_END;
	if (keeps)
		return 0;
	err = wv_kernel_unload(name, error);
	ret->module_removed = !err;
	return err;
}

int wv_unweave(const struct wv_device *device, const char *name, struct wv_unweave_result *ret,
	       struct wv_error *error)
{
	return unweave(device, name, false, ret, error);
}

int wv_unweave_only(const struct wv_device *device, const char *name,
		    struct wv_unweave_result *ret, struct wv_error *error)
{
	return unweave(device, name, true, ret, error);
}
