// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the sample instructions that the tests sweep through; see x86-samples.h. */
#include <stddef.h>
#include <string.h>

#include "x86-samples.h"

enum {
	ESCAPE = 0x0f,
	ESCAPE_38 = 0x38,
	ESCAPE_3A = 0x3a,
	VEX2 = 0xc5,
	VEX3 = 0xc4,
	EVEX = 0x62,
	XOP = 0x8f,
	ROOM = 40, /* The bytes of the longest combination, before its end is cut off. */
	OPCODES = 256,
	DIGITS = 8,
	REGISTERS = 8,
	RM_SIB = 4,
	RM_DISP32 = 5,
	SIB_RSP = 0x24,
	SIB_ABSOLUTE = 0x25,
	SIB_RCX_4 = 0x88, /* The SIB byte of (base, %rcx, 4). */
};

/*
 * Prefixes, to be put before each opcode. The first few get more operands than the others, since
 * they select other instructions.
 */
static const struct {
	uint8_t n;
	uint8_t bytes[10];
} prefixes[] = {
	{ 0 },
	{ 1, { 0x66 } },
	{ 1, { 0xf2 } },
	{ 1, { 0xf3 } },
#define PREFIXES_MAIN 4
	{ 1, { 0x67 } },
	{ 1, { 0xf0 } },
	{ 1, { 0x48 } },
	/* Segments and REX. */
	{ 1, { 0x2e } },
	{ 1, { 0x3e } },
	{ 1, { 0x26 } },
	{ 1, { 0x36 } },
	{ 1, { 0x64 } },
	{ 1, { 0x65 } },
	{ 1, { 0x40 } },
	{ 1, { 0x41 } },
	{ 1, { 0x42 } },
	{ 1, { 0x44 } },
	{ 1, { 0x4f } },
	/* Pairs of prefixes that have a meaning for some opcodes, in both orders; and three. */
	{ 2, { 0x66, 0xf2 } },
	{ 2, { 0x66, 0xf3 } },
	{ 2, { 0xf2, 0x66 } },
	{ 2, { 0xf3, 0x66 } },
	{ 2, { 0xf2, 0xf3 } },
	{ 2, { 0xf3, 0xf2 } },
	{ 2, { 0x66, 0x67 } },
	{ 2, { 0x67, 0x66 } },
	{ 2, { 0x2e, 0x66 } },
	{ 2, { 0x3e, 0xf2 } },
	{ 2, { 0x2e, 0x2e } },
	{ 2, { 0x66, 0x66 } },
	{ 2, { 0xf0, 0x66 } },
	{ 2, { 0xf2, 0xf0 } },
	{ 2, { 0xf3, 0xf0 } },
	{ 3, { 0x66, 0x66, 0x2e } },
	/* Prefixes with a REX after them. */
	{ 2, { 0x66, 0x48 } },
	{ 2, { 0xf2, 0x48 } },
	{ 2, { 0xf3, 0x48 } },
	{ 2, { 0x67, 0x48 } },
	{ 2, { 0xf0, 0x48 } },
	{ 2, { 0x64, 0x48 } },
	{ 2, { 0x66, 0x41 } },
	{ 2, { 0x67, 0x41 } },
	{ 2, { 0x3e, 0x41 } },
	{ 2, { 0xf3, 0x44 } },
	{ 2, { 0x65, 0x4c } },
	{ 2, { 0x66, 0x4f } },
	{ 2, { 0xf2, 0x4f } },
	{ 3, { 0x66, 0xf2, 0x48 } },
	{ 3, { 0x66, 0xf3, 0x48 } },
	{ 3, { 0xf3, 0x67, 0x48 } },
	{ 3, { 0x65, 0x66, 0x48 } },
	/* A REX prefix that has no effect, because another prefix follows it. */
	{ 2, { 0x48, 0x66 } },
	{ 2, { 0x48, 0xf3 } },
	{ 2, { 0x41, 0x2e } },
	{ 2, { 0x48, 0x48 } },
	/* Four and five prefixes. */
	{ 4, { 0xf3, 0x66, 0x65, 0x2e } },
	{ 5, { 0xf3, 0x66, 0x65, 0x2e, 0xf0 } },
	{ 5, { 0x66, 0x66, 0x66, 0x66, 0x66 } },
	{ 10, { 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x2e } },
	/* The prefixes that ask a hypervisor to emulate the next instruction. */
	{ 5, { 0x0f, 0x0b, 'x', 'e', 'n' } },
	{ 5, { 0x0f, 0x0b, 'k', 'v', 'm' } },
};

