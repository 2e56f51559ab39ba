// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests the table of status flags (weaver/x86/status-flags.c): every opcode of every map is
 * compared with Capstone's own table, where each difference needs a reason. Also tests the counts
 * of shifts, and what liveness makes of the flags. tests/native/test_flags.c executes instructions
 * instead.
 */
#include "runtime/frame.h"
#include "x86/capstone-names.h"
#include "x86/decode.h"
#include "x86/status-flags.h"
#include "cmocka-all.h"

#define CF WV_CF
#define PF WV_PF
#define AF WV_AF
#define ZF WV_ZF
#define SF WV_SF
#define OF WV_OF
#define ALL WV_STATUS_FLAGS

/* ---- an instruction's flags by Capstone's table ---------------------------------------------- */

#define DEFINED(flag)                                                                       \
	(X86_EFLAGS_MODIFY_##flag | X86_EFLAGS_RESET_##flag | X86_EFLAGS_SET_##flag)

/*
 * Returns whether it is cmpps or one of its 35 relatives. Capstone gives the flags of cmp to all
 * instructions whose names begin with "cmp".
 */
static bool is_vector_compare(const cs_insn *insn)
{
	const cs_x86_op *first = &insn->detail->x86.operands[0];

	return !strncmp(insn->mnemonic, "cmp", 3) && first->type == X86_OP_REG && first->size == 16;
}

static void by_capstone(const cs_insn *insn, struct wv_flag_effects *ret)
{
	static const struct {
		uint16_t flag;
		uint64_t defined, undefined;
	} bits[] = {
		{ CF, DEFINED(CF), X86_EFLAGS_UNDEFINED_CF },
		{ PF, DEFINED(PF), X86_EFLAGS_UNDEFINED_PF },
		{ AF, DEFINED(AF), X86_EFLAGS_UNDEFINED_AF },
		{ ZF, DEFINED(ZF), X86_EFLAGS_UNDEFINED_ZF },
		{ SF, DEFINED(SF), X86_EFLAGS_UNDEFINED_SF },
		/* Capstone has an additional, misspelt constant for OF. */
		{ OF, DEFINED(OF) | X86_EFLAGS_RESET_0F, X86_EFLAGS_UNDEFINED_OF },
	};
	const uint64_t eflags = is_vector_compare(insn) ? 0 : insn->detail->x86.eflags;

	*ret = (struct wv_flag_effects){ 0 };
	for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
		if (eflags & bits[i].defined)
			ret->defined |= bits[i].flag;
		else if (eflags & bits[i].undefined)
			ret->undefined |= bits[i].flag;
	}
}

/* The instructions for which Capstone's table differs from weft's, and why. */
static const struct difference {
	const char *why; /* The reason for the difference. */
	const unsigned int *ids; /* A list that ends with X86_INS_INVALID. */
} differences[] = {
	{ "Capstone's is one for all counts",
	  (const unsigned int[]){
		  X86_INS_RCL, X86_INS_RCR, X86_INS_ROL, X86_INS_ROR, X86_INS_SAL, X86_INS_SAR,
		  X86_INS_SHL, X86_INS_SHLD, X86_INS_SHR, X86_INS_SHRD, X86_INS_CMPSB,
		  X86_INS_CMPSD, X86_INS_CMPSQ, X86_INS_CMPSW, X86_INS_SCASB, X86_INS_SCASD,
		  X86_INS_SCASQ, X86_INS_SCASW, 0 } },
	{ "Capstone has SF of imul defined: see status-flags.c",
	  (const unsigned int[]){ X86_INS_IMUL, 0 } },
	{ "ZF is unchanged by Intel's newer manuals only",
	  (const unsigned int[]){ X86_INS_BT, X86_INS_BTC, X86_INS_BTR, X86_INS_BTS, 0 } },
	{ "Capstone forgets CF", (const unsigned int[]){ X86_INS_LZCNT, 0 } },
	{ "Capstone gives AF and PF for CF", (const unsigned int[]){ X86_INS_KORTESTB, 0 } },
	{ "the flags that Capstone gives these are the x87's",
	  (const unsigned int[]){ X86_INS_FLDL2E, X86_INS_FLDL2T, X86_INS_FLDLN2,
				  X86_INS_FSTP, 0 } },
	{ "these write no status flags: Capstone has another's, or the kernel's doing",
	  (const unsigned int[]){ X86_INS_PREFETCHW, X86_INS_SYSCALL, X86_INS_SYSENTER,
				  X86_INS_SYSEXIT, 0 } },
#if CS_API_MAJOR >= 5
	{ "Capstone 5 has nothing of test with a register",
	  (const unsigned int[]){ X86_INS_TEST, 0 } },
	{ "Capstone 5 gives these, which have numbers of their own, the kernel's doing",
	  (const unsigned int[]){ X86_INS_SYSEXITQ, X86_INS_SYSRETQ, 0 } },
#endif
	{ "Capstone has nothing of these",
	  (const unsigned int[]){
		  X86_INS_BLCFILL, X86_INS_BLCI, X86_INS_BLCIC, X86_INS_BLCMSK, X86_INS_BLCS,
		  X86_INS_BLSFILL, X86_INS_BLSIC, X86_INS_T1MSKC, X86_INS_TZMSK, X86_INS_FCOMI,
		  X86_INS_FCOMIP, X86_INS_FUCOMI, X86_INS_FUCOMIP, X86_INS_INVEPT, X86_INS_INVVPID,
		  X86_INS_KORTESTD, X86_INS_KORTESTQ, X86_INS_KORTESTW, X86_INS_PCMPESTRI,
		  X86_INS_PCMPESTRM, X86_INS_PCMPISTRI, X86_INS_PCMPISTRM, X86_INS_VCOMISD,
		  X86_INS_VCOMISS, X86_INS_VMCALL, X86_INS_VMCLEAR, X86_INS_VMLAUNCH,
		  X86_INS_VMMCALL, X86_INS_VMPTRLD, X86_INS_VMPTRST, X86_INS_VMREAD,
		  X86_INS_VMRESUME, X86_INS_VMRUN, X86_INS_VMWRITE, X86_INS_VMXOFF, X86_INS_VMXON,
		  X86_INS_VPCMPESTRI, X86_INS_VPCMPESTRM, X86_INS_VPCMPISTRI, X86_INS_VPCMPISTRM,
		  X86_INS_VPTEST, X86_INS_VUCOMISD, X86_INS_VUCOMISS, 0 } },
};

