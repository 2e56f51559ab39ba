// SPDX-License-Identifier: GPL-2.0-or-later
/* Generalizes kbuild's commands; see recipe-words.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "module/recipe-words.h"

static const char marks[] = { WV_RECIPE_FOLDER, WV_RECIPE_NAME, WV_RECIPE_OWN, WV_RECIPE_LENGTH,
			      '\0' };

/*
 * number of words that wv_recipe_use_header() puts after the compiler's name: two options -include,
 * each with a file
 */
enum { HEADER_WORDS = 4 };

static bool begins(const char *word, const char *with)
{
	return !strncmp(word, with, strlen(with));
}

/* Adds @text to @ret. Each occurrence of @what in it is replaced by the byte @mark. */
static void add_replaced(const char *text, const char *what, char mark, struct wv_str *ret)
{
	const char *next;

	for (; (next = strstr(text, what)); text = next + strlen(what)) {
		wv_str_add_n(ret, text, next - text);
		wv_str_add_n(ret, &mark, 1);
	}
	wv_str_add(ret, text);
}

int wv_recipe_generalize(char **text, const char *folder, const char *name, struct wv_error *error)
{
	_cleanup_str_ struct wv_str first = { 0 };
	struct wv_str second = { 0 };

	if (strpbrk(*text, marks))
		return wv_fail(error, WV_E_FORMAT, "a word of kbuild's has control characters");
	if (!**text)
		return 0;
	add_replaced(*text, folder, WV_RECIPE_FOLDER, &first);
	add_replaced(wv_str_text(&first), name, WV_RECIPE_NAME, &second);
	if (first.failed || second.failed || !second.data) {
		wv_str_deinit(&second);
		return wv_no_memory(error);
	}
	free(*text);
	*text = second.data;
	return 0;
}

int wv_recipe_list_line(const char *order, const char *folder, const char *name,
			struct wv_str *ret, struct wv_error *error)
{
	for (const char *line = order, *end; *line; line = end + (*end == '\n')) {
		_cleanup_free_ char *text = NULL;
		const char *base;
		char *dot;
		int failed;

		end = line + strcspn(line, "\n");
		text = strndup(line, end - line);
		if (!text)
			return wv_no_memory(error);
		base = strrchr(text, '/') ? strrchr(text, '/') + 1 : text;
		dot = strrchr(text, '.');
		if (!dot || dot < base || (size_t)(dot - base) != strlen(name) ||
		    strncmp(base, name, strlen(name)))
			continue;
		*dot = '\0';
		failed = wv_recipe_generalize(&text, folder, name, error);
		wv_str_addf(ret, "%s.o\n", text);
		return failed || !ret->failed ? failed : wv_no_memory(error);
	}
	return wv_fail(error, WV_E_FORMAT, "kbuild's list of modules has not %s", name);
}

static int set_word(struct wv_command *command, size_t i, const char *word, struct wv_error *error)
{
	free(command->words.data[i]);
	command->words.data[i] = strdup(word);
	return command->words.data[i] ? 0 : wv_no_memory(error);
}

int wv_recipe_give_list(wv_commands *modpost, struct wv_error *error)
{
	static const char list[] = { WV_RECIPE_FOLDER, '/', WV_RECIPE_NAME, '.', 'l', 'i', 's',
				     't', '\0' };
	struct wv_command *last;
	size_t n;

	/*
	 * kbuild's list has the names of .ko files, and a sed command turns them into .o for
	 * modpost. The recipe's list has the .o files at once, so remove the sed command.
	 */
	if (modpost->n == 2 && modpost->data[0].piped && modpost->data[0].words.n == 3 &&
	    !strcmp(modpost->data[0].words.data[0], "sed") &&
	    !strcmp(modpost->data[0].words.data[1], "s/ko$/o/")) {
		wv_command_deinit(&modpost->data[0]);
		modpost->data[0] = modpost->data[1];
		modpost->n = 1;
	}
	last = modpost->n == 1 ? &modpost->data[0] : NULL;
	n = last ? last->words.n : 0;
	if (n < 3 || strcmp(last->words.data[n - 2], "-T"))
		return wv_fail(error, WV_E_FORMAT, "modpost is given its modules in another way");
	return set_word(last, n - 1, list, error);
}

