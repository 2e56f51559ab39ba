// SPDX-License-Identifier: GPL-2.0-or-later
/* Moves labels from objects to the image; see proven-labels.h. */
#include <stdlib.h>

#include "base/cleanup.h"
#include "index/proven-labels.h"

void wv_proof_result_deinit(struct wv_proof_result *result)
{
	wv_pool_deinit(&result->texts);
	wv_vec_deinit(&result->not_proven);
}

static int note(struct wv_proof_result *result, const char *unit, const struct wv_proof *proof,
		const struct wv_proven *proven, struct wv_error *error)
{
	struct wv_not_proven *slot = wv_vec_push(&result->not_proven);

	if (!slot)
		return wv_no_memory(error);
	slot->unit = wv_pool_add(&result->texts, unit);
	slot->function = wv_pool_add(&result->texts, proven->name);
	slot->why = wv_pool_add(&result->texts, wv_pool_get(&proof->texts, proven->why));
	return slot->unit == WV_POOL_FAILED || slot->function == WV_POOL_FAILED ||
			       slot->why == WV_POOL_FAILED ?
		       wv_no_memory(error) : 0;
}

static int add_function(struct wv_merge *merge, const char *unit, const struct wv_proof *proof,
			const struct wv_proven *proven, struct wv_proof_result *result,
			struct wv_error *error)
{
	struct wv_text_range *range;

	result->functions++;
	result->bytes += proven->size;
	result->kinds[proven->kind]++;
	if (proven->kind != WV_SAME)
		return note(result, unit, proof, proven, error);
	result->identical++;
	result->identical_bytes += proven->size;
	range = wv_vec_push(&merge->labelled);
	if (!range)
		return wv_no_memory(error);
	*range = (struct wv_text_range){ proven->address, proven->address + proven->size };
	return 0;
}

static void move_labels(const struct wv_proof *proof, struct wv_unit *unit)
{
	size_t kept = 0;

	for (size_t i = 0; i < unit->labels.n; i++) {
		struct wv_unit_label label = unit->labels.data[i];
		const struct wv_proven *proven = wv_proof_at(proof, label.address);

		if (!proven || proven->kind != WV_SAME)
			continue;
		label.address += proven->address - proven->start;
		unit->labels.data[kept++] = label;
	}
	unit->labels.n = kept;
}

int wv_proven_labels(struct wv_merge *merge, const struct wv_shipped *shipped,
		     struct wv_image *object, struct wv_unit *unit, const char *main,
		     struct wv_proof_result *result, struct wv_error *error)
{
	_cleanup_(wv_proof_deinit) struct wv_proof proof;
	int ret = wv_prove(&proof, shipped, object, main, error);

	if (ret)
		return ret;
	result->units++;
	wv_vec_for_each(proven, &proof.functions)
		if (!ret)
			ret = add_function(merge, main, &proof, proven, result, error);
	result->labels += unit->labels.n;
	move_labels(&proof, unit);
	result->proven_labels += unit->labels.n;
	return ret;
}
