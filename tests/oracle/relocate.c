// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests relocation: moves each instruction to a trampoline (runtime/trampoline.c), decodes the
 * trampoline, and compares. Bytes must be the same, except displacements; targets and rip-relative
 * addresses must be the same; a call must have become a push of the original's return address and a
 * jump. Usage: relocate CODE WORDS EVERY, with the output of `objdump -d --insn-width=15` on
 * standard input.
 *
 * For each EVERY-th instruction the relocated bytes go to the file CODE, and what objdump should
 * print of them goes to WORDS, one line per instruction. relocate.sh runs objdump on CODE and
 * compares.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "listing.h"
#include "runtime/trampoline.h"
#include "splice/refusal.h"
#include "x86/relocate.h"

/*
 * The address of the first trampoline, about as far from the kernel as modules are. Each has SLOT
 * bytes.
 */
#define PLACE 0xffffffffc0000000ull
enum { SLOT = 64, REPORTED_MOST = 20, NOP = 0x90, PUSH_IMM32 = 0x68, PUSH_SIZE = 5, TEXT = 160 };

struct run {
	struct wv_decoder *decoder;
	FILE *code, *words;
	unsigned long every, compared, wrong, sampled, refused[WEFT_REFUSAL_COUNT],
		kinds[WR_INSN_CALL_INDIRECT + 1];
};

/* The part of a trampoline that is still to be decoded. */
struct reader {
	const uint8_t *bytes;
	size_t n;
	uint64_t address;
};

static bool next(const struct run *run, struct reader *reader, struct wv_insn *ret)
{
	size_t length = wv_decode(run->decoder, reader->bytes, reader->n, reader->address, ret);

	reader->bytes += length;
	reader->n -= length;
	reader->address += length;
	return length;
}

static bool goes_to(const struct run *run, struct reader *reader, enum wr_control control,
		    uint64_t target)
{
	struct wv_insn insn;

	return next(run, reader, &insn) && insn.control == control && insn.direct &&
	       insn.target == target;
}

static bool pushes(struct reader *reader, uint64_t value)
{
	int32_t pushed;

	memcpy(&pushed, reader->bytes + 1, sizeof(pushed));
	if (reader->bytes[0] != PUSH_IMM32 || (uint64_t)(int64_t)pushed != value)
		return false;
	reader->bytes += PUSH_SIZE;
	reader->n -= PUSH_SIZE;
	reader->address += PUSH_SIZE;
	return true;
}

/*
 * Returns whether the next instruction is the same as @insn, with a rip-relative operand, if any,
 * at the same address. @changed is the offset of a byte that may differ, or 0.
 */
static bool is_copy(const struct run *run, struct reader *reader, const struct wr_insn *insn,
		    uint8_t changed)
{
	const uint8_t *bytes = reader->bytes;
	struct wv_insn found;

	if (!next(run, reader, &found) || found.length != insn->length ||
	    found.relative != (insn->disp_offset != 0) ||
	    (found.relative && found.operand != insn->target))
		return false;
	for (unsigned int i = 0; i < insn->length; i++) {
		bool displacement = insn->disp_offset && i >= insn->disp_offset &&
				    i < insn->disp_offset + sizeof(int32_t);

		if (!displacement && bytes[i] != insn->bytes[i] && !(changed && i == changed))
			return false;
	}
	return true;
}

/*
 * Returns whether the next instruction is the jump that a call was turned into: "jmp *8(%rax)" for
 * "call *8(%rax)".
 */
static bool is_jump_of(const struct run *run, struct reader *reader, const struct wr_insn *insn)
{
	char before[TEXT], after[TEXT];
	const char *operand = before, *moved = after;
	struct wv_insn decoded;

	wv_decode_text(run->decoder, insn->bytes, insn->length, insn->address, NULL, NULL, before,
		       sizeof(before));
	wv_decode_text(run->decoder, reader->bytes, reader->n, reader->address, NULL, NULL, after,
		       sizeof(after));
	operand = strchr(before, '*');
	moved = strchr(after, '*');
	if (!operand || !moved || (!insn->disp_offset && strcmp(operand, moved)))
		return false;
	wv_decode(run->decoder, reader->bytes, reader->n, reader->address, &decoded);
	return decoded.control == WR_CONTROL_JUMP && !decoded.direct &&
	       is_copy(run, reader, insn, insn->modrm_offset);
}

