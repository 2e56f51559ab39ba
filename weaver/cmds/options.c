// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses a command line by the rows of its command, with getopt_long(); see options.h. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/duration.h"
#include "cmds/options.h"
#include "base/suggest.h"

/*
 * ROWS_MAX: maximum number of rows of a command.
 * ROW: getopt_long() returns ROW + N for row N. ROW is greater than each character, because
 * getopt_long() also returns '?' and ':'.
 */
enum { ROWS_MAX = 48, ROW = 256 };

/*
 * .longs, .letters: the tables of getopt_long().
 * .given: for each row, whether the command line has the option.
 */
struct parser {
	const struct wv_cmd *cmd;
	struct option longs[ROWS_MAX + 1];
	char letters[2 + 3 * ROWS_MAX + 1];
	bool given[ROWS_MAX];
};

/*
 * Makes the tables of getopt_long() from the rows. If another program's command line follows the
 * first operand, .letters begins with a '+', with which getopt_long() stops at the first operand.
 */
static void prepare(struct parser *parser)
{
	char *letter = stpcpy(parser->letters, parser->cmd->program_follows ? "+:" : ":");

	for (size_t i = 0; i < ROWS_MAX && parser->cmd->options[i].name; i++) {
		const struct wv_option *row = &parser->cmd->options[i];
		int argument = row->type == WV_OPTION_FLAG	 ? no_argument :
			       row->type == WV_OPTION_MAYBE_TEXT ? optional_argument :
								   required_argument;

		parser->longs[i] = (struct option){ row->name, argument, NULL, ROW + (int)i };
		if (!row->letter)
			continue;
		*letter++ = row->letter;
		letter = stpcpy(letter, argument == no_argument	      ? "" :
					argument == required_argument ? ":" : "::");
	}
}

static const struct wv_option *row_of(const struct parser *parser, int option)
{
	const struct wv_option *row = parser->cmd->options;

	if (option >= ROW)
		return &row[option - ROW];
	for (; row->name; row++)
		if (row->letter && row->letter == option)
			return row;
	return NULL;
}

/*
 * Reports the option @argument, which getopt_long() has rejected. If this is a short option,
 * getopt's variable optopt is its letter. If it is a long option, optopt is 0 if there is no such
 * option. Else the option takes no value, and the command line has one.
 */
static int fail_unknown(const struct parser *parser, const char *argument, struct wv_error *error)
{
	size_t n = strcspn(argument, "=");
	_cleanup_str_ struct wv_str all = { 0 };
	char name[128], hint[256];
	struct wv_suggestion suggestion = { .wanted = name };
	bool is_long = !strncmp(argument, "--", 2);

	if (is_long && optopt)
		return wv_usage(error, parser->cmd->name, "%.*s takes no value", (int)n, argument);
	if (!is_long)
		return wv_usage(error, parser->cmd->name, "unknown option '-%c'", optopt);
	snprintf(name, sizeof(name), "%.*s", (int)n, argument);
	for (const struct wv_option *row = parser->cmd->options; row->name; row++) {
		char known[128];

		snprintf(known, sizeof(known), "--%s", row->name);
		wv_suggestion_offer(&suggestion, known);
		wv_str_addf(&all, "%s%s", all.n ? ", " : "; there are ", known);
	}
	wv_suggestion_text(&suggestion, hint, sizeof(hint));
	return wv_usage(error, parser->cmd->name, "unknown option '%s'%s", name,
			*hint ? hint : wv_str_text(&all));
}

static int parse_number(const struct wv_cmd *cmd, const char *text, size_t *ret,
			struct wv_error *error)
{
	char *end;

	errno = 0;
	*ret = strtoul(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || errno)
		return wv_usage(error, cmd->name, "'%s' is not a number", text);
	return 0;
}

static int parse_time(const struct wv_cmd *cmd, const char *text, uint64_t *ret,
		      struct wv_error *error)
{
	if (wv_duration_parse(text, ret))
		return 0;
	return wv_usage(error, cmd->name,
			"'%s' is not a time: write a number and a unit (" WV_DURATION_UNITS ")",
			text);
}

static int add_text(const struct wv_cmd *cmd, const struct wv_option *row, const char *value,
		    struct wv_texts *texts, struct wv_error *error)
{
	if (texts->n == WV_TEXTS_MAX)
		return wv_usage(error, cmd->name, "--%s is given more than %d times", row->name,
				WV_TEXTS_MAX);
	texts->text[texts->n++] = value;
	return 0;
}

static int take(struct parser *parser, const struct wv_option *row, const char *value,
		void *options, struct wv_error *error)
{
	bool *given = &parser->given[row - parser->cmd->options];
	void *at = (char *)options + row->offset;

	if (row->type == WV_OPTION_FLAG) {
		*(bool *)at = true;
		return 0;
	}
	if (row->type == WV_OPTION_TEXTS)
		return add_text(parser->cmd, row, value, at, error);
	if (*given)
		return wv_usage(error, parser->cmd->name,
				"--%s is given twice, the second time with '%s'", row->name,
				value ? value : "");
	*given = true;
	if (row->type == WV_OPTION_NUMBER)
		return parse_number(parser->cmd, value, at, error);
	if (row->type == WV_OPTION_TIME)
		return parse_time(parser->cmd, value, at, error);
	*(const char **)at = value ? value : "";
	return 0;
}

static bool is_folder(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISDIR(status.st_mode);
}

int wv_options_parse(const struct wv_cmd *cmd, int argc, char **argv, void *options, int *first_ret,
		     struct wv_error *error)
{
	struct parser parser = { .cmd = cmd };
	int option, ret = 0;

	prepare(&parser);
	opterr = 0;
	optind = 0;
	while (!ret &&
	       (option = getopt_long(argc, argv, parser.letters, parser.longs, NULL)) != -1) {
		const struct wv_option *row = row_of(&parser, option == ':' ? optopt : option);

		if (!row)
			return fail_unknown(&parser, argv[optind - 1], error);
		if (option == ':')
			return wv_usage(error, cmd->name, "--%s needs a value: %s", row->name,
					row->value);
		/*
		 * Also accept `--keep-c FOLDER`, without '='. The folder cannot be meant as an
		 * operand, because the operands of commands with such an option are files.
		 */
		if (row->type == WV_OPTION_MAYBE_TEXT && !optarg && optind < argc &&
		    is_folder(argv[optind]))
			optarg = argv[optind++];
		ret = take(&parser, row, optarg, options, error);
	}
	*first_ret = optind;
	return ret;
}

int wv_split_at_dashes(int argc, char **argv, char ***command_ret)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--"))
			continue;
		*command_ret = argv + i + 1;
		return i;
	}
	*command_ret = argv + argc;
	return argc;
}

const struct wv_option *wv_option_find(const struct wv_cmd *cmd, const char *text)
{
	for (const struct wv_option *row = cmd->options; row->name; row++) {
		size_t n = strlen(row->name);

		if (!strncmp(text, "--", 2) && !strncmp(text + 2, row->name, n) &&
		    (!text[2 + n] || text[2 + n] == '='))
			return row;
		if (row->letter && text[0] == '-' && text[1] == row->letter && !text[2])
			return row;
	}
	return NULL;
}

bool wv_options_want_help(const struct wv_cmd *cmd, int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		const struct wv_option *row;

		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
			return true;
		if (argv[i][0] != '-' && cmd->program_follows)
			return false;
		/* Skip the option's value, which may look like --help. */
		row = wv_option_find(cmd, argv[i]);
		if (row && row->value && row->type != WV_OPTION_MAYBE_TEXT && !strchr(argv[i], '='))
			i++;
	}
	return false;
}
