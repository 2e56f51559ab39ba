// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints what was proven; see proof-report.h. */
#include <stdio.h>

#include "base/notation.h"
#include "cmds/proof-report.h"

/* Part of a whole in percent, cut off: 100 is all of it. */
static double percent(uint64_t part, uint64_t all)
{
	return all ? (double)(part * 10000 / all) / 100 : 100;
}

void wv_proof_print(const struct wv_proof_result *proof, bool differences)
{
	static const char *const names[WV_DIFFERENCE_COUNT] = {
		[WV_DIFFERENT_PLACE] = "not in the image",
		[WV_DIFFERENT_SIZE] = "of another size",
		[WV_DIFFERENT_BYTES] = "with other instructions",
		[WV_DIFFERENT_REFERENCE] = "that refer to something else",
	};
	const char *separator = ": ";

	if (differences)
		wv_vec_for_each(function, &proof->not_proven)
			printf("%s: %s: %s\n", wv_pool_get(&proof->texts, function->unit),
			       wv_pool_get(&proof->texts, function->function),
			       wv_pool_get(&proof->texts, function->why));
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