/* How an instruction's operand is addressed. */
enum form {
	FORM_REGISTER,	  /* A register. */
	FORM_MEMORY,	  /* Memory at the address in a register. */
	FORM_DISP8,	  /* Memory at a register plus SAMPLE_DISP8. */
	FORM_DISP32,	  /* Memory at a register plus SAMPLE_DISP32. */
	FORM_SIB,	  /* With a SIB byte and no index: base rsp, or absolute. */
	FORM_RIP,	  /* Memory relative to rip. */
	FORM_STACK_DISP8, /* Memory at rsp plus SAMPLE_DISP8. */
	FORM_STACK_DISP32, /* Memory at rsp plus SAMPLE_DISP32. */
	FORM_INDEX,	  /* Memory at a base plus an index. */
	FORMS,		  /* The number of forms. */
};

/* The bytes before the ModRM byte, and the function that gets the samples. */
struct head {
	uint8_t bytes[ROOM];
	size_t n;
	sample_take take;
	void *context;
};

static void put(struct head *head, uint8_t byte)
{
	head->bytes[head->n++] = byte;
}

/*
 * Gives a sample to the caller: @head, then @n bytes of @operand, which begin with ModRM, then
 * small bytes. These serve as the immediate operand, however many of them the instruction takes.
 */
static void give(const struct head *head, const uint8_t *operand, size_t n)
{
	uint8_t sample[ROOM];

	for (size_t i = 0; i < sizeof(sample); i++)
		sample[i] = 1 + i % 5;
	memcpy(sample, head->bytes, head->n);
	memcpy(sample + head->n, operand, n);
	head->take(head->context, sample);
}

static uint8_t modrm(unsigned int mod, unsigned int digit, unsigned int rm)
{
	return mod << 6 | digit << 3 | rm;
}

/* Returns @rm, or another register where @rm means SIB or a displacement. */
static unsigned int plain_rm(unsigned int rm)
{
	return rm == RM_SIB || rm == RM_DISP32 ? 3 : rm;
}

static void give_form(const struct head *head, enum form form, unsigned int digit, unsigned int rm)
{
	const uint8_t disp32[] = { SAMPLE_DISP32 & 0xff, SAMPLE_DISP32 >> 8, 0, 0 };
	uint8_t operand[8];
	size_t n = 0;

	switch (form) {
	case FORM_REGISTER:
		operand[n++] = modrm(3, digit, rm);
		break;
	case FORM_MEMORY:
		operand[n++] = modrm(0, digit, plain_rm(rm));
		break;
	case FORM_DISP8:
		operand[n++] = modrm(1, digit, rm == RM_SIB ? 6 : rm);
		operand[n++] = SAMPLE_DISP8;
		break;
	case FORM_DISP32:
		operand[n++] = modrm(2, digit, rm == RM_SIB ? 7 : rm);
		break;
	case FORM_SIB:
		operand[n++] = modrm(0, digit, RM_SIB);
		operand[n++] = rm & 1 ? SIB_ABSOLUTE : SIB_RSP;
		break;
	case FORM_RIP:
		operand[n++] = modrm(0, digit, RM_DISP32);
		break;
	case FORM_STACK_DISP8:
		operand[n++] = modrm(1, digit, RM_SIB);
		operand[n++] = SIB_RSP;
		operand[n++] = SAMPLE_DISP8;
		break;
	case FORM_STACK_DISP32:
		operand[n++] = modrm(2, digit, RM_SIB);
		operand[n++] = SIB_RSP;
		break;
	default:
		operand[n++] = modrm(0, digit, RM_SIB);
		operand[n++] = SIB_RCX_4 | plain_rm(rm);
		break;
	}
	if (form == FORM_DISP32 || form == FORM_RIP || form == FORM_STACK_DISP32 ||
	    (form == FORM_SIB && rm & 1)) {
		memcpy(operand + n, disp32, sizeof(disp32));
		n += sizeof(disp32);
	}
	give(head, operand, n);
}

/* Gives each ModRM byte with the SIB and displacement that it needs. */
static void give_all_modrm(const struct head *head)
{
	for (unsigned int digit = 0; digit < DIGITS; digit++) {
		for (unsigned int rm = 0; rm < REGISTERS; rm++) {
			give_form(head, FORM_REGISTER, digit, rm);
			give_form(head, FORM_MEMORY, digit, rm);
			give_form(head, FORM_DISP8, digit, rm);
			give_form(head, FORM_DISP32, digit, rm);
			give_form(head, FORM_SIB, digit, rm);
			give_form(head, FORM_INDEX, digit, rm);
		}
		give_form(head, FORM_RIP, digit, 0);
		give_form(head, FORM_STACK_DISP8, digit, 0);
		give_form(head, FORM_STACK_DISP32, digit, 0);
	}
}

/*
 * Gives @n values of ModRM's reg, each with a register and with one way to address memory that
 * @turn picks.
 */
static void give_digits(const struct head *head, unsigned int turn, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++) {
		const unsigned int digit = (turn + i * DIGITS / n) % DIGITS;
		const unsigned int form = FORM_MEMORY + (turn + i) % (FORMS - FORM_MEMORY);

		give_form(head, FORM_REGISTER, digit, (turn / DIGITS + i) % REGISTERS);
		give_form(head, form, digit, (turn / FORMS + i) % REGISTERS);
	}
}

