// SPDX-License-Identifier: GPL-2.0-or-later
/* objdump's words; see x86-mnemonics.h. */
#include <stdlib.h>
#include <string.h>

#include "x86-mnemonics.h"

/* Words before a mnemonic; those that begin with "rex" as well. */
static const char *const prefixes[] = {
	"data16", "data32",  "addr32", "lock",	 "rep",	     "repz",	 "repnz",
	"bnd",	  "notrack", "es",     "cs",	 "ss",	     "ds",	 "fs",
	"gs",	  "{evex}",  "{vex}",  "{vex3}", "xacquire", "xrelease",
};

/*
 * What is no plain instruction. A star ends what is only the beginning of a mnemonic. Branches are
 * apart.
 */
static const struct {
	const char *name;
	uint8_t behavior;
} names[] = {
	{ "std", WR_SANITIZE },		{ "stac", WR_SANITIZE },
	{ "popf*", WR_SANITIZE },	{ "ret*", WR_RETURN },
	{ "lret*", WR_RETURN_FAR },	{ "iret*", WR_RETURN_EVENT },
	{ "sysret*", WR_RETURN_EVENT }, { "sysexit*", WR_RETURN_EVENT },
	{ "rsm", WR_RETURN_EVENT },	{ "uiret", WR_RETURN_EVENT },
	{ "eret*", WR_RETURN_EVENT },	{ "ljmp*", WR_JUMP_FAR },
	{ "lcall*", WR_CALL_FAR },	{ "loop*", WR_LOOP },
	{ "jrcxz*", WR_LOOP },		{ "jecxz*", WR_LOOP },
	{ "xbegin*", WR_XBEGIN },	{ "syscall", WR_SYSTEM_CALL },
	{ "sysenter", WR_SYSTEM_CALL }, { "enclu", WR_SYSTEM_CALL },
	{ "getsec", WR_SYSTEM_CALL },	{ "ud0*", WR_BREAKPOINT },
	{ "int", WR_BREAKPOINT },	{ "int1", WR_BREAKPOINT },
	{ "int3", WR_BREAKPOINT },	{ "icebp", WR_BREAKPOINT },
	{ "ud1*", WR_BREAKPOINT },	{ "ud2*", WR_BREAKPOINT },
	{ "sti", WR_SHADOW },		{ "hlt", WR_HALT },
	{ "monitor*", WR_PAIRED },	{ "mwait*", WR_PAIRED },
	{ "umonitor", WR_PAIRED },	{ "umwait", WR_PAIRED },
	{ "vmrun*", WR_PAIRED },	{ "endbr64", WR_ENDBR },
};

/* The word at @text, up to a blank or the end; behind it and its blanks. */
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

static const char *skip_prefixes(const char *text)
{
	for (;;) {
		bool found = !strncmp(text, "rex", 3);

		for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
			found |= is_word(text, prefixes[i]);
		if (!found)
			return text;
		text = skip_word(text);
	}
}

/* Conditional jumps and their hints ("jne,pn"), jumps, calls; else a name. */
static uint8_t behavior_of(const char *text, const char *operands)
{
	const bool indirect = operands[0] == '*';

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (is_word(text, names[i].name))
			return names[i].behavior;
	if (is_word(text, "jmp*"))
		return indirect ? WR_JUMP_INDIRECT : WR_JUMP;
	if (is_word(text, "call*"))
		return indirect ? WR_CALL_INDIRECT : WR_CALL;
	if (text[0] == 'j')
		return WR_JUMP_COND;
	if (is_word(text, "mov*") && strstr(operands, ",%ss"))
		return WR_SHADOW;
	return WR_PLAIN;
}

bool mnemonic_parse(const char *text, struct mnemonic *ret)
{
	const char *name = skip_prefixes(text), *operands = skip_word(name),
		   *comment = strchr(operands, '#');
	const struct wr_rule *rule;

	*ret = (struct mnemonic){ .behavior = behavior_of(name, operands) };
	rule = &wr_rules[ret->behavior];
	ret->direct = rule->direct;
	if (rule->direct)
		ret->target = strtoull(operands, NULL, 16);
	ret->rip_relative = strstr(operands, "(%rip)") || strstr(operands, "(%eip)");
	/* Addresses that wrap at 4 GiB; a call's operand that its own push moves. */
	ret->stays = rule->refusal || strstr(operands, "(%eip)") ||
		     (ret->behavior == WR_CALL_INDIRECT &&
		      (strstr(operands, "%rsp") || strstr(operands, "%esp") ||
		       strstr(operands, "*%sp")));
	if (ret->rip_relative && comment)
		ret->operand = strtoull(comment + 1, NULL, 16);
	return name[0] && name[0] != '\n';
}

bool mnemonic_is(const struct mnemonic *mnemonic, const struct wr_fields *fields)
{
	enum { GROUP7 = 0x01, MODRM_ERETS = 0xca };

	/* The rules leave it where it is without f3 as well, when it is a nop. */
	if (fields->behavior == WR_ENDBR && mnemonic->behavior == WR_PLAIN)
		return true;
	/* erets and eretu are younger than this objdump. */
	if (fields->behavior == WR_RETURN_EVENT && fields->opcode == GROUP7 &&
	    fields->modrm == MODRM_ERETS)
		return true;
	return mnemonic->behavior == fields->behavior;
}
