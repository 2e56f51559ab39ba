// SPDX-License-Identifier: GPL-2.0-or-later
/* The two flows; see weave.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/progress.h"
#include "live/kernel.h"
#include "live/weave.h"
#include "splice/refusal.h"

/*
 * Grace periods take about 0.1 s on a healthy machine; one that takes this long is stalled and is
 * not waited for.
 */
enum { POLL_MS = 10, GRACE_WAIT_MS = 15000 };

enum { TEXT_BLOCK = 64 };

void wv_ledger_deinit(struct wv_ledger *ledger)
{
	wv_plan_deinit(&ledger->woven);
	wv_plan_deinit(&ledger->refused);
}

static void sleep_ms(unsigned int ms)
{
	struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = (ms % 1000) * 1000000L };

	nanosleep(&time, NULL);
}

/* *state_ret: enum weft_state, or -1 where the kernel does not know @name. */
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

/* Waits for RETIRING to end; gives up after a while with *state_ret still RETIRING. */
static int wait_retired(const struct wv_device *device, const char *name, int *state_ret,
			struct wv_error *error)
{
	for (unsigned int waited = 0;; waited += POLL_MS) {
		int err = read_state(device, name, state_ret, NULL, error);

		if (err || *state_ret != WEFT_STATE_RETIRING || waited >= GRACE_WAIT_MS)
			return err;
		sleep_ms(POLL_MS);
	}
}

/* ---- weave ----------------------------------------------------------------------------------- */

static int check_build_id(const struct wv_aspect_module *module, const char *path,
			  struct wv_error *error)
{
	const struct weft_aspect_header *header = &module->header;
	char wanted[2 * WEFT_BUILD_ID_MAX + 1], running[2 * 64 + 1];
	uint8_t id[64];
	size_t size;
	int err = wv_kernel_build_id(id, sizeof(id), &size, error);

	if (err)
		return err;
	if (size == header->build_id_size && !memcmp(id, header->build_id, size))
		return 0;
	wv_build_id_text(header->build_id, header->build_id_size, wanted);
	wv_build_id_text(id, size, running);
	return wv_fail(error, WV_E_MISMATCH,
		       "%s: made for the kernel with build-id %s; running is %s", path, wanted,
		       running);
}

/* Loads the module, in the place of one of the same name that is idle and different. */
static int load_module(const struct wv_device *device, const char *path,
		       const struct wv_aspect_module *module, struct wv_error *error)
{
	const char *name = module->header.name;
	struct weft_status status = { 0 };
	bool loaded, usable;
	int state, err;

	wv_progress_stage("waiting for those who leave the last weave");
	err = wait_retired(device, name, &state, error);
	if (!err)
		err = read_state(device, name, &state, &status, error);
	wv_progress_stage("loading the module");
	if (err)
		return err;
	if (state == WEFT_STATE_WOVEN)
		return wv_fail(error, WV_E_STATE, "%s is woven already", name);
	if (state == WEFT_STATE_RETIRING)
		return wv_fail(error, WV_E_STATE,
			       "%s is still retiring: a grace period is stalled, or a kprobe sits on a splice",
			       name);
	/* What one has counted whose time has ended is not to go on counting. */
	usable = state == WEFT_STATE_LOADED && status.content == module->header.content &&
		 status.phase != WEFT_PHASE_ENDED;
	if (state == WEFT_STATE_LOADED && !usable)
		err = wv_kernel_unload(name, error);
	if (err)
		return err;
	err = wv_kernel_load(path, &loaded, error);
	if (err || loaded || usable)
		return err;
	return wv_fail(error, WV_E_STATE, "a module named %s that is no aspect is loaded", name);
}

/* Text that is read piece by piece, in ascending order as a rule: a request brings a block of it. */
struct text_block {
	const struct wv_device *device;
	bool original;
	uint64_t start;
	size_t size; /* 0: nothing was read */
	uint8_t bytes[TEXT_BLOCK];
};

static int read_text(void *context, uint64_t address, void *buffer, size_t size, struct wv_error *error)
{
	struct text_block *block = context;
	const uint64_t end = block->device->info.etext;

	if (size > sizeof(block->bytes) || address >= end || size > end - address)
		return wv_device_text(block->device, address, buffer, size, block->original, error);
	if (address < block->start || address + size > block->start + block->size) {
		int err;

		block->start = address;
		block->size = end - address < sizeof(block->bytes) ? end - address : sizeof(block->bytes);
		err = wv_device_text(block->device, address, block->bytes, block->size, block->original, error);
		if (err) {
			block->size = 0;
			return err;
		}
	}
	memcpy(buffer, block->bytes + (address - block->start), size);
	return 0;
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
	};

	memcpy(request.name, module->header.name, sizeof(request.name));
	return wv_device_weave(device, &request, error);
}

