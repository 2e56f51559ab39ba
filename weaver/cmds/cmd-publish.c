// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft publish`: lets users read the records of aspects. */
#include <errno.h>
#include <grp.h>
#include <stdlib.h>

#include "cmds/cmd.h"
#include "cmds/options.h"
#include "live/view-requests.h"

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

static const struct wv_option known[] = {
	WV_TEXT(struct options, group, "group", 'g', "GROUP", WV_COMPLETE_ANY,
		"members of this group may read all records, not only those of their own tasks"),
	{ 0 }
};

static int run(int argc, char **argv, struct wv_error *error)
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
	return err ? err : wv_publish(&request, argv + first, error);
}

const struct wv_cmd wv_cmd_publish = {
	.name = "publish",
	.run = run,
	.summary = "let users read the records of an aspect",
	.usage = "[--group GROUP] NAME...",
	.options = known,
	.operands = { WV_COMPLETE_WOVEN },
	.more = true,
	.notes = "Every user can then read, with `weft read NAME`, what tasks of theirs write from "
		 "now on: no task that they could not\n"
		 "look into with a debugger, and no interrupt. Addresses are hashed. It ends with "
		 "`weft unpublish`, and when the\n"
		 "aspect's module goes. While somebody reads so, records that nobody has read for "
		 "half a buffer are overwritten.\n",
};
