// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shell completion from the table of commands and their rows; see complete.h. Each line of the
 * answer is one of these:
 *
 *   WORD            a candidate; if it ends in . / = : or %, more is to follow in the same word
 *   @files ENDS...  files whose names end in one of ENDS ("*": any file), and folders
 *   @folders        folders
 *   @program N      word N begins another program's command line, which the shell completes itself
 *
 * weaver/completion.bash reads these lines. If something is missing, such as a database or weft.ko,
 * there are fewer candidates. No messages are printed, because they would appear in the middle of
 * the command line that the user is typing.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cmds/commands.h"
#include "cmds/complete.h"
#include "cmds/defaults.h"
#include "cmds/options.h"
#include "runtime/joinpoint-table.h"
#include "database/db.h"
#include "database/names.h"
#include "database/pointcut-kinds.h"
#include "live/requests.h"

/* What has been parsed of the command line. */
struct line {
	const struct wv_cmd *cmd;
	const char *database; /* value of --db, or NULL */
	const char *kernel;   /* value of --kernel, or NULL */
	size_t operands; /* number of operands so far */
	bool only_operands; /* no more options: after "--", or after the program of `weft run` */
	int first_operand;  /* index of the first operand's word */
	int dashes;	    /* index of "--", or 0 */
};

static bool starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

/* Adds the candidate @before + @word if @word begins with @prefix. */
static void offer(struct wv_str *out, const char *before, const char *word, const char *prefix)
{
	if (starts_with(word, prefix))
		wv_str_addf(out, "%s%s\n", before, word);
}

static void offer_commands(const char *prefix, struct wv_str *out)
{
	for (const struct wv_cmd *const *cmd = wv_cmds; *cmd; cmd++)
		offer(out, "", (*cmd)->name, prefix);
}

static void offer_options(const struct wv_cmd *cmd, const char *prefix, struct wv_str *out)
{
	for (const struct wv_option *row = cmd->options; row->name; row++) {
		_cleanup_str_ struct wv_str name = { 0 };

		wv_str_addf(&name, "--%s", row->name);
		if (!name.failed)
			offer(out, "", name.data, prefix);
	}
	offer(out, "", "--help", prefix);
}

/* ---- finding candidates for values ----------------------------------------------------------- */

static void offer_woven(const char *before, const char *prefix, struct wv_str *out)
{
	struct wv_statuses statuses;
	struct wv_device device;
	struct wv_error error;

	if (wv_device_open(&device, &error))
		return;
	if (!wv_device_list(&device, &statuses, &error)) {
		wv_vec_for_each(status, &statuses.list)
			offer(out, before, status->name, prefix);
		wv_statuses_deinit(&statuses);
	}
	wv_device_close(&device);
}

/*
 * Completes the last of several kinds of access with '|' between them, as in "get|se". Each
 * candidate begins with the kinds before the last one.
 */
static void offer_kinds(const char *before, const char *prefix, struct wv_str *out)
{
	const char *bar = strrchr(prefix, '|'), *last = bar ? bar + 1 : prefix;
	_cleanup_str_ struct wv_str first = { 0 };

	wv_str_add(&first, before);
	wv_str_add_n(&first, prefix, last - prefix);
	for (unsigned int kind = 0; !first.failed && kind < WEFT_KIND_COUNT; kind++)
		offer(out, first.data, wv_kind_name(kind), last);
}

/*
 * Completes the part of a function: in "vfs_read%ex" the text after the '%', to which @percent
 * points.
 */
static void offer_parts(const char *before, const char *prefix, const char *percent,
			struct wv_str *out)
{
	_cleanup_str_ struct wv_str first = { 0 };
	const struct wv_function_part *part;

	wv_str_add(&first, before);
	wv_str_add_n(&first, prefix, percent + 1 - prefix);
	for (size_t i = 0; !first.failed && (part = wv_function_part(i, NULL)); i++)
		offer(out, first.data, part->name, percent + 1);
}

/*
 * Adds @name, after @before, as a candidate. If @goes_on is true, @name is a file or a folder, and
 * the user may write ":LINE" after the name of a file: adds the ':' to it. The name of a folder
 * ends in '/', and gets no ':'.
 */
static void offer_name(const char *before, const char *name, bool goes_on, struct wv_str *out)
{
	size_t n = strlen(name);

	wv_str_addf(out, "%s%s%s\n", before, name, goes_on && n && name[n - 1] != '/' ? ":" : "");
}

static void offer_names(const struct line *line, enum wv_names which, bool goes_on,
			const char *before, const char *prefix, struct wv_str *out)
{
	const char *kernel = line->kernel ? line->kernel : wv_default_kernel();
	const char *path = line->database ? line->database : wv_default_database(kernel);
	_cleanup_db_ struct wv_db *db = NULL;
	_cleanup_str_ struct wv_str names = { 0 };
	struct wv_error error;
	char *rest;

	/*
	 * With an empty prefix the candidates would be all names of the kernel: too many to be of
	 * use.
	 */
	if (!path || !*prefix || wv_db_open(path, &db, &error))
		return;
	if (wv_db_complete(db, which, prefix, &names, &error) || names.failed)
		return;
	rest = names.data;
	for (char *name; rest && (name = strsep(&rest, "\n")) && *name;)
		offer_name(before, name, goes_on, out);
}

static void offer_pointcut(const struct line *line, const char *before, const char *prefix,
			   struct wv_str *out)
{
	const char *percent = strchr(prefix, '%');

