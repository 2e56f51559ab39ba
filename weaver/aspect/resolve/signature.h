/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds where a function has its arguments and its result, by its prototype in DWARF and by the
 * calling convention. Around-advice of the function, or of a call of it, is possible if all of them
 * are in registers. Also finds $return, and whether callers know more of the function than the
 * convention says.
 */
#ifndef WV_SIGNATURE_H
#define WV_SIGNATURE_H

#include "aspect/resolve/finder.h"

struct wv_signature {
	unsigned int registers; /* number of registers that hold arguments */
	bool returns;		/* true: the function returns something */
	uint64_t returned;	/* offset in .debug_info of the type that it returns; 0: nothing */
	/*
	 * callers may rely on the function to keep registers that the calling convention lets it
	 * change
	 */
	bool preserves;
	/*
	 * the function is called through a pointer: the advice needs one more register, for the
	 * target
	 */
	bool through;
	/*
	 * why around-advice is not possible, in words and as a refusal; .why NULL: it is possible
	 */
	const char *why;
	enum weft_refusal refusal;
};

/*
 * Finds the signature of the function that begins at the finder's joinpoint or, if the joinpoint is
 * a call (WEFT_AROUND_CALL), of the function that is called. Returns an error if the image cannot
 * be read.
 */
int wv_find_signature(struct wv_finder *finder, struct wv_signature *ret);

/*
 * Finds the type of $return at the finder's joinpoint. If $return is unavailable there,
 * @ret->found.why is the reason. Returns an error if the image cannot be read.
 */
int wv_find_result(struct wv_finder *finder, struct wv_finding *ret);

/* Makes @finding unavailable if its C reads a register that around-advice does not have. */
void wv_signature_limit(struct wv_finding *finding);

#endif /* WV_SIGNATURE_H */
