// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the listings of trampolines in docs/how-it-works.md, from the emitter that weft.ko runs
 * (runtime/trampoline.c):
 *
 * 	listing NAME    prints one of them, with a remark after each instruction
 * 	listing         prints their names
 *
 * A remark belongs to the text of an instruction. An instruction without a remark is an error, and
 * so is a remark without an instruction: when the emitter changes, no remark can stay that is no
 * longer true.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "runtime/frame.h"
#include "runtime/trampoline.h"
#include "x86/decode.h"
#include "x86/relocate.h"

/*
 * Numbers that stand for addresses and offsets which only a running kernel has. All differ, and
 * none occurs in the code as another number.
 */
#define FUNCTION 0xffffffff81000000ull
#define TRAMPOLINE 0xffffffffc0001000ull
#define ADVICE 0xffffffffc0002000ull
#define SHADOW 0xffffffffc0003000ull
#define RESCHEDULE 0xffffffffc0004000ull
#define PREEMPT_COUNT 0x57ef7010ull
#define GUARD 0x57ef7020ull
#define HITS 0x57ef7030ull
#define MISSED 0x57ef7040ull
/*
 * The bits of the preemption count in 6.1 for NMIs, hard interrupts and a softirq that is being
 * served.
 */
#define CONTEXT_MASK 0xff0100ull

static const struct {
	uint64_t value;
	const char *name;
} names[] = {
	{ ADVICE, "advice" },
	{ SHADOW, "shadow" },
	{ RESCHEDULE, "reschedule_function" },
	{ PREEMPT_COUNT, "preempt_count" },
	{ GUARD, "guard" },
	{ HITS, "hits" },
	{ MISSED, "missed" },
	{ CONTEXT_MASK, "context_mask" },
};

/*
 * The displaced instructions: six bytes of the demo kernel's vfs_read(). The first instruction is
 * the shadow.
 */
enum { SHADOW_OFFSET = 0x21 };
static const uint8_t displaced[] = { 0x8b, 0x47, 0x44, 0x41, 0x89, 0xc5 };

/* Two registers that are live, of those that a C function may change, keep the listing short. */
enum { LIVE = WR_BIT(WR_RSI) | WR_BIT(WR_RDI) };

/* The labels of each listing, in the order of the addresses that branches lead to. */
static const char *const no_labels[] = { NULL };
static const char *const advice_labels[] = {
	"leave", "end", "nested", "missed", "reschedule", NULL
};

static const struct listing {
	const char *name; /* The listing's name in the document. */
	bool counts;		   /* The advice only counts, so there is no call. */
	uint32_t needs;		   /* The registers that the advice names. */
	/* The listing ends at the jump back; another listing shows the rest. */
	bool main_way;
	const char *const *labels; /* The names of branch targets; ends with NULL. */
} listings[] = {
	{ .name = "counter", .labels = no_labels, .counts = true },
	{ .name = "function", .labels = advice_labels },
	{ .name = "register", .labels = advice_labels, .needs = WR_BIT(WR_RDI), .main_way = true },
};

