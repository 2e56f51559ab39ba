/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Labels of an image that was built without the plugin, from objects that were compiled with it
 * (prove/proof.h): where a function of an object is proven to be in the image as it is, the
 * object's labels lead to instructions of the image. What is not proven has no labels.
 */
#ifndef WV_PROVEN_LABELS_H
#define WV_PROVEN_LABELS_H

#include "image/table-reader.h"
#include "index/merge.h"
#include "prove/proof.h"

/* A function of an object that the image has not, or not as it is. */
struct wv_not_proven {
	uint32_t unit, function, why; /* numbers in wv_proof_result.texts */
};

struct wv_proof_result {
	size_t units, functions, identical;	/* functions: of these units' objects */
	uint64_t bytes, identical_bytes;	/* of these functions */
	size_t labels, proven_labels;		/* in these functions */
	size_t kinds[WV_DIFFERENCE_COUNT];	/* functions, by enum wv_difference_kind */
	struct wv_pool texts;
	WV_VEC(struct wv_not_proven) not_proven; /* in the order in which they were compared */
};

void wv_proof_result_deinit(struct wv_proof_result *result);

/*
 * Compares the functions of @object with @shipped. Replaces @unit's labels, which are addresses in
 * the object, by those of the image, and leaves out those in functions that are not proven; the
 * fates in these functions as well. Adds the proven functions to merge->labelled. @main: the main
 * source file of the object's unit, as wv_paths_name() has it. Adds to *@result.
 */
int wv_proven_labels(struct wv_merge *merge, const struct wv_shipped *shipped,
		     struct wv_image *object, struct wv_unit *unit, const char *main,
		     struct wv_proof_result *result, struct wv_error *error);

#endif /* WV_PROVEN_LABELS_H */
