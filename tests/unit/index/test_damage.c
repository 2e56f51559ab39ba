// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Indexes damaged images and queries damaged databases. What cannot be used must give one clear
 * line and WV_E_FORMAT; nothing may crash or leave a half-written file.
 */
#include <elf.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdbool.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmocka-all.h"
#include "files.h"
#include "runtime/joinpoint-table.h"
#include "image/image.h"
#include "index/build.h"
#include "database/db.h"
#include "database/pointcut-parse.h"
#include "database/query.h"
#include "database/wildcard.h"

static unsigned char *sample;
static size_t sample_size;

static int read_sample(void **state)
{
	sample = files_read(SAMPLE, &sample_size);
	return 0;
}

static int free_sample(void **state)
{
	free(sample);
	return 0;
}

/*
 * Indexes an image of these bytes, which must fail with @words (NULL: any error) and leave only the
 * image's own file.
 */
static void refuse_image(const void *bytes, size_t n, const char *words)
{
	const char *path = files_write("image", bytes, n);
	struct wv_index_totals totals;
	struct wv_error error = { 0 };

	assert_int_equal(wv_index_build(path, files_path("out.weft"), &totals, &error),
			 -WV_E_FORMAT);
	assert_string_equal(error.file, path);
	assert_null(strchr(error.message, '\n'));
	if (words)
		assert_contains(error.message, words);
	assert_int_equal(files_count(), 1);
}

static void test_truncated_image(void **state)
{
	for (size_t n = 0; n < sample_size; n += n < 128 ? 1 : 61)
		refuse_image(sample, n, NULL);
	refuse_image(sample, sample_size - 1, "truncated: ");
	refuse_image("hello\n", 6, "not an ELF file");
	refuse_image("", 0, "ELF");
}

/* Returns the header of the section of this name in a copy of the sample. */
static Elf64_Shdr *section_header(unsigned char *bytes, const char *name)
{
	Elf64_Ehdr *header = (Elf64_Ehdr *)bytes;
	Elf64_Shdr *sections = (Elf64_Shdr *)(bytes + header->e_shoff);
	const char *names = (const char *)bytes + sections[header->e_shstrndx].sh_offset;

	for (int i = 0; i < header->e_shnum; i++)
		if (!strcmp(names + sections[i].sh_name, name))
			return &sections[i];
	fail_msg("no section %s", name);
	return NULL;
}

static unsigned char *copy_sample(void)
{
	unsigned char *copy = malloc(sample_size);

	memcpy(copy, sample, sample_size);
	return copy;
}

static void test_sections(void **state)
{
	unsigned char *copy = copy_sample();
	const char *names;

	/* Removes the joinpoint table by giving its section another name. */
	names = (const char *)memmem(copy, sample_size, WEFT_TABLE_SECTION,
				     sizeof(WEFT_TABLE_SECTION));
	assert_non_null(names);
	copy[names - (const char *)copy + 1] = 'x';
	refuse_image(copy, sample_size, "has no joinpoint table");
	free(copy);

	copy = copy_sample();
	section_header(copy, WEFT_TABLE_SECTION)->sh_size--;
	refuse_image(copy, sample_size, "unit is longer than the section");
	section_header(copy, WEFT_TABLE_SECTION)->sh_size = UINT64_MAX - 5;
	refuse_image(copy, sample_size, "truncated");
	free(copy);

	copy = copy_sample();
	copy[section_header(copy, WEFT_TABLE_SECTION)->sh_offset] = 'X';
	refuse_image(copy, sample_size,
		     "section " WEFT_TABLE_SECTION ", offset 0: no unit begins here");
	free(copy);

	copy = copy_sample();
	copy[section_header(copy, ".debug_line_str")->sh_offset +
	     section_header(copy, ".debug_line_str")->sh_size - 1] = 'x';
	refuse_image(copy, sample_size, "section .debug_line_str: its last string has no end");
	free(copy);

	/* Puts two sections at one address. */
	copy = copy_sample();
	section_header(copy, ".init.data")->sh_addr = section_header(copy, ".text")->sh_addr;
	section_header(copy, ".init.data")->sh_flags |= SHF_EXECINSTR;
	refuse_image(copy, sample_size, "contradicts itself");
	free(copy);

	copy = copy_sample();
	((Elf64_Ehdr *)copy)->e_machine = EM_AARCH64;
	refuse_image(copy, sample_size, "not a 64-bit x86 ELF file");
	((Elf64_Ehdr *)copy)->e_machine = EM_X86_64;
	((Elf64_Ehdr *)copy)->e_type = ET_REL;
	refuse_image(copy, sample_size, "not linked");
	free(copy);
}

