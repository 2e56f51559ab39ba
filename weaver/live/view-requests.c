// SPDX-License-Identifier: GPL-2.0-or-later
/* Sends the requests of a view; see view-requests.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>

#include "live/privilege.h"
#include "live/view-requests.h"

static int denied(struct wv_error *error)
{
	const struct wv_denial denial = wv_lockdown_denial();

	if (denial.found)
		return wv_fail(error, WV_E_PRIVILEGE, "%s: not allowed: %s: %s", WEFT_READ_DEVICE,
			       denial.found, denial.remedy);
	return wv_fail(error, WV_E_PRIVILEGE,
		       "%s: not allowed: not from a user or pid namespace, nor from a program "
		       "that runs with another user's rights than yours",
		       WEFT_READ_DEVICE);
}

static int open_door(struct wv_device *device, struct wv_error *error)
{
	device->fd = open(WEFT_READ_DEVICE, O_RDWR | O_CLOEXEC);
	if (device->fd >= 0)
		return 0;
	if (errno == ENOENT || errno == ENXIO)
		return wv_fail(error, WV_E_NO_KMOD,
			       "weft.ko is not loaded: ask root for it (modprobe weft)");
	if (errno == EACCES || errno == EPERM)
		return denied(error);
	return wv_fail_errno(error, errno, "%s", WEFT_READ_DEVICE);
}

int wv_view_open(struct wv_device *device, struct weft_view *request, struct wv_error *error)
{
	int problem, err = open_door(device, error);

	if (err)
		return err;
	request->abi = WEFT_ABI_VERSION;
	if (!ioctl(device->fd, WEFT_IOC_VIEW, request))
		return 0;
	problem = errno;
	wv_device_close(device);
	switch (problem) {
	case ENOENT:
		return wv_fail(error, WV_E_STATE,
			       request->pid ? "no aspect %s whose records you may read (root "
					      "publishes: `weft publish`), or no process %u of "
					      "yours"
					    : "no aspect %s whose records you may read (root "
					      "publishes: `weft publish`)",
			       request->name, request->pid);
	case EDQUOT:
		return wv_fail(error, WV_E_STATE,
			       "you read in as many places as weft.ko allows a user: end one of "
			       "them, or ask root to raise its parameter views_per_user");
	case EPROTO:
	case ENOTTY:
		return wv_fail(error, WV_E_NO_KMOD,
			       "the loaded weft.ko speaks another protocol than this weft: load "
			       "the one that was built with it");
	default:
		return wv_fail_errno(error, problem, "reading records of %s", request->name);
	}
}

int wv_view_read(const struct wv_device *device, void *buffer, size_t size,
		 struct weft_view_read *ret, struct wv_error *error)
{
	*ret = (struct weft_view_read){ .buffer = (uintptr_t)buffer, .size = size };
	if (ioctl(device->fd, WEFT_IOC_VIEW_READ, ret))
		return wv_fail_errno(error, errno, "reading records");
	return 0;
}

int wv_publish(const struct weft_publish *what, char **names, struct wv_error *error)
{
	struct wv_device device;
	int err = wv_device_open(&device, error);

	if (err)
		return err;
	for (; !err && *names; names++) {
		struct weft_publish request = *what;

		snprintf(request.name, sizeof(request.name), "%s", *names);
		if (!ioctl(device.fd, WEFT_IOC_PUBLISH, &request))
			continue;
		if (errno == ENOENT)
			err = wv_fail(error, WV_E_STATE,
				      "%s: its module is not loaded: weave it first", *names);
		else if (errno == ENODATA)
			err = wv_fail(error, WV_E_STATE, "%s is not published", *names);
		else if (errno == EOPNOTSUPP)
			err = wv_fail(error, WV_E_REFUSED,
				      "%s: with PREEMPT_RT it is not known which records are an "
				      "interrupt's",
				      *names);
		else
			err = wv_fail_errno(error, errno, "publishing %s", *names);
	}
	wv_device_close(&device);
	return err;
}