	if (percent) {
		offer_parts(before, prefix, percent, out);
		return;
	}
	offer_names(line, WV_NAMES_MEMBERS, false, before, prefix, out);
	offer_names(line, WV_NAMES_FUNCTIONS, false, before, prefix, out);
	offer_names(line, WV_NAMES_FILES, true, before, prefix, out);
	wv_str_add(out, "@files .xml\n");
}

/*
 * Completes a value of type @what. @prefix is the part of the value that has been typed; @before is
 * the text before the value in the same word, such as "--kind=".
 */
static void offer_value(const struct line *line, enum wv_completion what, const char *before,
			const char *prefix, struct wv_str *out)
{
	static const char *const files[] = {
		[WV_COMPLETE_FILE] = "@files *\n",
		[WV_COMPLETE_FOLDER] = "@folders\n",
		[WV_COMPLETE_IMAGE] = "@files vmlinux .ko\n",
		[WV_COMPLETE_DATABASE] = "@files .weft\n",
		[WV_COMPLETE_ASPECT_FILE] = "@files .xml\n",
		[WV_COMPLETE_ASPECT] = "@files .xml .ko\n",
	};

	switch (what) {
	case WV_COMPLETE_WOVEN:
		offer_woven(before, prefix, out);
		break;
	case WV_COMPLETE_KINDS:
		offer_kinds(before, prefix, out);
		break;
	case WV_COMPLETE_POINTCUT:
		offer_pointcut(line, before, prefix, out);
		break;
	case WV_COMPLETE_WITHIN:
		offer_names(line, WV_NAMES_FUNCTIONS, false, before, prefix, out);
		offer_names(line, WV_NAMES_FILES, false, before, prefix, out);
		break;
	case WV_COMPLETE_SOURCE:
		offer_names(line, WV_NAMES_FILES, false, before, prefix, out);
		break;
	case WV_COMPLETE_COMMAND:
		offer_commands(prefix, out);
		break;
	default:
		if (what < sizeof(files) / sizeof(files[0]) && files[what])
			wv_str_add(out, files[what]);
	}
}

/* ---- parsing the command line ---------------------------------------------------------------- */

static void note_option(struct line *line, const struct wv_option *row, const char *value)
{
	if (row->completes == WV_COMPLETE_DATABASE)
		line->database = value;
	else if (!strcmp(row->name, "kernel"))
		line->kernel = value;
}

/*
 * Parses all words except the last one, which is to be completed. If the last word is the value of
 * an option, returns that option. If it is an option or an operand itself, returns NULL.
 */
static const struct wv_option *read_line(struct line *line, int n, char **words)
{
	for (int i = 1; i < n - 1; i++) {
		const struct wv_option *row = NULL;
		const char *equals = strchr(words[i], '=');

		if (!line->only_operands && !strcmp(words[i], "--")) {
			line->only_operands = true;
			line->dashes = i;
			continue;
		}
		if (line->only_operands || words[i][0] != '-') {
			if (!line->operands++)
				line->first_operand = i;
			line->only_operands |= line->cmd->program_follows;
			continue;
		}
		row = wv_option_find(line->cmd, words[i]);
		if (!row || !row->value || row->type == WV_OPTION_MAYBE_TEXT)
			continue;
		if (equals) {
			note_option(line, row, equals + 1);
		} else if (i + 1 == n - 1) {
			return row;
		} else {
			note_option(line, row, words[++i]);
		}
	}
	return NULL;
}

static void offer_operand(const struct line *line, const char *word, struct wv_str *out)
{
	size_t n = 0;

	while (line->cmd->operands[n])
		n++;
	if (line->operands < n)
		offer_value(line, line->cmd->operands[line->operands], "", word, out);
	else if (n && line->cmd->more)
		offer_value(line, line->cmd->operands[n - 1], "", word, out);
}

int wv_complete(int n, char **words, struct wv_str *out, struct wv_error *error)
{
	struct line line = { 0 };
	const struct wv_option *row;
	const char *word = n ? words[n - 1] : "", *equals;

	if (n < 2) {
		offer_commands(word, out);
		return 0;
	}
	line.cmd = wv_cmd_find(words[0]);
	if (!line.cmd)
		return 0;
	row = read_line(&line, n, words);
	equals = strchr(word, '=');
	if (row) {
		offer_value(&line, row->completes, "", word, out);
	} else if (line.cmd->dashes_program && line.dashes) {
		/* The word after "--", with "weft" as word 0: see the next branch. */
		wv_str_addf(out, "@program %d\n", line.dashes + 2);
	} else if (line.cmd->program_follows && line.operands) {
		/*
		 * For the shell, "weft" is word 0. @words begins with the word after it, hence + 1.
		 * If the word after the aspect is "--", the program's command line begins after the
		 * "--".
		 */
		int first = line.first_operand + 1;

		first += first < n - 1 && !strcmp(words[first], "--");
		wv_str_addf(out, "@program %d\n", first + 1);
	} else if (line.only_operands || word[0] != '-') {
		offer_operand(&line, word, out);
	} else if (equals && (row = wv_option_find(line.cmd, word)) && row->value) {
		_cleanup_str_ struct wv_str before = { 0 };

		wv_str_add_n(&before, word, equals + 1 - word);
		if (!before.failed)
			offer_value(&line, row->completes, before.data, equals + 1, out);
	} else {
		offer_options(line.cmd, word, out);
	}
	return 0;
}