static bool is_compiler(const struct wv_command *command)
{
	const size_t n = command->words.n;
	char *const *words = command->words.data;

	return n > HEADER_WORDS && !strcmp(words[n - 4], "-c") && !strcmp(words[n - 3], "-o") &&
	       strchr(words[n - 2], WV_RECIPE_NAME) && strchr(words[n - 1], WV_RECIPE_NAME);
}

int wv_recipe_check_steps(const struct wv_recipe *recipe, struct wv_error *error)
{
	const wv_commands *steps = recipe->steps;
	bool ok = steps[WV_RECIPE_SOURCE].n && is_compiler(&steps[WV_RECIPE_SOURCE].data[0]) &&
		  steps[WV_RECIPE_SECOND].n == 1 &&
		  is_compiler(&steps[WV_RECIPE_SECOND].data[0]) && steps[WV_RECIPE_LINK].n == 1;

	for (size_t i = 0; i < WV_RECIPE_STEPS; i++)
		wv_vec_for_each(command, &steps[i])
			ok &= !command->piped;
	return ok ? 0 : wv_fail(error, WV_E_FORMAT, "kbuild has other steps than are known");
}

/* Adds the #define that does what the option -DNAME=VALUE does. */
static void add_definition(const char *option, struct wv_str *names)
{
	const char *name = option + 2, *value = strchr(name, '=');

	wv_str_addf(names, "#define %.*s %s\n", (int)strcspn(name, "="), name,
		    value ? value + 1 : "1");
}

/*
 * Adds the #include that does what the option -include FILE does. @directory: where a relative FILE
 * is.
 */
static void add_include(const char *file, const char *directory, struct wv_str *text)
{
	if (*file == '/')
		wv_str_addf(text, "#include \"%s\"\n", file);
	else
		wv_str_addf(text, "#include \"%s/%s\"\n", directory, file);
}

/*
 * Adds the first words of the new command to @ret: the compiler, and -include for the two headers
 * that it reads before the source.
 */
static int begin(const struct wv_command *old, const char *header, const char *ending,
		 struct wv_command *ret, struct wv_error *error)
{
	char ours[64], names[64];
	const char *const words[] = { old->words.data[0], "-include", ours, "-include", names };
	int failed = 0;

	snprintf(ours, sizeof(ours), "%c/%s", WV_RECIPE_OWN, header);
	snprintf(names, sizeof(names), "%c/%c%s", WV_RECIPE_FOLDER, WV_RECIPE_NAME, ending);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words) && !failed; i++)
		failed = wv_command_add(ret, words[i], error);
	return failed;
}

int wv_recipe_use_header(wv_commands *commands, const char *header, const char *ending,
			 const char *runtime, const char *directory, struct wv_str *names,
			 struct wv_str *text, struct wv_error *error)
{
	static const char ours[] = { '-', 'I', WV_RECIPE_FOLDER, '/', 'r', 'u', 'n', 't', 'i', 'm',
				     'e', '\0' };
	struct wv_command *old = &commands->data[0], new = { 0 };
	_cleanup_str_ struct wv_str folder = { 0 };
	int ret = begin(old, header, ending, &new, error);

