// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the words that units mention; see mentions.h. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image/dwarf/units.h"
#include "prepare/choose-units.h"
#include "prepare/mentions.h"
#include "prepare/source-text.h"

/* The folders whose headers every unit may include, relative to the top of the source. */
static const char *const header_folders[] = { "include", "arch/x86/include" };

enum { NONE = UINT32_MAX };

/*
 * A range of elements of wv_mentions.numbers. The elements are numbers of words, of #includes or of
 * texts.
 */
struct span {
	size_t first, n;
};

/* A macro or static function of a header. */
struct named {
	struct span words; /* numbers of the words in the text of the macro or function */
	uint32_t round;	   /* the last round (wv_mentions.round) in which a walk has reached it */
};

/*
 * Links a name to a macro or static function: .named is an index in wv_mentions.named. Several
 * macros and functions may have the same name, so the links of a name form a chain: .next is the
 * index of the next link, or NONE.
 */
struct naming {
	uint32_t named, next;
};

/* A header, or another file that units may include. */
struct text {
	/* numbers of the words in the code that is emitted wherever the text is included */
	struct span words;
	struct span includes; /* numbers of the text's #includes */
	uint32_t next; /* index of the next text with the same file name, or NONE */
	uint32_t round; /* the last round (wv_mentions.round) in which a walk has reached it */
};

/*
 * An #include. .texts has the numbers of the texts that its path may mean. There may be several,
 * because weft does not know in which folders the compiler looks (-I). .resolved is set when .texts
 * has been filled.
 */
struct include {
	struct span texts;
	bool resolved;
};

/* A word that occurs in the source. */
struct word {
	uint32_t namings; /* index of the first naming of the word, or NONE */
	uint32_t round; /* the last round (wv_mentions.round) in which the word was added */
};

struct wv_mentions {
	const char *source;	     /* folder of the source; belongs to struct wv_prepare */
	const struct wv_pool *units; /* the units' main sources; belongs to struct wv_prepare */
	struct wv_pool paths;	     /* paths of the units, then of the texts */
	size_t nr_units;	     /* number of paths of units in .paths */
	struct wv_pool words;
	WV_VEC(struct word) word_list; /* indexed by number in .words */
	struct wv_pool include_names;
	WV_VEC(struct include) includes; /* indexed by number in .include_names */
	WV_VEC(struct named) named;
	WV_VEC(struct naming) namings;
	WV_VEC(struct text) texts;
	struct wv_pool file_names;	    /* the last components of the texts' paths */
	/* first text of each file name's chain; indexed by number in .file_names */
	WV_VEC(uint32_t) texts_of_name;
	WV_VEC(uint32_t) numbers; /* the elements of all spans */
	/*
	 * .met_words, .met_texts: what the walk over the present unit (a source file; see walk())
	 * has reached, as indexes in .word_list and .texts.
	 * .round: is increased before each walk, and each time before the words of a text, macro or
	 * function are collected. What is added then gets this number as its own .round, and what
	 * has the number already is not added again.
	 */
	WV_VEC(uint32_t) met_words, met_texts;
	uint32_t round;
	struct wv_error *error; /* @error of the function of mentions.h that is running */
};

void wv_mentions_destroy(struct wv_mentions *mentions)
{
	if (!mentions)
		return;
	wv_pool_deinit(&mentions->paths);
	wv_pool_deinit(&mentions->words);
	wv_pool_deinit(&mentions->include_names);
	wv_vec_deinit(&mentions->word_list);
	wv_vec_deinit(&mentions->includes);
	wv_vec_deinit(&mentions->named);
	wv_vec_deinit(&mentions->namings);
	wv_vec_deinit(&mentions->texts);
	wv_pool_deinit(&mentions->file_names);
	wv_vec_deinit(&mentions->texts_of_name);
	wv_vec_deinit(&mentions->numbers);
	wv_vec_deinit(&mentions->met_words);
	wv_vec_deinit(&mentions->met_texts);
	free(mentions);
}

/* ---- numbering words and #includes ----------------------------------------------------------- */