static bool differs_rightly(unsigned int id)
{
	for (size_t i = 0; i < sizeof(differences) / sizeof(differences[0]); i++)
		for (const unsigned int *at = differences[i].ids; *at; at++)
			if (*at == id)
				return true;
	return false;
}

/* ---- comparison of every opcode -------------------------------------------------------------- */

struct sweep {
	csh handle;
	cs_insn *insn;
	size_t compared;
	bool seen[X86_INS_ENDING], differ[X86_INS_ENDING];
};

static void compare(struct sweep *sweep, const uint8_t *bytes)
{
	const cs_insn *insn = sweep->insn;
	struct wv_flag_effects ours, theirs;
	size_t n = 15;
	uint64_t address = 0;

	if (!cs_disasm_iter(sweep->handle, &bytes, &n, &address, sweep->insn))
		return;
	wv_flag_effects(insn, &ours);
	/*
	 * For x87 instructions .eflags has the condition codes of x87, even if they write status
	 * flags.
	 */
	theirs = (struct wv_flag_effects){ 0 };
	if (!cs_insn_group(sweep->handle, insn, X86_GRP_FPU))
		by_capstone(insn, &theirs);
	sweep->compared++;
	sweep->seen[insn->id] = true;
	assert_int_equal(ours.defined & ours.undefined, 0);
	if (ours.defined == theirs.defined && ours.undefined == theirs.undefined)
		return;
	sweep->differ[insn->id] = true;
	if (!differs_rightly(insn->id))
		fail_msg("%s %s: defined %#x and undefined %#x, Capstone's %#x and %#x",
			 insn->mnemonic, insn->op_str, ours.defined, ours.undefined, theirs.defined,
			 theirs.undefined);
}

/*
 * Sweeps the old encoding's map @map (0 has no escape bytes, 1 has 0f, 2 has 0f 38, 3 has 0f 3a),
 * with @prefix unless it is 0, and with REX.W if @wide.
 */
static void sweep_legacy(struct sweep *sweep, unsigned int map, uint8_t prefix, bool wide)
{
	for (unsigned int i = 0; i < 256 * 256; i++) {
		uint8_t bytes[16] = { 0 };
		size_t n = 0;

		if (prefix)
			bytes[n++] = prefix;
		if (wide)
			bytes[n++] = 0x48;
		if (map)
			bytes[n++] = 0x0f;
		if (map > 1)
			bytes[n++] = map == 2 ? 0x38 : 0x3a;
		bytes[n++] = i >> 8;
		bytes[n++] = i;
		bytes[n] = 5; /* The byte is part of a SIB byte, a displacement or an immediate. */
		compare(sweep, bytes);
	}
}