	wv_str_addf(&folder, "-I%s", runtime);
	for (size_t i = 1; i < old->words.n && !ret; i++) {
		const char *word = old->words.data[i];

		if (begins(word, "-Wp,-MMD,") || begins(word, "-Wp,-MD,"))
			/*
			 * leave out the option: the list of headers that it writes is of no use
			 * here
			 */
			continue;
		if (!strcmp(word, "-include") && i + 1 < old->words.n)
			add_include(old->words.data[++i], directory, text);
		else if (begins(word, "-D") && strpbrk(word, marks))
			add_definition(word, names);
		else
			ret = wv_command_add(&new, strcmp(word, ours) ? word : wv_str_text(&folder),
					     error);
	}
	if (!ret && (folder.failed || names->failed || text->failed))
		ret = wv_no_memory(error);
	if (ret) {
		wv_command_deinit(&new);
		return ret;
	}
	wv_command_deinit(old);
	*old = new;
	return 0;
}

int wv_recipe_header_command(const struct wv_command *compiler, struct wv_command *ret,
			     struct wv_error *error)
{
	/* The last four words are -c -o FILE SOURCE; leave them out. */
	int failed = wv_command_add(ret, compiler->words.data[0], error);

	for (size_t i = 1 + HEADER_WORDS; i + 4 < compiler->words.n && !failed; i++)
		failed = wv_command_add(ret, compiler->words.data[i], error);
	return failed;
}

void wv_recipe_add_includes(const char *source, struct wv_str *ret)
{
	while (*source == '#') {
		size_t n = strcspn(source, "\n");

		wv_str_addf(ret, "%.*s\n", (int)n, source);
		source += n + (source[n] == '\n');
	}
}

/*
 * Merges the numbers @left and @right, of two texts that are the same except for the names of two
 * modules, which have @n and @m bytes. Equal numbers are added to @ret as they are. If they differ
 * by as much as the names' lengths, the number depends on the length: adds WV_RECIPE_LENGTH with
 * the constant rest. Returns false for any other difference.
 */
static bool merge_numbers(unsigned long left, size_t n, unsigned long right, size_t m,
			  struct wv_str *ret)
{
	const long apart = (long)(left - right), lengths = (long)(n - m);

	if (!apart)
		wv_str_addf(ret, "%lu", left);
	else if (apart == lengths && left >= n)
		wv_str_addf(ret, "%c+%lu;", WV_RECIPE_LENGTH, left - n);
	else if (apart == -lengths)
		wv_str_addf(ret, "%c-%lu;", WV_RECIPE_LENGTH, left + n);
	else
		return false;
	return true;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool wv_recipe_merge(const char *left, size_t n, const char *right, size_t m, struct wv_str *ret)
{
	while (*left || *right) {
		size_t same = strspn(left, "0123456789");

		/*
		 * Copy equal digits as text: they may be too long for a number, or begin with
		 * zeros.
		 */
		if (is_digit(*left) && is_digit(*right) &&
		    (same != strspn(right, "0123456789") || strncmp(left, right, same))) {
			char *after_left, *after_right;
			unsigned long a = strtoul(left, &after_left, 10);
			unsigned long b = strtoul(right, &after_right, 10);

			if (!merge_numbers(a, n, b, m, ret))
				return false;
			left = after_left;
			right = after_right;
			continue;
		}
		same = same ? same : 1;
		if (strncmp(left, right, same))
			return false;
		wv_str_add_n(ret, left, same);
		left += same;
		right += same;
	}
	return !ret->failed;
}

void wv_recipe_add_registers(const char *header, struct wv_str *names)
{
	static const char declares[] = "register ", place[] = "asm(\"";

	/* Look only at the beginnings of lines: a declaration inside a function is indented. */
	for (const char *line = header; *line; line += *line == '\n') {
		size_t n = strcspn(line, "\n");
		const char *at = begins(line, declares) ? memmem(line, n, place, strlen(place)) :
							  NULL;

		if (at) {
			int size = (int)strcspn(at + strlen(place), "\"\n");

			at += strlen(place);
			wv_str_addf(names, "register unsigned long weft_register_%.*s "
				    "asm(\"%.*s\");\n", size, at, size, at);
		}
		line += n;
	}
}
