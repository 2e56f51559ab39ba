// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the template of an asm statement: cuts it into instructions, finds the one that has the
 * operand, and finds from its mnemonic and the operand's position what it does to the memory. Text
 * in another section (the kernel's lock prefixes, alternatives, exception tables) is skipped, since
 * it is not part of the code here. If anything cannot be read, the answer is "not known".
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "asm-template.h"

/*
 * Size in bytes of the buffer for the name of an instruction (`addl`) or directive with its NUL. A
 * longer name is cut, and then is none that is known here.
 */
#define MNEMONIC_MAX 24

/* The reading of one template. */
struct reading {
	unsigned operand;
	int pushed; /* how many .pushsection have no .popsection yet */
	/*
	 * the text is in another section: after a .section or .subsection that no .previous or
	 * .text has ended
	 */
	bool elsewhere;
	bool prefixed; /* the last statement was a prefix (`lock;`) of the next instruction */
	unsigned instructions; /* number of instructions that have begun so far */
	unsigned having; /* number of the instructions so far that have the operand */
	wp_asm_use use;
};

/*
 * What an instruction does to memory that is its last operand. Memory that is another operand is
 * loaded, except by xchg, which does the same to both.
 */
struct mnemonic {
	const char *name; /* the mnemonic without its size suffix */
	enum weft_access_effect last;
};

static const struct mnemonic mnemonics[] = {
	{ "adc", WEFT_EFFECT_RMW },	 { "add", WEFT_EFFECT_RMW },
	{ "and", WEFT_EFFECT_RMW },	 { "bsf", WEFT_EFFECT_LOAD },
	{ "bsr", WEFT_EFFECT_LOAD },	 { "bt", WEFT_EFFECT_LOAD },
	{ "btc", WEFT_EFFECT_RMW },	 { "btr", WEFT_EFFECT_RMW },
	{ "bts", WEFT_EFFECT_RMW },	 { "call", WEFT_EFFECT_LOAD },
	{ "cmp", WEFT_EFFECT_LOAD },	 { "cmpxchg", WEFT_EFFECT_RMW },
	{ "cmpxchg16b", WEFT_EFFECT_RMW }, { "cmpxchg8b", WEFT_EFFECT_RMW },
	{ "dec", WEFT_EFFECT_RMW },	 { "div", WEFT_EFFECT_LOAD },
	{ "fldcw", WEFT_EFFECT_LOAD },	 { "fnstcw", WEFT_EFFECT_STORE },
	{ "fnstsw", WEFT_EFFECT_STORE }, { "idiv", WEFT_EFFECT_LOAD },
	{ "imul", WEFT_EFFECT_LOAD },	 { "inc", WEFT_EFFECT_RMW },
	{ "jmp", WEFT_EFFECT_LOAD },	 { "ldmxcsr", WEFT_EFFECT_LOAD },
	{ "lgdt", WEFT_EFFECT_LOAD },	 { "lidt", WEFT_EFFECT_LOAD },
	{ "mul", WEFT_EFFECT_LOAD },	 { "neg", WEFT_EFFECT_RMW },
	{ "not", WEFT_EFFECT_RMW },	 { "or", WEFT_EFFECT_RMW },
	{ "pop", WEFT_EFFECT_STORE },	 { "popcnt", WEFT_EFFECT_LOAD },
	{ "push", WEFT_EFFECT_LOAD },	 { "rcl", WEFT_EFFECT_RMW },
	{ "rcr", WEFT_EFFECT_RMW },	 { "rol", WEFT_EFFECT_RMW },
	{ "ror", WEFT_EFFECT_RMW },	 { "sal", WEFT_EFFECT_RMW },
	{ "sar", WEFT_EFFECT_RMW },	 { "sbb", WEFT_EFFECT_RMW },
	{ "sgdt", WEFT_EFFECT_STORE },	 { "shl", WEFT_EFFECT_RMW },
	{ "shr", WEFT_EFFECT_RMW },	 { "sidt", WEFT_EFFECT_STORE },
	{ "stmxcsr", WEFT_EFFECT_STORE }, { "sub", WEFT_EFFECT_RMW },
	{ "test", WEFT_EFFECT_LOAD },	 { "xadd", WEFT_EFFECT_RMW },
	{ "xchg", WEFT_EFFECT_RMW },	 { "xor", WEFT_EFFECT_RMW },
};

static const char *const prefixes[] = {
	"addr32", "bnd", "cs",	 "data16", "ds",    "es", "fs",	      "gs",	  "lock", "notrack",
	"rep",	  "repe", "repne", "repnz", "repz", "rex64", "ss", "xacquire", "xrelease",
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_prefix(const char *name)
{
	for (unsigned i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		if (!strcmp(prefixes[i], name))
			return true;
	}
	return false;
}

static const struct mnemonic *find_mnemonic(const char *name)
{
	for (unsigned i = 0; i < sizeof(mnemonics) / sizeof(mnemonics[0]); i++) {
		if (!strcmp(mnemonics[i].name, name))
			return &mnemonics[i];
	}
	return NULL;
}

/*
 * Finds what the instruction @name does to memory that is one of its operands. @last: the memory is
 * its last operand. Returns false if the effect is unknown.
 */
static bool effect_of(const char *name, bool last, enum weft_access_effect *effect_ret)
{
	char bare[MNEMONIC_MAX];
	size_t length = strlen(name);
	const struct mnemonic *it = find_mnemonic(name);

	strcpy(bare, name);
	if (!it && length > 1 && strchr("bwlq", name[length - 1])) {
		bare[length - 1] = '\0';
		it = find_mnemonic(bare);
	}
	if (it) {
		*effect_ret = last || !strcmp(it->name, "xchg") ? it->last : WEFT_EFFECT_LOAD;
		return true;
	}
	if (!strncmp(name, "mov", 3) || !strncmp(name, "vmov", 4)) {
		*effect_ret = last ? WEFT_EFFECT_STORE : WEFT_EFFECT_LOAD;
		return true;
	}
	if (!strncmp(name, "set", 3) && last) {
		*effect_ret = WEFT_EFFECT_STORE;
		return true;
	}
	*effect_ret = WEFT_EFFECT_LOAD;
	return !strncmp(name, "cmov", 4) && !last;
}

/*
 * If the text at @at begins with a mention of an operand (`%0`, `%b0`, `%P0`), returns the end of
 * the mention and stores the operand's number; else returns NULL.
 */
static const char *mention(const char *at, const char *end, unsigned *number_ret)
{
	if (at == end || *at++ != '%')
		return NULL;
	if (at < end && isalpha((unsigned char)*at))
		at++;
	if (at == end || !isdigit((unsigned char)*at))
		return NULL;
	*number_ret = 0;
	while (at < end && isdigit((unsigned char)*at))
		*number_ret = *number_ret * 10 + (*at++ - '0');
	return at;
}

/*
 * Whether the operand of an instruction, from @at to @end, is the asm's operand: `%0`, `%%gs:%0`,
 * `4+%0`. Sets *@other_ret if the text contains the asm's operand in another way, as in `(%0)`.
 */
static bool is_operand(const struct reading *reading, const char *at, const char *end,
		       bool *other_ret)
{
	const char *found = NULL, *after = NULL;

	for (const char *i = at; i < end; i++) {
		unsigned number;
		const char *next;

		if (*i == '%' && i + 1 < end && i[1] == '%') {
			i++;
			continue;
		}
		next = mention(i, end, &number);
		if (next && number == reading->operand) {
			*other_ret = found != NULL;
			found = i;
			after = next;
		}
	}
	if (!found)
		return false;
	while (at < found && (is_blank(*at) || *at == '*'))
		at++;
	if (found - at > 2 && at[0] == '%' && at[1] == '%' && memchr(at, ':', found - at))
		at = (const char *)memchr(at, ':', found - at) + 1;
	while (at < found && (isxdigit((unsigned char)*at) || *at == 'x' || *at == '+'))
		at++;
	while (after < end && is_blank(*after))
		after++;
	if (at != found || after != end)
		*other_ret = true;
	return !*other_ret;
}

/* Reads the operands of an instruction, and notes what it does to the asm's operand. */
static void read_operands(struct reading *reading, const char *name, const char *at,
			  const char *end)
{
	bool other = false, has = false;

	while (at < end) {
		const char *next = at;
		bool mine;

		for (int depth = 0; next < end && (depth || *next != ','); next++)
			depth += (*next == '(') - (*next == ')');
		mine = is_operand(reading, at, next, &other);
		if (mine) {
			reading->use.known = !has && effect_of(name, next == end,
							       &reading->use.effect);
			reading->use.first = reading->instructions == 1;
		}
		has |= mine;
		at = next < end ? next + 1 : end;
	}
	if (other) {
		has = true;
		reading->use.known = false;
	}
	reading->having += has;
}

static bool starts(const char *at, const char *end, const char *word)
{
	size_t length = strlen(word);

	return (size_t)(end - at) >= length && !strncmp(at, word, length) &&
	       ((size_t)(end - at) == length || !isalnum((unsigned char)at[length]));
}

static void read_directive(struct reading *reading, const char *at, const char *end)
{
	static const char *const emitting[] = { ".align", ".ascii", ".asciz", ".balign", ".byte",
						".fill",  ".insn",  ".int",   ".long",   ".nops",
						".org",	  ".p2align", ".quad", ".short",  ".skip",
						".space", ".string", ".word",  ".zero" };

	if (starts(at, end, ".pushsection"))
		reading->pushed++;
	else if (starts(at, end, ".popsection"))
		reading->pushed--;
	else if (starts(at, end, ".section") || starts(at, end, ".subsection"))
		reading->elsewhere = true;
	else if (starts(at, end, ".previous") || starts(at, end, ".text"))
		reading->elsewhere = false;
	if (reading->pushed || reading->elsewhere)
		return;
	for (unsigned i = 0; i < sizeof(emitting) / sizeof(emitting[0]); i++)
		reading->instructions += starts(at, end, emitting[i]);
}

/* Reads one statement: labels, and then a directive or an instruction. */
static void read_statement(struct reading *reading, const char *at, const char *end)
{
	char name[MNEMONIC_MAX];
	size_t length = 0;
	const char *word;

	while (end > at && is_blank(end[-1]))
		end--;
	for (word = at; at < end; word = at) {
		while (word < end && is_blank(*word))
			word++;
		at = word;
		while (at < end && !is_blank(*at) && *at != ':' && *at != '"')
			at++;
		if (at == end || *at != ':')
			break;
		at++;
	}
	if (word == end)
		return;
	if (*word == '.')
		return read_directive(reading, word, end);
	if (reading->pushed || reading->elsewhere)
		return;
	while (word + length < end && isalnum((unsigned char)word[length]) &&
	       length < sizeof(name) - 1)
		length++;
	memcpy(name, word, length);
	name[length] = '\0';
	/* An operand in the mnemonic: `cmpxchg%c5b`. */
	while (word + length < end && !is_blank(word[length]))
		length++;
	if (!reading->prefixed)
		reading->instructions++;
	reading->prefixed = is_prefix(name);
	if (reading->prefixed)
		read_statement(reading, word + length, end);
	else
		read_operands(reading, name, word + length, end);
}

/* Returns the end of the comment that begins at @at; @at itself if there is no comment. */
static const char *skip_comment(const char *at)
{
	const char *end = at;

	if (*at == '#') {
		end = strchr(at, '\n');
		return end ? end : at + strlen(at);
	}
	if (at[0] == '/' && at[1] == '*') {
		end = strstr(at + 2, "*/");
		return end ? end + 2 : at + strlen(at);
	}
	return at;
}

/*
 * Returns the template without comments, and with the first variant of each `{AT&T|Intel}`. The
 * caller frees it.
 */
static char *plain_text(const char *text)
{
	char *copy = (char *)malloc(2 * strlen(text) + 1), *to = copy;
	bool inside = false, skipping = false;

	while (copy && *text) {
		const char *after = skip_comment(text);

		if (after != text) {
			*to++ = ' ';
			text = after;
			continue;
		}
		if (*text == '{' && !inside) {
			inside = true;
		} else if (*text == '|' && inside) {
			skipping = true;
		} else if (*text == '}' && inside) {
			inside = skipping = false;
		} else if (!skipping) {
			*to++ = *text;
			if (*text == '%' && text[1])
				*to++ = *++text;
		} else if (*text == '%' && text[1]) {
			text++;
		}
		text++;
	}
	if (copy)
		*to = '\0';
	return copy;
}

static const char *statement_end(const char *at)
{
	bool quoted = false;

	for (; *at && *at != '\n' && (*at != ';' || quoted); at++)
		quoted ^= *at == '"';
	return at;
}

wp_asm_use wp_asm_use_of(const char *text, unsigned operand)
{
	char *copy = plain_text(text);
	struct reading reading = {};

	reading.operand = operand;
	for (const char *at = copy; at && *at;) {
		const char *end = statement_end(at);

		read_statement(&reading, at, end);
		at = *end ? end + 1 : end;
	}
	free(copy);
	reading.use.mentioned = reading.having;
	reading.use.known = reading.use.known && reading.having == 1;
	return reading.use;
}