/* Sweeps VEX (0xc4) and XOP (0x8f) with three bytes. @mode has W, L and pp; vvvv is all set. */
static void sweep_vex(struct sweep *sweep, uint8_t escape, unsigned int map, uint8_t mode)
{
	for (unsigned int i = 0; i < 256 * 256; i++) {
		uint8_t bytes[16] = { escape, 0xe0 | map, mode | 0x78, i >> 8, i, 5 };

		compare(sweep, bytes);
	}
}

static void test_capstone(void **state)
{
	static const uint8_t prefixes[] = { 0, 0x66, 0xf3, 0xf2, 0x67 };
	struct sweep sweep = { 0 };

	assert_int_equal(cs_open(CS_ARCH_X86, CS_MODE_64, &sweep.handle), 0);
	cs_option(sweep.handle, CS_OPT_DETAIL, CS_OPT_ON);
	sweep.insn = cs_malloc(sweep.handle);
	for (unsigned int map = 0; map < 4; map++)
		for (size_t i = 0; i < 2 * sizeof(prefixes); i++)
			sweep_legacy(&sweep, map, prefixes[i / 2], i & 1);
	for (unsigned int i = 0; i < 16; i++) {
		const uint8_t mode = (i & 8) << 4 | (i & 7); /* W, L, pp */

		for (unsigned int map = 1; map <= 3; map++)
			sweep_vex(&sweep, 0xc4, map, mode);
		for (unsigned int map = 8; map <= 10; map++)
			sweep_vex(&sweep, 0x8f, map, mode);
	}
	/* Each listed instruction that the sweep has met must differ. */
	for (size_t i = 0; i < sizeof(differences) / sizeof(differences[0]); i++)
		for (const unsigned int *at = differences[i].ids; *at; at++)
			if (sweep.seen[*at] && !sweep.differ[*at])
				fail_msg("%s: %s, but there is no difference",
					 cs_insn_name(sweep.handle, *at), differences[i].why);
	print_message("%zu encodings\n", sweep.compared);
	assert_true(sweep.compared > 1000000);
	cs_free(sweep.insn, 1);
	cs_close(&sweep.handle);
}

/* ---- tests of the counts of shifts, and of the liveness of flags ----------------------------- */

struct sample {
	uint8_t bytes[8]; /* The bytes of the instruction. */
	const char *text; /* The instruction as assembler text. */
	uint16_t defined, undefined; /* for each value of %rcx; for some value of it */
	bool kills; /* Set if the flags from before are dead. */
};

static const struct sample samples[] = {
	{ { 0x0f, 0xaf, 0xfa }, "imul %edx, %edi", OF | CF, SF | ZF | AF | PF, false },
	{ { 0xf7, 0xe2 }, "mul %edx", OF | CF, SF | ZF | AF | PF, false },
	{ { 0xf7, 0xf2 }, "div %edx", 0, ALL, false },
	{ { 0xf7, 0xfa }, "idiv %edx", 0, ALL, false },
	{ { 0x01, 0xc8 }, "add %ecx, %eax", ALL, 0, true },
	{ { 0x31, 0xc8 }, "xor %ecx, %eax", ALL & ~AF, AF, true },
	{ { 0x85, 0xc0 }, "test %eax, %eax", ALL & ~AF, AF, true },
	{ { 0xff, 0xc0 }, "inc %eax", ALL & ~CF, 0, false },
	{ { 0xf7, 0xd0 }, "not %eax", 0, 0, false },
	{ { 0x89, 0xc8 }, "mov %ecx, %eax", 0, 0, false },
	{ { 0x0f, 0xa3, 0xc8 }, "bt %ecx, %eax", CF, ALL & ~CF, false },
	{ { 0x0f, 0xbc, 0xc1 }, "bsf %ecx, %eax", ZF, ALL & ~ZF, false },
	{ { 0xf3, 0x0f, 0xbc, 0xc1 }, "tzcnt %ecx, %eax", ZF | CF, OF | SF | AF | PF, false },
	{ { 0xd1, 0xe0 }, "shl %eax", ALL & ~AF, AF, true },
	{ { 0xc1, 0xe0, 3 }, "shl $3, %eax", SF | ZF | PF | CF, OF | AF, false },
	{ { 0xc1, 0xe0, 32 }, "shl $32, %eax", 0, 0, false },
	{ { 0xc0, 0xe8, 9 }, "shr $9, %al", SF | ZF | PF, OF | AF | CF, false },
	{ { 0xc0, 0xf8, 9 }, "sar $9, %al", SF | ZF | PF | CF, OF | AF, false },
	{ { 0xd3, 0xe0 }, "shl %cl, %eax", 0, OF | AF, false },
	{ { 0xd2, 0xe0 }, "shl %cl, %al", 0, OF | AF | CF, false },
	{ { 0xd3, 0xc0 }, "rol %cl, %eax", 0, OF, false },
	{ { 0xd1, 0xc0 }, "rol %eax", OF | CF, 0, false },
	{ { 0xc1, 0xd8, 7 }, "rcr $7, %eax", CF, OF, false },
	{ { 0xc0, 0xd8, 9 }, "rcr $9, %al", 0, OF, false },
	{ { 0x0f, 0xa4, 0xc8, 1 }, "shld $1, %ecx, %eax", ALL & ~AF, AF, true },
	{ { 0x66, 0x0f, 0xa4, 0xc8, 17 }, "shld $17, %cx, %ax", 0, ALL, false },
	{ { 0x66, 0x0f, 0xa5, 0xc8 }, "shld %cl, %cx, %ax", 0, ALL, false },
	{ { 0xa6 }, "cmpsb", ALL, 0, true },
	{ { 0xf3, 0xa6 }, "repe cmpsb", 0, 0, false },
	{ { 0xf2, 0xae }, "repne scasb", 0, 0, false },
	{ { 0xf2, 0x0f, 0xc2, 0xc1, 0x33 }, "cmpsd $0x33, %xmm1, %xmm0", 0, 0, false },
	/* Capstone does not know this instruction. */
	{ { 0x66, 0x0f, 0xae, 0xf1 }, "tpause", ALL, 0, false },
};

