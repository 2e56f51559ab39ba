/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds where a function has its arguments and its result, by its prototype in DWARF and by the
 * calling convention. Around-advice is possible if all of them are in registers. Also
 * finds $return, and whether callers know more of the function than the convention says.
 */
#ifndef WV_SIGNATURE_H
#define WV_SIGNATURE_H

#include "aspect/resolve/finder.h"

struct wv_signature {
	unsigned int registers; /* number of registers that hold arguments */
	bool returns;		/* true: the function returns something */
	/* callers may rely on it to keep registers that the calling convention lets it change */
	bool preserves;
	/* why around-advice is not possible, in words and as a refusal; NULL: it is possible */
	const char *why;
	enum weft_refusal refusal;
};

/* Returns the signature of the function that begins at the finder's joinpoint. */
struct wv_signature wv_find_signature(const struct wv_finder *finder);

/*
 * Finds the type of $return at the finder's joinpoint. If $return is unavailable there,
 * @ret->found.why is the reason.
 */
void wv_find_result(const struct wv_finder *finder, struct wv_finding *ret);

/* Makes @finding unavailable if its C reads a register that around-advice does not have. */
void wv_signature_limit(struct wv_finding *finding);

#endif /* WV_SIGNATURE_H */
