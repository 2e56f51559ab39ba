// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of advice's variables; see variables.h and docs/aspect-language.md. */
#include <string.h>

#include "../runtime/frame.h"
#include "aspect/aspect.h"
#include "aspect/variables.h"

#define REGISTER(name_, reg_, needs_)                                                       \
	{                                                                                   \
		.name = "$" name_, .declaration = "const unsigned long $" name_,            \
		.value = "wr_reg(weft, " #reg_ ")", .needs = needs_,                        \
	}
/* C may clobber it, so every patch stores it; rsp follows from the frame's place. */
#define USUAL(name_, reg_) REGISTER(name_, reg_, 0)
#define NAMED(name_, reg_) REGISTER(name_, reg_, WR_BIT(reg_))
#define ARGUMENT(name_, reg_)                                                              \
	{                                                                                  \
		.name = "$" name_, .declaration = "void *const $" name_,                   \
		.value = "(void *)wr_reg(weft, " #reg_ ")", .scope = WV_SCOPE_CALL,        \
	}
#define PLAIN(name_, declaration_, value_)                                                 \
	{                                                                                  \
		.name = "$" name_, .declaration = declaration_ name_, .value = value_,     \
	}

const struct wv_variable wv_variables[] = {
	USUAL("rax", WR_RAX),
	NAMED("rbx", WR_RBX),
	USUAL("rcx", WR_RCX),
	USUAL("rdx", WR_RDX),
	USUAL("rsi", WR_RSI),
	USUAL("rdi", WR_RDI),
	NAMED("rbp", WR_RBP),
	USUAL("rsp", WR_RSP),
	USUAL("r8", WR_R8),
	USUAL("r9", WR_R9),
	USUAL("r10", WR_R10),
	USUAL("r11", WR_R11),
	NAMED("r12", WR_R12),
	NAMED("r13", WR_R13),
	NAMED("r14", WR_R14),
	NAMED("r15", WR_R15),
	PLAIN("rip", "const unsigned long $", "weft->shadow->address"),
	PLAIN("rflags", "const unsigned long $", "weft->frame->flags"),
	PLAIN("eip", "const unsigned long $", "weft->shadow->address"),
	NAMED("ebp", WR_RBP),
	USUAL("esp", WR_RSP),
	ARGUMENT("arg1", WR_RDI),
	ARGUMENT("arg2", WR_RSI),
	ARGUMENT("arg3", WR_RDX),
	ARGUMENT("arg4", WR_RCX),
	ARGUMENT("arg5", WR_R8),
	ARGUMENT("arg6", WR_R9),
	{ .name = "$target", .declaration = "void *const $target",
	  .value = "wr_call_target(weft)", .scope = WV_SCOPE_CALL },
	PLAIN("jp", "const u32 $", "weft->shadow->joinpoint - weft_joinpoints"),
	PLAIN("func", "const char *const $", "weft_strings + weft->shadow->joinpoint->function"),
	PLAIN("file", "const char *const $", "weft_strings + weft->shadow->joinpoint->file"),
	PLAIN("line", "const u32 $", "weft->shadow->joinpoint->line"),
};

const size_t wv_nr_variables = sizeof(wv_variables) / sizeof(*wv_variables);

_Static_assert(sizeof(wv_variables) / sizeof(*wv_variables) <= 64, "a body's variables are a 64-bit set");

const char *const wv_named_words[] = {
	[WV_NAMED_LOCAL] = "$",	   [WV_NAMED_FIELD] = "$field", [WV_NAMED_SYMBOL] = "$sym",
	[WV_NAMED_OBJECT] = "$obj", [WV_NAMED_VALUE] = "$value",
};

int wv_variable_find(const char *name, size_t n)
{
	for (size_t i = 0; i < wv_nr_variables; i++)
		if (strlen(wv_variables[i].name) == n && !strncmp(name, wv_variables[i].name, n))
			return i;
	return -1;
}
