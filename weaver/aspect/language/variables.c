// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of the variables of advice; see variables.h and docs/aspect-language.md. */
#include <string.h>

#include "runtime/frame.h"
#include "aspect/language/variables.h"

#define REGISTER(name_, reg_)                                                               \
	{                                                                                   \
		.name = "$" name_, .declaration = "const unsigned long $" name_,            \
		.value = "wr_reg(weft, " #reg_ ")", .needs = WR_BIT(reg_),                  \
	}
#define ARGUMENT(name_, reg_)                                                              \
	{                                                                                  \
		.name = "$" name_, .declaration = "void *const $" name_,                   \
		.value = "(void *)wr_reg(weft, " #reg_ ")", .needs = WR_BIT(reg_), \
		.scope = WV_SCOPE_CALL,                                                    \
	}
#define PLAIN(name_, declaration_, value_)                                                 \
	{                                                                                  \
		.name = "$" name_, .declaration = declaration_ name_, .value = value_,     \
	}

const struct wv_variable wv_variables[] = {
	REGISTER("rax", WR_RAX),
	REGISTER("rbx", WR_RBX),
	REGISTER("rcx", WR_RCX),
	REGISTER("rdx", WR_RDX),
	REGISTER("rsi", WR_RSI),
	REGISTER("rdi", WR_RDI),
	REGISTER("rbp", WR_RBP),
	REGISTER("rsp", WR_RSP),
	REGISTER("r8", WR_R8),
	REGISTER("r9", WR_R9),
	REGISTER("r10", WR_R10),
	REGISTER("r11", WR_R11),
	REGISTER("r12", WR_R12),
	REGISTER("r13", WR_R13),
	REGISTER("r14", WR_R14),
	REGISTER("r15", WR_R15),
	PLAIN("rip", "const unsigned long $", "weft->shadow->address"),
	{ .name = "$rflags", .declaration = "const unsigned long $rflags",
	  .value = "weft->frame->flags", .needs = WR_BIT(WR_FLAGS) },
	PLAIN("eip", "const unsigned long $", "weft->shadow->address"),
	REGISTER("ebp", WR_RBP),
	REGISTER("esp", WR_RSP),
	ARGUMENT("arg1", WR_RDI),
	ARGUMENT("arg2", WR_RSI),
	ARGUMENT("arg3", WR_RDX),
	ARGUMENT("arg4", WR_RCX),
	ARGUMENT("arg5", WR_R8),
	ARGUMENT("arg6", WR_R9),
	{ .name = "$target", .declaration = "void *const $target",
	  .value = "wr_call_target(weft)", .needs = WR_BIT(WR_TARGET), .scope = WV_SCOPE_CALL },
	PLAIN("jp", "const u32 $", "weft->shadow->joinpoint - weft_joinpoints"),
	PLAIN("func", "const char *const $", "weft_strings + weft->shadow->joinpoint->function"),
	PLAIN("file", "const char *const $", "weft_strings + weft->shadow->joinpoint->file"),
	PLAIN("line", "const u32 $", "weft->shadow->joinpoint->line"),
	{ .name = "$elapsed", .declaration = "const u64 $elapsed", .value = "weft_ns",
	  .scope = WV_SCOPE_ELAPSED },
};

const size_t wv_nr_variables = sizeof(wv_variables) / sizeof(*wv_variables);

_Static_assert(sizeof(wv_variables) / sizeof(*wv_variables) <= 64,
	       "a body's variables are a 64-bit set");

const char *const wv_reference_words[] = {
	[WV_REFERENCE_LOCAL] = "$",	[WV_REFERENCE_FIELD] = "$field",
	[WV_REFERENCE_SYMBOL] = "$sym", [WV_REFERENCE_TASK] = "$task",
	[WV_REFERENCE_OBJECT] = "$obj", [WV_REFERENCE_VALUE] = "$value",
	[WV_REFERENCE_RETURN] = "$ret",	[WV_REFERENCE_RESULT] = "$return",
};

int wv_variable_find(const char *name, size_t n)
{
	for (size_t i = 0; i < wv_nr_variables; i++)
		if (strlen(wv_variables[i].name) == n && !strncmp(name, wv_variables[i].name, n))
			return i;
	return -1;
}
