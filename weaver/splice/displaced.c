// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds displaced ranges; see displaced.h. wv_displaceable_create() decodes the function once, and
 * notes for each byte whether an instruction begins there, whether the byte is a branch target, and
 * whether it has an owner. wv_displaced_at() then walks forward from the shadow over these facts.
 * Branch targets are noted for bytes and not for instructions, because some code jumps to the byte
 * after a lock prefix, which is inside an instruction.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/abi.h"
#include "splice/displaced.h"

enum {
	BRANCH_TARGET = 1,
	OWNED = 2,
	/*
	 * The flags above describe one byte. The flags from here on describe the instruction that
	 * begins at the byte.
	 */
	ENDBR = 4,
	CALL = 8,
	/*
	 * LEAVES is set, or the instruction is ud2, int3, int or hlt: control may not reach the
	 * next instruction (after the ud2 of a WARN() it does, after the ud2 of a BUG() it does
	 * not)
	 */
	STOPS = 16,
	/* control never goes on to the next instruction, if the kernel does not rewrite this one */
	LEAVES = 32,
	NOP = 64,
	INT3 = 128,
	SANITIZE = 256, /* sets the direction flag or opens user memory */
};

struct byte_facts {
	uint16_t length : 4; /* length of the instruction that begins here; 0: none */
	uint16_t what : 12;
};

struct wv_displaceable {
	uint64_t start;
	size_t size;
	bool known; /* all branch targets are marked */
	struct byte_facts facts[];
};

static void mark(struct wv_displaceable *displaceable, uint64_t address, uint16_t what)
{
	if (address - displaceable->start < displaceable->size)
		displaceable->facts[address - displaceable->start].what |= what;
}

/*
 * Returns whether the jump or branch @insn has only known targets inside the function. In assembler
 * code a jump to a thunk counts as an indirect jump.
 */
static bool is_understood(const struct wv_function_info *function, const struct wv_insn *insn)
{
	unsigned int reg;

	if (!insn->direct)
		return function->resolved;
	return !function->assembler || insn->target - function->start < function->size ||
	       function->callee(function->context, insn->target, &reg) != WV_CALLEE_THUNK;
}

static void note(struct wv_displaceable *displaceable, const struct wv_function_info *function,
		 size_t at, const struct wv_insn *insn)
{
	struct byte_facts *facts = &displaceable->facts[at];

	facts->length = insn->length;
	if (insn->fields.behavior == WR_ENDBR)
		facts->what |= ENDBR;
	if (insn->fields.behavior == WR_SANITIZE)
		facts->what |= SANITIZE;
	if (insn->control == WR_CONTROL_CALL)
		facts->what |= CALL;
	if (wr_leaves(&insn->fields) || insn->control == WR_CONTROL_TRAP)
		facts->what |= STOPS;
	if (wr_leaves(&insn->fields))
		facts->what |= LEAVES;
	if (insn->filling)
		facts->what |= insn->filling == WR_FILLING_INT3 ? INT3 : NOP;
	if (insn->control == WR_CONTROL_CALL && insn->direct && function->fentry &&
	    insn->target == function->fentry)
		for (size_t i = 0; i < insn->length; i++)
			facts[i].what |= OWNED;
	/* A direct call into the function marks a branch target, as a branch does. */
	if (insn->direct)
		mark(displaceable, insn->target, BRANCH_TARGET);
	if (insn->control == WR_CONTROL_JUMP || insn->control == WR_CONTROL_BRANCH)
		displaceable->known &= is_understood(function, insn);
}

static void note_rewritten(struct wv_displaceable *displaceable,
			   const struct wv_rewritten *rewritten)
{
	uint32_t size = rewritten->size ? rewritten->size : 1;

	/*
	 * .target is the target of a jump label or of an exception's fixup. Other kinds of
	 * rewritten text have no target: the field is then 0 or, if it comes from a database, the
	 * address of _text.
	 */
	mark(displaceable, rewritten->target, BRANCH_TARGET);
	for (uint32_t i = 0; i < size; i++)
		mark(displaceable, rewritten->address + i, OWNED);
}

int wv_displaceable_create(const struct wv_function_info *function, const uint64_t *outside,
			   size_t nr_outside, struct wv_decoder *decoder,
			   struct wv_displaceable **ret, struct wv_error *error)
{
	struct wv_displaceable *displaceable =
		calloc(1, sizeof(*displaceable) + function->size * sizeof(displaceable->facts[0]));

