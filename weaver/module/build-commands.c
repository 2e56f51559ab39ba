// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses the shell commands in kbuild's .cmd files; see build-commands.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/str.h"
#include "module/build-commands.h"

void wv_command_deinit(struct wv_command *command)
{
	wv_vec_for_each(word, &command->words)
		free(*word);
	wv_vec_deinit(&command->words);
}

void wv_commands_deinit(wv_commands *commands)
{
	wv_vec_for_each(command, commands)
		wv_command_deinit(command);
	wv_vec_deinit(commands);
}

int wv_command_add(struct wv_command *command, const char *word, struct wv_error *error)
{
	char **slot = wv_vec_push(&command->words);

	if (slot)
		*slot = strdup(word);
	return slot && *slot ? 0 : wv_no_memory(error);
}

/* ---- parsing a command line of a shell ------------------------------------------------------- */

struct parser {
	const char *at;
	struct wv_str word;
	bool in_word; /* true: a word has begun; the word may be empty, as with '' */
	struct wv_command command;
	wv_commands *list;
	struct wv_error *error;
};

static int unknown(struct parser *parser)
{
	return wv_fail(parser->error, WV_E_FORMAT, "a command has %.20s, which needs a shell",
		       parser->at);
}

static int end_word(struct parser *parser)
{
	int ret = 0;

	if (parser->word.failed)
		return wv_no_memory(parser->error);
	if (parser->in_word)
		ret = wv_command_add(&parser->command, wv_str_text(&parser->word), parser->error);
	parser->in_word = false;
	wv_str_deinit(&parser->word);
	parser->word = (struct wv_str){ 0 };
	return ret;
}

static int end_command(struct parser *parser, bool piped)
{
	struct wv_command *slot;
	int ret = end_word(parser);
	const char *first;

	if (ret || !parser->command.words.n)
		return ret;
	first = parser->command.words.data[0];
	if (parser->command.words.n == 1 && (!strcmp(first, "true") || !strcmp(first, ":"))) {
		wv_command_deinit(&parser->command);
		return 0;
	}
	slot = wv_vec_push(parser->list);
	if (!slot)
		return wv_no_memory(parser->error);
	parser->command.piped = piped;
	*slot = parser->command;
	parser->command = (struct wv_command){ 0 };
	return 0;
}

/* Adds the text between the quotes that begin at .at to .word, and moves .at after them. */
static int take_quoted(struct parser *parser)
{
	const char quote = *parser->at++;

	parser->in_word = true;
	for (; *parser->at != quote; parser->at++) {
		/* In double quotes the shell expands $ and `, and interprets a backslash. */
		if (!*parser->at || (quote == '"' && strchr("$`\\", *parser->at)))
			return unknown(parser);
		wv_str_add_n(&parser->word, parser->at, 1);
	}
	parser->at++;
	return 0;
}

/*
 * Parses what .at points to: a quoted text, a character of a word, or a separator of words or
 * commands.
 */
static int take(struct parser *parser)
{
	static const char plain[] = "_-+=.,/:%@^";
	const char c = *parser->at;
	int ret;

	if (c == '\'' || c == '"')
		return take_quoted(parser);
	if (c == ' ' || c == '\t') {
		ret = end_word(parser);
	} else if (c == ';') {
		ret = end_command(parser, false);
	} else if (c == '&' && parser->at[1] == '&') {
		parser->at++;
		ret = end_command(parser, false);
	} else if (c == '|' && parser->at[1] != '|') {
		ret = end_command(parser, true);
	} else if (c == '\\' && parser->at[1]) {
		wv_str_add_n(&parser->word, ++parser->at, 1);
		parser->in_word = true;
		ret = 0;
	} else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		   strchr(plain, c)) {
		wv_str_add_n(&parser->word, &c, 1);
		parser->in_word = true;
		ret = 0;
	} else {
		return unknown(parser);
	}
	parser->at++;
	return ret;
}

int wv_commands_parse(const char *line, wv_commands *ret, struct wv_error *error)
{
	struct parser parser = { .at = line, .list = ret, .error = error };
	int failed = 0;

	while (*parser.at && !failed)
		failed = take(&parser);
	if (!failed)
		failed = end_command(&parser, false);
	wv_str_deinit(&parser.word);
	wv_command_deinit(&parser.command);
	return failed;
}

/* ---- reading kbuild's .cmd files ------------------------------------------------------------- */

/*
 * Expands @text, which a makefile has after `:=`, as make would: replaces $$ by a dollar and
 * $(pound) by a number sign. Returns false if @text has another variable or function of make.
 */
static bool expand(const char *text, struct wv_str *ret)
{
	static const char pound[] = "$(pound)";

	for (; *text; text++) {
		if (*text != '$') {
			wv_str_add_n(ret, text, 1);
		} else if (text[1] == '$') {
			wv_str_add_n(ret, text++, 1);
		} else if (!strncmp(text, pound, sizeof(pound) - 1)) {
			wv_str_add(ret, "#");
			text += sizeof(pound) - 2;
		} else {
			return false;
		}
	}
	return true;
}

int wv_commands_read(const char *path, wv_commands *ret, struct wv_error *error)
{
	_cleanup_fclose_ FILE *file = fopen(path, "re");
	_cleanup_str_ struct wv_str command = { 0 };
	_cleanup_free_ char *line = NULL;
	const char *text = NULL;
	size_t size = 0;
	ssize_t n;

	if (!file && errno == ENOENT)
		return wv_fail(error, WV_E_FORMAT, "kbuild has not written %s", path);
	if (!file)
		return wv_fail_errno(error, errno, "%s", path);
	n = getline(&line, &size, file);
	if (n > 0 && line[n - 1] == '\n')
		line[n - 1] = '\0';
	/* The line is `cmd_FILE := COMMAND`, or savedcmd_FILE in newer kernels. */
	if (n > 0 && (!strncmp(line, "cmd_", 4) || !strncmp(line, "savedcmd_", 9)))
		text = strstr(line, " := ");
	if (!text || !expand(text + 4, &command))
		return wv_fail(error, WV_E_FORMAT, "%s: no command of kbuild's", path);
	if (command.failed)
		return wv_no_memory(error);
	return wv_commands_parse(wv_str_text(&command), ret, error);
}

bool wv_commands_equal(const wv_commands *left, const wv_commands *right)
{
	if (left->n != right->n)
		return false;
	for (size_t i = 0; i < left->n; i++) {
		const struct wv_command *a = &left->data[i], *b = &right->data[i];

		if (a->words.n != b->words.n || a->piped != b->piped)
			return false;
		for (size_t j = 0; j < a->words.n; j++)
			if (strcmp(a->words.data[j], b->words.data[j]))
				return false;
	}
	return true;
}
