// SPDX-License-Identifier: GPL-2.0-or-later
/* Sends the device's requests; see requests.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/duration.h"
#include "base/notation.h"
#include "live/privilege.h"
#include "live/requests.h"

enum { STATEMENT_SIZE = 64 * 1024 }; /* maximum bytes of what wv_device_statement() gets */

static int denied(struct wv_error *error)
{
	struct wv_denial denial = wv_privilege_denial();

	if (!denial.found)
		denial = wv_lockdown_denial();
	if (!denial.found)
		denial = (struct wv_denial){ "a security module of the kernel forbids it",
					     "see the kernel's log" };
	return wv_fail(error, WV_E_PRIVILEGE, "%s: not allowed: %s: %s", WEFT_DEVICE, denial.found,
		       denial.remedy);
}

int wv_device_open(struct wv_device *device, struct wv_error *error)
{
	device->fd = open(WEFT_DEVICE, O_RDWR | O_CLOEXEC);
	if (device->fd < 0 && (errno == ENOENT || errno == ENXIO))
		return wv_fail(error, WV_E_NO_KMOD,
			       "weft.ko is not loaded: modprobe weft (`weft doctor` says what is "
			       "missing)");
	if (device->fd < 0 && (errno == EACCES || errno == EPERM))
		return denied(error);
	if (device->fd < 0)
		return wv_fail_errno(error, errno, "%s", WEFT_DEVICE);
	if (ioctl(device->fd, WEFT_IOC_INFO, &device->info) ||
	    device->info.abi != WEFT_ABI_VERSION) {
		wv_device_close(device);
		return wv_fail(
			error, WV_E_NO_KMOD,
			"the loaded weft.ko speaks protocol %u, this weft %u: load the one that "
			"was built with it",
			device->info.abi, WEFT_ABI_VERSION);
	}
	return 0;
}

void wv_device_close(struct wv_device *device)
{
	if (device->fd >= 0)
		close(device->fd);
	device->fd = -1;
}

int wv_device_pieces(const struct wv_device *device, const struct weft_piece *pieces, size_t n,
		     void *buffer, bool original, struct wv_error *error)
{
	struct weft_text request = {
		.pieces = (uintptr_t)pieces,
		.buffer = (uintptr_t)buffer,
		.nr_pieces = n,
		.flags = original ? WEFT_TEXT_ORIGINAL : 0,
	};
	unsigned long long first = n ? pieces->address : 0;

	if (!ioctl(device->fd, WEFT_IOC_TEXT, &request))
		return 0;
	if (errno == EFAULT)
		return wv_fail(error, WV_E_REFUSED, "%#llx is not in the kernel's text", first);
	return wv_fail_errno(error, errno, "reading kernel text at %#llx", first);
}

int wv_device_text(const struct wv_device *device, uint64_t address, void *buffer, size_t size,
		   bool original, struct wv_error *error)
{
	const struct weft_piece piece = { .address = address, .size = size };

	return wv_device_pieces(device, &piece, 1, buffer, original, error);
}

/*
 * Returns -WV_E_STATE. The message says how the <start> block of the aspect has failed: with a
 * fault, or with what the block has returned, request->start.
 */
static int start_failed(const struct wv_device *device, const struct weft_weave *request,
			struct wv_error *error)
{
	struct weft_fault fault;

	if (wv_device_fault(device, request->name, &fault))
		return wv_fail(error, WV_E_STATE,
			       "%s: its <start> block faulted at %s, so it was not woven: %s",
			       request->name, wv_source_text(fault.file, fault.line, 0).text,
			       fault.kind);
	if (request->start < 0 && request->start >= -4095)
		return wv_fail(error, WV_E_STATE,
			       "%s: its <start> block returned %d (%s), so it was not woven",
			       request->name, request->start, strerror(-request->start));
	return wv_fail(error, WV_E_STATE, "%s: its <start> block returned %d, so it was not woven",
		       request->name, request->start);
}

int wv_device_weave(const struct wv_device *device, struct weft_weave *request,
		    struct wv_error *error)
{
	const char *name = request->name;

