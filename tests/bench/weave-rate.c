// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Measures weaving and unweaving by the weaver's own functions. Prints the number of shadows, and
 * then for the fastest round, in milliseconds: the whole weave, the whole unweave, and how long
 * each request to the device took in these. With --optimized, a weave ends when all splices are
 * optimized. Usage: weave-rate [--optimized] ROUNDS ASPECT.ko
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/abi.h"
#include "module/module-file.h"
#include "live/requests.h"
#include "live/apply.h"

enum { REQUESTS = 64 };

struct round {
	size_t shadows;
	double weave, unweave;
	double requests[REQUESTS];
};

static struct round now_round;

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* Takes the place of libc's ioctl(), to measure the weaver's requests. */
int ioctl(int fd, unsigned long request, ...)
{
	double start = now();
	void *argument;
	va_list list;
	int ret;

	va_start(list, request);
	argument = va_arg(list, void *);
	va_end(list);
	ret = (int)syscall(SYS_ioctl, fd, request, argument);
	now_round.requests[_IOC_NR(request) % REQUESTS] += now() - start;
	return ret;
}

static int one_round(const struct wv_device *device, const char *path, bool optimized,
		     const struct wv_aspect_module *module, struct wv_error *error)
{
	const struct wv_weave_options options = { .urgent = optimized };
	struct wv_unweave_result result;
	struct wv_summary summary;
	double start = now();
	uint32_t left = 0;
	int err;

	now_round = (struct round){ 0 };
	err = wv_weave(device, path, module, &options, &summary, error);
	if (!err && optimized)
		err = wv_wait_optimized(device, module->header.name, &left, error);
	if (!err && left)
		err = wv_fail(error, WV_E_FAILURE, "%u are still traps", left);
	now_round.weave = now() - start;
	now_round.shadows = summary.woven.splices.n;
	wv_summary_deinit(&summary);
	start = now();
	if (!err)
		err = wv_unweave(device, module->header.name, &result, error);
	now_round.unweave = now() - start;
	if (!err && (!result.bytes || result.same != result.bytes))
		err = wv_fail(error, WV_E_FAILURE, "%zu of %zu bytes restored", result.same,
			      result.bytes);
	return err;
}

int main(int argc, char **argv)
{
	struct wv_aspect_module *module;
	struct round best = { 0 };
	struct wv_device device;
	struct wv_error error;
	char text[1200];
	bool optimized = argc > 1 && !strcmp(argv[1], "--optimized");
	int failed;

	argv += optimized;
	if (argc - optimized != 3)
		return 2;
	failed = wv_aspect_module_open(argv[2], &module, &error) || wv_device_open(&device, &error);
	for (long i = 0; i < atol(argv[1]) && !failed; i++) {
		failed = one_round(&device, argv[2], optimized, module, &error);
		if (!i || now_round.weave + now_round.unweave < best.weave + best.unweave)
			best = now_round;
	}
	if (failed) {
		fprintf(stderr, "%s\n", wv_error_text(&error, text, sizeof(text)));
		return 1;
	}
	printf("%zu %.2f %.2f text %.2f weave %.2f unweave %.2f list %.2f\n", best.shadows,
	       best.weave, best.unweave, best.requests[_IOC_NR(WEFT_IOC_TEXT)],
	       best.requests[_IOC_NR(WEFT_IOC_WEAVE)], best.requests[_IOC_NR(WEFT_IOC_UNWEAVE)],
	       best.requests[_IOC_NR(WEFT_IOC_LIST)]);
	return 0;
}