/* Indexes these bytes. That may fail or succeed, but must not crash or leave files. */
static void try_image(const unsigned char *bytes)
{
	struct wv_index_totals totals;
	struct wv_error error = { 0 };

	if (wv_index_build(files_write("image", bytes, sample_size), files_path("out.weft"),
			   &totals, &error)) {
		assert_int_equal(error.code, WV_E_FORMAT);
		assert_int_equal(files_count(), 1);
	} else {
		remove(files_path("out.weft"));
	}
}

static void test_flipped_table(void **state)
{
	unsigned char *copy = copy_sample();
	const Elf64_Shdr *table = section_header(copy, WEFT_TABLE_SECTION);

	srand(2);
	for (size_t at = 0; at < table->sh_size; at += 3) {
		unsigned char *byte = copy + table->sh_offset + at, old = *byte;

		*byte ^= 1 + rand() % UINT8_MAX;
		try_image(copy);
		*byte = old;
	}
	free(copy);
}

/* Flips bytes of the ELF headers, the symbols, the text and the DWARF. */
static void test_flipped_image(void **state)
{
	unsigned char *copy = copy_sample();

	srand(4);
	for (int round = 0; round < 500; round++) {
		for (int k = 0; k <= round % 4; k++)
			copy[rand() % sample_size] = rand();
		try_image(copy);
		memcpy(copy, sample, sample_size);
	}
	free(copy);
}

/* Changes every byte of the main sections of the DWARF, one at a time. */
static void test_flipped_dwarf(void **state)
{
	static const char *const names[] = { ".debug_info", ".debug_abbrev", ".debug_rnglists",
					     ".debug_line" };
	unsigned char *copy = copy_sample();

	srand(5);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const Elf64_Shdr *section = section_header(copy, names[i]);

		for (size_t at = 0; at < section->sh_size; at++) {
			unsigned char *byte = copy + section->sh_offset + at, old = *byte;

			*byte = rand() % 2 ? UINT8_MAX : old ^ (1 + rand() % UINT8_MAX);
			try_image(copy);
			*byte = old;
		}
	}
	free(copy);
}

/*
 * Returns whether the file system has temporary files without a name (O_TMPFILE). In a file system
 * without them, an unfinished database has a name and stays if the process is killed.
 */
static bool has_nameless_files(void)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s", files_path("out.weft"));
	fd = open(dirname(path), O_TMPFILE | O_WRONLY, S_IRUSR);
	return fd >= 0 && !close(fd);
}

/* A process that is killed must leave a whole database or none. */
static void test_killed(void **state)
{
	bool nameless = has_nameless_files();
	struct wv_error error = { 0 };
	struct wv_db *db;

	for (unsigned int round = 0; round < 40; round++) {
		const char *path = files_path("out.weft");
		struct wv_index_totals totals;
		pid_t child = fork();

		for (; !child; remove(path))
			wv_index_build(SAMPLE, path, &totals, &error);
		usleep(1000 + 577 * round);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		if (!wv_db_open(path, &db, &error)) {
			wv_db_close(db);
			remove(path);
		}
		/* Only files of the tests before this one may be there. */
		if (nameless)
			assert_int_equal(files_count(), (size_t)(uintptr_t)*state);
	}
}

static int count_files(void **state)
{
	*state = (void *)(uintptr_t)files_count();
	return 0;
}

static void test_unwritable(void **state)
{
	struct wv_index_totals totals;
	struct wv_error error = { 0 };

	assert_int_equal(wv_index_build(SAMPLE, "/nonexistent/out.weft", &totals, &error),
			 -WV_E_FAILURE);
	assert_contains(error.message, "/nonexistent/out.weft: No such file");
	assert_int_equal(wv_index_build("/nonexistent", files_path("out.weft"), &totals, &error),
			 -WV_E_FAILURE);
	assert_contains(error.message, "/nonexistent: No such file");
	assert_int_equal(wv_index_build("/", files_path("out.weft"), &totals, &error),
			 -WV_E_FORMAT);
	assert_contains(error.message, "not a regular file");
}

/*
 * Opens a database of these bytes and returns the result. If it can be opened, queries it: each
 * query must give WV_E_FORMAT, WV_E_NO_MATCH or success.
 */
static int ask(const void *bytes, size_t n, struct wv_error *error)
{
	static const char *const texts[] = { "sk_buff.len",   "sock.sk_state",	   "destroy",
					     "sample.h:5",    "destroy+0xd",	   "sample.c:15",
					     "peek",	      "destroy%exit",	   "other%blocks",
					     "destroy%calls", "__fentry__%callers", "*s*r?y" };
	const char *path = files_write("damaged.weft", bytes, n);
	struct wv_db *db;
	int ret = wv_db_open(path, &db, error);

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]) && !ret; i++) {
		struct wv_pointcut pointcut;
		struct wv_matches matches;
		int failed;

		assert_int_equal(wv_pointcut_parse(texts[i], WV_KINDS_ALL, &pointcut, error), 0);
		failed = wv_db_query_like(db, &pointcut, &matches, error);
		if (failed)
			assert_true(failed == -WV_E_FORMAT || failed == -WV_E_NO_MATCH);
		else
			wv_matches_deinit(&matches);
		wv_pointcut_deinit(&pointcut);
	}
	wv_db_close(db);
	return ret;
}

