// SPDX-License-Identifier: GPL-2.0-or-later
/* `weft unpublish`: does not let users read the records of aspects any more. */
#include "cmds/cmd.h"
#include "cmds/options.h"
#include "live/view-requests.h"

static const struct wv_option known[] = { { 0 } };

static int run(int argc, char **argv, struct wv_error *error)
{
	int first, err = wv_options_parse(&wv_cmd_unpublish, argc, argv, NULL, &first, error);

	if (err)
		return err;
	if (first == argc)
		return wv_usage(error, "unpublish", "name aspects");
	return wv_publish(&(struct weft_publish){ 0 }, argv + first, error);
}

const struct wv_cmd wv_cmd_unpublish = {
	.name = "unpublish",
	.run = run,
	.summary = "end what weft publish allows",
	.usage = "NAME...",
	.options = known,
	.operands = { WV_COMPLETE_WOVEN },
	.more = true,
	.notes = "Who is reading reads no more, at once.\n",
};
