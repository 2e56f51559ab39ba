// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes C for one-liners; see advice-text.h. */
#include <string.h>

#include "aspect/oneliner/advice-text.h"

/*
 * WATCH_DEPTH: maximum number of functions of a stack that a record shows.
 * FRAMES_OF_ADVICE: number of frames that stack_trace_save() skips, because they belong to the
 * advice's function and to weft's trampoline.
 */
enum { WATCH_DEPTH = 8, FRAMES_OF_ADVICE = 2 };

/*
 * Adds C that writes a record whose text ends with the functions of the stack, one per line. The
 * format of a weft_log() has to be a literal. So the C has a switch with one weft_log() for each
 * possible number of functions. @format: the text before the stack. @arguments: C of the arguments
 * of that text, with a comma before each: ", a, b".
 */
static void add_stack_log(unsigned int depth, const char *format, const char *arguments,
			  struct wv_str *out)
{
	wv_str_add(out, "    switch (n) {\n");
	for (unsigned int n = 0; n <= depth; n++) {
		wv_str_addf(out, n < depth ? "    case %u:\n" : "    default:\n", n);
		wv_str_addf(out, "      weft_log(\"%s", format);
		for (unsigned int i = 0; i < n; i++)
			wv_str_add(out, "\\n      %pB");
		wv_str_addf(out, "\"%s", arguments);
		for (unsigned int i = 0; i < n; i++)
			wv_str_addf(out, ",%s(void *)at[%u]", i % 4 ? " " : "\n               ", i);
		wv_str_add(out, ");\n      break;\n");
	}
	wv_str_add(out, "    }\n");
}

static void add_stack(unsigned int depth, struct wv_str *out)
{
	wv_str_addf(out,
		    "    unsigned long at[%u];\n"
		    "    unsigned int n = stack_trace_save(at, ARRAY_SIZE(at), %u);\n",
		    depth, FRAMES_OF_ADVICE);
}

/* ---- writing the body of `weft log` ---------------------------------------------------------- */

/*
 * Adds the format as a C literal. The user's backslashes are those of C, as in bpftrace's printf().
 * A newline at the end is dropped, because every record ends its line itself.
 */
static void add_format(const char *format, struct wv_str *out)
{
	size_t n = strlen(format);

	if (n >= 2 && !strcmp(format + n - 2, "\\n"))
		n -= 2;
	wv_str_add(out, "\"");
	for (size_t i = 0; i < n; i++) {
		if (format[i] == '\\' && i + 1 < n)
			wv_str_add_n(out, format + i++, 2);
		else if (format[i] == '\\')
			wv_str_add(out, "\\\\");
		else if (format[i] == '"')
			wv_str_add(out, "\\\"");
		else if (format[i] == '\n')
			wv_str_add(out, "\\n");
		else
			wv_str_add_n(out, format + i, 1);
	}
	wv_str_add(out, "\"");
}

void wv_log_body(const struct wv_oneliner *asked, struct wv_str *out)
{
	wv_str_add(out, "    weft_log(");
	add_format(asked->format ? asked->format : "hit", out);
	for (size_t i = 0; i < asked->nr_arguments; i++)
		wv_str_addf(out, ", %s", asked->arguments[i]);
	wv_str_add(out, ");\n");
}

/* ---- writing the body of `weft watch` -------------------------------------------------------- */

static void add_change(const struct wv_oneliner *asked, const char *name, const char *conversion,
		       const char *cast, struct wv_str *out)
{
	_cleanup_str_ struct wv_str format = { 0 }, arguments = { 0 };

	wv_str_addf(&format, "%s %s -> %s", name, conversion, conversion);
	wv_str_addf(&arguments, ", object, %swas, %sis", cast, cast);
	out->failed |= format.failed || arguments.failed;
	if (out->failed)
		return;
	if (asked->stack)
		add_stack_log(WATCH_DEPTH, format.data, arguments.data, out);
	else
		wv_str_addf(out, "      weft_log(\"%s\"%s);\n", format.data, arguments.data);
}

void wv_watch_body(const struct wv_oneliner *asked, const char *structure, const char *member,
		   struct wv_str *out)
{
	_cleanup_str_ struct wv_str name = { 0 };

	wv_str_addf(&name, "%s%s%%px %s", structure, *structure ? " " : "", member);
	out->failed |= name.failed;
	if (out->failed)
		return;
	wv_str_addf(out,
		    "    const void *object = $obj;\n"
		    "    const u64 was = (u64)$field(%s), is = (u64)$value;\n"
		    "    const bool pointer = __builtin_classify_type($value) == 5;\n",
		    member);
	/*
	 * Write C that finds whether the value's type is signed: (type)-1 < 1. A pointer is taken
	 * as unsigned long there, since this comparison is not valid for pointers.
	 */
	if (!asked->hex)
		wv_str_add(out,
			   "    const bool has_sign = (__typeof__(__builtin_choose_expr(\n"
			   "      __builtin_classify_type($value) == 5, 0ul, $value)))-1 "
			   "< 1;\n");
	if (asked->stack)
		add_stack(WATCH_DEPTH, out);
	if (asked->changed)
		wv_str_add(out, "\n    if (was == is)\n      return;\n");
	wv_str_add(out, "\n    if (pointer) {\n");
	add_change(asked, name.data, "%pS", "(void *)", out);
	if (asked->hex) {
		wv_str_add(out, "    } else {\n");
		add_change(asked, name.data, "%#llx", "", out);
	} else {
		wv_str_add(out, "    } else if (has_sign) {\n");
		add_change(asked, name.data, "%lld", "(s64)", out);
		wv_str_add(out, "    } else {\n");
		add_change(asked, name.data, "%llu", "", out);
	}
	wv_str_add(out, "    }\n");
}
