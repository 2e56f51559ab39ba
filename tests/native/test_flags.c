// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checks the table of status flags (weaver/x86/status-flags.h) against the processor. Instructions
 * are executed with every combination of flags, and with random operands and counts. A flag that
 * the table calls defined must not depend on any flag's value before, except on flags that the
 * instruction reads. A flag that is neither defined nor undefined must keep its value. What the
 * processor does with undefined flags is only counted.
 */
#include <stddef.h>
#include <stdlib.h>

#include "../unit/cmocka-all.h"
#include "x86/decode.h"
#include "x86/status-flags.h"

/* What a sample requires of the processor or of its operands. */
enum needs {
	ANY, /* Nothing. */
	DIVISION, /* The quotient must fit the register. */
	REPEAT,	  /* The count must not lead out of the operands' memory. */
	POPCNT, /* The processor has popcnt; likewise the others below. */
	LZCNT,
	BMI,
	BMI2,
	ADX,
	TBM,
	SSE42,
	AVX,
};

/* Each line has a sample's assembler text, what it requires, and the flags that it reads. */
#define SAMPLES(X)                                                                                \
	X("add %rdx, %rax", ANY, 0)                                                               \
	X("adc %edx, %eax", ANY, WV_CF)                                                           \
	X("sub %dl, %al", ANY, 0)                                                                 \
	X("sbb %dx, %ax", ANY, WV_CF)                                                             \
	X("cmp %rdx, %rax", ANY, 0)                                                               \
	X("neg %rax", ANY, 0)                                                                     \
	X("xadd %edx, %eax", ANY, 0)                                                              \
	X("cmpxchg %rbx, %rdx", ANY, 0)                                                           \
	X("inc %rax", ANY, 0)                                                                     \
	X("dec %al", ANY, 0)                                                                      \
	X("and %rdx, %rax", ANY, 0)                                                               \
	X("or %edx, %eax", ANY, 0)                                                                \
	X("xor %dx, %ax", ANY, 0)                                                                 \
	X("test %dl, %al", ANY, 0)                                                                \
	X("not %rax", ANY, 0)                                                                     \
	X("mov %rdx, %rax", ANY, 0)                                                               \
	X("lea 1(%rdx), %rax", ANY, 0)                                                            \
	X("bswap %rax", ANY, 0)                                                                   \
	X("xchg %rdx, %rax", ANY, 0)                                                              \
	X("cqo", ANY, 0)                                                                          \
	X("imul %rdx, %rax", ANY, 0)                                                              \
	X("imul %edx, %edi", ANY, 0)                                                              \
	X("imul $77, %ebx, %eax", ANY, 0)                                                         \
	X("imul %bl", ANY, 0)                                                                     \
	X("mul %rbx", ANY, 0)                                                                     \
	X("mul %bx", ANY, 0)                                                                      \
	X("div %rbx", DIVISION, 0)                                                                \
	X("idiv %rbx", DIVISION, 0)                                                               \
	X("bsf %rdx, %rax", ANY, 0)                                                               \
	X("bsr %edx, %eax", ANY, 0)                                                               \
	X("bt %rdx, %rax", ANY, 0)                                                                \
	X("bts %edx, %eax", ANY, 0)                                                               \
	X("btr $5, %rax", ANY, 0)                                                                 \
	X("btc %rdx, %rax", ANY, 0)                                                               \
	X("rol %rax", ANY, 0)                                                                     \
	X("ror %al", ANY, 0)                                                                      \
	X("rcl %eax", ANY, WV_CF)                                                                 \
	X("rcr %rax", ANY, WV_CF)                                                                 \
	X("rol $13, %eax", ANY, 0)                                                                \
	X("ror $8, %al", ANY, 0)                                                                  \
	X("rcl $9, %al", ANY, WV_CF)                                                              \
	X("rcr $17, %ax", ANY, WV_CF)                                                             \
	X("rcr $5, %rax", ANY, WV_CF)                                                             \
	X("rol %cl, %rax", ANY, 0)                                                                \
	X("rol %cl, %al", ANY, 0)                                                                 \
	X("ror %cl, %ax", ANY, 0)                                                                 \
	X("rcl %cl, %eax", ANY, WV_CF)                                                            \
	X("rcl %cl, %al", ANY, WV_CF)                                                             \
	X("rcr %cl, %ax", ANY, WV_CF)                                                             \
	X("shl %rax", ANY, 0)                                                                     \
	X("shr %al", ANY, 0)                                                                      \
	X("sar %eax", ANY, 0)                                                                     \
	X("shl $7, %rax", ANY, 0)                                                                 \
	X("shr $31, %eax", ANY, 0)                                                                \
	X("sar $9, %al", ANY, 0)                                                                  \
	X("shl $8, %al", ANY, 0)                                                                  \
	X("shr $20, %ax", ANY, 0)                                                                 \
	X("shl $32, %eax", ANY, 0)                                                                \
	X("shl %cl, %rax", ANY, 0)                                                                \
	X("shr %cl, %eax", ANY, 0)                                                                \
	X("shl %cl, %ax", ANY, 0)                                                                 \
	X("shr %cl, %al", ANY, 0)                                                                 \
	X("sar %cl, %al", ANY, 0)                                                                 \
	X("sar %cl, %rax", ANY, 0)                                                                \
	X("shld $1, %rdx, %rax", ANY, 0)                                                          \
	X("shld $9, %edx, %eax", ANY, 0)                                                          \
	X("shrd $16, %dx, %ax", ANY, 0)                                                           \
	X("shrd $17, %dx, %ax", ANY, 0)                                                           \
	X("shld %cl, %rdx, %rax", ANY, 0)                                                         \
	X("shrd %cl, %dx, %ax", ANY, 0)                                                           \
	X("clc", ANY, 0)                                                                          \
	X("stc", ANY, 0)                                                                          \
	X("cmc", ANY, WV_CF)                                                                      \
	X("sahf", ANY, 0)                                                                         \
	X("lahf", ANY, 0)                                                                         \
	X("setc %al", ANY, WV_CF)                                                                 \
	X("cmovz %rdx, %rax", ANY, WV_ZF)                                                         \
	X("cmpsb", ANY, 0)                                                                        \
	X("scasl", ANY, 0)                                                                        \
	X("repe cmpsb", REPEAT, 0)                                                                \
	X("repne scasl", REPEAT, 0)                                                               \
	X("cmpxchg8b (%rdi)", ANY, 0)                                                             \
	X("lsl %edx, %eax", ANY, 0)                                                               \
	X("comisd %xmm1, %xmm0", ANY, 0)                                                          \
	X("ucomiss %xmm1, %xmm0", ANY, 0)                                                         \
	X("cmpltsd %xmm1, %xmm0", ANY, 0)                                                         \
	X("fcomi %st(1), %st", ANY, 0)                                                            \
	X("fucomi %st(1), %st", ANY, 0)                                                           \
	X("popcnt %rdx, %rax", POPCNT, 0)                                                         \
	X("lzcnt %rdx, %rax", LZCNT, 0)                                                           \
	X("tzcnt %edx, %eax", BMI, 0)                                                             \
	X("andn %rdx, %rbx, %rax", BMI, 0)                                                        \
	X("bextr %rbx, %rdx, %rax", BMI, 0)                                                       \
	X("blsi %rdx, %rax", BMI, 0)                                                              \
	X("blsmsk %edx, %eax", BMI, 0)                                                            \
	X("blsr %rdx, %rax", BMI, 0)                                                              \
	X("bzhi %rbx, %rdx, %rax", BMI2, 0)                                                       \
	X("mulx %rbx, %rsi, %rax", BMI2, 0)                                                       \
	X("pdep %rbx, %rdx, %rax", BMI2, 0)                                                       \
	X("rorx $5, %rdx, %rax", BMI2, 0)                                                         \
	X("shlx %rbx, %rdx, %rax", BMI2, 0)                                                       \
	X("adcx %rdx, %rax", ADX, WV_CF)                                                          \
	X("adox %rdx, %rax", ADX, WV_OF)                                                          \
	X("blcfill %rdx, %rax", TBM, 0)                                                           \
	X("t1mskc %rdx, %rax", TBM, 0)                                                            \
	X("ptest %xmm1, %xmm0", SSE42, 0)                                                         \
	X("pcmpistri $0, %xmm1, %xmm0", SSE42, 0)                                                 \
	X("pcmpestrm $0, %xmm1, %xmm0", SSE42, 0)                                                 \
	X("vtestps %xmm1, %xmm0", AVX, 0)                                                         \
	X("vucomisd %xmm1, %xmm0", AVX, 0)

