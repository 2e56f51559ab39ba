// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests module/incomplete-note.c, which reads a note of an untrusted module's file. */
#include <elf.h>
#include <string.h>

#include "cmocka-all.h"
#include "module/incomplete-note.h"
#include "runtime/module-note.h"

static uint8_t notes[4096];
static size_t n;

static void add_note(const char *owner, unsigned int type, const void *text, size_t size)
{
	const Elf64_Nhdr header = { .n_namesz = strlen(owner) + 1, .n_descsz = size,
				    .n_type = type };

	memcpy(notes + n, &header, sizeof(header));
	n += sizeof(header);
	memcpy(notes + n, owner, strlen(owner) + 1);
	n += (strlen(owner) + 4) & ~3u;
	memcpy(notes + n, text, size);
	n += (size + 3) & ~3u;
}

static void expect(size_t size, const char *wanted)
{
	_cleanup_str_ struct wv_str text = { 0 };

	wv_incomplete_note_read(notes, size, &text);
	assert_string_equal(wv_str_text(&text), wanted);
}

static int clear(void **state)
{
	memset(notes, 0, sizeof(notes));
	n = 0;
	return 0;
}

static void reads(void **state)
{
	add_note("GNU", 3, "\x01\x02\x03", 3);
	add_note(WEFT_NOTE_OWNER, WEFT_NOTE_INCOMPLETE + 1, "other", sizeof("other"));
	add_note(WEFT_NOTE_OWNER, WEFT_NOTE_INCOMPLETE, "a.xml:1:2: one\na.xml:3:4: two\n",
		 sizeof("a.xml:1:2: one\na.xml:3:4: two\n"));
	expect(n, "a.xml:1:2: one\na.xml:3:4: two\n");
	expect(0, "");
}

/*
 * Wherever the file is cut off, nothing beyond its end may be read and no part of the text may be
 * shown.
 */
static void truncated(void **state)
{
	add_note(WEFT_NOTE_OWNER, WEFT_NOTE_INCOMPLETE, "whole\n", sizeof("whole\n"));
	for (size_t size = 0; size < n; size++)
		expect(size, "");
	expect(n, "whole\n");
}

static void damaged(void **state)
{
	add_note(WEFT_NOTE_OWNER, WEFT_NOTE_INCOMPLETE, "no end", sizeof("no end") - 1);
	add_note(WEFT_NOTE_OWNER, WEFT_NOTE_INCOMPLETE, "", 0);
	add_note("wefT", WEFT_NOTE_INCOMPLETE, "another's\n", sizeof("another's\n"));
	expect(n, "");
	clear(state);
	memset(notes, 0xff, sizeof(Elf64_Nhdr));
	expect(sizeof(notes), "");
}

/* Control characters in a note, which a terminal would interpret, must be printed as blanks. */
static void controls(void **state)
{
	char longest[2000];

	add_note(WEFT_NOTE_OWNER, WEFT_NOTE_INCOMPLETE, "a\033[2Jb\rc\n", sizeof("a\033[2Jb\rc\n"));
	expect(n, "a [2Jb c\n");
	clear(state);
	memset(longest, 'x', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	add_note(WEFT_NOTE_OWNER, WEFT_NOTE_INCOMPLETE, longest, sizeof(longest));
	longest[1023] = '\n';
	longest[1024] = '\0';
	expect(n, longest);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(reads, clear),
		cmocka_unit_test_setup(truncated, clear),
		cmocka_unit_test_setup(damaged, clear),
		cmocka_unit_test_setup(controls, clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
