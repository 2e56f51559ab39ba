// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loads keys; see load-keys.h. The attribute `by` is split at the commas that are not in brackets.
 * Each part is a word of wv_by_words, C, or bucket(VALUE, STEP).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/language/body.h"
#include "aspect/language/lexer.h"
#include "aspect/language/load-keys.h"
#include "base/duration.h"

/* A part of the attribute's text: offsets of its start and end. */
struct piece {
	size_t start, end;
};

struct keys {
	struct wv_loader *loader;
	const struct wv_xml_text *text; /* decoded text of the attribute */
	struct wv_metric_by *ret;
};

static struct piece next_piece(const struct keys *keys, size_t from, size_t end)
{
	const struct wv_str *bytes = &keys->text->bytes;

	return (struct piece){ from, wv_token_next_comma(bytes->data, end, from) };
}

/* Returns the piece without blanks at its ends. */
static struct piece trimmed(const struct keys *keys, struct piece piece)
{
	static const char blanks[] = " \t\n";
	const char *bytes = keys->text->bytes.data;

	while (piece.start < piece.end && strchr(blanks, bytes[piece.start]))
		piece.start++;
	while (piece.start < piece.end && strchr(blanks, bytes[piece.end - 1]))
		piece.end--;
	return piece;
}

static struct wv_text_location location_of(const struct keys *keys, struct piece piece)
{
	return wv_xml_text_location(keys->text, piece.start);
}

static char *text_of(const struct keys *keys, struct piece piece)
{
	char *text = strndup(keys->text->bytes.data + piece.start, piece.end - piece.start);

	keys->loader->list.no_memory |= !text;
	return text;
}

static void load_value(const struct keys *keys, struct piece piece, struct wv_metric_by_key *key)
{
	struct wv_metric_expression *expression = &key->expression;
	struct wv_loader *loader = keys->loader;
	const struct wv_metric_word *word;

	expression->code.location = location_of(keys, piece);
	expression->text = text_of(keys, piece);
	if (!expression->text ||
	    wv_xml_text_part(keys->text, piece.start, piece.end, &expression->code.text)) {
		loader->list.no_memory = true;
		return;
	}
	expression->word = word = wv_metric_find_word(wv_by_words, expression->text);
	if (!word) {
		wv_body_check(&expression->code, &loader->list);
		return;
	}
	if (word->variable)
		expression->code.variables =
			WV_VARIABLE_BIT(wv_variable_find(word->variable, strlen(word->variable)));
	/*
	 * A key that is a stack needs a trampoline whose frame is linked to the frames of the
	 * callers, as advice that calls functions needs it.
	 */
	expression->code.calls = expression->code.stack = word->stack;
	key->time = word->time;
}

static void load_step(const struct keys *keys, struct piece piece, struct wv_metric_by_key *key)
{
	char *text = text_of(keys, piece), *end;

	if (!text)
		return;
	errno = 0;
	key->step = strtoull(text, &end, 0);
	if (*end) {
		key->time = wv_duration_parse(text, &key->step);
		key->step = key->time ? key->step : 0;
	}
	if (*text == '-' || errno || !key->step || key->step > INT64_MAX)
		wv_report_error(&keys->loader->list, location_of(keys, piece),
				"'%s' is no step: a number, or a time such as 100ms", text);
	free(text);
}

/* Loads bucket(VALUE, STEP). Returns false if @piece is something else. */
static bool load_bucket(const struct keys *keys, struct piece piece, struct wv_metric_by_key *key)
{
	static const char name[] = "bucket(";
	const char *bytes = keys->text->bytes.data;
	struct wv_error_list *list = &keys->loader->list;
	struct piece value, step;

	if (piece.end - piece.start <= strlen(name) || bytes[piece.end - 1] != ')' ||
	    strncmp(bytes + piece.start, name, strlen(name)))
		return false;
	piece.start += strlen(name);
	piece.end--;
	value = next_piece(keys, piece.start, piece.end);
	step = next_piece(keys, value.end < piece.end ? value.end + 1 : piece.end, piece.end);
	value = trimmed(keys, value);
	step = trimmed(keys, step);
	if (value.start == value.end || step.start == step.end) {
		wv_report_error(list, location_of(keys, piece),
				"bucket wants a value and a step, as in bucket(now, 100ms)");
		return true;
	}
	load_value(keys, value, key);
	load_step(keys, step, key);
	if (key->expression.word && key->expression.word->words)
		wv_report_error(list, location_of(keys, value), "%s is no number",
				key->expression.word->name);
	return true;
}

static void load_key(const struct keys *keys, struct piece piece)
{
	struct wv_metric_by_key *key = &keys->ret->key[keys->ret->n++];

	piece = trimmed(keys, piece);
	key->name = text_of(keys, piece);
	if (piece.start == piece.end)
		wv_report_error(&keys->loader->list, location_of(keys, piece),
				"an empty value: each is an expression in C");
	else if (!load_bucket(keys, piece, key))
		load_value(keys, piece, key);
}

void wv_load_by(struct wv_loader *loader, const struct wv_xml_node *node, struct wv_metric_by *ret)
{
	const struct wv_xml_attribute *attribute = wv_load_attribute(node, "by");
	struct wv_aspect_code code = { 0 };
	const struct keys keys = { loader, &code.text, ret };
	struct piece piece = { 0 };

	if (!attribute || !wv_load_code(loader, attribute, &code))
		return;
	ret->text = wv_load_text(loader, node, "by");
	for (size_t from = 0; from <= code.text.bytes.n; from = piece.end + 1) {
		piece = next_piece(&keys, from, code.text.bytes.n);
		if (ret->n == WEFT_KEYS_MAX) {
			wv_report_error(&loader->list, location_of(&keys, piece),
					"a key is made of %d values at most", WEFT_KEYS_MAX);
			break;
		}
		load_key(&keys, piece);
	}
	wv_aspect_code_deinit(&code);
}