	*ret = NULL;
	if (!displaceable)
		return wv_no_memory(error);
	displaceable->start = function->start;
	displaceable->size = function->size;
	/*
	 * Assembler code may store addresses inside itself anywhere, so its branch targets are
	 * known only if .closed is set.
	 */
	displaceable->known = function->compiled || function->closed;
	for (size_t at = 0; at < function->size;) {
		struct wv_insn insn;

		if (!wv_decode(decoder, function->bytes + at, function->size - at,
			       function->start + at, &insn)) {
			/*
			 * The bytes from here on cannot be decoded, and may contain branches to
			 * earlier ones.
			 */
			displaceable->known = false;
			break;
		}
		note(displaceable, function, at, &insn);
		at += insn.length;
	}
	for (size_t i = 0; i < function->nr_rewritten; i++)
		note_rewritten(displaceable, &function->rewritten[i]);
	for (size_t i = 0; i < nr_outside; i++)
		mark(displaceable, outside[i], BRANCH_TARGET);
	*ret = displaceable;
	return 0;
}

void wv_displaceable_destroy(struct wv_displaceable *displaceable)
{
	free(displaceable);
}

/* Checks the instruction at @at as part of a displaced range that begins @before bytes earlier. */
static enum wv_displace_answer check(const struct wv_displaceable *displaceable, size_t at,
				     size_t before)
{
	const struct byte_facts *facts = &displaceable->facts[at];

	if (facts->what & ENDBR)
		return WV_DISPLACE_ENDBR;
	for (size_t i = 0; i < facts->length; i++) {
		if (facts[i].what & OWNED)
			return WV_DISPLACE_OWNED;
		if (before + i && facts[i].what & BRANCH_TARGET)
			return WV_DISPLACE_BRANCH_TARGET;
	}
	return before && !displaceable->known ? WV_DISPLACE_UNKNOWN : WV_DISPLACE_FITS;
}

struct wv_insn_info wv_displaceable_insn(const struct wv_displaceable *displaceable,
					 uint64_t address)
{
	const size_t at = address - displaceable->start;
	uint16_t what;

	if (at >= displaceable->size)
		return (struct wv_insn_info){ 0 };
	what = displaceable->facts[at].what;
	return (struct wv_insn_info){
		.length = displaceable->facts[at].length,
		.branch_target = what & BRANCH_TARGET,
		.owned = what & OWNED,
		.endbr = what & ENDBR,
		.call = what & CALL,
		.stops = what & STOPS,
		.leaves = what & LEAVES,
		.filling = what & NOP	 ? WR_FILLING_NOP
			   : what & INT3 ? WR_FILLING_INT3
					 : WR_FILLING_NONE,
		.sanitize = what & SANITIZE,
	};
}

enum wv_displace_answer wv_displaceable_check(const struct wv_displaceable *displaceable,
					      uint64_t address, bool first)
{
	const size_t at = address - displaceable->start;

	if (at >= displaceable->size || !displaceable->facts[at].length)
		return WV_DISPLACE_BOUNDARY;
	return check(displaceable, at, !first);
}

bool wv_displaceable_known(const struct wv_displaceable *displaceable)
{
	return displaceable->known;
}

void wv_displaced_at(const struct wv_displaceable *displaceable, uint64_t address,
		     struct wv_displaced *ret)
{
	const size_t start = address - displaceable->start;
	uint8_t length = 0, instructions = 0;
	enum wv_displace_answer answer = WV_DISPLACE_FITS;

	*ret = (struct wv_displaced){ .answer = WV_DISPLACE_BOUNDARY };
	if (start >= displaceable->size || !displaceable->facts[start].length)
		return;
	while (answer == WV_DISPLACE_FITS) {
		const struct byte_facts *facts = &displaceable->facts[start + length];

		answer = check(displaceable, start + length, length);
		length += facts->length;
		instructions++;
		if (answer != WV_DISPLACE_FITS || length >= WEFT_JUMP_SIZE)
			break;
		if (facts->what & CALL)
			answer = WV_DISPLACE_RETURN;
		else if (facts->what & STOPS || start + length >= displaceable->size)
			answer = WV_DISPLACE_END;
		else if (!displaceable->facts[start + length].length)
			answer = WV_DISPLACE_UNKNOWN;
	}
	ret->answer = answer;
	ret->length = answer == WV_DISPLACE_FITS ? length : displaceable->facts[start].length;
	ret->instructions = answer == WV_DISPLACE_FITS ? instructions : 1;
}
