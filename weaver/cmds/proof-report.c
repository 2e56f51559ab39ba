// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints how many functions were proven; see proof-report.h. */
#include <stdio.h>

#include "base/notation.h"
#include "cmds/proof-report.h"

/*
 * Returns @part in percent of @all, rounded down to two decimals, so that only a complete @part
 * gives 100.
 */
static double percent(uint64_t part, uint64_t all)
{
	return all ? (double)(part * 10000 / all) / 100 : 100;
}

static void print_differences(const struct wv_proof_result *proof)
{
	wv_vec_for_each(function, &proof->not_proven)
		printf("%s: %s: %s\n", wv_pool_get(&proof->texts, function->unit),
		       wv_pool_get(&proof->texts, function->function),
		       wv_pool_get(&proof->texts, function->why));
}

static void print_sum(const struct wv_proof_result *proof)
{
	static const char *const names[WV_DIFFERENCE_COUNT] = {
		[WV_DIFFERENT_PLACE] = "not in the image",
		[WV_DIFFERENT_SIZE] = "of another size",
		[WV_DIFFERENT_BYTES] = "with other instructions",
		[WV_DIFFERENT_REFERENCE] = "that refer to something else",
	};
	const char *separator = ": ";

	printf("%s: %zu of %s identical, %.2f %% of the bytes, %zu of %s",
	       wv_count_text(proof->units, "unit").text, proof->identical,
	       wv_count_text(proof->functions, "function").text,
	       percent(proof->identical_bytes, proof->bytes), proof->proven_labels,
	       wv_count_text(proof->labels, "label").text);
	for (size_t i = 0; i < WV_DIFFERENCE_COUNT; i++) {
		if (!names[i] || !proof->kinds[i])
			continue;
		printf("%s%zu %s", separator, proof->kinds[i], names[i]);
		separator = ", ";
	}
	printf("\n");
}

void wv_proofs_print(const struct wv_index_image *images, size_t n, bool differences)
{
	struct wv_proof_result all = { 0 };

	for (size_t i = 0; i < n; i++) {
		const struct wv_proof_result *proof = &images[i].proof;

		if (differences)
			print_differences(proof);
		all.units += proof->units;
		all.functions += proof->functions;
		all.identical += proof->identical;
		all.bytes += proof->bytes;
		all.identical_bytes += proof->identical_bytes;
		all.labels += proof->labels;
		all.proven_labels += proof->proven_labels;
		for (size_t kind = 0; kind < WV_DIFFERENCE_COUNT; kind++)
			all.kinds[kind] += proof->kinds[kind];
	}
	print_sum(&all);
}
