/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The choice of splices: for shadows of one function the cheapest safe one of each. In this order:
 *
 *	call	a direct call of five bytes, turned to the trampoline
 *	jump	over one instruction of five bytes or more
 *	jump	over a displaced range: whole instructions of one straight piece of code, the shadow
 *		among them
 *	springboard	a jump of two bytes over a displaced range of two or more, to a slot within
 *			its reach that holds a jump of five. A slot is
 *		in padding that no control reaches; where there is none, in a *donor*: a displaced
 *		range of ten bytes or more whose
 *		instructions move out, a jump over their first five, the slot behind it (GILK's
 *		local springboards)
 *	trap	an int3 over the shadow's first byte
 *
 * or a refusal. A shadow whose own instruction is another's, or must stay where it is, gets the one
 * of these that *leads* up to it: a displaced range that ends where it begins, with the advice
 * behind the last instruction.
 *
 * A displaced range's instructions can all run elsewhere, nothing arrives at one of its bytes but
 * the first, nobody else owns a byte of it, there is no endbr in it, and a call or whatever else
 * control does not go on behind is its last.
 *
 * All of it is a proposal: weft.ko looks at the live text and takes a trap where it does not find
 * what is promised here. Knows bytes and addresses, no files and no kernels.
 */
#ifndef WV_CHOOSE_H
#define WV_CHOOSE_H

#include "runtime/abi.h"
#include "base/vec.h"
#include "splice/displaced.h"

enum wv_splice {
	WV_SPLICE_CALL,
	WV_SPLICE_JUMP,
	WV_SPLICE_SPRINGBOARD,
	WV_SPLICE_TRAP,
	WV_SPLICE_REFUSED,
	WV_SPLICES
};

/* "call", "jump", ... */
const char *wv_splice_name(enum wv_splice splice);

/* Why one of the better splices was not taken. */
struct wv_why {
	enum wv_displace_answer answer; /* FITS: it was, or it was not asked for */
	uint64_t address;	      /* of what is in the way */
};

struct wv_choice {
	uint64_t address; /* of the shadow */
	enum wv_splice splice;
	/*
	 * enum weft_refusal; where the displaced range leads up to the shadow, why its own
	 * instruction is left alone
	 */
	uint8_t refusal;
	uint8_t length;	 /* of the shadow's own instruction; 0: none begins there */
	uint8_t before;	 /* bytes from the displaced range's start to the shadow */
	/* bytes of the displaced range; of a trap and of a refused shadow, what they are at */
	uint8_t displaced;
	uint8_t instructions; /* of the displaced range */
	uint64_t slot;	 /* SPRINGBOARD: address of the slot */
	/*
	 * SPRINGBOARD: bytes of the donor, which begins five before the slot; 0: the slot is in
	 * padding
	 */
	uint8_t donor;
	/*
	 * the displaced range ends where the shadow begins, which is left alone: for before-advice
	 * only
	 */
	bool attaches_before;
	/*
	 * Where no displaced range of five bytes was found: what stands in the way of one that
	 * begins at the shadow, and before it.
	 */
	struct wv_why ahead, back;
	/* there was a displaced range for a springboard, but no slot within its reach */
	bool no_slot;
	/*
	 * As in struct weft_joinpoint; whoever knows what code is C fills them in
	 * (plan/choose-all.c).
	 */
	uint32_t c_size, slot_c_size;
};

/*
 * SPRINGBOARD: bytes from behind the short jump to the slot, as struct weft_joinpoint has it; else
 * 0.
 */
int16_t wv_choice_slot(const struct wv_choice *choice);

/* Free bytes: a slot may be anywhere in them. */
struct wv_padding {
	uint64_t start, end;
};

typedef WV_VEC(struct wv_padding) wv_padding_list; /* ascending */

bool wv_padding_holds(const wv_padding_list *paddings, uint64_t address);

struct wv_chooser;

/* As wv_displaceable_create(). */
int wv_chooser_create(const struct wv_function_info *function, const uint64_t *outside,
		      size_t nr_outside, struct wv_decoder *decoder, struct wv_chooser **ret,
		      struct wv_error *error);
void wv_chooser_destroy(struct wv_chooser *chooser);

/* The function's own free bytes: padding that no control reaches. */
const wv_padding_list *wv_chooser_padding(const struct wv_chooser *chooser);

/* Where the function's instructions begin; wv_displaceable_insn() for each. */
const struct wv_displaceable *wv_chooser_displaceable(const struct wv_chooser *chooser);

/* Slots that are taken: each has one owner within an aspect. All zero at first, ascending. */
typedef WV_VEC(uint64_t) wv_slots;

/* Bytes from a springboard's displaced range to its slot, at most. */
#define WV_SPRINGBOARD_REACH 130

/* Bytes of the smallest donor: its own jump, and a slot. */
#define WV_DONOR_MIN (2 * WEFT_JUMP_SIZE)

/* Where slots may be. */
struct wv_slot_source {
	const wv_padding_list *paddings; /* of the function and its neighbours */
	wv_slots *slots;     /* what is taken of them is added */
	bool donors;	     /* and, where there is no gap, in donors */
};

/*
 * Chooses for the @n shadows in @choices, all of @chooser's function and ascending by .address,
 * which alone is to be set. Displaced ranges of one call do not overlap; shadows near each other
 * share one.
 */
int wv_choose(const struct wv_chooser *chooser, const struct wv_slot_source *source,
	      struct wv_choice *choices, size_t n, struct wv_error *error);

static inline void wv_cleanup_chooser(struct wv_chooser **chooser)
{
	wv_chooser_destroy(*chooser);
}
#define _cleanup_chooser_ __attribute__((cleanup(wv_cleanup_chooser)))

#endif /* WV_CHOOSE_H */
