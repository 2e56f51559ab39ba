// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Analysis; see body.h. A stripped library tells nothing of calling conventions, so liveness takes every call and return to read
 * all; and it has code that was written by hand, of which only what the library's sweep found is believed.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "body.h"
#include "splice/liveness.h"
#include "splice/relocate.h"

static enum wv_callee unknown_callee(void *context, uint64_t address, unsigned int *register_ret)
{
	return WV_CALLEE_UNKNOWN;
}

static void decode(struct body *body, struct wv_decoder *decoder, const struct wv_windows *windows,
		   const struct wv_liveness *liveness)
{
	uint64_t at = body->function->start, end = at + body->function->size;

	body->insns = calloc(body->function->size, sizeof(*body->insns));
	if (!body->insns)
		err(2, "instructions");
	while (at < end) {
		struct instruction *instruction = &body->insns[body->n];
		const uint8_t *bytes = (const uint8_t *)(uintptr_t)at;

		instruction->refusal = wv_relocate(decoder, bytes, end - at, at, &instruction->insn);
		if (instruction->refusal == WEFT_REFUSAL_UNDECODABLE)
			break;
		instruction->live = wv_liveness_at(liveness, at);
		wv_window_at(windows, at, &instruction->window);
		body->careful |= wv_relocate_is_careful(bytes, instruction->insn.length);
		body->n++;
		at += instruction->insn.length;
	}
	body->insns = realloc(body->insns, (body->n + 1) * sizeof(*body->insns));
}

static void analyse(struct body *body, struct wv_decoder *decoder)
{
	const struct function *function = body->function;
	struct wv_function description = {
		.start = function->start,
		.bytes = (const uint8_t *)(uintptr_t)function->start,
		.size = function->size,
		.compiled = true,
		.ipa_ra = true,
		.resolved = true,
		.callee = unknown_callee,
	};
	struct wv_liveness *liveness;
	struct wv_windows *windows;
	struct wv_error error;
	const uint64_t *outside;
	size_t n;

	outside = library_arrivals(body->library, function->start, function->size, &n);
	if (wv_windows_create(&description, outside, n, decoder, &windows, &error) ||
	    wv_liveness_create(&description, decoder, &liveness, &error))
		errx(2, "%s", error.message);
	decode(body, decoder, windows, liveness);
	wv_windows_destroy(windows);
	wv_liveness_destroy(liveness);
}

void bodies_add(struct bodies *bodies, const struct library *library, struct wv_decoder *decoder)
{
	wv_vec_for_each(function, &library->functions) {
		struct body *body;

		if (function->excluded)
			continue;
		body = wv_vec_push(&bodies->list);
		if (!body)
			err(2, "functions");
		*body = (struct body){ .function = function, .library = library };
		analyse(body, decoder);
	}
}

void bodies_deinit(struct bodies *bodies)
{
	wv_vec_for_each(body, &bodies->list)
		free(body->insns);
	wv_vec_deinit(&bodies->list);
}