static const struct {
	const char *listing; /* The listing that the remark is for, or NULL for all listings. */
	const char *text, *remark; /* The instruction's text, and the remark. */
} remarks[] = {
	{ "counter", "incq %gs:hits", "count the hit; clobbers the flags, which are dead here" },
	{ NULL, "movl 0x44(%rdi), %eax", "the first displaced instruction" },
	{ NULL, "movl %eax, %r13d", "the second" },
	{ NULL, "jmp vfs_read+0x27", "back to the code after them" },

	{ "function", "pushq %rsi", "rsi and rdi are live, and C may change them" },
	{ "function", "pushq %rdi", "" },
	{ NULL, "incl %gs:preempt_count", "preemption off: the advice stays on this CPU" },
	{ NULL, "movl %gs:preempt_count, %eax", "the count tells the context as well" },
	{ NULL, "cmpq $-1, %gs:guard", "does advice run on this CPU already?" },
	{ NULL, "jne nested", "" },
	{ NULL, "movq %rax, %gs:guard", "from now on it does, in this context" },
	{ "function", "incq %gs:hits", "count the hit" },
	{ "register", "incq %gs:hits", "count the hit" },
	{ NULL, "movq $shadow, %rsi", "second argument: the shadow" },
	{ NULL, "callq advice", "" },
	{ NULL, "movq $-1, %gs:guard", "advice runs no more" },
	{ NULL, "decl %gs:preempt_count", "preemption on" },
	{ NULL, "je reschedule", "zero: a reschedule is due" },
	{ "function", "popq %rdi", "" },
	{ "function", "popq %rsi", "" },

	{ NULL, "movl %gs:guard, %ecx", "the context that the running advice is in" },
	{ NULL, "andl $context_mask, %ecx", "" },
	{ NULL, "movl %eax, %edx", "the context of this hit" },
	{ NULL, "andl $context_mask, %edx", "" },
	{ NULL, "shrl $4, %edx", "WR_GUARD_SHIFT" },
	{ NULL, "cmpl %edx, %ecx", "does advice run in this context or a higher one?" },
	{ NULL, "jae missed", "" },
	{ NULL, "pushq %gs:guard", "no: this hit interrupted it" },
	{ NULL, "popq %gs:guard", "the interrupted advice runs on" },
	{ NULL, "jmp leave", "" },
	{ NULL, "incq %gs:missed", "count the miss" },
	{ NULL, "callq reschedule_function", "" },
	{ NULL, "jmp end", "" },

	{ "register", "leaq -0x88(%rsp), %rsp", "room for a struct weft_frame" },
	{ "register", "movq %rsi, 0x30(%rsp)", "live: to be restored" },
	{ "register", "movq %rdi, 0x38(%rsp)", "live, and named by the advice" },
	{ "register", "leaq (%rsp), %rdi", "first argument: the frame" },
	{ "register", "movq 0x30(%rsp), %rsi", "" },
	{ "register", "movq 0x38(%rsp), %rdi", "" },
	{ "register", "leaq 0x88(%rsp), %rsp", "" },
};

enum {
	NR_LISTINGS = sizeof(listings) / sizeof(*listings),
	NR_REMARKS = sizeof(remarks) / sizeof(*remarks),
	TEXT_SIZE = 256,
	TARGETS_MAX = 16,
	REMARK_COLUMN = 36,
};

static bool used[NR_REMARKS];

/* One trampoline, and the branch targets that were found in it. */
struct code {
	const struct listing *listing; /* The listing that the code is for. */
	struct wv_decoder *decoder; /* Decodes the code. */
	uint8_t bytes[1024]; /* The trampoline. */
	size_t n; /* The number of bytes. */
	uint64_t targets[TARGETS_MAX]; /* Where branches within the trampoline go, ascending. */
	size_t nr_targets; /* The number of targets. */
};

static void __attribute__((noreturn, format(printf, 1, 2))) fail(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

static void emit(struct code *code)
{
	static const struct wr_platform platform = {
		.preempt_count = PREEMPT_COUNT,
		.guard = GUARD,
		.reschedule = RESCHEDULE,
		.context_mask = CONTEXT_MASK,
		.flags = WR_PLATFORM_COUNTS | WR_PLATFORM_CLAC,
	};
	struct wr_call call = {
		.entry = code->listing->counts ? 0 : ADVICE,
		.shadow = SHADOW,
		.hits = HITS,
		.missed = MISSED,
		.live = LIVE,
		.needs = code->listing->needs,
	};
	struct wr_insn insns[WR_DISPLACED_INSNS];
	struct wr_trampoline trampoline = {
		.platform = &platform,
		.insns = insns,
		.calls = &call,
		.nr_calls = 1,
	};
	int n;

	for (size_t at = 0; at < sizeof(displaced); at += insns[trampoline.nr_insns++].length)
		if (wv_relocate(code->decoder, displaced + at, sizeof(displaced) - at,
				FUNCTION + SHADOW_OFFSET + at, &insns[trampoline.nr_insns]))
			fail("the displaced instructions cannot be relocated");
	n = wr_trampoline_emit(code->bytes, sizeof(code->bytes), TRAMPOLINE, &trampoline);
	if (n < 0)
		fail("no trampoline: error %d", -n);
	code->n = n;
}

static int compare_targets(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return wv_order(a, b);
}

static bool is_target(const struct code *code, uint64_t address)
{
	return bsearch(&address, code->targets, code->nr_targets, sizeof(address), compare_targets);
}

static size_t decode(const struct code *code, size_t at, struct wv_insn *ret)
{
	return wv_decode(code->decoder, code->bytes + at, code->n - at, TRAMPOLINE + at, ret);
}

static void find_targets(struct code *code)
{
	struct wv_insn insn;
	size_t nr_labels = 0;

	for (size_t at = 0; at < code->n; at += insn.length) {
		if (!decode(code, at, &insn))
			fail("no instruction at trampoline+0x%zx", at);
		if (!insn.direct || insn.target - TRAMPOLINE >= code->n)
			continue;
		if (is_target(code, insn.target))
			continue;
		if (code->nr_targets == TARGETS_MAX)
			fail("too many branches");
		code->targets[code->nr_targets++] = insn.target;
		qsort(code->targets, code->nr_targets, sizeof(*code->targets), compare_targets);
	}
	while (code->listing->labels[nr_labels])
		nr_labels++;
	if (nr_labels != code->nr_targets)
		fail("%s: %zu addresses are branched to, %zu have a name", code->listing->name,
		     code->nr_targets, nr_labels);
}

static const char *name_of(void *context, uint64_t address, uint64_t *offset_ret)
{
	const struct code *code = context;

	*offset_ret = 0;
	for (size_t i = 0; i < code->nr_targets; i++)
		if (code->targets[i] == address)
			return code->listing->labels[i];
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].value == address)
			return names[i].name;
	*offset_ret = address - FUNCTION;
	return "vfs_read";
}