static uint32_t word_number(struct wv_mentions *mentions, const char *word, size_t n)
{
	uint32_t number = wv_pool_add_n(&mentions->words, word, n);
	struct word *slot;

	if (number == WV_POOL_FAILED || number < mentions->word_list.n)
		return number;
	slot = wv_vec_push(&mentions->word_list);
	if (!slot)
		return WV_POOL_FAILED;
	slot->namings = NONE;
	return number;
}

/*
 * Returns the number of the #include of @path, which is @n bytes long, without any "./" and "../"
 * at its beginning. Adds the #include if it is new.
 */
static uint32_t include_number(struct wv_mentions *mentions, const char *path, size_t n)
{
	uint32_t number;

	while (n > 2 && path[0] == '.') {
		size_t step = path[1] == '/' ? 2 : path[1] == '.' && path[2] == '/' ? 3 : 0;

		if (!step)
			break;
		path += step;
		n -= step;
	}
	number = wv_pool_add_n(&mentions->include_names, path, n);
	if (number == WV_POOL_FAILED || number < mentions->includes.n)
		return number;
	return wv_vec_push(&mentions->includes) ? number : WV_POOL_FAILED;
}

static int add_number(struct wv_mentions *mentions, struct span *span, uint32_t number)
{
	uint32_t *slot = number == WV_POOL_FAILED ? NULL : wv_vec_push(&mentions->numbers);

	if (!slot)
		return wv_no_memory(mentions->error);
	*slot = number;
	span->n++;
	return 0;
}

/* Calls @add with the number of each word of @text. Words that begin with a digit are skipped. */
static int each_word(struct wv_mentions *mentions, const char *text, size_t size,
		     int (*add)(struct wv_mentions *mentions, uint32_t word, void *context),
		     void *context)
{
	const char *word;
	size_t at = 0, n;
	int ret = 0;

	while (!ret && (word = wv_next_word(text, size, &at, &n))) {
		uint32_t number;

		if (isdigit((unsigned char)*word))
			continue;
		number = word_number(mentions, word, n);
		ret = number == WV_POOL_FAILED ? wv_no_memory(mentions->error) :
						 add(mentions, number, context);
	}
	return ret;
}

/*
 * Adds the word number @word to @span, a struct span, unless the span has this word already. The
 * caller has increased mentions->round before it began to fill the span. So the span has the word
 * already if the word's .round equals mentions->round.
 */
static int add_once(struct wv_mentions *mentions, uint32_t word, void *span)
{
	struct word *known = &mentions->word_list.data[word];

	if (known->round == mentions->round)
		return 0;
	known->round = mentions->round;
	return add_number(mentions, span, word);
}

/* ---- reading headers ------------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *suffix)
{
	size_t n = strlen(name), m = strlen(suffix);

	return n > m && !strcmp(name + n - m, suffix);
}

static bool is_included(const char *name)
{
	return ends_with(name, ".h") || ends_with(name, ".c") || ends_with(name, ".inc") ||
	       ends_with(name, ".def");
}

static int add_named(struct wv_mentions *mentions, const struct wv_source_text *text,
		     const struct wv_source_part *part)
{
	struct named *named = wv_vec_push(&mentions->named);
	int ret;

	if (!named)
		return wv_no_memory(mentions->error);
	named->words.first = mentions->numbers.n;
	mentions->round++;
	ret = each_word(mentions, part->text, part->n, add_once, &named->words);
	for (size_t i = 0; i < part->nr_names && !ret; i++) {
		const struct wv_name *name = &text->names.data[part->first_name + i];
		uint32_t word = word_number(mentions, name->text, name->n);
		struct naming *naming = wv_vec_push(&mentions->namings);

		if (word == WV_POOL_FAILED || !naming)
			return wv_no_memory(mentions->error);
		*naming = (struct naming){ mentions->named.n - 1,
					   mentions->word_list.data[word].namings };
		mentions->word_list.data[word].namings = mentions->namings.n - 1;
	}
	return ret;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * Adds the last element of .texts, whose path is @path, to the chain of the texts that have the
 * same file name.
 */