static void decode(const struct sample *sample, struct wv_flag_effects *ret, struct wv_insn *insn)
{
	_cleanup_decoder_ struct wv_decoder *decoder = NULL;
	struct wv_error error;

	assert_int_equal(wv_decoder_create(&decoder, &error), 0);
	assert_true(wv_decode_flags(decoder, sample->bytes, sizeof(sample->bytes), 0, ret));
	assert_true(wv_decode(decoder, sample->bytes, sizeof(sample->bytes), 0, insn));
}

static void test_samples(void **state)
{
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		const struct sample *sample = &samples[i];
		struct wv_flag_effects effects;
		struct wv_insn insn;
		bool kills;

		decode(sample, &effects, &insn);
		kills = insn.kills & WR_BIT(WR_FLAGS);
		if (effects.defined != sample->defined || effects.undefined != sample->undefined)
			fail_msg("%s: defined %#x, undefined %#x", sample->text, effects.defined,
				 effects.undefined);
		if (kills != sample->kills && !(insn.uses & WR_BIT(WR_FLAGS)))
			fail_msg("%s: flags %s before it", sample->text, kills ? "dead" : "live");
	}
}

/*
 * The count of a shift by a register is unknown: a flag must count as defined if every count
 * defines it, and as undefined if any count leaves it undefined.
 */
static void test_counts(void **state)
{
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		uint16_t always = ALL, undefined = 0;
		struct wv_flag_effects effects, counted;
		struct wv_insn insn;

		decode(&samples[i], &effects, &insn);
		for (uint64_t rcx = 0; rcx < 256; rcx++) {
			counted = effects;
			wv_flag_effects_counted(&counted, rcx);
			assert_int_equal(counted.count, WV_COUNT_NONE);
			always &= counted.defined;
			undefined |= counted.undefined;
		}
		assert_int_equal(effects.defined, always);
		assert_int_equal(effects.undefined, undefined);
	}
}

static void test_known_counts(void **state)
{
	static const struct sample shl = { .bytes = { 0xd3, 0xe0 } };
	static const struct sample rcl = { .bytes = { 0xd2, 0xd0 } };
	static const struct sample repeat = { .bytes = { 0xf3, 0xa6 } };
	static const struct sample narrow = { .bytes = { 0x67, 0xf3, 0xa6 } };
	static const struct {
		const struct sample *sample;
		uint64_t rcx;
		uint16_t defined, undefined;
	} known[] = {
		{ &shl, 0, 0, 0 },
		{ &shl, 1, ALL & ~AF, AF },
		{ &shl, 0xff01, ALL & ~AF, AF },
		{ &shl, 31, SF | ZF | PF | CF, OF | AF },
		{ &shl, 32, 0, 0 },
		{ &rcl, 1, OF | CF, 0 },
		{ &rcl, 8, CF, OF },
		{ &rcl, 9, 0, OF },
		{ &repeat, 0, 0, 0 },
		{ &repeat, 1ULL << 32, ALL, 0 },
		{ &narrow, 1ULL << 32, 0, 0 },
		{ &narrow, 7, ALL, 0 },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct wv_flag_effects effects;
		struct wv_insn insn;

		decode(known[i].sample, &effects, &insn);
		wv_flag_effects_counted(&effects, known[i].rcx);
		assert_int_equal(effects.defined, known[i].defined);
		assert_int_equal(effects.undefined, known[i].undefined);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_capstone),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_known_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
