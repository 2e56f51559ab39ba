/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text that the kernel itself rewrites or looks up by address, as the image's own tables list it:
 * what the linked bytes say there is not what runs. Tables that an image does not have give
 * nothing.
 */
#ifndef WV_PATCH_SITES_H
#define WV_PATCH_SITES_H

#include "base/vec.h"
#include "image/image.h"

enum wv_owner_kind {
	WV_OWNER_ALTERNATIVE, /* replaced at boot, by what the processor has */
	WV_OWNER_PARAVIRT,    /* replaced at boot, by what the hypervisor is */
	WV_OWNER_STATIC_CALL, /* another function, or none, at any time */
	WV_OWNER_JUMP_LABEL,  /* a jump to .target or a nop, at any time */
	WV_OWNER_EXCEPTION,   /* a fault here goes on at .target */
	WV_OWNER_NO_PROBE,    /* a function that the kernel forbids probes in: all of it */
};

struct wv_owner {
	uint64_t address; /* link */
	uint64_t target;  /* JUMP_LABEL, EXCEPTION; else 0 */
	uint32_t size;	  /* bytes; 0: the instruction that begins there */
	uint32_t kind;	  /* enum wv_owner_kind */
};

struct wv_owners {
	WV_VEC(struct wv_owner) list; /* by address, kind, target; each once */
};

/* -WV_E_FORMAT where a table is not a whole number of entries. */
int wv_owners_init(struct wv_owners *owners, struct wv_image *image, struct wv_error *error);
void wv_owners_deinit(struct wv_owners *owners);

#endif /* WV_PATCH_SITES_H */