	if (!ioctl(device->fd, WEFT_IOC_WEAVE, request))
		return 0;
	switch (errno) {
	case ENOENT:
		return wv_fail(error, WV_E_STATE,
			       "%s: its module is not loaded any more: weave it again", name);
	case ESTALE:
		return wv_fail(error, WV_E_STATE,
			       "%s: another aspect of this name is loaded: unweave that one first",
			       name);
	case EEXIST:
		return wv_fail(error, WV_E_STATE, "%s is woven already: unweave it first", name);
	case EBUSY:
		return wv_fail(error, WV_E_STATE,
			       "%s is being woven or unwoven by another process: try again shortly",
			       name);
	case EAGAIN:
		return wv_fail(error, WV_E_STALE,
			       "%s: kernel text changed while weaving; nothing was changed: weave "
			       "it again",
			       name);
	case ESRCH:
		return wv_fail(error, WV_E_STATE, "%s: there is no process %u", name,
			       request->filter.pid);
	case ENOEXEC:
		return wv_fail(error, WV_E_REFUSED,
			       "%s: the kernel takes no uprobe in a program of it (dmesg has the "
			       "place); nothing was changed", name);
	case ECANCELED:
		return start_failed(device, request, error);
	case ENOMEM:
		return wv_fail(error, WV_E_NO_MEMORY,
			       "%s: there is no memory for its splices; all aspects have a share "
			       "(weft.ko's parameter memory_percent): unload some, or raise it",
			       name);
	case EINVAL:
		return wv_fail(error, WV_E_REFUSED,
			       "%s: weft.ko refused %s; nothing was changed: weave it again", name,
			       wv_count_text(request->nr_refused, "splice").text);
	default:
		return wv_fail_errno(error, errno, "weaving %s", name);
	}
}

int wv_device_unweave(const struct wv_device *device, const char *name, uint32_t *restored_ret,
		      struct wv_error *error)
{
	struct weft_unweave request = { 0 };

	snprintf(request.name, sizeof(request.name), "%s", name);
	if (!ioctl(device->fd, WEFT_IOC_UNWEAVE, &request)) {
		*restored_ret = request.nr_restored;
		return 0;
	}
	if (errno == ENOENT || errno == ENODATA)
		return wv_fail(error, WV_E_STATE, "%s is not woven", name);
	if (errno == EBUSY)
		return wv_fail(error, WV_E_STATE,
			       "%s is being woven or unwoven by another process: try again shortly",
			       name);
	return wv_fail_errno(error, errno, "unweaving %s", name);
}

const char *wv_block_text(const struct weft_status *status, char text[WV_BLOCK_TEXT])
{
	const char *block = status->state == WEFT_STATE_STARTING ? "start" : "end";
	char since[WV_DURATION_TEXT];

	wv_duration_text(status->block_ns, since);
	if (status->block_died)
		snprintf(text, WV_BLOCK_TEXT,
			 "its %s block, which began %s ago, has died in an oops (see the kernel "
			 "log), so its module stays until the next boot",
			 block, since);
	else
		snprintf(text, WV_BLOCK_TEXT, "its %s block is still running (pid %u, %s)", block,
			 status->block_pid, since);
	return text;
}

int wv_device_list(const struct wv_device *device, struct wv_statuses *ret, struct wv_error *error)
{
	memset(ret, 0, sizeof(*ret));
	for (uint32_t index = 0;; index++) {
		struct weft_status status = { .index = index }, *slot;

		if (ioctl(device->fd, WEFT_IOC_LIST, &status)) {
			if (errno == ENOENT)
				return 0;
			wv_statuses_deinit(ret);
			return wv_fail_errno(error, errno, "listing aspects");
		}
		slot = wv_vec_push(&ret->list);
		if (!slot) {
			wv_statuses_deinit(ret);
			return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
		}
		*slot = status;
	}
}

void wv_statuses_deinit(struct wv_statuses *statuses)
{
	wv_vec_deinit(&statuses->list);
}

const struct weft_status *wv_statuses_find(const struct wv_statuses *statuses, const char *name)
{
	wv_vec_for_each(status, &statuses->list)
		if (!strcmp(status->name, name))
			return status;
	return NULL;
}

int wv_device_shadows(const struct wv_device *device, const char *name, struct wv_spliced *ret,
		      struct wv_error *error)
{
	struct weft_shadows request = { 0 };

	memset(ret, 0, sizeof(*ret));
	snprintf(request.name, sizeof(request.name), "%s", name);
	for (;;) {
		if (ioctl(device->fd, WEFT_IOC_SHADOWS, &request)) {
			wv_spliced_deinit(ret);
			return errno == ENOENT
				       ? wv_fail(error, WV_E_STATE, "%s is not woven", name)
				       : wv_fail_errno(error, errno, "reading %s's shadows", name);
		}
		if (request.size <= ret->list.n) {
			ret->list.n = request.size;
			return 0;
		}
		while (ret->list.n < request.size) {
			if (!wv_vec_push(&ret->list)) {
				wv_spliced_deinit(ret);
				return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
			}
		}
		request.buffer = (uintptr_t)ret->list.data;
	}
}

int wv_device_parts(const struct wv_device *device, const char *name, struct wv_part_statuses *ret,
		    struct wv_error *error)
{
	struct weft_parts request = { 0 };

