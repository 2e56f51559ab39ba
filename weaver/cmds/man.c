// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes man pages from the rows of commands, with the macros of man(7). The text of the rows is
 * escaped, so that nothing in it is taken for a macro.
 */
#include <string.h>

#include "cmds/commands.h"
#include "cmds/man.h"

/* Adds the first line of @text, escaped. Returns the text after this line. */
static const char *add_line(const char *text, struct wv_str *out)
{
	bool start = true;

	for (; *text && *text != '\n'; text++, start = false) {
		if (start && (*text == '.' || *text == '\''))
			wv_str_add(out, "\\&");
		if (*text == '\\')
			wv_str_add(out, "\\e");
		else if (*text == '-')
			wv_str_add(out, "\\-");
		else if (*text == '`' || *text == '\'' || *text == '~' || *text == '^')
			wv_str_add(out, *text == '`'	? "\\(ga"
					: *text == '\'' ? "\\(aq"
					: *text == '~'	? "\\(ti"
							: "\\(ha");
		else
			wv_str_add_n(out, text, 1);
	}
	wv_str_add(out, "\n");
	return *text ? text + 1 : text;
}

/* Adds paragraphs. Lines that begin with two blanks are kept as they are. */
static void add_text(const char *text, struct wv_str *out)
{
	bool kept = false;

	while (*text) {
		bool keep = !strncmp(text, "  ", 2);

		if (keep != kept)
			wv_str_add(out, keep ? ".RS 4\n.nf\n" : ".fi\n.RE\n");
		kept = keep;
		if (*text == '\n') {
			wv_str_add(out, ".PP\n");
			text++;
			continue;
		}
		text = add_line(keep ? text + 2 : text, out);
	}
	if (kept)
		wv_str_add(out, ".fi\n.RE\n");
}

/* Adds the words of @text in bold. @text must not begin or end with a blank. */
static void add_bold(const char *text, struct wv_str *out)
{
	wv_str_add(out, ".B ");
	add_line(text, out);
}

static void add_option(const struct wv_option *row, struct wv_str *out)
{
	_cleanup_str_ struct wv_str names = { 0 };

	if (row->letter)
		wv_str_addf(&names, "-%c, ", row->letter);
	wv_str_addf(&names, "--%s", row->name);
	if (row->type == WV_OPTION_MAYBE_TEXT)
		wv_str_addf(&names, "[=%s]", row->value);
	else if (row->value)
		wv_str_addf(&names, " %s", row->value);
	if (names.failed)
		return;
	wv_str_add(out, ".TP\n");
	add_bold(names.data, out);
	add_text(row->help, out);
}

