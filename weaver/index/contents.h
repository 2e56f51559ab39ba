/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Everything that the database holds of one image, collected before it is written. */
#ifndef WV_CONTENTS_H
#define WV_CONTENTS_H

#include "image/branch-targets.h"
#include "image/dwarf/debug.h"
#include "image/image.h"
#include "image/patch-sites.h"
#include "image/symbols.h"
#include "index/located-calls.h"
#include "index/inlined.h"
#include "index/mention-counts.h"
#include "index/merge.h"
#include "index/shadows.h"
#include "index/source-places.h"

/*
 * What the database gets of one image. All lists are sorted. Files are numbered by their positions
 * in merge->files. The struct does not own what its members point to.
 */
struct wv_contents {
	const char *name; /* "vmlinux", or the module's name */
	struct wv_image *image;
	const struct wv_symbols *symbols;
	const struct wv_merge *merge;
	const struct wv_shadows *shadows;
	const struct wv_operands *operands;
	const struct wv_source_places *places;
	const struct wv_inlined_list *inlined;
	const struct wv_debug *debug;
	const struct wv_owners *owners;
	const struct wv_branch_targets *branch_targets;
	const struct wv_calls *calls;
	/* words in the source text of units whose accesses are not known, or NULL */
	const struct wv_mention_counts *mentions;
};

#endif /* WV_CONTENTS_H */