	memset(ret, 0, sizeof(*ret));
	snprintf(request.name, sizeof(request.name), "%s", name);
	for (;;) {
		if (ioctl(device->fd, WEFT_IOC_PARTS, &request)) {
			wv_part_statuses_deinit(ret);
			return errno == ENOENT
				       ? wv_fail(error, WV_E_STATE,
						 "%s: its module is not loaded any more: weave it "
						 "again", name)
				       : wv_fail_errno(error, errno, "reading %s's parts", name);
		}
		if (request.size <= ret->list.n) {
			ret->list.n = request.size;
			return 0;
		}
		while (ret->list.n < request.size) {
			if (!wv_vec_push(&ret->list)) {
				wv_part_statuses_deinit(ret);
				return wv_no_memory(error);
			}
		}
		request.buffer = (uintptr_t)ret->list.data;
	}
}

void wv_part_statuses_deinit(struct wv_part_statuses *parts)
{
	wv_vec_deinit(&parts->list);
}

void wv_spliced_deinit(struct wv_spliced *shadows)
{
	wv_vec_deinit(&shadows->list);
}

int wv_device_read(const struct wv_device *device, const char *name, void *buffer, size_t size,
		   size_t *used_ret, bool *gone_ret, struct wv_error *error)
{
	struct weft_read request = { .buffer = (uintptr_t)buffer, .size = size };

	snprintf(request.name, sizeof(request.name), "%s", name);
	*used_ret = 0;
	*gone_ret = false;
	if (!ioctl(device->fd, WEFT_IOC_READ, &request)) {
		*used_ret = request.used;
		return 0;
	}
	if (errno == ENOENT) {
		*gone_ret = true;
		return 0;
	}
	if (errno == EBUSY)
		return wv_fail(error, WV_E_STATE,
			       "%s is being recorded: its records go to the recording (weft read "
			       "FOLDER)",
			       name);
	return wv_fail_errno(error, errno, "reading records of %s", name);
}

int wv_device_record(const struct wv_device *device, struct weft_recorder *request,
		     struct wv_error *error)
{
	const char *name = request->name;

	if (!ioctl(device->fd, WEFT_IOC_RECORD, request))
		return 0;
	if (errno == EBUSY)
		return wv_fail(error, WV_E_STATE,
			       "%s has unread records (weft read %s), or is being recorded", name,
			       name);
	if (errno == ENOMEM)
		return wv_fail(error, WV_E_NO_MEMORY,
			       "%s: there is no memory for a buffer of that size on each CPU",
			       name);
	return wv_fail_errno(error, errno, "recording %s", name);
}

int wv_device_spans(const struct wv_device *device, struct weft_spans *request,
		    struct weft_span *spans, bool *gone_ret, struct wv_error *error)
{
	request->buffer = (uintptr_t)spans;
	*gone_ret = false;
	if (!ioctl(device->fd, WEFT_IOC_SPANS, request))
		return 0;
	*gone_ret = errno == ENODATA;
	return *gone_ret ? 0 : wv_fail_errno(error, errno, "recording %s", request->name);
}

int wv_device_statement(const struct wv_device *device, struct weft_statement_text *request,
			struct wv_str *text, bool *any_ret, struct wv_error *error)
{
	char buffer[STATEMENT_SIZE];

	request->buffer = (uintptr_t)buffer;
	request->size = sizeof(buffer);
	*any_ret = !ioctl(device->fd, WEFT_IOC_STATEMENT, request);
	if (!*any_ret)
		return errno == ERANGE ? 0
				       : wv_fail_errno(error, errno, "the formats of %s",
						       request->name);
	wv_str_add_n(text, buffer, request->size);
	return text->failed ? wv_no_memory(error) : 0;
}

void wv_device_joinpoint(const struct wv_device *device, const char *name, uint32_t index,
			 struct weft_joinpoint_text *ret)
{
	memset(ret, 0, sizeof(*ret));
	snprintf(ret->name, sizeof(ret->name), "%s", name);
	ret->index = index;
	if (ioctl(device->fd, WEFT_IOC_JOINPOINT, ret))
		ret->what[0] = ret->symbol[0] = ret->function[0] = ret->file[0] = '\0';
}

bool wv_device_fault(const struct wv_device *device, const char *name, struct weft_fault *ret)
{
	memset(ret, 0, sizeof(*ret));
	snprintf(ret->name, sizeof(ret->name), "%s", name);
	return !ioctl(device->fd, WEFT_IOC_FAULT, ret);
}

bool wv_device_tag(const struct wv_device *device, const char *name, uint32_t index,
		   struct weft_tag_info *ret)
{
	memset(ret, 0, sizeof(*ret));
	snprintf(ret->name, sizeof(ret->name), "%s", name);
	ret->index = index;
	return !ioctl(device->fd, WEFT_IOC_TAG, ret);
}