static int chain_text(struct wv_mentions *mentions, const char *path)
{
	uint32_t number = wv_pool_add(&mentions->file_names, base_of(path)), *first;

	if (number == WV_POOL_FAILED)
		return wv_no_memory(mentions->error);
	if (number == mentions->texts_of_name.n) {
		first = wv_vec_push(&mentions->texts_of_name);
		if (!first)
			return wv_no_memory(mentions->error);
		*first = NONE;
	}
	first = &mentions->texts_of_name.data[number];
	mentions->texts.data[mentions->texts.n - 1].next = *first;
	*first = mentions->texts.n - 1;
	return 0;
}

/*
 * Adds a text: its #includes, the words in the code that is emitted wherever the text is included,
 * and its macros and static functions.
 */
static int take_text(struct wv_mentions *mentions, const struct wv_source_text *text)
{
	struct text *slot = wv_vec_push(&mentions->texts);
	int ret;

	if (!slot)
		return wv_no_memory(mentions->error);
	ret = chain_text(mentions, text->path);
	slot->includes.first = mentions->numbers.n;
	wv_vec_for_each(part, &text->parts)
		if (!ret && part->kind == WV_PART_INCLUDE)
			ret = add_number(mentions, &slot->includes,
					 include_number(mentions, part->text, part->n));
	slot->words.first = mentions->numbers.n;
	mentions->round++;
	wv_vec_for_each(part, &text->parts)
		if (!ret && part->kind == WV_PART_LOOSE)
			ret = each_word(mentions, part->text, part->n, add_once, &slot->words);
	wv_vec_for_each(part, &text->parts)
		if (!ret && part->kind == WV_PART_NAMED)
			ret = add_named(mentions, text, part);
	return ret;
}

/* Reads the file @path and adds its text, unless the file is a unit or has been read already. */
static int add_text(struct wv_mentions *mentions, const char *path)
{
	uint32_t before = mentions->paths.strings.n, number = wv_pool_add(&mentions->paths, path);
	struct wv_source_text text;
	int ret;

	if (number == WV_POOL_FAILED)
		return wv_no_memory(mentions->error);
	if (number < before)
		return 0;
	ret = wv_source_text_read(mentions->source, path, &text, mentions->error);
	if (!ret)
		ret = take_text(mentions, &text);
	wv_source_text_deinit(&text);
	return ret;
}

static int add_tree(struct wv_mentions *mentions, const char *folder)
{
	const char *source = mentions->source;
	char root[2 * PATH_MAX], *roots[] = { root, NULL };
	FTSENT *entry;
	FTS *walk;
	int ret = 0;

	snprintf(root, sizeof(root), "%s/%s", source, folder);
	if (access(root, F_OK))
		return 0;
	walk = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
	if (!walk)
		return wv_fail_errno(mentions->error, errno, "%s", root);
	while (!ret && (entry = fts_read(walk)))
		if (entry->fts_info == FTS_F && is_included(entry->fts_name))
			ret = add_text(mentions, entry->fts_path + strlen(source) + 1);
	fts_close(walk);
	return ret;
}

/* Adds those files in the folder of @unit that C code may include, by their names. */
static int add_beside(struct wv_mentions *mentions, const char *unit)
{
	const char *source = mentions->source, *slash = strrchr(unit, '/');
	char path[2 * PATH_MAX];
	struct dirent *entry;
	int ret = 0;
	DIR *folder;

	if (!slash)
		return 0;
	snprintf(path, sizeof(path), "%s/%.*s", source, (int)(slash - unit), unit);
	folder = opendir(path);
	while (!ret && folder && (entry = readdir(folder))) {
		if (!is_included(entry->d_name))
			continue;
		snprintf(path, sizeof(path), "%.*s/%s", (int)(slash - unit), unit, entry->d_name);
		ret = add_text(mentions, path);
	}
	if (folder)
		closedir(folder);
	return ret;
}

static int read_texts(struct wv_mentions *mentions)
{
	const struct wv_pool *units = mentions->units;
	int ret = 0;

	for (size_t i = 0; i < units->strings.n && !ret; i++)
		if (wv_pool_add(&mentions->paths, wv_pool_get(units, i)) == WV_POOL_FAILED)
			ret = wv_no_memory(mentions->error);
	mentions->nr_units = mentions->paths.strings.n;
	for (size_t i = 0; i < sizeof(header_folders) / sizeof(*header_folders) && !ret; i++)
		ret = add_tree(mentions, header_folders[i]);
	for (size_t i = 0; i < units->strings.n && !ret; i++)
		ret = add_beside(mentions, wv_pool_get(units, i));
	return ret;
}