/* Refused splices leave the plan; the rest, if any, is worth weaving. */
static int set_aside(const struct wv_aspect_module *module, struct wv_ledger *ledger,
		  struct wv_error *error)
{
	int err = wv_plan_drop_refused(&ledger->woven, &ledger->refused, error);

	if (err)
		return err;
	if (!ledger->woven.splices.n)
		return wv_fail(error, WV_E_REFUSED,
			       "%s: every shadow was refused; nothing was changed",
			       module->header.name);
	return 0;
}

/* What an aspect cannot do without: the entries and exits of its <cflow>s. */
static int check_required(const struct wv_aspect_module *module, const struct wv_ledger *ledger,
			  struct wv_error *error)
{
	wv_vec_for_each(splice, &ledger->refused.splices) {
		const struct weft_joinpoint *point = &module->joinpoints[splice->joinpoint];

		if (point->required)
			return wv_fail(error, WV_E_REFUSED,
				       "%s: %s at %s+%#x was refused (%s), and without it nobody knows when a <cflow> is active; nothing was changed",
				       module->header.name, module->strings + point->what,
				       module->strings + point->symbol, point->symbol_offset,
				       wv_refusal_name(splice->refusal));
	}
	return 0;
}

static int plan_and_apply(const struct wv_device *device, const struct wv_aspect_module *module,
			  const struct wv_weave_options *options, struct wv_ledger *ledger,
			  struct wv_error *error)
{
	struct text_block block = { .device = device, .original = true };
	const struct wv_text_reader reader = {
		.read = read_text,
		.context = &block,
		.end = device->info.etext,
	};
	const struct wv_plan_source source = {
		.joinpoints = module->joinpoints,
		.n = module->n,
		.text = device->info.text,
		.reader = &reader,
		.traps = options->traps,
	};
	bool narrowed = true;
	int err;

	wv_progress_stage("reading the live text");
	err = wv_plan_make(&source, &ledger->woven, error);

	ledger->matched = ledger->woven.splices.n;
	if (!err)
		err = set_aside(module, ledger, error);
	wv_progress_stage("checking the plan");
	/* What is no window may be in another's way as the instruction that it is: until nothing changes. */
	while (!err && narrowed) {
		err = submit(device, module, &ledger->woven, WEFT_WEAVE_CHECK, options, error);
		if (!err)
			err = wv_plan_narrow(&source, &ledger->woven, &narrowed, error);
	}
	if (!err)
		err = set_aside(module, ledger, error);
	wv_progress_stage("writing");
	if (!err)
		err = check_required(module, ledger, error);
	if (!err)
		err = submit(device, module, &ledger->woven, options->bound ? WEFT_WEAVE_BOUND : 0, options, error);
	return err;
}

int wv_weave(const struct wv_device *device, const char *path,
	     const struct wv_aspect_module *module, const struct wv_weave_options *options,
	     struct wv_ledger *ledger, struct wv_error *error)
{
	struct wv_error ignored;
	int err = check_build_id(module, path, error);

	memset(ledger, 0, sizeof(*ledger));
	if (!err && options->filter.asks && !(module->header.flags & WEFT_ASPECT_FILTERED))
		err = wv_fail(error, WV_E_MISMATCH,
			      "%s: was compiled without room for --pid, --comm and the like: weave the aspect's source, or compile it with --filtered",
			      path);
	if (!err)
		err = load_module(device, path, module, error);
	if (err)
		return err;
	err = plan_and_apply(device, module, options, ledger, error);
	/*
	 * Not woven: the module is of no use. Where it cannot go, `weft list` shows it as loaded.
	 */
	if (err)
		wv_kernel_unload(module->header.name, &ignored);
	return err;
}

int wv_wait_settled(const struct wv_device *device, const char *name, uint32_t *ret, struct wv_error *error)
{
	for (unsigned int waited = 0;; waited += POLL_MS) {
		const struct weft_status *status;
		struct wv_statuses statuses;
		int err = wv_device_list(device, &statuses, error);

		if (err)
			return err;
		status = wv_statuses_find(&statuses, name);
		*ret = status ? status->nr_settling : 0;
		wv_statuses_deinit(&statuses);
		if (!*ret || waited >= GRACE_WAIT_MS)
			return 0;
		sleep_ms(POLL_MS);
	}
}

/* ---- unweave --------------------------------------------------------------------------------- */

static int by_address(const void *a_, const void *b_)
{
	const struct weft_shadow_status *a = a_, *b = b_;

	return a->address < b->address ? -1 : a->address > b->address;
}

