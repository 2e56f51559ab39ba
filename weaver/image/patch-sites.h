/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text that the kernel itself rewrites or looks up by address, from the tables in the image. The
 * linked bytes at such a site are not necessarily the ones that run. A missing table counts as
 * empty.
 */
#ifndef WV_PATCH_SITES_H
#define WV_PATCH_SITES_H

#include "base/vec.h"
#include "image/image.h"

enum wv_owner_kind {
	WV_OWNER_ALTERNATIVE, /* replaced at boot, depending on the processor */
	WV_OWNER_PARAVIRT,    /* replaced at boot, depending on the hypervisor */
	WV_OWNER_STATIC_CALL, /* its target may change or be removed at any time */
	WV_OWNER_JUMP_LABEL,  /* a jump to .target or a nop; may change at any time */
	WV_OWNER_EXCEPTION,   /* a fault here continues at .target */
	WV_OWNER_NO_PROBE,    /* a function in which the kernel forbids probes */
};

struct wv_owner {
	uint64_t address; /* link address */
	uint64_t target;  /* JUMP_LABEL, EXCEPTION; else 0 */
	uint32_t size;	  /* bytes; 0: the instruction that begins there */
	uint32_t kind;	  /* enum wv_owner_kind */
};

struct wv_owners {
	WV_VEC(struct wv_owner) list; /* by address, kind, target; each once */
};

/* -WV_E_FORMAT: the size of a table is not a multiple of its entry's size. */
int wv_owners_init(struct wv_owners *owners, struct wv_image *image, struct wv_error *error);
void wv_owners_deinit(struct wv_owners *owners);

#endif /* WV_PATCH_SITES_H */