int wv_mentions_read(const struct wv_prepare *prepare, struct wv_mentions **ret,
		     struct wv_error *error)
{
	if (*ret)
		return 0;
	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return wv_no_memory(error);
	(*ret)->source = prepare->source_found.data;
	(*ret)->units = &prepare->units;
	(*ret)->error = error;
	return read_texts(*ret);
}

/* ---- finding the words that a unit mentions -------------------------------------------------- */

static int meet_word(struct wv_mentions *mentions, uint32_t word, void *context)
{
	uint32_t *slot;

	(void)context;
	if (mentions->word_list.data[word].round == mentions->round)
		return 0;
	mentions->word_list.data[word].round = mentions->round;
	slot = wv_vec_push(&mentions->met_words);
	if (!slot)
		return wv_no_memory(mentions->error);
	*slot = word;
	return 0;
}

static int meet_words(struct wv_mentions *mentions, struct span span)
{
	int ret = 0;

	for (size_t i = 0; i < span.n && !ret; i++)
		ret = meet_word(mentions, mentions->numbers.data[span.first + i], NULL);
	return ret;
}

static bool may_mean(const char *include, const char *path)
{
	size_t n = strlen(include), size = strlen(path);

	return size >= n && !strcmp(path + size - n, include) &&
	       (size == n || path[size - n - 1] == '/');
}

/*
 * Finds the texts that an #include may mean. Called only once for each #include, when a walk
 * reaches it for the first time.
 */
static int resolve(struct wv_mentions *mentions, uint32_t number)
{
	struct include *include = &mentions->includes.data[number];
	const char *name = wv_pool_get(&mentions->include_names, number);
	uint32_t base = wv_pool_find(&mentions->file_names, base_of(name)), at = NONE;
	int ret = 0;

	include->resolved = true;
	include->texts.first = mentions->numbers.n;
	if (base != WV_POOL_FAILED)
		at = mentions->texts_of_name.data[base];
	for (; at != NONE && !ret; at = mentions->texts.data[at].next)
		if (may_mean(name, wv_pool_get(&mentions->paths, mentions->nr_units + at)))
			ret = add_number(mentions, &include->texts, at);
	return ret;
}

static int meet_include(struct wv_mentions *mentions, uint32_t number)
{
	struct span texts;
	int ret = number == WV_POOL_FAILED ? wv_no_memory(mentions->error) : 0;

	if (!ret && !mentions->includes.data[number].resolved)
		ret = resolve(mentions, number);
	if (ret)
		return ret;
	texts = mentions->includes.data[number].texts;
	for (size_t i = 0; i < texts.n; i++) {
		uint32_t met = mentions->numbers.data[texts.first + i], *slot;
		struct text *text = &mentions->texts.data[met];

		if (text->round == mentions->round)
			continue;
		text->round = mentions->round;
		slot = wv_vec_push(&mentions->met_texts);
		if (!slot)
			return wv_no_memory(mentions->error);
		*slot = met;
	}
	return 0;
}

/* Adds the words and #includes of the unit's own text to the walk. */
static int meet_unit(struct wv_mentions *mentions, const struct wv_source_text *unit)
{
	int ret = each_word(mentions, unit->code, strlen(unit->code), meet_word, NULL);

	if (!ret && unit->directives)
		ret = each_word(mentions, unit->directives, strlen(unit->directives), meet_word,
				NULL);
	wv_vec_for_each(part, &unit->parts)
		if (!ret && part->kind == WV_PART_INCLUDE)
			ret = meet_include(mentions,
					   include_number(mentions, part->text, part->n));
	return ret;
}

/*
 * Adds to the walk everything that the texts and words which it has reached lead to: the words and
 * #includes of texts, and the words of macros and static functions that a word names. .met_texts
 * and .met_words grow during the loops.
 */