static void add_head(const char *name, const char *summary, struct wv_str *out)
{
	wv_str_add(out, ".TH ");
	for (const char *c = name; *c; c++)
		wv_str_addf(out, "%c", *c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
	wv_str_addf(out, " 1 \"\" weft \"weft\"\n.SH NAME\n%s \\- ", name);
	add_line(summary, out);
	wv_str_add(out, ".SH SYNOPSIS\n");
}

/*
 * Adds references to all other pages, in the order of the table of commands. @self is the command
 * whose page this is; NULL: it is the page of `weft` itself.
 */
static void add_see_also(const struct wv_cmd *self, struct wv_str *out)
{
	wv_str_add(out, ".SH SEE ALSO\n");
	if (self)
		wv_str_add(out, ".BR weft (1),\n");
	for (const struct wv_cmd *const *cmd = wv_cmds; *cmd; cmd++)
		if (*cmd != self)
			wv_str_addf(out, ".BR weft\\-%s (1)%s\n", (*cmd)->name,
				    cmd[1] && !(cmd[1] == self && !cmd[2]) ? "," : "");
}

/* Adds examples: command lines as they are, and the text of each line "# WHAT" as a paragraph. */
static void add_examples(const char *text, struct wv_str *out)
{
	const char *const first = text;

	wv_str_add(out, ".SH EXAMPLES\n");
	while (*text) {
		if (text[0] == '#' && text[1] == ' ') {
			wv_str_add(out, text == first ? "" : ".PP\n");
			text = add_line(text + 2, out);
		}
		wv_str_add(out, ".RS 4\n.nf\n");
		text = add_line(text, out);
		wv_str_add(out, ".fi\n.RE\n");
	}
}

static void man_of_command(const struct wv_cmd *cmd, struct wv_str *out)
{
	_cleanup_str_ struct wv_str name = { 0 }, notes = { 0 };

	wv_str_addf(&name, "weft-%s", cmd->name);
	wv_cmd_notes(cmd, &notes);
	out->failed |= name.failed || notes.failed;
	if (out->failed)
		return;
	add_head(name.data, cmd->summary, out);
	wv_str_addf(out, ".B weft %s\n", cmd->name);
	add_line(cmd->usage, out);
	if (notes.n) {
		wv_str_add(out, ".SH DESCRIPTION\n");
		add_text(notes.data, out);
	}
	wv_str_add(out, ".SH OPTIONS\n");
	for (const struct wv_option *row = cmd->options; row->name; row++)
		add_option(row, out);
	if (cmd->examples)
		add_examples(cmd->examples, out);
	add_see_also(cmd, out);
}

static void add_tagged(const char *tag, const char *text, struct wv_str *out)
{
	wv_str_add(out, ".TP\n");
	add_bold(tag, out);
	add_text(text, out);
}

static void man_of_program(struct wv_str *out)
{
	add_head("weft", "weave C advice into a running kernel", out);
	wv_str_add(out, ".B weft\nCOMMAND [arguments]\n.SH DESCRIPTION\n");
	add_text("weft puts advice, written in C, into a running Linux kernel at points named in "
		 "source terms (every\n"
		 "call through sk_buff.destructor, every write of sock.sk_state, the entry of "
		 "vfs_read), and takes it out\n"
		 "again, without a reboot. An aspect is an XML file with pointcuts and advice; it "
		 "is compiled to a module\n"
		 "and woven by weft.ko. What cannot be spliced safely is refused, with its "
		 "reason.\n",
		 out);
	wv_str_add(out, ".SH COMMANDS\n");
	for (const struct wv_cmd *const *cmd = wv_cmds; *cmd; cmd++)
		add_tagged((*cmd)->name, (*cmd)->summary, out);
	wv_str_add(
		out,
		".SH EXIT STATUS\nEvery failure is one line on standard error and one of these.\n"
		"The numbers do not change their meaning.\n");
	for (int code = 0; wv_code_meaning(code); code++) {
		wv_str_addf(out, ".TP\n.B %d\n", code);
		add_line(wv_code_meaning(code), out);
	}
	wv_str_add(out, ".SH ENVIRONMENT\n");
	add_tagged("WEFT_KERNEL",
		   "the folder in which the kernel was built, where --kernel is not given", out);
	add_tagged("WEFT_DB", "the joinpoint database, where --db is not given", out);
	add_tagged("WEFT_RUNTIME", "where weft's runtime headers are, where --runtime is not given",
		   out);
	add_tagged("WEFT_DEBUG",
		   "where debug files of stripped modules are looked for (/usr/lib/debug)", out);
	add_tagged("TMPDIR",
		   "the folder for temporary files (/tmp); it is refused if others can replace "
		   "what is in it", out);
	wv_str_add(out, ".SH FILES\n");
	add_tagged("${XDG_CACHE_HOME:-~/.cache}/weft/aspects", "compiled aspects", out);
	add_tagged("/dev/weft", "the kernel's side, weft.ko", out);
	add_see_also(NULL, out);
}

void wv_man(const struct wv_cmd *cmd, struct wv_str *out)
{
	if (cmd)
		man_of_command(cmd, out);
	else
		man_of_program(out);
}
