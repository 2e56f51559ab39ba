/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses splices: for each shadow in one function, the cheapest safe splice. They are tried in
 * this order:
 *
 *  call         a direct call of five bytes, redirected to the trampoline
 *  jump         over one instruction of five bytes or more
 *  jump         over a displaced range: several whole instructions of straight-line code, among
 *               them the shadow
 *  springboard  a jump of two bytes over a displaced range of two bytes or more, to a slot within
 *               its reach that holds a jump of five bytes
 *  trap         an int3 over the shadow's first byte
 *
 * If none is safe, the shadow is refused. There is one more possibility if the shadow's instruction
 * belongs to another owner or must stay in place. Then the splice is a displaced range that ends
 * where the shadow begins, and the advice runs after the last displaced instruction
 * (attaches_before).
 *
 * The slot of a springboard is in padding, which no control reaches. If there is no padding within
 * reach, the slot is in a *donor*: a displaced range of ten bytes or more whose instructions move
 * to a trampoline. A jump covers the donor's first five bytes, and the slot follows (GILK's local
 * springboards).
 *
 * A displaced range must satisfy these conditions:
 * - All its instructions can run at another address.
 * - No byte but the first is a branch target.
 * - No byte has another owner.
 * - There is no endbr in it.
 * - Only its last instruction may be a call, or another instruction after which control does not
 *   continue.
 * All choices are proposals: weft.ko checks the live text, and refuses a choice that it cannot
 * confirm. Then the shadow gets a splice of its own instruction instead: from wv_plan_narrow() or,
 * in a module that is loaded after the weave, from weft.ko itself (kmod/part-plan.c). This file
 * handles bytes and addresses only, no files and no kernels.
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

/* Returns the name of a kind of splice: "call", "jump", ... */
const char *wv_splice_name(enum wv_splice splice);

/* The obstacle to a displaced range in one direction from the shadow. */
struct wv_why {
	/* FITS: there is a range, or this direction was not tried */
	enum wv_displace_answer answer;
	uint64_t address;	      /* address of the instruction in the way */
};

struct wv_choice {
	uint64_t address; /* address of the shadow */
	enum wv_splice splice;
	/*
	 * enum weft_refusal; with .attaches_before, the reason why the shadow's own instruction is
	 * not touched
	 */
	uint8_t refusal;
	uint8_t length;	 /* bytes of the shadow's own instruction; 0: none begins there */
	uint8_t before;	 /* bytes from the start of the displaced range to the shadow */
	/*
	 * size in bytes of the displaced range; for a trap, of the instruction that it covers; for
	 * a refused shadow, .length, or 1 if no instruction begins there
	 */
	uint8_t displaced;
	uint8_t instructions; /* number of instructions in the displaced range */
	uint64_t slot;	 /* SPRINGBOARD: address of the slot */
	/*
	 * SPRINGBOARD: size in bytes of the donor, which begins five bytes before the slot; 0: the
	 * slot is in padding
	 */
	uint8_t donor;
	/*
	 * true: the displaced range ends where the shadow begins, and the shadow's own instruction
	 * is not touched; only for before-advice
	 */
	bool attaches_before;
	/*
	 * the obstacle to a displaced range of five bytes that begins at the shadow, and the
	 * obstacle to one that begins before the shadow
	 */
	struct wv_why forward, back;
	/* a displaced range for a springboard was found, but no slot within its reach */
	bool no_slot;
	/*
	 * The sizes in bytes of the function ranges that contain the displaced range and the slot,
	 * as in struct weft_joinpoint. They are 0 for code that was not compiled from C.
	 * plan/choose-all.c sets them from the database.
	 */
	uint32_t c_size, slot_c_size;
};

/*
 * SPRINGBOARD: bytes from the end of the short jump to the slot, as in struct weft_joinpoint; other
 * kinds: 0.
 */
int16_t wv_choice_slot(const struct wv_choice *choice);

/* Padding: a slot may be anywhere in it. */
struct wv_padding {
	uint64_t start, end;
};

typedef WV_VEC(struct wv_padding) wv_padding_list; /* sorted by start */

bool wv_padding_holds(const wv_padding_list *paddings, uint64_t address);

struct wv_chooser;

/* Prepares choices in @function. Arguments as for wv_displaceable_create(). */
int wv_chooser_create(const struct wv_function_info *function, const uint64_t *outside,
		      size_t nr_outside, struct wv_decoder *decoder, struct wv_chooser **ret,
		      struct wv_error *error);
void wv_chooser_destroy(struct wv_chooser *chooser);

/* The function's own padding, owned by @chooser; none if some branch targets are not known. */
const wv_padding_list *wv_chooser_padding(const struct wv_chooser *chooser);

/* The facts about the function's instructions (wv_displaceable_insn()); owned by @chooser. */
const struct wv_displaceable *wv_chooser_displaceable(const struct wv_chooser *chooser);

/*
 * Addresses of slots in use, in ascending order. No two splices of an aspect share a slot. The list
 * is empty if it is all zero.
 */
typedef WV_VEC(uint64_t) wv_slots;

/* Upper limit of the distance in bytes from a springboard's two-byte jump to its slot. */
#define WV_SPRINGBOARD_REACH 130

/* Minimum size in bytes of a donor: its own jump, and a slot. */
#define WV_DONOR_MIN (2 * WEFT_JUMP_SIZE)

/* Where the slots of springboards may be. */
struct wv_slot_source {
	const wv_padding_list *paddings; /* padding of the function and its neighbours */
	wv_slots *slots;     /* newly used slots are added */
	bool donors;	     /* if there is no slot in padding, look for a donor */
};

/*
 * Chooses splices for the @n shadows in @choices. All of them must be in @chooser's function. The
 * caller sets .address of each, in ascending order. This function sets all other fields; but
 * .c_size and .slot_c_size, which it does not know, are set to 0. The displaced ranges that one
 * call chooses do not overlap. Shadows that are close to each other share one range.
 */
int wv_choose(const struct wv_chooser *chooser, const struct wv_slot_source *source,
	      struct wv_choice *choices, size_t n, struct wv_error *error);

static inline void wv_cleanup_chooser(struct wv_chooser **chooser)
{
	wv_chooser_destroy(*chooser);
}
#define _cleanup_chooser_ __attribute__((cleanup(wv_cleanup_chooser)))

#endif /* WV_CHOOSE_H */
