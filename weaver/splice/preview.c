// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes previews; see preview.h. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "splice/preview.h"
#include "x86/relocate.h"

enum { OP_INT3 = 0xcc, OP_CALL = 0xe8, OP_JUMP = 0xe9, OP_JUMP_SHORT = 0xeb };

/* The address range of modules, which also contains trampolines and advice. */
#define MODULES 0xffffffffc0000000ull
#define TRAMPOLINE_AT (MODULES + 0x1000)

/*
 * Placeholders for addresses that only a running kernel knows. They differ from each other, and
 * from constants that occur in code, so that the preview can show a name for each.
 */
#define PREEMPT_COUNT 0x57ef7010ull
#define GUARD 0x57ef7020ull
#define HITS 0x57ef7030ull
#define MISSED 0x57ef7040ull
#define ADVICE (MODULES + 0x2000)
#define SHADOW (MODULES + 0x3000)
#define RESCHEDULE (MODULES + 0x4000)

static const struct {
	uint64_t value;
	const char *name;
	bool code; /* an address in MODULES, not a number */
} names[] = {
	{ PREEMPT_COUNT, "preempt_count", false }, { GUARD, "guard", false },
	{ HITS, "hits", false },		   { MISSED, "missed", false },
	{ ADVICE, "advice", true },		   { SHADOW, "shadow", false },
	{ RESCHEDULE, "reschedule", true },
};

const char *wv_preview_name(const struct wv_preview *preview, uint64_t value)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].value + (names[i].code ? preview->away : 0) == value)
			return names[i].name;
	return NULL;
}

static void put_jump(uint8_t *bytes, uint8_t opcode, uint64_t from, uint64_t to)
{
	int32_t displacement = to - from - WEFT_JUMP_SIZE;

	bytes[0] = opcode;
	memcpy(bytes + 1, &displacement, sizeof(displacement));
}

static void write_text(struct wv_preview *preview, const struct wv_choice *choice)
{
	memset(preview->after, OP_INT3, preview->size);
	switch (choice->splice) {
	case WV_SPLICE_CALL:
		put_jump(preview->after, OP_CALL, preview->start, preview->trampoline);
		break;
	case WV_SPLICE_JUMP:
		put_jump(preview->after, OP_JUMP, preview->start, preview->trampoline);
		break;
	case WV_SPLICE_SPRINGBOARD:
		preview->after[0] = OP_JUMP_SHORT;
		preview->after[1] = wv_choice_slot(choice);
		put_jump(preview->slot, OP_JUMP, choice->slot, preview->trampoline);
		break;
	default:
		/* A trap is one int3, which memset() has written; the bytes after it stay. */
		memcpy(preview->after + 1, preview->before + 1, preview->size - 1);
	}
}

/*
 * Decodes the displaced instructions into preview->insns. Sets *@ret to the index before which the
 * advice runs: that of the shadow's instruction. For attaches_before it is the number of
 * instructions, because the advice runs after all of them.
 */
static int read_displaced(struct wv_preview *preview, const struct wv_choice *choice,
			  unsigned int *ret, struct wv_error *error)
{
	_cleanup_decoder_ struct wv_decoder *decoder = NULL;
	int failed = wv_decoder_create(&decoder, error);

	for (size_t at = 0; !failed && at < preview->size;) {
		struct wr_insn *insn = &preview->insns[preview->instructions];

		if (preview->instructions == WR_DISPLACED_INSNS ||
		    wv_relocate(decoder, preview->before + at, preview->size - at,
				preview->start + at, insn))
			return wv_fail(error, WV_E_FAILURE,
				       "the displaced instructions cannot be relocated");
		if (preview->start + at == choice->address)
			*ret = preview->instructions;
		at += insn->length;
		preview->instructions++;
	}
	if (choice->attaches_before)
		*ret = preview->instructions;
	return failed;
}

static int emit(struct wv_preview *preview, const struct wv_choice *choice, unsigned int shadow,
		uint32_t live, bool sanitize, struct wv_error *error)
{
	const struct wr_platform platform = {
		.reschedule = RESCHEDULE + preview->away,
		.preempt_count = PREEMPT_COUNT,
		.guard = GUARD,
		/*
		 * the bits of preempt_count for an NMI, a hard interrupt and a softirq that is
		 * being served, as in Linux 6.1
		 */
		.context_mask = 0xff0100,
		.flags = WR_PLATFORM_COUNTS | WR_PLATFORM_CLAC,
	};
	struct wr_call call = { .entry = ADVICE + preview->away,
				.shadow = SHADOW,
				.hits = HITS,
				.missed = MISSED,
				.at = shadow,
				.live = live };
	struct wr_trampoline trampoline = {
		.platform = &platform,
		.insns = preview->insns,
		.nr_insns = preview->instructions,
		.flags = (sanitize ? WR_TRAMPOLINE_SANITIZE : 0) |
			 (choice->splice == WV_SPLICE_CALL ? WR_TRAMPOLINE_CALLED : 0),
		.calls = &call,
		.nr_calls = 1
	};
	size_t room = wr_trampoline_bound(preview->instructions, 1);
	int n;

	preview->code = malloc(room);
	if (!preview->code)
		return wv_no_memory(error);
	n = wr_trampoline_emit(preview->code, room, preview->trampoline, &trampoline);
	if (n < 0)
		return wv_fail(error, WV_E_FAILURE, "no trampoline can be made: %s",
			       n == -WR_TRAMPOLINE_RANGE ? "something is out of reach"
							 : "it is too long");
	preview->code_size = n;
	return 0;
}

int wv_preview_init(struct wv_preview *preview, const struct wv_choice *choice,
		    const uint8_t *bytes, size_t size, uint64_t start, uint64_t away, uint32_t live,
		    bool sanitize, struct wv_error *error)
{
	unsigned int shadow = 0;
	int ret;

	*preview = (struct wv_preview){
		.start = choice->address - choice->before, .size = choice->displaced,
		.away = away, .trampoline = TRAMPOLINE_AT + away };
	if (preview->start < start || preview->start - start > size ||
	    choice->displaced > size - (preview->start - start) ||
	    choice->displaced > WEFT_DISPLACED_MAX)
		return wv_fail(error, WV_E_FAILURE,
			       "the displaced instructions are not in the text");
	memcpy(preview->before, bytes + (preview->start - start), choice->displaced);
	ret = read_displaced(preview, choice, &shadow, error);
	if (!ret)
		ret = emit(preview, choice, shadow, live, sanitize, error);
	if (ret)
		wv_preview_deinit(preview);
	else
		write_text(preview, choice);
	return ret;
}

void wv_preview_deinit(struct wv_preview *preview)
{
	free(preview->code);
	preview->code = NULL;
}
