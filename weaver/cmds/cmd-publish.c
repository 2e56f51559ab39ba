// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft publish` and `weft unpublish`: which aspects' records users may read. */
#include <errno.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "cmds/cmd.h"
#include "cmds/options.h"
#include "live/requests.h"

struct options {
	const char *group;
};

static int find_group(const char *text, uint32_t *ret, struct wv_error *error)
{
	const struct group *group = getgrnam(text);
	unsigned long long number;
	char *end;

	if (group) {
		*ret = group->gr_gid;
		return 0;
	}
	errno = 0;
	number = strtoull(text, &end, 10);
	if (errno || end == text || *end || number >= UINT32_MAX)
		return wv_fail(error, WV_E_USAGE, "there is no group %s", text);
	*ret = (uint32_t)number;
	return 0;
}

/* Sends the request for each of the aspects @names. */
static int send_all(const struct weft_publish *what, char **names, struct wv_error *error)
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
			err = wv_fail(error, WV_E_STATE, "%s: its module is not loaded", *names);
		else if (errno == ENODATA)
			err = wv_fail(error, WV_E_STATE, "%s is not published", *names);
		else
			err = wv_fail_errno(error, errno, "publishing %s", *names);
	}
	wv_device_close(&device);
	return err;
}

static const struct wv_option known_of_publish[] = {
	WV_TEXT(struct options, group, "group", 'g', "GROUP", WV_COMPLETE_ANY,
		"members of this group may read all records, not only those of their own tasks"),
	{ 0 }
};

static int run_publish(int argc, char **argv, struct wv_error *error)
{
	struct weft_publish request = { .flags = WEFT_PUBLISH_ON };
	struct options options = { 0 };
	int first, err = wv_options_parse(&wv_cmd_publish, argc, argv, &options, &first, error);

	if (err)
		return err;
	if (first == argc)
		return wv_usage(error, "publish", "name aspects");
	if (options.group) {
		request.flags |= WEFT_PUBLISH_GROUP;
		err = find_group(options.group, &request.group, error);
	}
	return err ? err : send_all(&request, argv + first, error);
}

const struct wv_cmd wv_cmd_publish = {
	.name = "publish",
	.run = run_publish,
	.summary = "let users read the records of an aspect",
	.usage = "[--group GROUP] NAME...",
	.options = known_of_publish,
	.operands = { WV_COMPLETE_WOVEN },
	.more = true,
	.notes = "Every user can then read, with `weft read NAME`, what tasks of theirs write from "
		 "now on: no task that they could not\n"
		 "look into with a debugger, and no interrupt. Addresses are hashed. It ends with "
		 "`weft unpublish`, and when the\n"
		 "aspect's module goes. While somebody reads so, records that nobody has read for "
		 "half a buffer are overwritten.\n",
};

static const struct wv_option known_of_unpublish[] = { { 0 } };

static int run_unpublish(int argc, char **argv, struct wv_error *error)
{
	struct options options = { 0 };
	int first, err = wv_options_parse(&wv_cmd_unpublish, argc, argv, &options, &first, error);

	if (err)
		return err;
	if (first == argc)
		return wv_usage(error, "unpublish", "name aspects");
	return send_all(&(struct weft_publish){ 0 }, argv + first, error);
}

const struct wv_cmd wv_cmd_unpublish = {
	.name = "unpublish",
	.run = run_unpublish,
	.summary = "end what weft publish allows",
	.usage = "NAME...",
	.options = known_of_unpublish,
	.operands = { WV_COMPLETE_WOVEN },
	.more = true,
	.notes = "Who is reading reads no more, at once.\n",
};