static void test_damaged_database(void **state)
{
	struct wv_index_totals totals;
	struct wv_error error = { 0 };
	unsigned char *bytes;
	size_t n;

	assert_int_equal(wv_index_build(SAMPLE, files_path("whole.weft"), &totals, &error), 0);
	bytes = files_read(files_path("whole.weft"), &n);
	assert_int_equal(ask(bytes, n, &error), 0);
	assert_int_equal(ask("hello", 5, &error), -WV_E_FORMAT);
	assert_contains(error.message, "not a joinpoint database");
	assert_int_equal(ask("", 0, &error), -WV_E_FORMAT);
	for (size_t cut = 512; cut < n; cut += 4096)
		ask(bytes, cut, &error);
	srand(3);
	for (int round = 0; round < 400; round++) {
		unsigned char *copy = malloc(n);

		memcpy(copy, bytes, n);
		for (int k = 0; k < 8; k++)
			copy[rand() % n] = rand();
		ask(copy, n, &error);
		free(copy);
	}
	/* Changes the database's version, a field of SQLite's header at offset 60, big endian. */
	bytes[63]++;
	assert_int_equal(ask(bytes, n, &error), -WV_E_FORMAT);
	assert_contains(error.message, "run `weft index` again");
	free(bytes);
}

/* The database is valid for SQLite but has contents that weft never writes. */
static void test_untrusted_database(void **state)
{
	static const char *const statements[] = {
		"UPDATE symbol SET size = 0x7fffffffffffffff",
		"UPDATE symbol SET size = -1, entry = -1",
		"UPDATE symbol SET offset = -9223372036854775807",
		"UPDATE symbol SET offset = 'here', name = x'ff00ff'",
		"UPDATE symbol SET size = 0, flags = 'x'",
		"UPDATE text SET bytes = zeroblob(1000000)",
		"UPDATE text SET bytes = ''",
		"UPDATE text SET offset = offset + 0x4000000000000000",
		"DELETE FROM text",
		"UPDATE shadow SET symbol = 99, offset = offset - 0x4000000000000000",
		"UPDATE shadow SET precision = 77",
		"UPDATE line SET symbol = NULL, line = line - 20, offset = offset + "
		"0x7fffffff00000000",
		"UPDATE copy SET symbol = 4000000000, file = -1",
		"UPDATE fate SET symbol = 'x', fate = 70, by = -1, offset = 'x'",
		"UPDATE joinpoint SET kind = 63, field = -1",
		"UPDATE joinpoint SET kind = 99, line = 'x'",
		"UPDATE names SET names = x'0164657374726f79'", /* without the last NUL */
		"UPDATE names SET names = names || x'00'",
		"UPDATE names SET names = x'0100'",
		"UPDATE names SET names = ''",
		"UPDATE names SET names = 'destroy', first = x'ff00ff'",
		"UPDATE meta SET value = -1 WHERE key = 'text_address'",
		"UPDATE meta SET value = zeroblob(100000) WHERE key = 'build_id'",
		"DELETE FROM meta",
		"DROP TABLE copy",
		"DROP TABLE text",
		"ALTER TABLE symbol RENAME COLUMN entry TO way_in",
	};
	struct wv_index_totals totals;
	struct wv_error error = { 0 };

	for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++) {
		unsigned char *bytes;
		sqlite3 *sqlite;
		size_t n;

		assert_int_equal(wv_index_build(SAMPLE, files_path("whole.weft"), &totals, &error),
				 0);
		assert_int_equal(sqlite3_open(files_path("whole.weft"), &sqlite), SQLITE_OK);
		sqlite3_exec(sqlite, "DROP VIEW point", NULL, NULL, NULL);
		if (sqlite3_exec(sqlite, statements[i], NULL, NULL, NULL) != SQLITE_OK)
			fail_msg("%s: %s", statements[i], sqlite3_errmsg(sqlite));
		sqlite3_close(sqlite);
		bytes = files_read(files_path("whole.weft"), &n);
		ask(bytes, n, &error);
		free(bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_truncated_image),
		cmocka_unit_test(test_sections),
		cmocka_unit_test(test_flipped_table),
		cmocka_unit_test(test_flipped_image),
		cmocka_unit_test(test_flipped_dwarf),
		cmocka_unit_test(test_untrusted_database),
		cmocka_unit_test_setup(test_killed, count_files),
		cmocka_unit_test(test_unwritable),
		cmocka_unit_test(test_damaged_database),
	};

	return cmocka_run_group_tests(tests, read_sample, free_sample);
}
