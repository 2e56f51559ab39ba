// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Weaves and unweaves random subsets of the aspects' shadows until the time is over, several
 * aspects at a time, by requests to the device. Splices that the kernel refuses are left out and
 * counted by reason. A plan that is refused because the text has changed is made again. The program
 * prints what it did, and ends with everything unwoven, or exits with 1 and a reason. Usage:
 * weave-random SECONDS SEED ASPECT.ko...
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "module/module-file.h"
#include "live/requests.h"
#include "live/running-kernel.h"
#include "splice/live-plan.h"
#include "splice/refusal.h"

enum { ASPECTS_MAX = 16, REST_MAX_US = 150000 };

struct aspect {
	struct wv_aspect_module *module; /* The aspect's module. */
	struct wv_plan whole; /* The splices that the kernel accepted in the last check. */
	bool woven; /* Whether some of it is woven now. */
};

static struct aspect aspects[ASPECTS_MAX];
static unsigned int nr_aspects;
static struct wv_device device;
static uint64_t random_state;
static unsigned long weaves, again, splices, kinds[WEFT_SPLICE_KINDS], refused[WEFT_REFUSAL_COUNT];

static unsigned int below(unsigned int n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (random_state >> 20) % n;
}

static void no_error(int code, const struct wv_error *error)
{
	if (code)
		errx(1, "%s", error->message);
}

static const char *name_of(const struct aspect *aspect)
{
	return aspect->module->header.name;
}

static int read_original(void *context, uint64_t address, void *buffer, size_t size,
			 struct wv_error *error)
{
	return wv_device_text(context, address, buffer, size, true, error);
}

static int submit(const struct aspect *aspect, struct wv_plan *plan, uint32_t flags,
		  struct wv_error *error)
{
	struct weft_weave request = {
		.content = aspect->module->header.content,
		.splices = (uintptr_t)plan->splices.data,
		.nr_splices = plan->splices.n,
		.flags = flags,
	};

	memcpy(request.name, name_of(aspect), sizeof(request.name));
	return wv_device_weave(&device, &request, error);
}

/* Makes the plan of all splices that the kernel accepts now. If @first, counts the refusals. */
static void make_whole(struct aspect *aspect, bool first)
{
	const struct wv_text_reader reader = { .read = read_original,
					       .context = &device };
	const struct wv_plan_part kernel = { .base = device.info.text, .end = device.info.etext };
	const struct wv_plan_source source = { .joinpoints = aspect->module->joinpoints,
					       .n = aspect->module->n,
					       .parts = &kernel,
					       .reader = &reader };
	struct wv_plan out = { 0 };
	struct wv_error error;
	bool narrowed = true;

	wv_plan_deinit(&aspect->whole);
	memset(&aspect->whole, 0, sizeof(aspect->whole));
	no_error(wv_plan_make(&source, &aspect->whole, &error), &error);
	no_error(wv_plan_drop_refused(&aspect->whole, &out, &error), &error);
	while (narrowed) {
		no_error(submit(aspect, &aspect->whole, WEFT_WEAVE_CHECK, &error), &error);
		no_error(wv_plan_narrow(&source, &aspect->whole, &narrowed, &error), &error);
	}
	no_error(wv_plan_drop_refused(&aspect->whole, &out, &error), &error);
	wv_vec_for_each(splice, &out.splices)
		if (first)
			refused[splice->refusal]++;
	wv_plan_deinit(&out);
}

static void load(const char *path)
{
	struct aspect *aspect = &aspects[nr_aspects++];
	struct wv_error error;
	bool loaded;

	no_error(wv_aspect_module_open(path, &aspect->module, &error), &error);
	no_error(wv_kernel_load(path, &loaded, &error), &error);
	make_whole(aspect, true);
}

/* Weaves a random part, sparse or dense, of the splices that the kernel accepted. */
static void weave(struct aspect *aspect)
{
	unsigned int density = 1 + below(8);
	struct wv_plan some = { 0 };
	struct wv_error error;
	int code;

	wv_vec_for_each(splice, &aspect->whole.splices) {
		struct weft_splice *chosen;

		if (below(8) >= density)
			continue;
		chosen = wv_vec_push(&some.splices);
		if (!chosen)
			err(1, "plan");
		*chosen = *splice;
	}
	code = some.splices.n ? submit(aspect, &some, 0, &error) : -WV_E_STATE;
	aspect->woven = !code;
	if (code == -WV_E_REFUSED || code == -WV_E_STALE) {
		again++;
		make_whole(aspect, false);
	} else if (code && code != -WV_E_STATE) {
		no_error(code, &error);
	}
	if (!code) {
		weaves++;
		splices += some.splices.n;
		wv_vec_for_each(splice, &some.splices)
			kinds[splice->kind]++;
	}
	wv_plan_deinit(&some);
}

static void unweave(struct aspect *aspect)
{
	struct wv_error error;
	uint32_t restored;

	no_error(wv_device_unweave(&device, name_of(aspect), &restored, &error), &error);
	aspect->woven = false;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec * 1e-9;
}

static void print_totals(void)
{
	static const char *const names[WEFT_SPLICE_KINDS] = { "trap", "jump", "call",
							      "springboard" };

	printf("%lu weaves of %lu splices:", weaves, splices);
	for (unsigned int i = 0; i < WEFT_SPLICE_KINDS; i++)
		printf(" %s %lu", names[i], kinds[i]);
	printf("; %lu plans made again; refused:", again);
	for (unsigned int i = 0; i < WEFT_REFUSAL_COUNT; i++)
		if (refused[i])
			printf(" %s %lu", wv_refusal_name(i), refused[i]);
	printf("\n");
}

int main(int argc, char **argv)
{
	struct wv_error error;
	double end;

	if (argc < 4 || argc - 3 > ASPECTS_MAX)
		errx(2, "usage: weave-random SECONDS SEED ASPECT.ko...");
	random_state = strtoull(argv[2], NULL, 0) * 2 + 1;
	no_error(wv_device_open(&device, &error), &error);
	for (int i = 3; i < argc; i++)
		load(argv[i]);
	for (end = now() + atof(argv[1]); now() < end;) {
		struct aspect *aspect = &aspects[below(nr_aspects)];

		if (aspect->woven)
			unweave(aspect);
		else
			weave(aspect);
		usleep(below(REST_MAX_US));
	}
	for (unsigned int i = 0; i < nr_aspects; i++)
		if (aspects[i].woven)
			unweave(&aspects[i]);
	print_totals();
	return 0;
}
