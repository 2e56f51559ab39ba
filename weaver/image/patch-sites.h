/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the owners in an image: pieces of text that the kernel itself rewrites, or that it looks up
 * by address. Tables in the image list them. Where the kernel rewrites text (a patch site), the
 * bytes that run may differ from those in the image. A table that the image does not have counts as
 * empty.
 */
#ifndef WV_PATCH_SITES_H
#define WV_PATCH_SITES_H

#include "base/vec.h"
#include "image/image.h"

enum wv_owner_kind {
	WV_OWNER_ALTERNATIVE = 0, /* replaced at boot, depending on the processor */
	WV_OWNER_PARAVIRT = 1,	  /* replaced at boot, depending on the hypervisor */
	/* a call whose target the kernel may change or remove at any time */
	WV_OWNER_STATIC_CALL = 2,
	WV_OWNER_JUMP_LABEL = 3, /* a jump to .target or a nop; may change at any time */
	WV_OWNER_EXCEPTION = 4,	 /* a fault here continues at .target */
	WV_OWNER_NO_PROBE = 5,	 /* a function in which the kernel does not allow probes */
};

struct wv_owner {
	uint64_t address; /* link address */
	uint64_t target;  /* link address, for JUMP_LABEL and EXCEPTION; else 0 */
	/* in bytes; 0: that of the instruction at .address, or of the function for NO_PROBE */
	uint32_t size;
	uint32_t kind;	  /* enum wv_owner_kind */
};

struct wv_owners {
	WV_VEC(struct wv_owner) list; /* sorted by address, kind, target; each once */
};

/*
 * Reads all tables of @image. Returns -WV_E_FORMAT in two cases:
 * - The size of a table is not a multiple of the size of its entries.
 * - The alternatives make no sense.
 */
int wv_owners_init(struct wv_owners *owners, struct wv_image *image, struct wv_error *error);
void wv_owners_deinit(struct wv_owners *owners);

#endif /* WV_PATCH_SITES_H */