/*
 * Returns whether each ModRM byte may select another instruction. That is possible for all opcodes
 * after 0f, for x87, and for groups of old opcodes that were extended later.
 */
static bool is_diverse(unsigned int map, unsigned int opcode)
{
	enum {
		ONE_BYTE = 0,
		MAP_0F = 1,
		GROUP11 = 0xc6,
		GROUP11_LAST = 0xc7,
		X87 = 0xd8,
		X87_LAST = 0xdf
	};

	return map == MAP_0F ||
	       (map == ONE_BYTE && ((opcode >= GROUP11 && opcode <= GROUP11_LAST) ||
				    (opcode >= X87 && opcode <= X87_LAST)));
}

/* Gives all ModRM bytes with a register operand. */
static void give_registers(const struct head *head)
{
	for (unsigned int digit = 0; digit < DIGITS; digit++)
		for (unsigned int rm = 0; rm < REGISTERS; rm++)
			give_form(head, FORM_REGISTER, digit, rm);
}

static void give_legacy(bool all, sample_take take, void *context)
{
	static const uint8_t escapes[][2] = {
		{ 0 }, { ESCAPE }, { ESCAPE, ESCAPE_38 }, { ESCAPE, ESCAPE_3A }
	};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		for (size_t map = 0; map < sizeof(escapes) / sizeof(escapes[0]); map++) {
			for (unsigned int opcode = 0; opcode < OPCODES; opcode++) {
				struct head head = { .take = take, .context = context };

				for (size_t k = 0; k < prefixes[i].n; k++)
					put(&head, prefixes[i].bytes[k]);
				for (size_t k = 0; k < 2 && escapes[map][k]; k++)
					put(&head, escapes[map][k]);
				put(&head, opcode);
				if (all)
					give_all_modrm(&head);
				else
					give_digits(&head, i + opcode,
						    i < PREFIXES_MAIN ? DIGITS : 2);
				if (!all && i < PREFIXES_MAIN && is_diverse(map, opcode))
					give_registers(&head);
			}
		}
	}
}

/*
 * Gives samples of a VEX, EVEX or XOP opcode. @from has the bytes before the opcode. @bits has W,
 * vvvv, L and pp, as in the last byte of VEX.
 */
static void give_vex(const struct head *from, bool all, unsigned int bits, unsigned int opcode)
{
	struct head head = *from;

	put(&head, opcode);
	if (all)
		give_all_modrm(&head);
	else
		give_digits(&head, bits + opcode, opcode >= 0x70 && opcode <= 0x73 ? DIGITS : 1);
}

static void give_vex_opcode(bool all, sample_take take, void *context, unsigned int bits,
			    unsigned int opcode)
{
	enum {
		VEX_MAPS = 32,
		VEX_MAPS_MAIN = 4,
		XOP_MAP_FIRST = 8,
		XOP_MAP_LAST = 11,
		EVEX_MAPS = 8
	};

	for (unsigned int map = 0; map < VEX_MAPS; map++) {
		struct head head = { .bytes = { VEX3, 0xe0 | map, bits },
				     .n = 3,
				     .take = take,
				     .context = context };

		/* Maps without instructions get only one opcode in 16. */
		if (map < VEX_MAPS_MAIN || opcode % 16 == map % 16)
			give_vex(&head, all && map < VEX_MAPS_MAIN, bits, opcode);
		head.bytes[0] = XOP;
		if (map >= XOP_MAP_FIRST && map <= XOP_MAP_LAST)
			give_vex(&head, false, bits, opcode);
	}
	for (unsigned int map = 0; map < EVEX_MAPS; map++) {
		/* The L of VEX becomes EVEX's vector size. There is no mask register. */
		struct head head = { .bytes = { EVEX, 0xf0 | map, (bits & 0xfb) | 0x04,
						(bits & 4) << 4 | 0x08 },
				     .n = 4,
				     .take = take,
				     .context = context };

		give_vex(&head, all, bits, opcode);
	}
	if (bits < 0x80) {
		struct head head = {
			.bytes = { VEX2, 0x80 | bits }, .n = 2, .take = take, .context = context
		};

		give_vex(&head, all, bits, opcode);
	}
}

static void give_vectors(bool all, sample_take take, void *context)
{
	enum { VVVV_NONE = 0x78, VVVV_XMM4 = 0x58, W = 0x80, L_PP = 8 };

	for (unsigned int w = 0; w <= W; w += W)
		for (unsigned int l_pp = 0; l_pp < L_PP; l_pp++)
			for (unsigned int opcode = 0; opcode < OPCODES; opcode++) {
				give_vex_opcode(all, take, context, w | VVVV_NONE | l_pp, opcode);
				give_vex_opcode(all, take, context, w | VVVV_XMM4 | l_pp, opcode);
			}
}

void samples_each(bool all, sample_take take, void *context)
{
	give_legacy(all, take, context);
	give_vectors(all, take, context);
}
