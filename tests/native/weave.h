/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splices over the text of loaded libraries: chosen by the engine for given shadows, trampolines
 * emitted near by, the bytes written and taken back. A shadow's number counts from 0 in the order
 * of adding; it is also what its advice is told.
 */
#ifndef WEFT_TEST_WEAVE_H
#define WEFT_TEST_WEAVE_H

#include "body.h"
#include "cpu.h"

/* What comes before a shadow. */
enum advice {
	NO_SHADOW,
	COUNTER,     /* no call: one inline counter */
	CLOBBER,     /* C that leaves rubbish in all that C may change */
	CLOBBER_FRAME, /* the same, with a frame of some registers that it looks at */
	RECORD,	     /* a frame of all registers, which go to a record */
	ADVICES
};

struct shadow {
	uint64_t address;
	uint32_t live; /* as the trampoline was told */
	enum advice advice;
};

enum { DISPLACED_BYTES = 32 };

struct splice {
	uint64_t address, trampoline;
	uint32_t trampoline_size;
	uint8_t kind, length; /* enum weft_splice_kind; bytes of the displaced range */
	uint8_t old[DISPLACED_BYTES], bytes[DISPLACED_BYTES]; /* the text without it and with it */
	/* SPRINGBOARD: where the jump to the trampoline is; its bytes without it and with it */
	uint64_t slot;
	bool in_donor;   /* the slot is in another splice's displaced range, the donor's */
	bool attaches_before;    /* there is a shadow right behind its displaced range as well */
	uint8_t slot_old[WEFT_JUMP_SIZE], slot_bytes[WEFT_JUMP_SIZE];
	uint32_t shadow, nr_shadows; /* those of its displaced range */
};

struct weave {
	struct splices {
		WV_VEC(struct splice) list; /* ascending within a function */
	} splices;
	WV_VEC(struct shadow) shadows;
	uint8_t *area, *area_end, *at; /* trampolines */
	uint64_t stubs[ADVICES];
	/* The summary: of shadows by the kind of their splice, and refused ones by reason. */
	size_t by_kind[WEFT_SPLICE_KINDS], refused[WEFT_REFUSAL_COUNT], displaceable, donors,
		attaches_before;
	wv_slots slots; /* those that are taken in the library that was added to last */
	const struct library *library;
	struct wr_platform platform;
	/* WR_BIT()s that are taken for dead wherever they are: to see that somebody notices */
	uint32_t forget;
};

/* Reserves @size bytes of memory that @near can be reached from. */
uint8_t *weave_reserve(uint64_t near, size_t size, int protection);

/* A jump to @to, near the area: what the 32 bits of a trampoline's call do not reach. */
uint64_t weave_stub(struct weave *weave, void (*to)(void));

/* @near: an address that trampolines must reach; @size: room for them. */
void weave_init(struct weave *weave, uint64_t near, size_t size);
void weave_deinit(struct weave *weave);

/*
 * Plans splices for the instructions of @body that @advices names (one enum advice for each), and
 * emits their trampolines. Padding that nothing reaches, and where slots may be, is left out.
 * Library by library, functions in order.
 */
void weave_add(struct weave *weave, const struct body *body, const uint8_t *advices);

/*
 * All splices into the text, or out of it; for when nobody runs it. weave_disarm() returns the
 * bytes that were not ours.
 */
void weave_arm(struct weave *weave);
size_t weave_disarm(struct weave *weave);

/* Text of @library that may be written. */
void weave_open_text(const struct library *library);

size_t weave_nr_refused(const struct weave *weave);

/*
 * "300 (5 attached before) = call 10 + jump 200 (40 over several) + springboard 20 (2 by donors) +
 * trap 60 + refused 10"
 */
void weave_print(const struct weave *weave, const char *what);

/*
 * The splice for a shadow of @body alone, and the donor of a springboard that has one (else its
 * length is 0); without trampolines and bytes. False: the shadow is refused.
 */
bool weave_choose(const struct body *body, uint64_t shadow, struct splice *ret,
		  struct splice *donor_ret);

/* What a SIGTRAP at an address means. */
struct trap {
	uint64_t trampoline;	  /* where to go on; 0: nothing is known of it */
	uint64_t returns; /* what a call there would push, or 0 */
};

/* Safe in a signal handler. */
struct trap weave_trap(uint64_t address);

#endif /* WEFT_TEST_WEAVE_H */