static int meet_rest(struct wv_mentions *mentions)
{
	int ret = 0;

	for (size_t i = 0; i < mentions->met_texts.n && !ret; i++) {
		const struct text *text = &mentions->texts.data[mentions->met_texts.data[i]];
		const struct span includes = text->includes;

		ret = meet_words(mentions, text->words);
		for (size_t k = 0; k < includes.n && !ret; k++)
			ret = meet_include(mentions, mentions->numbers.data[includes.first + k]);
	}
	for (size_t i = 0; i < mentions->met_words.n && !ret; i++) {
		uint32_t at = mentions->word_list.data[mentions->met_words.data[i]].namings;

		for (; at != NONE && !ret; at = mentions->namings.data[at].next) {
			struct named *named =
				&mentions->named.data[mentions->namings.data[at].named];

			if (named->round == mentions->round)
				continue;
			named->round = mentions->round;
			ret = meet_words(mentions, named->words);
		}
	}
	return ret;
}

/*
 * Finds the words that the unit @name mentions, and puts their numbers into .met_words. Sets
 * *@known_ret to false if the unit cannot be read: then the build generates it, and its words are
 * unknown.
 */
static int walk(struct wv_mentions *mentions, const char *name, bool *known_ret)
{
	struct wv_source_text unit = { 0 };
	int ret = wv_source_text_read(mentions->source, name, &unit, mentions->error);

	mentions->round++;
	mentions->met_words.n = mentions->met_texts.n = 0;
	*known_ret = !ret;
	if (ret && ret != -WV_E_NO_MEMORY)
		ret = 0;
	else if (!ret)
		ret = meet_unit(mentions, &unit);
	if (!ret)
		ret = meet_rest(mentions);
	wv_source_text_deinit(&unit);
	return ret;
}

struct by_word {
	struct wv_mentions *mentions;
	uint32_t wanted;
};

static int fits_word(const char *name, void *context, bool *ret, struct wv_error *error)
{
	const struct by_word *by = context;
	struct wv_mentions *mentions = by->mentions;
	bool known;
	int failed;

	mentions->error = error;
	failed = walk(mentions, name, &known);
	*ret = !failed && known &&
	       mentions->word_list.data[by->wanted].round == mentions->round;
	return failed;
}

int wv_units_choose_mentions(struct wv_prepare *prepare, struct wv_mentions *mentions,
			     const char *word, const char *module, struct wv_error *error)
{
	struct by_word by = { mentions, word_number(mentions, word, strlen(word)) };
	size_t found;
	int ret;

	if (by.wanted == WV_POOL_FAILED)
		return wv_no_memory(error);
	ret = wv_units_choose_if(prepare, module, fits_word, &by, &found, error);
	if (ret || found)
		return ret;
	return wv_fail(error, WV_E_NO_MATCH, "no unit of %s mentions %s%s",
		       module ? module : prepare->image_found.data, word,
		       module ? "" : "; modules are asked for as MODULE:POINTCUT, * for all");
}

/* ---- counting the units that mention a word -------------------------------------------------- */

static int count_met(const struct wv_mentions *mentions, struct wv_mention_counts *ret,
		     struct wv_error *error)
{
	wv_vec_for_each(word, &mentions->met_words) {
		uint32_t number =
			wv_pool_add(&ret->words, wv_pool_get(&mentions->words, *word));

		if (number == WV_POOL_FAILED ||
		    (number == ret->units.n && !wv_vec_push(&ret->units)))
			return wv_no_memory(error);
		ret->units.data[number]++;
	}
	return 0;
}

int wv_mentions_count(const struct wv_prepare *prepare, struct wv_mentions *mentions,
		      const struct wv_prepared_image *image,
		      bool (*is_counted)(const struct wv_prepare *prepare, uint32_t unit),
		      struct wv_mention_counts *ret, struct wv_error *error)
{
	int failed = 0;
	bool known;

	mentions->error = error;
	for (size_t i = 0; i < image->units.n && !failed; i++) {
		const uint32_t unit = image->units.data[i];
		const char *name = wv_pool_get(&prepare->units, unit);

		if (!wv_unit_is_c(name) || !is_counted(prepare, unit))
			continue;
		failed = walk(mentions, name, &known);
		if (!failed)
			failed = count_met(mentions, ret, error);
	}
	return failed;
}
