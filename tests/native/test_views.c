// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests kmod/record/view.c in a process: what readers of /dev/weft-read are told that they have
 * lost, and how much is done while wk_readers_lock is held once. A kernel of 64 CPUs has as many
 * rings; kernel-shim/readers.h counts what is done in a hold, and lets other CPUs write when the
 * lock is released. So the tests choose the moment of each write.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "kernel-shim/readers.h"
#include "kmod/base/lock.c"
#include "kmod/record/record-values.c"
#include "kmod/record/record-text.c"
#include "kmod/record/view.c"
#include "ring-memory.h"

enum {
	RING = 1 << 14,
	STATEMENTS = 600,
	FORMAT = 600,	/* bytes of a format of many_statements() */
	VIEWS = 32,
	STALLED = 3,	/* the first CPUs, in stall() */
	HALF = 600,	/* so many records are less than half a ring */
};

static struct wr_ring rings[SHIM_CPUS];
static struct wk_records records;
static struct weft_statement statements[STATEMENTS];
static struct wk_view readers[VIEWS];
static unsigned int nr_readers;
static u64 now, written, written_odd, found_full;
static u8 buffer[256 << 10];

static struct wr_owner owner_now(bool for_users)
{
	return (struct wr_owner){ .ids = 1, .identity = 1, .open = for_users };
}

static bool is_of(const struct wr_owner *noted, const __u8 *for_users)
{
	return noted->identity == 1;
}

static const struct wr_owning owning = { .get = owner_now, .is_of = is_of };

/* Reserves and fills a record of a statement. NULL: there is no room. */
static struct weft_raw_record *begin_record(int cpu, unsigned int statement)
{
	u64 time = ++now;
	struct weft_raw_record *record =
		wr_ring_reserve(&rings[cpu], statements[statement].size, owning, &time);

	if (!record) {
		found_full++;
		return NULL;
	}
	record->head = WEFT_HEAD(WEFT_EVENT(statement, WEFT_FORM_NARROW), WEFT_HEAD_PLAIN);
	record->time = (u32)time;
	record->joinpoint = 0;
	memcpy(record->values, &(u32){ written }, sizeof(u32));
	written++;
	written_odd += !statement;
	return record;
}

static void write_record(int cpu, unsigned int statement)
{
	if (begin_record(cpu, statement))
		wr_ring_commit(&rings[cpu]);
}

/* The first two statements are "odd" and "even"; the others are as even ones, and have a name. */
static void list_statement(unsigned int i, const char *format, const char *values)
{
	statements[i] = (struct weft_statement){
		.kind = WK_ARGUMENTS_PLAIN,
		.size = sizeof(struct weft_raw_record) + sizeof(u32),
		.wide = 2, /* one argument, of four bytes */
		.format = format,
		.values = values,
		.nr = 1,
	};
	records.statements[i] = &statements[i];
}

static int set_up(void **state)
{
	records = (struct wk_records){ .rings = rings };
	INIT_LIST_HEAD(&records.views);
	INIT_LIST_HEAD(&records.kept);
	for (int cpu = 0; cpu < SHIM_CPUS; cpu++)
		rings[cpu] = WR_RING_INIT(map_twice(RING), RING);
	list_statement(0, "odd mark %d", "number");
	list_statement(1, "even mark %d", "other");
	now = written = written_odd = found_full = 0;
	nr_readers = 0;
	shim_holds_reset();
	shim_elsewhere = NULL;
	memset(buffer, 0xff, sizeof(buffer)); /* so that no page of it is missing in a hold */
	mutex_lock(&wk_mutex);
	return 0;
}

static int tear_down(void **state)
{
	shim_elsewhere = NULL;
	mutex_unlock(&wk_mutex);
	while (nr_readers)
		wk_view_destroy(&readers[--nr_readers]);
	for (int cpu = 0; cpu < SHIM_CPUS; cpu++)
		munmap(rings[cpu].base, 2 * RING);
	return 0;
}

static struct wk_view *begin_view(const char *words, const char *fields, bool newest)
{
	struct wk_view *view = &readers[nr_readers++];