struct sample {
	const char *text;
	enum needs needs;
	uint16_t reads;
};

#define ROW(text, needs, reads) { text, needs, reads },
static const struct sample samples[] = { SAMPLES(ROW) };

/*
 * The machine code of the samples, and a table of where each begins and where its ret is, in the
 * order of SAMPLES().
 */
#define CODE(text, needs, reads)                                                                  \
	".quad 71f, 72f\n"                                                                        \
	".pushsection .text\n"                                                                    \
	"71: " text "\n"                                                                          \
	"72: ret\n"                                                                               \
	".popsection\n"
extern const struct code {
	const uint8_t *start, *end;
} codes[];
asm(".pushsection .data\n"
    ".balign 8\n"
    "codes:\n" SAMPLES(CODE) ".popsection\n");

enum { NR_SAMPLES = sizeof(samples) / sizeof(samples[0]), ROUNDS = 200 };

static bool is_supported(enum needs needs)
{
	switch (needs) {
	case POPCNT: return __builtin_cpu_supports("popcnt");
	case LZCNT: return __builtin_cpu_supports("lzcnt");
	case BMI: return __builtin_cpu_supports("bmi");
	case BMI2: return __builtin_cpu_supports("bmi2");
	case ADX: return __builtin_cpu_supports("adx");
	case TBM: return __builtin_cpu_supports("tbm");
	case SSE42: return __builtin_cpu_supports("sse4.2");
	case AVX: return __builtin_cpu_supports("avx");
	default: return true;
	}
}

