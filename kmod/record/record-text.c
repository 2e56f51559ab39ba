// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the text of records; see record-text.h. */
#include <linux/kernel.h>
#include <linux/string.h>

#include "runtime/advice.h"
#include "runtime/value-names.h"
#include "record/record-text.h"

struct wk_unread wk_unread_of(const struct wk_records *records, const void *raw)
{
	const struct weft_raw_tight *tight = raw;
	const struct weft_raw_record *narrow = raw;
	const struct weft_raw_wide *wide = raw;
	const bool is_tight = WEFT_HEAD_OF(tight->head) == WEFT_HEAD_TIGHT;
	const u32 event = WEFT_HEAD_EVENT(is_tight ? tight->head : narrow->head);
	const u32 form = WEFT_EVENT_FORM(event);
	const u32 index = WEFT_EVENT_STATEMENT(event);
	const struct weft_statement *statement = records->statements[index];

	if (is_tight)
		return (struct wk_unread){ statement, tight->values,
					   statement->size - sizeof(*narrow) + sizeof(*tight),
					   tight->joinpoint, index, false };
	if (form == WEFT_FORM_NARROW)
		return (struct wk_unread){ statement, narrow->values, statement->size,
					   narrow->joinpoint, index, false };
	return (struct wk_unread){ statement, wide->values, wide->size, wide->joinpoint,
				   index, form == WEFT_FORM_TEXT };
}

/*
 * Formats a record whose arguments are stored as they were passed. Passes each argument to
 * snprintf() as eight bytes, as the calling convention does with integers and pointers of any type.
 * Passes more arguments than the format has; snprintf() ignores the rest.
 */
static void render_plain(const struct wk_unread *unread, const char *format, char *text,
			 size_t size)
{
	u32 wide = unread->statement->wide;
	const u8 *at = unread->values;
	u64 w[WK_ARGUMENTS_MAX] = { 0 };

	for (unsigned int i = 0; i < WK_ARGUMENTS_MAX && wide != 1; i++, wide >>= 1) {
		const size_t bytes = wide & 1 ? sizeof(u64) : sizeof(u32);

		memcpy(&w[i], at, bytes);
		at += bytes;
	}
	snprintf(text, size, format, w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8],
			w[9], w[10], w[11]);
}

static void render_as(const struct wk_unread *unread, const char *format, char *text, size_t size)
{
	if (unread->statement->kind != WK_ARGUMENTS_BINARY)
		render_plain(unread, format, text, size);
	else
		bstr_printf(text, size, format, (const u32 *)unread->values);
}

/*
 * May the text that @format makes show an address of the kernel, not a hash of it? %pS and the like
 * show the address where there is no symbol.
 */
static bool may_show_addresses(const char *format)
{
	struct wr_conversion conversion;

	for (; (format = strchr(format, '%')); format = conversion.end) {
		if (!wr_conversion_parse(format, &conversion))
			return true;
		if (conversion.type == 'p' && wr_is_one_of(conversion.extension, "xsSBK"))
			return true;
	}
	return false;
}

/*
 * Makes a %p, which prints a hash, of each %px, %pS, %ps and %pK in @marked, a format with marks.
 * After the %p comes a mark, which is not a letter that could extend it. Only the format decides,
 * not the characters of a %s, which a task may choose. Returns false if @marked has %pB: a record
 * in binary form has its text already.
 */
static bool hash_pointers(char *marked)
{
	struct wr_conversion conversion;

	for (char *at = marked; (at = strchr(at, '%'));) {
		if (!wr_conversion_parse(at, &conversion))
			return false;
		if (conversion.type == 'p' && conversion.extension == 'B')
			return false;
		if (conversion.type == 'p' && wr_is_one_of(conversion.extension, "xsSK")) {
			char *letters = strchr(at, 'p') + 1;

			memmove(letters, conversion.end, strlen(conversion.end) + 1);
			at = letters;
		} else {
			at += conversion.end - at;
		}
	}
	return true;
}

static unsigned int show_nothing(struct wk_rendering *rendering, u32 *size_ret)
{
	*size_ret = strscpy(rendering->text, "(not shown)", WK_TEXT_MAX);
	return 0;
}

/*
 * Formats the record into @rendering->text and ->values. Returns the number of values; *@size_ret
 * is the length of the text.
 */
static unsigned int render_text(const struct wk_unread *unread, bool for_users,
				struct wk_rendering *rendering, u32 *size_ret)
{
	const char *format = unread->statement->format;
	const bool hide = for_users && may_show_addresses(format);
	unsigned int n;

