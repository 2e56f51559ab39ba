// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses objdump's text of instructions (declared in x86-mnemonics.h). */
#include <stdlib.h>
#include <string.h>

#include "x86-mnemonics.h"

/* The properties of an instruction that follow from its mnemonic alone. */
struct kind {
	uint8_t behavior; /* An enum wr_behavior. */
	uint8_t mobility; /* An enum mobility. */
};

/* The prefixes of an instruction that matter to this test. */
struct prefixed {
	bool lock; /* The prefix f0. */
	bool data;    /* The prefix 66. */
	bool address; /* The prefix 67. */
};

/* Prefixes that objdump prints before a mnemonic; also all that begin with "rex". */
static const char *const prefixes[] = {
	"data16", "data32",  "addr32", "lock",	 "rep",	     "repz",	 "repnz",
	"bnd",	  "notrack", "es",     "cs",	 "ss",	     "ds",	 "fs",
	"gs",	  "{evex}",  "{vex}",  "{vex3}", "xacquire", "xrelease",
};

/*
 * Mnemonics of instructions that are not plain, except jumps and calls, and whether each can run at
 * another address. A star stands for the rest of a mnemonic.
 *
 * An instruction that the processor lacks faults at any address, so running it shows nothing. Then
 * only this list notices that runtime/x86-rules.c moves an instruction that must stay.
 */
static const struct {
	const char *name;
	struct kind kind;
} names[] = {
	{ "std", { WR_SANITIZE, MOBILITY_COPY } },
	{ "stac", { WR_SANITIZE, MOBILITY_COPY } },
	{ "popf*", { WR_SANITIZE, MOBILITY_COPY } },
	/* Returns may be copied: their return address is on the stack. */
	{ "ret*", { WR_RETURN, MOBILITY_COPY } },
	{ "lret*", { WR_RETURN_FAR, MOBILITY_COPY } },
	/*
	 * Instructions that end an event or a mode cannot be moved: stack and segments may not be
	 * the kernel's there.
	 */
	{ "iret*", { WR_RETURN_EVENT, MOBILITY_NONE } },
	{ "sysret*", { WR_RETURN_EVENT, MOBILITY_NONE } },
	{ "sysexit*", { WR_RETURN_EVENT, MOBILITY_NONE } },
	{ "rsm", { WR_RETURN_EVENT, MOBILITY_NONE } },
	{ "uiret", { WR_RETURN_EVENT, MOBILITY_NONE } },
	{ "eret*", { WR_RETURN_EVENT, MOBILITY_NONE } },
	/* Far jumps and calls load a code segment; a far call pushes its own return address. */
	{ "ljmp*", { WR_JUMP_FAR, MOBILITY_NONE } },
	{ "lcall*", { WR_CALL_FAR, MOBILITY_NONE } },
	/*
	 * Loops cannot be moved: their targets are relative, 128 bytes away at most, and they have
	 * no longer form.
	 */
	{ "loop*", { WR_LOOP, MOBILITY_NONE } },
	{ "jrcxz*", { WR_LOOP, MOBILITY_NONE } },
	{ "jecxz*", { WR_LOOP, MOBILITY_NONE } },
	/* The operand is relative: it says where an abort goes. */
	{ "xbegin*", { WR_XBEGIN, MOBILITY_NONE } },
	/* These instructions save the address of the next one as the address to come back to. */
	{ "syscall", { WR_SYSTEM_CALL, MOBILITY_NONE } },
	{ "sysenter", { WR_SYSTEM_CALL, MOBILITY_NONE } },
	{ "enclu", { WR_SYSTEM_CALL, MOBILITY_NONE } },
	{ "getsec", { WR_SYSTEM_CALL, MOBILITY_NONE } },
	/* Traps cannot be moved, since the kernel's handlers look at their address. */
	{ "int", { WR_BREAKPOINT, MOBILITY_NONE } },
	{ "int1", { WR_BREAKPOINT, MOBILITY_NONE } },
	{ "int3", { WR_BREAKPOINT, MOBILITY_NONE } },
	{ "icebp", { WR_BREAKPOINT, MOBILITY_NONE } },
	{ "ud0*", { WR_BREAKPOINT, MOBILITY_NONE } },
	{ "ud1*", { WR_BREAKPOINT, MOBILITY_NONE } },
	{ "ud2*", { WR_BREAKPOINT, MOBILITY_NONE } },
	/* These instructions act together with the one before or after them. */
	{ "sti", { WR_SHADOW, MOBILITY_NONE } },
	{ "hlt", { WR_HALT, MOBILITY_NONE } },
	{ "monitor*", { WR_PAIRED, MOBILITY_NONE } },
	{ "mwait*", { WR_PAIRED, MOBILITY_NONE } },
	{ "umonitor", { WR_PAIRED, MOBILITY_NONE } },
	{ "umwait", { WR_PAIRED, MOBILITY_NONE } },
	{ "vmrun*", { WR_PAIRED, MOBILITY_NONE } },
	/* An endbr64 cannot be moved, since indirect branches lead to its address. */
	{ "endbr64", { WR_ENDBR, MOBILITY_NONE } },
};

