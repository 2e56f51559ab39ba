// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Weaves and unweaves an aspect many times by the weaver's own functions, reads records now and
 * then, and checks after each round that every byte of text is restored. It prints how many rounds
 * were good; an error goes to stderr and ends the program. Usage: weave-rounds N ASPECT.ko
 */
#include <stdio.h>
#include <stdlib.h>

#include "module/module-file.h"
#include "live/requests.h"
#include "live/apply.h"

static char buffer[1 << 16];

static int one_round(const struct wv_device *device, const char *path,
		     const struct wv_aspect_module *module, bool read, struct wv_error *error)
{
	static const struct wv_weave_options options; /* No option is set, so the defaults apply. */
	struct wv_unweave_result result;
	struct wv_summary summary;
	size_t used;
	bool gone;
	int err = wv_weave(device, path, module, &options, &summary, error);

	if (!err && summary.matched != summary.woven.splices.n)
		err = wv_fail(error, WV_E_REFUSED, "%zu of %zu woven", summary.woven.splices.n,
			      summary.matched);
	wv_summary_deinit(&summary);
	if (!err && read)
		err = wv_device_read(device, module->header.name, buffer, sizeof(buffer), &used,
				     &gone, error);
	if (!err)
		err = wv_unweave(device, module->header.name, &result, error);
	if (!err && (!result.bytes || result.same != result.bytes || !result.module_removed))
		err = wv_fail(error, WV_E_FAILURE, "%zu of %zu bytes restored, module %s",
			      result.same, result.bytes, result.module_removed ? "gone" : "stays");
	return err;
}

int main(int argc, char **argv)
{
	struct wv_aspect_module *module;
	struct wv_device device;
	struct wv_error error;
	char text[1200];
	long round = 0;

	if (argc != 3)
		return 2;
	if (wv_aspect_module_open(argv[2], &module, &error) || wv_device_open(&device, &error)) {
		fprintf(stderr, "%s\n", wv_error_text(&error, text, sizeof(text)));
		return 1;
	}
	for (; round < atol(argv[1]); round++) {
		if (one_round(&device, argv[2], module, round % 4 == 0, &error)) {
			fprintf(stderr, "round %ld: %s\n", round,
				wv_error_text(&error, text, sizeof(text)));
			break;
		}
	}
	printf("%ld\n", round);
	wv_device_close(&device);
	wv_aspect_module_destroy(module);
	return round != atol(argv[1]);
}
