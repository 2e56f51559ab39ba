/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Weaves the text of loaded libraries. The splice engine chooses splices for given shadows;
 * trampolines are emitted near the text; the bytes are written and taken back. Shadows are numbered
 * from 0 in the order in which they are added; advice gets the number of its shadow.
 */
#ifndef WEFT_TEST_WEAVE_H
#define WEFT_TEST_WEAVE_H

#include "body.h"
#include "cpu.h"

/* The kind of advice before a shadow. */
enum advice {
	NO_SHADOW, /* There is no shadow. */
	COUNTER,     /* An inline counter and no call. */
	CLOBBER,     /* C that leaves rubbish in all registers that C may change. */
	/* The same as CLOBBER, with a frame of some registers that the advice checks. */
	CLOBBER_FRAME,
	RECORD,	     /* Advice that gets a frame of all registers and stores it. */
	ADVICES /* The number of kinds. */
};

struct shadow {
	uint64_t address; /* The address of the instruction. */
	uint32_t live; /* The registers that are live before it, without weave.forget. */
	enum advice advice; /* The kind of its advice. */
};

enum { DISPLACED_BYTES = 32 };

struct splice {
	uint64_t address, trampoline; /* Where it is, and where it leads. */
	uint32_t trampoline_size; /* The bytes of the trampoline. */
	/* .kind is an enum weft_splice_kind, .length that of the displaced range. */
	uint8_t kind, length;
	/* The text of the displaced range without and with the splice. */
	uint8_t old[DISPLACED_BYTES], bytes[DISPLACED_BYTES];
	/*
	 * A springboard's slot, which has the jump to the trampoline, and its bytes without and
	 * with that jump.
	 */
	uint64_t slot;
	/* Set if the slot is in the displaced range of another splice, the donor. */
	bool in_donor;
	/* Set if there is also a shadow right after the displaced range. */
	bool attaches_before;
	/* The slot's bytes without and with the jump. */
	uint8_t slot_old[WEFT_JUMP_SIZE], slot_bytes[WEFT_JUMP_SIZE];
	uint32_t shadow, nr_shadows; /* The number of the first shadow, and how many there are. */
};

struct weave {
	struct splices {
		WV_VEC(struct splice) list; /* Ascending within a function. */
	} splices;
	WV_VEC(struct shadow) shadows; /* All shadows, by their numbers. */
	/* The memory of the trampolines; the next one goes to .at. */
	uint8_t *area, *area_end, *at;
	uint64_t stubs[ADVICES];
	/*
	 * The summary: shadows by the kind of their splice, refused shadows by reason, and other
	 * totals.
	 */
	size_t by_kind[WEFT_SPLICE_KINDS], refused[WEFT_REFUSAL_COUNT], displaceable, donors,
		attaches_before;
	wv_slots slots; /* The slots that are taken in the library that was added to last. */
	const struct library *library; /* The library that was added to last. */
	struct wr_platform platform; /* The platform of all trampolines. */
	/*
	 * Registers, as WR_BIT()s, that all trampolines take for dead. A test sets this to see that
	 * it notices.
	 */
	uint32_t forget;
};

/* Reserves @size bytes of memory within reach of a 32-bit displacement from @near. */
uint8_t *weave_reserve(uint64_t near, size_t size, int protection);

/*
 * Makes a jump to @to that a trampoline's call can reach, since the 32 bits of the call may not
 * reach @to.
 */
uint64_t weave_stub(struct weave *weave, void (*to)(void));

/* Trampolines must reach the address @near; @size bytes are reserved for all of them. */
void weave_init(struct weave *weave, uint64_t near, size_t size);
void weave_deinit(struct weave *weave);

/*
 * Plans splices for the instructions of @body that @advices names (an enum advice for each), and
 * emits their trampolines. Shadows in padding that nothing reaches are left out, since slots may go
 * there. To be called library by library, and for functions in ascending order.
 */
void weave_add(struct weave *weave, const struct body *body, const uint8_t *advices);

/*
 * Writes all splices to the text, or takes them out. No thread may run the text meanwhile.
 * weave_disarm() returns how many bytes of the splices were not as weave_arm() had written them.
 */
void weave_arm(struct weave *weave);
size_t weave_disarm(struct weave *weave);

/* Makes the text of @library writable. */
void weave_open_text(const struct library *library);

size_t weave_nr_refused(const struct weave *weave);

/*
 * Prints the summary, such as "300 (5 attached before) = call 10 + jump 200 (40 over several) +
 * springboard 20 (2 by donors) + trap 60 + refused 10".
 */
void weave_print(const struct weave *weave, const char *what);

/*
 * Chooses the splice for a single shadow of @body. If the splice is a springboard with a donor,
 * also returns the donor; else the donor's length is 0. Makes no trampolines and bytes. Returns
 * false if the shadow is refused or in padding.
 */
bool weave_choose(const struct body *body, uint64_t shadow, struct splice *ret,
		  struct splice *donor_ret);

/* What the SIGTRAP handler needs to know of an int3 at an address. */
struct trap {
	uint64_t trampoline;	  /* The address at which control goes on, or 0 without a splice. */
	uint64_t returns; /* The return address that a call there would push, or 0. */
};

/* A signal handler may call this function. */
struct trap weave_trap(uint64_t address);

#endif /* WEFT_TEST_WEAVE_H */