/* Mnemonics that may have a lock prefix. A star stands for the rest of a mnemonic. */
static const char *const lockable[] = {
	"add*", "adc*", "and*", "btc*", "btr*",	 "bts*",  "cmpxchg*", "dec*", "inc*",
	"neg*", "not*", "or*",	"sbb*", "sub*", "xadd*", "xchg*",    "xor*",
};

/* Returns what follows the word at @text and the blanks after it. */
static const char *skip_word(const char *text)
{
	text += strcspn(text, " \t\n");
	return text + strspn(text, " \t");
}

static bool is_word(const char *text, const char *word)
{
	const size_t n = strlen(word);
	const bool begins = n && word[n - 1] == '*';

	if (begins)
		return !strncmp(text, word, n - 1);
	return !strncmp(text, word, n) && strchr(" \t\n", text[n]);
}

static const char *skip_prefixes(const char *text, struct prefixed *ret)
{
	*ret = (struct prefixed){ 0 };
	for (;;) {
		bool found = !strncmp(text, "rex", 3);

		for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
			found |= is_word(text, prefixes[i]);
		if (!found)
			return text;
		ret->lock |= is_word(text, "lock");
		ret->data |= is_word(text, "data16");
		ret->address |= is_word(text, "addr32");
		text = skip_word(text);
	}
}

/*
 * Finds the kind of an instruction: in names[], or a jump, a conditional jump ("jne,pn"), a call;
 * else it is plain.
 */
static struct kind kind_of(const char *text, const char *operands)
{
	const bool indirect = operands[0] == '*';

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (is_word(text, names[i].name))
			return names[i].kind;
	if (is_word(text, "jmp*") && indirect)
		return (struct kind){ WR_JUMP_INDIRECT, MOBILITY_COPY };
	if (is_word(text, "jmp*"))
		return (struct kind){ WR_JUMP, MOBILITY_REENCODE };
	/* Both kinds of call push their own return address. */
	if (is_word(text, "call*") && indirect)
		return (struct kind){ WR_CALL_INDIRECT, MOBILITY_REENCODE };
	if (is_word(text, "call*"))
		return (struct kind){ WR_CALL, MOBILITY_REENCODE };
	if (text[0] == 'j')
		return (struct kind){ WR_JUMP_COND, MOBILITY_REENCODE };
	/* A move to ss holds interrupts off until the next instruction has ended. */
	if (is_word(text, "mov*") && strstr(operands, ",%ss"))
		return (struct kind){ WR_SHADOW, MOBILITY_NONE };
	return (struct kind){ WR_PLAIN, MOBILITY_COPY };
}

static bool is_direct(uint8_t behavior)
{
	switch (behavior) {
	case WR_JUMP:
	case WR_JUMP_COND:
	case WR_LOOP:
	case WR_XBEGIN:
	case WR_CALL:
		return true;
	default:
		return false;
	}
}

/*
 * Returns whether the lock prefix raises #UD: it is allowed only if the last operand is memory and
 * is written.
 */