	if (unread->has_text) {
		if (hide)
			return show_nothing(rendering, size_ret);
		strscpy(rendering->text, (const char *)unread->values, WK_TEXT_MAX);
		*size_ret = strlen(rendering->text);
		return 0;
	}
	n = wk_values_mark(format, rendering->format);
	if (n) {
		if (hide && !hash_pointers(rendering->format))
			return show_nothing(rendering, size_ret);
		render_as(unread, rendering->format, rendering->text, sizeof(rendering->text));
		return wk_values_take(rendering->text, WK_TEXT_MAX - 1, rendering->values,
				      size_ret);
	}
	if (hide)
		return show_nothing(rendering, size_ret);
	render_as(unread, format, rendering->text, WK_TEXT_MAX);
	*size_ret = strlen(rendering->text);
	return 0;
}

/* Appends @name to rendering->names, of which @used bytes are used, as far as there is room. */
static u32 add_name(struct wk_rendering *rendering, u32 used, struct wr_piece name)
{
	const u32 comma = used ? 1 : 0;
	const u32 room = sizeof(rendering->names) - 1 - used;
	const u32 size = min_t(u32, name.end - name.start + comma, room);

	if (!size)
		return used;
	rendering->names[used] = ',';
	memcpy(rendering->names + used + comma, name.start, size - comma);
	return used + size;
}

/*
 * Keeps, of the @n values in rendering->text, only those that @fields names. @names are the names
 * of all @n values. Afterwards ->text has the texts of the kept values with blanks between them,
 * and ->names their names. Returns the number of kept values; *@size_ret is the length of the text.
 */
static unsigned int take_fields(struct wk_rendering *rendering, const char *names,
				const char *fields, unsigned int n, u32 *size_ret)
{
	char *text = rendering->format; /* working memory: the format is not needed any more */
	unsigned int kept = 0;
	u32 used = 0, named = 0;

	BUILD_BUG_ON(sizeof(rendering->format) < WK_TEXT_MAX + WR_VALUES_MAX);
	for (unsigned int i = 0; i < n; i++) {
		const struct weft_value value = rendering->values[i];
		const u32 size = value.end - value.start;
		const struct wr_piece name = { names, wr_argument_end(names) };

		names = *name.end ? name.end + 1 : name.end;
		if (!wr_is_named(wr_argument_value(name), fields))
			continue;
		if (used)
			text[used++] = ' ';
		memcpy(text + used, rendering->text + value.start, size);
		rendering->values[kept++] = (struct weft_value){ .start = used,
								 .end = used + size,
								 .type = value.type };
		used += size;
		named = add_name(rendering, named, name);
	}
	memcpy(rendering->text, text, used);
	rendering->text[used] = '\0';
	rendering->names[named] = '\0';
	*size_ret = used;
	return kept;
}

/* Appends @size bytes and a NUL to the record, and pads it to a multiple of 8 bytes. */
static void append(struct weft_record *record, const char *text, u32 size)
{
	char *to = (char *)record + record->size;

	memcpy(to, text, size);
	memset(to + size, 0, ALIGN(size + 1, 8) - size);
	record->size += ALIGN(size + 1, 8);
}

void wk_render(const struct wk_unread *unread, const struct wr_cursor *cursor, int cpu,
	       bool for_users, const char *fields, struct wk_rendering *rendering)
{
	struct weft_record *record = (struct weft_record *)rendering->record;
	const char *names = unread->statement->values;

	memset(record, 0, sizeof(*record));
	record->joinpoint = unread->joinpoint;
	record->time = cursor->seen_time;
	record->cpu = cpu;
	record->pid = cursor->seen.tid;
	record->tgid = cursor->seen.pid;
	record->uid = cursor->seen.uid;
	record->lost = cursor->seen.lost;
	memcpy(record->comm, cursor->seen.comm, sizeof(record->comm));
	record->size = sizeof(*record);
	record->nr_values = render_text(unread, for_users, rendering, &record->text_size);
	/* If there are no values, the text is the reason, such as "(not shown)", and is kept. */
	if (fields[0] && record->nr_values) {
		record->nr_values = take_fields(rendering, names, fields, record->nr_values,
						&record->text_size);
		names = rendering->names;
	}
	append(record, rendering->text, record->text_size);
	memcpy(rendering->record + record->size, rendering->values,
	       record->nr_values * sizeof(struct weft_value));
	record->size += record->nr_values * sizeof(struct weft_value);
	record->names_size = record->nr_values ? strnlen(names, WK_NAMES_MAX - 1) : 0;
	append(record, names, record->names_size);
}