	*view = (struct wk_view){ .everything = true, .privileged = true };
	snprintf(view->words, sizeof(view->words), "%s", words);
	snprintf(view->fields, sizeof(view->fields), "%s", fields);
	assert_int_equal(wk_view_create(view, 0), 0);
	spin_lock(&wk_readers_lock);
	assert_int_equal(wk_view_begin(view, &records, newest), 0);
	spin_unlock(&wk_readers_lock);
	return view;
}

/* Reads all that there is; returns the number of records. */
static u64 read_all(struct wk_view *view)
{
	u64 n = 0;
	bool more = true;

	while (more) {
		const long used = wk_view_read(view, buffer, sizeof(buffer), &more);

		assert_true(used >= 0);
		for (long at = 0; at < used; n++)
			at += ((const struct weft_record *)(buffer + at))->size;
	}
	return n;
}

static void assert_told(const struct wk_view *view, u64 lost, u64 uncounted)
{
	const struct wk_view_state state = wk_view_state(view);

	assert_int_equal(state.lost, lost);
	assert_int_equal(state.uncounted, uncounted);
}

static void report_holds(const char *what)
{
	print_message("%s: %llu holds, 99 of 100 below %u us, at most %llu waits, %llu searches\n",
		      what, (unsigned long long)shim_holds, shim_longest_us(),
		      (unsigned long long)shim_most.pauses,
		      (unsigned long long)shim_most.comparisons);
}

/* ---- what a view is told --------------------------------------------------------------------- */

/*
 * A view that chooses is told exactly how many it has lost of those; the records that found the
 * buffer full are told beside. To a view that has all records these are lost.
 */
static void test_chosen_are_lost_exactly(void **state)
{
	const struct wk_view *odd = begin_view("odd", "", false);
	const struct wk_view *number = begin_view("", "number", false);
	const struct wk_view *all = begin_view("", "", false);
	const unsigned int attempts = 2000;

	for (unsigned int i = 0; i < attempts; i++)
		write_record(0, i % 2);
	assert_int_equal(written + found_full, attempts);
	assert_true(found_full > 0);
	assert_told(odd, 0, found_full);
	assert_told(all, found_full, 0);
	wk_views_close(&records);
	assert_told(odd, written_odd, found_full);
	assert_told(number, written_odd, found_full);
	assert_told(all, attempts, 0);
}

/* A view that has ended, but that nobody closes, is told no more of what is written afterwards. */
static void test_what_is_read_is_not_lost(void **state)
{
	struct wk_view *odd = begin_view("odd", "", false), *late;

	for (unsigned int i = 0; i < 100; i++)
		write_record(i % 3, i % 2);
	assert_int_equal(read_all(odd), 50);
	late = begin_view("odd", "", true);
	for (unsigned int i = 0; i < 100; i++)
		write_record(i % 3, i % 2);
	wk_views_close(&records);
	assert_told(odd, 50, 0);
	assert_told(late, 50, 0);
	assert_int_equal(read_all(odd), 0);
}

static u64 written_until[VIEWS];

/* Another CPU writes whenever the lock is released; notes when views begin to end. */
static void write_meanwhile(void)
{
	for (unsigned int i = 0; i < nr_readers; i++)
		if (readers[i].ending && !written_until[i])
			written_until[i] = written;
	write_record(SHIM_CPUS - 1, 0);
}

/*
 * If views end with more records than are looked at, those of which nobody knows are told beside;
 * not those from after the end of the view, nor those from before it began.
 */
static void test_too_many_to_be_looked_at(void **state)
{
	struct wk_view *odd, *late;
	u64 before;

	for (unsigned int i = 0; i < 6; i++)
		begin_view("", "", false);
	for (unsigned int i = 0; i < (SHIM_CPUS - 2) * 1000; i++)
		write_record(i % (SHIM_CPUS - 1), i % 2);
	odd = begin_view("odd", "", false);
	late = begin_view("", "", true);
	before = written;
	for (unsigned int i = 0; i < 1000; i++)
		write_record(i % (SHIM_CPUS - 1), i % 2);
	assert_int_equal(found_full, 0);
	memset(written_until, 0, sizeof(written_until));
	shim_elsewhere = write_meanwhile;
	wk_views_close(&records);
	shim_elsewhere = NULL;
	assert_true(written > written_until[nr_readers - 1]);
	for (unsigned int i = 0; i < 6; i++)
		assert_told(&readers[i], written_until[i], 0);
	assert_told(odd, 0, written_until[6]);
	assert_told(late, written_until[7] - before, 0);
}

