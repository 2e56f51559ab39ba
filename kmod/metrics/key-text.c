// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes the keys of a metric's rows as text; see key-text.h. */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "metrics/key-text.h"

u64 wk_metric_kinds(const struct wk_metric *metric)
{
	u64 kinds = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		if (metric->parts[cpu].area)
			kinds = READ_ONCE(metric->parts[cpu].area->kinds) ?: kinds;
	return kinds;
}

static u8 kind_of(u64 kinds, u32 key)
{
	return kinds >> 8 * key;
}

/*
 * Writes @address to @text and returns the length. The first byte of a function is shown as the
 * function's name, another byte of it as name and offset, any other address as a number.
 */
static size_t format_pointer(u64 address, char *text, size_t size)
{
	char *drop, *rest;

	/* %pS prints "name+0x1/0x20 [module]": drop the size, and the offset if it is 0. */
	scnprintf(text, size, "%pS", (void *)(unsigned long)address);
	drop = strstr(text, "+0x0/") ?: strchr(text, '/');
	if (drop) {
		rest = strchrnul(drop, ' ');
		memmove(drop, rest, strlen(rest) + 1);
	}
	return strlen(text);
}

static size_t format_stack(const u64 *words, char *text, size_t size)
{
	size_t n = 0;

	text[0] = 0;
	for (u32 i = 0; i < WR_STACK_WORDS && words[i]; i++)
		n += scnprintf(text + n, size - n, "%s%pB", i ? "\n" : "",
			       (void *)(unsigned long)words[i]);
	return n;
}

/*
 * Writes one value of a key to @text and returns the length. @words points to the words of the row
 * that hold the value; if the row has no such words, to the key itself, which is the value then.
 */
static size_t format_key(const struct wk_key_reader *reader, u8 kind, const u64 *words, char *text,
			 size_t size)
{
	text[0] = 0;
	switch (kind) {
	case WEFT_KEY_UNSIGNED:
		return scnprintf(text, size, "%llu", *words);
	case WEFT_KEY_SIGNED:
		return scnprintf(text, size, "%lld", (s64)*words);
	case WEFT_KEY_TIME:
		return scnprintf(text, size, "%llu.%09u", *words / NSEC_PER_SEC,
				 (u32)(*words % NSEC_PER_SEC));
	case WEFT_KEY_POINTER:
		return format_pointer(*words, text, size);
	case WEFT_KEY_TEXT:
		strscpy(text, (const char *)words, min_t(size_t, size, WR_TEXT_SIZE));
		return strlen(text);
	case WEFT_KEY_STACK:
		return format_stack(words, text, size);
	case WEFT_KEY_FUNCTION:
	case WEFT_KEY_JOINPOINT:
		reader->name_key(reader->table, kind, *words, text, size);
		return strlen(text);
	}
	return 0;
}

/*
 * Returns whether a row has as many words for value @i of its key as a value of @kind needs. Both
 * the kind and the number of words come from the aspect's module, but separately, so they may
 * disagree.
 */
static bool has_words(const struct wk_metric *metric, u32 i, u8 kind)
{
	return kind == WEFT_KEY_STACK ? metric->key_words[i] == WR_STACK_WORDS
				      : metric->key_words[i] != 0;
}

size_t wk_key_texts(const struct wk_key_reader *reader, u64 key, const u64 *row)
{
	const struct wk_metric *metric = reader->metric;
	const u32 nr_keys = metric->info.nr_keys;
	const u64 *words = row + 1;
	const u8 first = kind_of(reader->kinds, 0);
	/*
	 * A key that is a single number is itself the value. For any other key the row has words,
	 * which may not be written yet.
	 */
	const bool number = nr_keys == 1 && first != WEFT_KEY_TEXT && first != WEFT_KEY_STACK;
	size_t n = 0;

	if (!number && !READ_ONCE(row[metric->all_key_words - 2]))
		return 0;
	for (u32 i = 0; i < nr_keys; i++) {
		const u8 kind = kind_of(reader->kinds, i);
		const size_t most = (kind == WEFT_KEY_STACK ? WR_STACK_WORDS : 1) * WK_KEY_TEXT;

		if (kind == WEFT_KEY_NONE || !(number || has_words(metric, i, kind)))
			return 0;
		n += format_key(reader, kind, number ? &key : words, reader->text + n,
				min_t(size_t, most, WK_KEY_TEXT_MAX - n - 1)) + 1;
		words += metric->key_words[i];
	}
	return n;
}
