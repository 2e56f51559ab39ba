/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gets labels for an image that was built without the plugin. They come from objects that were
 * compiled with the plugin (prove/proof.h). If a function of an object is proven to be in the image
 * as it is, each of the object's labels in this function belongs to an instruction of the image.
 * Functions that are not proven get no labels.
 */
#ifndef WV_PROVEN_LABELS_H
#define WV_PROVEN_LABELS_H

#include "image/table-reader.h"
#include "index/merge.h"
#include "prove/proof.h"

/* A function of an object that is not in the image, or is there with other code. */
struct wv_not_proven {
	uint32_t unit, function, why; /* numbers in wv_proof_result.texts */
};

struct wv_proof_result {
	/*
	 * .units: units of the objects that were compared. .functions: number of functions in them.
	 * .identical: number of functions that are identical.
	 */
	size_t units, functions, identical;
	/* .bytes: size of all these functions. .identical_bytes: size of the identical ones. */
	uint64_t bytes, identical_bytes;
	/*
	 * .labels: number of labels in all these functions. .proven_labels: number of labels in the
	 * identical functions.
	 */
	size_t labels, proven_labels;
	/* number of functions by enum wv_difference_kind; those of WV_SAME are identical */
	size_t kinds[WV_DIFFERENCE_COUNT];
	struct wv_pool texts;
	WV_VEC(struct wv_not_proven) not_proven; /* in the order in which they were compared */
};

void wv_proof_result_deinit(struct wv_proof_result *result);

/*
 * Compares the functions of @object with @shipped:
 * - In functions that are proven, changes @unit's labels from addresses in the object to addresses
 *   in the image.
 * - In all other functions, drops @unit's labels and fates.
 * - Adds the proven functions to merge->labelled.
 * - Adds the numbers of functions, bytes and labels to *@result.
 * @main is the main source file of the object's unit, from wv_paths_name().
 */
int wv_proven_labels(struct wv_merge *merge, const struct wv_shipped *shipped,
		     struct wv_image *object, struct wv_unit *unit, const char *main,
		     struct wv_proof_result *result, struct wv_error *error);

#endif /* WV_PROVEN_LABELS_H */
