/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Proves which functions of an object are in a shipped image as they are. An object that was
 * compiled from the image's source by the image's compiler has the same instructions as the image.
 * If it was compiled with the plugin, it also has labels. If a function is proven to be identical,
 * the object's labels in it hold for the image as well.
 */
#ifndef WV_PROOF_H
#define WV_PROOF_H

#include "prove/compare.h"
#include "prove/object-code.h"
#include "prove/shipped.h"

/* A function of the object. */
struct wv_proven {
	const char *name; /* valid while the object is open */
	uint64_t start;	  /* address in the object, as wv_image_open() laid it out */
	uint64_t size;
	uint64_t address; /* link address in the image; valid if .kind is WV_SAME */
	enum wv_difference_kind kind; /* WV_SAME: identical */
	/* number in wv_proof.texts of a text about the difference; WV_POOL_FAILED: there is none */
	uint32_t why;
};

struct wv_proof {
	WV_VEC(struct wv_proven) functions; /* sorted by .start */
	struct wv_pool texts;
};

/*
 * Compares all functions of @object with @shipped. @main is the main source file of the object's
 * unit, from wv_paths_name() for @shipped's units. It is no error if functions differ, or if
 * nothing of the object is in the image.
 */
int wv_prove(struct wv_proof *proof, const struct wv_shipped *shipped, struct wv_image *object,
	     const char *main, struct wv_error *error);
void wv_proof_deinit(struct wv_proof *proof);

/*
 * Returns the function of the object that contains @address, or NULL. @address is one that
 * wv_image_open() gave to the object. If .kind is WV_SAME, the same byte of the image is at
 * @address - .start + .address.
 */
const struct wv_proven *wv_proof_at(const struct wv_proof *proof, uint64_t address);

#endif /* WV_PROOF_H */
