// SPDX-License-Identifier: GPL-2.0-or-later
/* Asks weft.ko for the parts of an aspect; see live-parts.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "live/live-parts.h"

const char *wv_part_state_name(unsigned int state)
{
	static const char *const names[] = {
		[WEFT_PART_LOADED] = "loaded",
		[WEFT_PART_WOVEN] = "woven",
		[WEFT_PART_ABSENT] = "absent",
		[WEFT_PART_PENDING] = "pending",
		[WEFT_PART_OTHER] = "other",
		[WEFT_PART_GONE] = "gone",
	};

	_Static_assert(sizeof(names) / sizeof(names[0]) == WEFT_PART_STATES, "a state");
	return state < WEFT_PART_STATES ? names[state] : "unknown";
}

const char *wv_part_error_text(int error)
{
	switch (-error) {
	case ESTALE:
		return "another build than the aspect was made for";
	case ENXIO:
		return "init text is not woven";
	case EINVAL:
		return "a shadow was refused that the aspect cannot do without";
	default:
		return strerror(-error);
	}
}

/*
 * Returns whether the part is an init section of a module. The kernel frees this text as soon as
 * the module's init function has run, so its joinpoints are refused. The part's state is
 * nevertheless that of a part of another build, WEFT_PART_OTHER.
 */
static bool is_init(const struct weft_part_status *part)
{
	return part->state == WEFT_PART_OTHER && part->error == -ENXIO;
}

/* Returns whether the part is a program. */
static bool is_program(const struct weft_part_status *part)
{
	return part->module[0] == '/';
}

static int check_program(const char *aspect, const struct weft_part_status *part,
			 struct wv_error *error)
{
	const char *path = part->module;

	if (part->state != WEFT_PART_OTHER)
		return 0;
	switch (-part->error) {
	case ESTALE:
		return wv_fail(error, WV_E_MISMATCH,
			       "%s: %s is another build than the aspect was made for: compile the "
			       "aspect again", aspect, path);
	case ETXTBSY:
		return wv_fail(error, WV_E_STATE,
			       "%s: somebody has %s open for writing, so its text may change: try "
			       "again when it is closed",
			       aspect, path);
	case EOWNERDEAD:
		return wv_fail(error, WV_E_STATE,
			       "%s: a task has died in advice in %s: its file cannot be woven any "
			       "more, but a copy of the file in its place can",
			       aspect, path);
	case ENOEXEC:
		return wv_fail(error, WV_E_FORMAT, "%s: %s is no 64-bit program", aspect, path);
	case EOPNOTSUPP:
		return wv_fail(error, WV_E_FAILURE,
			       "%s: %s cannot be woven: this kernel has no uprobes "
			       "(CONFIG_UPROBES)", aspect, path);
	default:
		return wv_fail_errno(error, -part->error, "%s: the program %s", aspect, path);
	}
}

static int check(const struct wv_aspect_module *module, const struct weft_part_status *part,
		 bool pending, struct wv_error *error)
{
	const char *aspect = module->header.name;

	if (is_program(part))
		return check_program(aspect, part, error);
	if (part->state == WEFT_PART_OTHER && !is_init(part))
		return wv_fail(error, WV_E_MISMATCH,
			       "%s: the module %s that is loaded is another build than the aspect "
			       "was made for: index it and compile the aspect again",
			       aspect, part->module);
	if (part->base || is_init(part) || pending)
		return 0;
	return wv_fail(error, WV_E_STATE,
		       "%s: the module %s is not loaded: load it first (modprobe %s), or weave "
		       "with --pending",
		       aspect, part->module, part->module);
}

int wv_live_parts(const struct wv_device *device, const struct wv_aspect_module *module,
		  bool pending, struct wv_live_parts *ret, struct wv_error *error)
{
	struct wv_part_statuses statuses;
	int err = wv_device_parts(device, module->header.name, &statuses, error);

	*ret = (struct wv_live_parts){ 0 };
	if (err)
		return err;
	wv_vec_for_each(status, &statuses.list) {
		struct wv_plan_part *part = wv_vec_push(&ret->list);

		err = part ? check(module, status, pending, error) : wv_no_memory(error);
		if (err)
			break;
		part->base = status->base;
		part->end = status->base + status->size;
		part->program = is_program(status);
		part->waits = !status->base && !is_init(status) && !part->program;
	}
	wv_part_statuses_deinit(&statuses);
	for (size_t i = 0; !err && i < module->n; i++) {
		if (module->joinpoints[i].part >= ret->list.n)
			err = wv_fail(error, WV_E_STATE,
				      "%s: another aspect of this name is loaded: unweave that "
				      "one first",
				      module->header.name);
		else
			ret->waiting += ret->list.data[module->joinpoints[i].part].waits;
	}
	if (err)
		wv_live_parts_deinit(ret);
	return err;
}

/*
 * Returns whether the module is loaded and its init function has returned. While that function
 * runs, the module's state in /sys/module is "coming".
 */
static bool is_live(const char *module)
{
	char path[sizeof("/sys/module//initstate") + WEFT_NAME_MAX], state[sizeof("live")] = "";
	_cleanup_fclose_ FILE *file = NULL;

	snprintf(path, sizeof(path), "/sys/module/%s/initstate", module);
	file = fopen(path, "re");
	return file && fgets(state, sizeof(state), file) && !strcmp(state, "live");
}

int wv_modules_are_there(const struct wv_device *device, const char *name, bool *ret,
			 struct wv_error *error)
{
	struct wv_part_statuses parts;
	int err = wv_device_parts(device, name, &parts, error);

	*ret = !err;
	if (err)
		return err;
	wv_vec_for_each(part, &parts.list)
		*ret &= part == parts.list.data || is_program(part) || is_live(part->module);
	wv_part_statuses_deinit(&parts);
	return 0;
}

void wv_live_parts_deinit(struct wv_live_parts *parts)
{
	wv_vec_deinit(&parts->list);
}