/* Records that could not be copied to the user are lost, in all and before the next record. */
static void test_copy_that_failed(void **state)
{
	struct wk_view *odd = begin_view("odd", "", false);
	const struct weft_record *record = (const void *)buffer;
	bool more;
	long used;

	for (unsigned int i = 0; i < 20; i++)
		write_record(0, i % 2);
	used = wk_view_read(odd, buffer, sizeof(buffer), &more);
	assert_true(used > 0);
	wk_view_miss(odd, buffer, used);
	assert_told(odd, 10, 0);
	write_record(0, 0);
	assert_true(wk_view_read(odd, buffer, sizeof(buffer), &more) > 0);
	assert_int_equal(record->lost, 10);
	assert_told(odd, 10, 0);
}

/* ---- holds of the lock ----------------------------------------------------------------------- */

static unsigned int releases_until_commit;

static void commit_later(void)
{
	if (releases_until_commit && !--releases_until_commit)
		wr_ring_commit(&rings[0]);
}

/* A writer that is in the middle of a record when views end has time to end it. */
static void test_writer_commits_meanwhile(void **state)
{
	const struct wk_view *odd = begin_view("odd", "", false);

	write_record(0, 0);
	assert_non_null(begin_record(0, 0));
	releases_until_commit = 20;
	shim_elsewhere = commit_later;
	wk_views_close(&records);
	assert_told(odd, 2, 0);
	assert_true(shim_most.pauses <= WR_RING_PATIENCE);
}

/* Writes almost half a ring for each CPU, with the first @n statements one after the other. */
static void write_half(unsigned int n)
{
	for (unsigned int i = 0; i < SHIM_CPUS * HALF; i++)
		write_record(i % SHIM_CPUS, i / SHIM_CPUS % n);
}

/* Writers on three CPUs are in the middle of a record, and stay there. */
static void stall(void)
{
	for (int cpu = 0; cpu < STALLED; cpu++)
		assert_non_null(begin_record(cpu, 0));
}

/* The waits for writers are limited for each hold, whatever the number of CPUs and views. */
static void test_stalled_writers(void **state)
{
	struct wk_view *all;

	for (unsigned int i = 0; i < VIEWS - 1; i++)
		begin_view("odd", "", false);
	all = begin_view("", "", false);
	write_half(2);
	stall();
	assert_int_equal(read_all(all), written - STALLED * (HALF + 1));
	write_half(2);
	shim_holds_reset();
	read_all(all);
	report_holds("reading, with stalled writers");
	assert_true(shim_most.pauses <= WR_RING_PATIENCE);
	shim_holds_reset();
	wk_views_close(&records);
	report_holds("ending, with stalled writers");
	assert_true(shim_most.pauses <= WR_RING_PATIENCE);
	assert_told(all, STALLED * (2 * HALF + 1), 0);
}

/* As many statements, one after the other, with long formats. */
static void many_statements(void)
{
	static char formats[STATEMENTS][FORMAT];

	for (unsigned int i = 0; i < STATEMENTS; i++) {
		memset(formats[i], 'o', FORMAT);
		snprintf(formats[i] + FORMAT - 16, 16, "dd mark %%d");
		list_statement(i, formats[i], i % 2 ? "number" : "other");
	}
	write_half(STATEMENTS);
}

/* A format is searched for words once, and at most one in a hold. */
static void test_many_statements(void **state)
{
	struct wk_view *odd = begin_view("odd mark", "number", false), *slow;

	slow = begin_view("oooooooooooooooooooooooooooooooodd mark", "a,b,c,d,e,f,g,number", false);
	many_statements();
	shim_holds_reset();
	assert_int_equal(read_all(odd), written / 2);
	report_holds("reading, with many statements");
	assert_true(shim_most.comparisons <= 1);
	shim_holds_reset();
	wk_views_close(&records);
	report_holds("ending, with many statements");
	assert_true(shim_most.comparisons <= 1);
	assert_told(slow, written / 2, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_chosen_are_lost_exactly, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_what_is_read_is_not_lost, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_too_many_to_be_looked_at, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_copy_that_failed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_writer_commits_meanwhile, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_stalled_writers, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_many_statements, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