static bool is_locked_in_vain(const char *name, const char *operands)
{
	const char *last = operands;
	int depth = 0;

	for (const char *at = operands; *at && !strchr(" \t\n", *at); at++) {
		depth += (*at == '(') - (*at == ')');
		if (*at == ',' && !depth)
			last = at + 1;
	}
	/*
	 * The last operand is a register; but a segment register before a colon belongs to an
	 * address.
	 */
	if (*last == '%' && strcspn(last, ":(") >= strcspn(last, " \t\n"))
		return true;
	for (size_t i = 0; i < sizeof(lockable) / sizeof(lockable[0]); i++)
		if (is_word(name, lockable[i]))
			return false;
	return true;
}

/*
 * Returns whether the instruction is a jump or call with 16-bit operands: "data16 jmp", "callw",
 * "call *%ax".
 */
static bool is_16_bit(const char *name, const char *operands, const struct prefixed *prefixed)
{
	const size_t n = strcspn(name, " \t\n");

	if (prefixed->data || (n && name[n - 1] == 'w'))
		return true;
	if (strncmp(operands, "*%", 2) || strcspn(operands, "(:") < strcspn(operands, " \t\n"))
		return false;
	return operands[2] != 'r' || operands[strcspn(operands, " \t\n") - 1] == 'w';
}

/*
 * Returns whether the operand of a call uses the stack pointer, which the call's own push changes.
 */
static bool is_of_stack(const char *operands)
{
	return strstr(operands, "%rsp") || strstr(operands, "%esp") || strstr(operands, "*%sp");
}

static uint8_t mobility_of(const char *name, const char *operands, const struct kind *kind,
			   const struct prefixed *prefixed)
{
	/*
	 * The address is computed modulo 4 GiB, so an instruction at another address cannot have
	 * the same one.
	 */
	if (strstr(operands, "(%eip)") || (prefixed->address && strstr(operands, "(%rip)")))
		return MOBILITY_NONE;
	if (prefixed->lock && is_locked_in_vain(name, operands))
		return MOBILITY_NONE;
	/* Processors differ on whether the target is cut to 16 bits. */
	if (kind->mobility == MOBILITY_REENCODE && is_16_bit(name, operands, prefixed))
		return MOBILITY_NONE;
	if (kind->behavior == WR_CALL_INDIRECT && is_of_stack(operands))
		return MOBILITY_NONE;
	return kind->mobility;
}

bool mnemonic_parse(const char *text, struct mnemonic *ret)
{
	struct prefixed prefixed;
	const char *name = skip_prefixes(text, &prefixed), *operands = skip_word(name),
		   *comment = strchr(operands, '#');
	const struct kind kind = kind_of(name, operands);

	*ret = (struct mnemonic){ .behavior = kind.behavior };
	ret->mobility = mobility_of(name, operands, &kind, &prefixed);
	ret->direct = is_direct(kind.behavior);
	if (ret->direct)
		ret->target = strtoull(operands, NULL, 16);
	ret->rip_relative = strstr(operands, "(%rip)") || strstr(operands, "(%eip)");
	if (ret->rip_relative && comment)
		ret->operand = strtoull(comment + 1, NULL, 16);
	return name[0] && name[0] != '\n';
}

/*
 * Returns whether weft may decode the instruction as something else than plain although objdump's
 * text says plain. weft is right for two kinds, which must not be moved: endbr64 without f3, which
 * objdump takes for a nop; and erets and eretu, which are too new for this objdump.
 */
static bool is_more(const struct mnemonic *mnemonic, const struct wr_fields *fields)
{
	enum { GROUP7 = 0x01, MODRM_ERETS = 0xca };

	if (mnemonic->behavior != WR_PLAIN)
		return false;
	return fields->behavior == WR_ENDBR ||
	       (fields->behavior == WR_RETURN_EVENT && fields->opcode == GROUP7 &&
		fields->modrm == MODRM_ERETS);
}

bool mnemonic_is(const struct mnemonic *mnemonic, const struct wr_fields *fields)
{
	return mnemonic->behavior == fields->behavior || is_more(mnemonic, fields);
}

bool mnemonic_moves_so(const struct mnemonic *mnemonic, const struct wr_fields *fields,
		       enum mobility mobility)
{
	return mnemonic->mobility == mobility ||
	       (mobility == MOBILITY_NONE && is_more(mnemonic, fields));
}