static uint64_t next_random(void)
{
	static uint64_t state = 0x9e3779b97f4a7c15;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* The operands of samples are in these registers; %rsi and %rdi point into .memory. */
struct operands {
	uint64_t rax, rbx, rcx, rdx;
	uint8_t memory[64];
};

/* Executes @code with @flags, and returns the flags after it. */
static uint64_t execute(const struct code *code, const struct operands *from, uint64_t flags)
{
	struct operands operands = *from;
	uint64_t rsi = (uintptr_t)operands.memory, rdi = rsi + sizeof(operands.memory) / 2;
	register const uint8_t *start asm("r8") = code->start;

	asm volatile("lea -128(%%rsp), %%rsp\n\t"
		     "movq %%rax, %%xmm0\n\t"
		     "movq %%rdx, %%xmm1\n\t"
		     "push %[flags]\n\t"
		     "popfq\n\t"
		     "call *%[start]\n\t"
		     "pushfq\n\t"
		     "pop %[flags]\n\t"
		     "lea 128(%%rsp), %%rsp"
		     : [flags] "+r"(flags), "+a"(operands.rax), "+b"(operands.rbx),
		       "+c"(operands.rcx), "+d"(operands.rdx), "+S"(rsi), "+D"(rdi)
		     : [start] "r"(start)
		     : "xmm0", "xmm1", "memory", "cc");
	return flags & WV_STATUS_FLAGS;
}

/* Returns the n-th combination of the status flags' values. */
static uint16_t combination(unsigned int n)
{
	static const uint16_t flags[] = { WV_CF, WV_PF, WV_AF, WV_ZF, WV_SF, WV_OF };
	uint16_t ret = 0;

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		ret |= n >> i & 1 ? flags[i] : 0;
	return ret;
}

enum { COMBINATIONS = 64 };

/* How many executions left undefined flags as they were, and how many changed them. */
static size_t nr_kept, nr_changed;

static void compare(const struct sample *sample, const struct code *code,
		    const struct wv_flag_effects *effects, const struct operands *operands)
{
	const uint16_t untouched = WV_STATUS_FLAGS & ~effects->defined & ~effects->undefined;

	for (unsigned int a = 0; a < COMBINATIONS; a++) {
		/* `other` is `flags` without those flags that the instruction does not read. */
		const uint16_t flags = combination(a), other = flags & sample->reads;
		const uint64_t got = execute(code, operands, flags);
		const uint64_t expected = execute(code, operands, other);

		if ((got ^ flags) & untouched)
			fail_msg("%s with flags %#x: %#lx, and %#x should be as before",
				 sample->text, flags, (unsigned long)got, untouched);
		if ((got ^ expected) & effects->defined)
			fail_msg("%s: %#x gives %#lx, %#x gives %#lx, and %#x should be the same",
				 sample->text, flags, (unsigned long)got, other,
				 (unsigned long)expected, effects->defined);
		nr_kept += !((got ^ flags) & effects->undefined) && effects->undefined;
		nr_changed += ((got ^ flags) & effects->undefined) != 0;
	}
}

static void choose(struct operands *ret, enum needs needs)
{
	*ret = (struct operands){ .rax = next_random() >> next_random() % 64,
				  .rbx = next_random() >> next_random() % 64 | 0x100,
				  .rcx = next_random() % 70,
				  .rdx = next_random() >> next_random() % 64 };
	for (size_t byte = 0; byte < sizeof(ret->memory); byte++)
		ret->memory[byte] = next_random() & 1;
	if (needs == DIVISION) {
		ret->rax >>= 1;
		ret->rbx >>= 1;
		ret->rdx = 0;
	}
	if (needs == REPEAT)
		ret->rcx %= 8;
}

static void test_processor(void **state)
{
	_cleanup_decoder_ struct wv_decoder *decoder = NULL;
	struct wv_error error;
	size_t skipped = 0;

	assert_int_equal(wv_decoder_create(&decoder, &error), 0);
	for (size_t i = 0; i < NR_SAMPLES; i++) {
		if (!is_supported(samples[i].needs)) {
			skipped++;
			continue;
		}
		for (unsigned int round = 0; round < ROUNDS; round++) {
			const struct code *code = &codes[i];
			struct wv_flag_effects effects;
			struct operands operands;

			choose(&operands, samples[i].needs);
			assert_true(wv_decode_flags(decoder, code->start, code->end - code->start,
						    0, &effects));
			wv_flag_effects_counted(&effects, operands.rcx);
			compare(&samples[i], code, &effects, &operands);
		}
	}
	print_message("%d instructions, %zu of which this processor lacks; undefined flags were "
		      "all kept by %zu executions and changed by %zu\n",
		      NR_SAMPLES, skipped, nr_kept, nr_changed);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_processor) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
