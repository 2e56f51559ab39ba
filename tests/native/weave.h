/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splices over the text of loaded libraries. The splice engine chooses them for given shadows;
 * trampolines are emitted near by; the bytes are written and taken back. Shadows are numbered from
 * 0 in the order in which they are added; advice gets the number of its shadow.
 */
#ifndef WEFT_TEST_WEAVE_H
#define WEFT_TEST_WEAVE_H

#include "body.h"
#include "cpu.h"

/* The kind of advice before a shadow. */
enum advice {
	NO_SHADOW,
	COUNTER,     /* no call: one inline counter */
	CLOBBER,     /* C that leaves rubbish in all registers that C may change */
	CLOBBER_FRAME, /* like CLOBBER, with a frame of some registers that it checks */
	RECORD,	     /* gets a frame of all registers and stores it */
	ADVICES
};

struct shadow {
	uint64_t address;
	uint32_t live; /* the live registers that the trampoline saved */
	enum advice advice;
};

enum { DISPLACED_BYTES = 32 };

struct splice {
	uint64_t address, trampoline;
	uint32_t trampoline_size;
	uint8_t kind, length; /* .kind: enum weft_splice_kind; .length: of the displaced range */
	/* the text without and with the splice */
	uint8_t old[DISPLACED_BYTES], bytes[DISPLACED_BYTES];
	/*
	 * the slot of a springboard, where the jump to the trampoline is; its bytes without and
	 * with that jump
	 */
	uint64_t slot;
	bool in_donor;   /* the slot is in the displaced range of another splice, the donor */
	bool attaches_before;    /* there is a shadow right after its displaced range as well */
	uint8_t slot_old[WEFT_JUMP_SIZE], slot_bytes[WEFT_JUMP_SIZE];
	uint32_t shadow, nr_shadows; /* the first shadow's number, and how many */
};

struct weave {
	struct splices {
		WV_VEC(struct splice) list; /* ascending within a function */
	} splices;
	WV_VEC(struct shadow) shadows;
	uint8_t *area, *area_end, *at; /* memory of the trampolines; .at: where the next one goes */
	uint64_t stubs[ADVICES];
	/* The summary: shadows by the kind of their splice, refused ones by reason, and others. */
	size_t by_kind[WEFT_SPLICE_KINDS], refused[WEFT_REFUSAL_COUNT], displaceable, donors,
		attaches_before;
	wv_slots slots; /* slots taken in the library that was added to last */
	const struct library *library;
	struct wr_platform platform;
	/* WR_BIT()s of registers that are taken for dead everywhere, to see that tests notice */
	uint32_t forget;
};

/* Reserves @size bytes of memory within reach of a 32-bit displacement from @near. */
uint8_t *weave_reserve(uint64_t near, size_t size, int protection);

/*
 * Makes a jump to @to within reach of a trampoline's call, whose 32 bits may not reach @to itself.
 */
uint64_t weave_stub(struct weave *weave, void (*to)(void));

/* @near: an address that trampolines must reach; @size: bytes for all trampolines. */
void weave_init(struct weave *weave, uint64_t near, size_t size);
void weave_deinit(struct weave *weave);

/*
 * Plans splices for the instructions of @body that @advices names (an enum advice for each), and
 * emits their trampolines. Shadows in padding that nothing reaches are left out, since slots may go
 * there. To be called library by library, and for functions in ascending order.
 */
void weave_add(struct weave *weave, const struct body *body, const uint8_t *advices);

/*
 * Writes all splices to the text, or takes them out; only while nobody runs the text.
 * weave_disarm() returns how many bytes had been changed by others.
 */
void weave_arm(struct weave *weave);
size_t weave_disarm(struct weave *weave);

/* Makes the text of @library writable. */
void weave_open_text(const struct library *library);

size_t weave_nr_refused(const struct weave *weave);

/*
 * Prints the summary: "300 (5 attached before) = call 10 + jump 200 (40 over several) + springboard
 * 20 (2 by donors) + trap 60 + refused 10"
 */
void weave_print(const struct weave *weave, const char *what);

/*
 * Chooses the splice for a single shadow of @body, and the donor if it is a springboard that has
 * one (else the donor's length is 0). Makes no trampolines and bytes. Returns false if the shadow
 * is refused.
 */
bool weave_choose(const struct body *body, uint64_t shadow, struct splice *ret,
		  struct splice *donor_ret);

/* What the SIGTRAP handler needs about an int3 at an address. */
struct trap {
	uint64_t trampoline;	  /* address where control goes on; 0: no splice is there */
	uint64_t returns; /* the return address that a call there would push, or 0 */
};

/* May be called in a signal handler. */
struct trap weave_trap(uint64_t address);

#endif /* WEFT_TEST_WEAVE_H */