/*
 * Replaces numbers in @text by the names of the values that they are. The decoder prints addresses
 * of the kernel as negative numbers.
 */
static void name_numbers(char *text)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char number[2][32], rest[TEXT_SIZE];

		snprintf(number[0], sizeof(number[0]), "-0x%" PRIx64, -names[i].value);
		snprintf(number[1], sizeof(number[1]), "0x%" PRIx64, names[i].value);
		for (int k = 0; k < 2; k++) {
			char *at = strstr(text, number[k]);

			if (!at)
				continue;
			strcpy(rest, at + strlen(number[k]));
			snprintf(at, TEXT_SIZE - (at - text), "%s%s", names[i].name, rest);
		}
	}
}

static const char *remark_of(const struct listing *listing, const char *text)
{
	for (size_t i = 0; i < NR_REMARKS; i++) {
		if (strcmp(remarks[i].text, text))
			continue;
		if (remarks[i].listing && strcmp(remarks[i].listing, listing->name))
			continue;
		used[i] = true;
		return remarks[i].remark;
	}
	fail("%s: no remark says what '%s' is for", listing->name, text);
}

static void print(struct code *code, FILE *out)
{
	struct wv_insn insn;

	for (size_t at = 0; at < code->n; at += insn.length) {
		uint64_t offset;
		char text[TEXT_SIZE];
		const char *remark;

		if (is_target(code, TRAMPOLINE + at))
			fprintf(out, "%s:\n", name_of(code, TRAMPOLINE + at, &offset));
		decode(code, at, &insn);
		wv_decode_text(code->decoder, code->bytes + at, code->n - at, TRAMPOLINE + at,
			       name_of, code, text, sizeof(text));
		name_numbers(text);
		remark = remark_of(code->listing, text);
		fprintf(out, "    %-*s%s%s\n", *remark ? REMARK_COLUMN : 0, text,
			*remark ? "# " : "", remark);
		if (code->listing->main_way && insn.control == WR_CONTROL_JUMP)
			break;
	}
}

static void list(const struct listing *listing, FILE *out)
{
	struct wv_error error = { 0 };
	struct code code = { .listing = listing };

	if (wv_decoder_create(&code.decoder, &error))
		fail("%s", error.message);
	emit(&code);
	find_targets(&code);
	print(&code, out);
	wv_decoder_destroy(code.decoder);
}

/* Prints the listing @name. Makes all listings, because each remark must occur in one of them. */
static void list_one(const char *name)
{
	FILE *nowhere = fopen("/dev/null", "w");

	if (!nowhere)
		fail("/dev/null: cannot be opened");
	for (size_t i = 0; i < NR_LISTINGS; i++)
		list(&listings[i], strcmp(listings[i].name, name) ? nowhere : stdout);
	fclose(nowhere);
	for (size_t i = 0; i < NR_REMARKS; i++)
		if (!used[i])
			fail("no trampoline has '%s'", remarks[i].text);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		list_one(argv[1]);
	for (size_t i = 0; argc == 1 && i < NR_LISTINGS; i++)
		puts(listings[i].name);
	return 0;
}
