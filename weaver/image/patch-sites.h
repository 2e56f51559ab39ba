/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the text that the kernel itself rewrites or looks up by address, from tables in the image.
 * Each such piece of text is an owner. At a patch site, the bytes in the image need not be those
 * that run. A missing table counts as empty.
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
	/* size in bytes; 0: the size is unknown, and is that of the instruction at .address */
	uint32_t size;
	uint32_t kind;	  /* enum wv_owner_kind */
};

struct wv_owners {
	WV_VEC(struct wv_owner) list; /* sorted by address, kind, target; each once */
};

/*
 * Reads all tables of @image. -WV_E_FORMAT: the size of a table is not a multiple of its entry's
 * size, or the alternatives make no sense.
 */
int wv_owners_init(struct wv_owners *owners, struct wv_image *image, struct wv_error *error);
void wv_owners_deinit(struct wv_owners *owners);

#endif /* WV_PATCH_SITES_H */