static bool is_right(const struct run *run, struct reader *reader, const struct wr_insn *insn)
{
	uint64_t after = insn->address + insn->length;
	bool right;

	switch (insn->kind) {
	case WR_INSN_JUMP:
		return goes_to(run, reader, WR_CONTROL_JUMP, insn->target) && !reader->n;
	case WR_INSN_JUMP_COND:
		right = (reader->bytes[1] & 0xf) == insn->condition &&
			goes_to(run, reader, WR_CONTROL_BRANCH, insn->target);
		break;
	case WR_INSN_CALL:
		return pushes(reader, after) &&
		       goes_to(run, reader, WR_CONTROL_JUMP, insn->target) && !reader->n;
	case WR_INSN_CALL_INDIRECT:
		return pushes(reader, after) && is_jump_of(run, reader, insn) && !reader->n;
	default:
		right = is_copy(run, reader, insn, 0);
	}
	return right && (insn->ends || goes_to(run, reader, WR_CONTROL_JUMP, after)) && !reader->n;
}

/*
 * Writes what objdump should print of the relocated @insn, given that it printed @line of the
 * original.
 */
static void write_sample(struct run *run, const struct line *line, const struct wr_insn *insn,
			 const uint8_t *bytes)
{
	uint64_t place = PLACE + run->sampled++ * SLOT;

	fwrite(bytes, SLOT, 1, run->code);
	if (insn->kind == WR_INSN_CALL || insn->kind == WR_INSN_CALL_INDIRECT)
		fprintf(run->words, "%lx\tpush $0x%lx\tthen\t%s", (unsigned long)place,
			(unsigned long)(insn->address + insn->length), line->text);
	else
		fprintf(run->words, "%lx\t%s", (unsigned long)place, line->text);
}

static void there_and_back(struct run *run, const struct line *line)
{
	const struct wr_platform platform = { 0 };
	struct wr_insn insn;
	struct wr_trampoline trampoline = { .platform = &platform, .insns = &insn, .nr_insns = 1 };
	enum weft_refusal refusal =
		wv_relocate(run->decoder, line->bytes, line->length, line->address, &insn);
	uint64_t place =
		PLACE +
		(run->compared % run->every ? run->compared % (1 << 20) : run->sampled) * SLOT;
	struct reader reader = { .address = place };
	uint8_t bytes[SLOT];
	int length;

	if (refusal) {
		run->refused[refusal]++;
		return;
	}
	memset(bytes, NOP, sizeof(bytes));
	length = wr_trampoline_emit(bytes, sizeof(bytes), place, &trampoline);
	reader.bytes = bytes;
	reader.n = length > 0 ? length : 0;
	if (!(run->compared++ % run->every))
		write_sample(run, line, &insn, bytes);
	run->kinds[insn.kind]++;
	if ((length <= 0 || insn.length != line->length || !is_right(run, &reader, &insn)) &&
	    run->wrong++ < REPORTED_MOST)
		printf("wrong: %#lx: %s", (unsigned long)line->address, line->text);
}

int main(int argc, char **argv)
{
	static const char *const kinds[] = { "plain",	 "rip-relative", "jumps",
					     "branches", "calls",	 "indirect calls" };
	_cleanup_decoder_ struct wv_decoder *decoder = NULL;
	struct run run = { 0 };
	struct wv_error error;
	char *text = NULL;
	size_t size = 0;
	struct line line;

	if (argc != 4 || wv_decoder_create(&decoder, &error))
		errx(2, "usage: relocate CODE WORDS EVERY");
	run.decoder = decoder;
	run.code = fopen(argv[1], "w");
	run.words = fopen(argv[2], "w");
	run.every = strtoul(argv[3], NULL, 10);
	if (!run.code || !run.words || !run.every)
		err(2, "samples");
	while (getline(&text, &size, stdin) > 0)
		if (listing_parse(text, &line) && !listing_is_none(line.text))
			there_and_back(&run, &line);
	free(text);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		printf("%s%s %lu", i ? ", " : "moved: ", kinds[i], run.kinds[i]);
	printf("; not to be moved:");
	for (unsigned int i = 1; i < WEFT_REFUSAL_COUNT; i++)
		if (run.refused[i])
			printf(" %s %lu", wv_refusal_name(i), run.refused[i]);
	printf("\n%lu compared, %lu wrong\n", run.compared, run.wrong);
	return run.wrong || !run.compared || fclose(run.code) || fclose(run.words);
}