static void sort_addresses(struct wv_spliced *list)
{
	if (list->list.n)
		qsort(list->list.data, list->list.n, sizeof(*list->list.data), by_address);
}

static int add_address(struct wv_spliced *list, uint64_t address, struct wv_error *error)
{
	struct weft_shadow_status *added = wv_vec_push(&list->list);

	if (!added)
		return wv_no_memory(error);
	*added = (struct weft_shadow_status){ .address = address };
	return 0;
}

/* Where text is spliced for any aspect now, for shadows and for their slots: addresses only, ascending. */
static int find_others(const struct wv_device *device, struct wv_spliced *ret, struct wv_error *error)
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

/* Of what find_others() found. */
static bool contains(const struct wv_spliced *shadows, uint64_t address)
{
	const struct weft_shadow_status key = { .address = address };

	return shadows->list.n &&
	       bsearch(&key, shadows->list.data, shadows->list.n, sizeof(*shadows->list.data), by_address);
}

/* Where their slots are, or the hosts of those: what is restored only when everybody has left. */
static int find_freed(const struct wv_spliced *shadows, struct wv_spliced *ret, struct wv_error *error)
{
	int err = 0;

	wv_vec_for_each(shadow, &shadows->list)
		if (!err && shadow->freed)
			err = add_address(ret, shadow->freed, error);
	sort_addresses(ret);
	return err;
}

/*
 * Reads every byte that was spliced from the live kernel and compares it with what stood there
 * before.
 */
static int verify_restored(const struct wv_device *device, const struct wv_spliced *before,
			   struct wv_unweave_result *ret, struct wv_error *error)
{
	struct text_block block = { .device = device };
	struct wv_spliced others = { 0 }, later = { 0 };
	int err = find_others(device, &others, error);

	if (!err)
		err = find_freed(before, &later, error);
	for (size_t i = 0; !err && i < before->list.n; i++) {
		const struct weft_shadow_status *shadow = &before->list.data[i];
		uint8_t live[sizeof(shadow->old)];

		/* Two advices of one aspect on one shadow are one splice. */
		if ((i && shadow->address == before->list.data[i - 1].address) || contains(&later, shadow->address))
			continue;
		if (contains(&others, shadow->address)) {
			ret->shared += shadow->length;
			continue;
		}
		err = read_text(&block, shadow->address, live, shadow->length, error);
		ret->bytes += shadow->length;
		for (size_t byte = 0; !err && byte < shadow->length; byte++)
			ret->same += live[byte] == shadow->old[byte];
	}
	wv_spliced_deinit(&others);
	wv_spliced_deinit(&later);
	return err;
}

/* The bytes of bounces' slots and hosts, which stay until the last visitor has left. */
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
		err = wv_device_text(device, shadow->freed, live, shadow->freed_length, false, error);
		ret->bytes += shadow->freed_length;
		for (size_t byte = 0; !err && byte < shadow->freed_length; byte++)
			ret->same += live[byte] == shadow->freed_old[byte];
	}
	wv_spliced_deinit(&others);
	return err;
}

/* The kernel was asked to unweave @name and says that it is not woven: whether its time has ended in that moment. */
static bool has_just_ended(const struct wv_device *device, const char *name)
{
	struct weft_status status = { 0 };
	struct wv_error ignored;
	int state;

	return !read_state(device, name, &state, &status, &ignored) && status.phase == WEFT_PHASE_ENDED;
}

/* *@before: what was spliced. */
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

int wv_unweave(const struct wv_device *device, const char *name, struct wv_unweave_result *ret,
	       struct wv_error *error)
{
	struct wv_spliced before = { 0 };
	struct weft_status status = { 0 };
	int state, err = read_state(device, name, &state, &status, error);

	memset(ret, 0, sizeof(*ret));
	if (err)
		return err;
	if (state < 0 || state == WEFT_STATE_GONE)
		return wv_fail(error, WV_E_STATE, "%s is not woven", name);
	ret->had_ended = status.phase == WEFT_PHASE_ENDED;
	if (state == WEFT_STATE_WOVEN)
		err = take_out(device, name, &before, ret, error);
	wv_progress_stage("waiting for those inside to leave");
	if (!err)
		err = wait_retired(device, name, &state, error);
	if (!err && state != WEFT_STATE_RETIRING)
		err = verify_vacated(device, &before, ret, error);
	wv_spliced_deinit(&before);
	if (err || state == WEFT_STATE_RETIRING)
		return err;
	err = wv_kernel_unload(name, error);
	ret->module_removed = !err;
	return err;
}
