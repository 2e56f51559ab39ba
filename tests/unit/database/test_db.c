// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests the joinpoint database as a whole: sample.S is indexed and queried with every type of
 * pointcut but tracepoints.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cmocka-all.h"
#include "files.h"
#include "runtime/joinpoint-table.h"
#include "index/build.h"
#include "database/db.h"
#include "database/file-name.h"
#include "database/names.h"
#include "database/pointcut-parse.h"
#include "database/query.h"
#include "database/wildcard.h"
#include "database/within.h"

#define TEXT 0xffffffff81000000

static struct wv_db *db;
static struct wv_index_totals totals;

static int build(void **state)
{
	struct wv_error error = { 0 };

	if (wv_index_build(SAMPLE, files_path("sample.weft"), &totals, &error) ||
	    wv_db_open(files_path("sample.weft"), &db, &error)) {
		fprintf(stderr, "%s: %s\n", error.file, error.message);
		return -1;
	}
	return 0;
}

static int close_db(void **state)
{
	wv_db_close(db);
	return 0;
}

/* Prints a match as "kind function file:line:column symbol+offset precision address bytes". */
static void describe(const struct wv_match *match, char *buffer, size_t size)
{
	snprintf(buffer, size, "%s %s %s:%u:%u %s+%u %s %llx %u", match->kind,
		 match->function ? match->function : "-", match->file ? match->file : "-",
		 match->line, match->column, match->symbol ? match->symbol : "-",
		 match->symbol_offset, wv_precision_name(match->precision),
		 match->address ? (unsigned long long)(match->address - TEXT) : 0ULL,
		 match->nr_bytes);
}

/* Queries @text and compares all matches with @lines, which end with NULL. */
static void expect(const char *text, uint32_t kinds, const char *const *lines)
{
	struct wv_pointcut pointcut;
	struct wv_matches matches;
	struct wv_error error = { 0 };
	char line[256];
	size_t n = 0;

	assert_int_equal(wv_pointcut_parse(text, kinds, &pointcut, &error), 0);
	if (wv_db_query_like(db, &pointcut, &matches, &error))
		fail_msg("%s: %s", text, error.message);
	wv_vec_for_each(match, &matches.list) {
		describe(match, line, sizeof(line));
		assert_non_null(lines[n]);
		assert_string_equal(line, lines[n++]);
	}
	assert_null(lines[n]);
	wv_matches_deinit(&matches);
	wv_pointcut_deinit(&pointcut);
}

#define EXPECT(text, kinds, ...) expect(text, kinds, (const char *const[]){ __VA_ARGS__ NULL })

static void refuse(const char *text, const char *words)
{
	struct wv_pointcut pointcut;
	struct wv_matches matches;
	struct wv_error error = { 0 };

	assert_int_equal(wv_pointcut_parse(text, WV_KINDS_ALL, &pointcut, &error), 0);
	assert_int_equal(wv_db_query_like(db, &pointcut, &matches, &error), -WV_E_NO_MATCH);
	assert_contains(error.message, words);
	wv_pointcut_deinit(&pointcut);
}

static void test_totals(void **state)
{
	assert_int_equal(totals.units, 3);
	assert_int_equal(totals.accesses, 9);
	assert_int_equal(totals.joinpoints, 8);
	assert_int_equal(totals.functions, 7);
	assert_int_equal(totals.dropped, 1);
	assert_int_equal(totals.by_precision[WEFT_PRECISION_EXACT], 4);
	assert_int_equal(totals.by_precision[WEFT_PRECISION_COLUMN], 1);
	assert_int_equal(totals.by_precision[WEFT_PRECISION_OPERAND], 1);
	assert_int_equal(totals.by_precision[WEFT_PRECISION_LINE], 1);
	assert_int_equal(totals.by_precision[WEFT_PRECISION_OPTIMIZED_OUT], 1);
}

static void test_meta(void **state)
{
	static const uint8_t build_id[] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef };
	const uint8_t *bytes;
	uint64_t offset;
	size_t size;

	bytes = wv_db_build_id(db, &size);
	assert_int_equal(size, sizeof(build_id));
	assert_memory_equal(bytes, build_id, size);
	assert_true(wv_db_text_address(db) == TEXT);
	assert_string_equal(wv_db_symbol_at(db, TEXT + 0x10, &offset), "destroy");
	assert_int_equal(offset, 0xf);
	/*
	 * If several symbols have the address, a global one is preferred, and then one with a
	 * shorter name.
	 */
	assert_string_equal(wv_db_symbol_at(db, TEXT + 44, &offset), "other");
	/* What begins at an address is preferred to what ends there, a_end. */
	assert_string_equal(wv_db_symbol_at(db, TEXT + 57, &offset), "thunk");
	assert_int_equal(offset, 0);
	assert_null(wv_db_symbol_at(db, TEXT + 1000, &offset));
	assert_null(wv_db_symbol_at(db, TEXT - 1, &offset));
}

static void test_member(void **state)
{
	EXPECT("sk_buff.destructor", WV_KINDS_ALL,
	       "call destroy fs/sample.c:10:5 destroy+13 exact e 15",);
	/*
	 * The last two matches are shadows of one joinpoint: peek() is in a header that two units
	 * include, and inlined in a function of each.
	 */
	EXPECT("sk_buff.len", WV_KINDS_ALL,
	       "rmw destroy fs/sample.c:12:9 destroy+20 exact 15 15",
	       "get touch fs/sample.c:21:33 touch+9 line 25 15",
	       "get peek include/sample.h:5:9 destroy+23 exact 18 15",
	       "get peek include/sample.h:5:9 other+8 exact 34 15",);
	EXPECT("sk_buff.len", WV_KIND_BIT(WEFT_KIND_RMW),
	       "rmw destroy fs/sample.c:12:9 destroy+20 exact 15 15",);
	EXPECT("sk_buff.len", WV_KIND_BIT(WEFT_KIND_SET), );
	/* @exact leaves out the shadows that were found by line only. */
	EXPECT("sk_buff.len@exact", WV_KINDS_ALL,
	       "rmw destroy fs/sample.c:12:9 destroy+20 exact 15 15",
	       "get peek include/sample.h:5:9 destroy+23 exact 18 15",
	       "get peek include/sample.h:5:9 other+8 exact 34 15",);
	EXPECT("gone.away@exact", WV_KINDS_ALL,
	       "set vanished fs/sample.c:30:1 -+0 optimized-out 0 0",);
	EXPECT("gone.away", WV_KINDS_ALL, "set vanished fs/sample.c:30:1 -+0 optimized-out 0 0",);
}

/*
 * A member may be named by the struct that has it, by the outermost struct of the expression, or by
 * a macro that stands for it.
 */
static void test_path(void **state)
{
	static const char line[] = "get touch fs/sample.c:20:11 touch+6 column 22 15";

	EXPECT("sock_common.skc_state", WV_KINDS_ALL, line, );
	EXPECT("sock.skc_state", WV_KINDS_ALL, line, );
	EXPECT("sock.sk_state", WV_KINDS_ALL, line, );
	EXPECT("sock.skc_refcnt", WV_KINDS_ALL,
	       "get touch fs/sample.c:21:30 touch+9 operand 25 15", );
	EXPECT("sock.__sk_common.skc_state", WV_KINDS_ALL, line, );
	EXPECT("sock.__sk_common.skc_st*", WV_KINDS_ALL, line, );
	EXPECT("so?k.*.skc_state", WV_KINDS_ALL, line, );
	refuse("sock.*.*.skc_state", "no member '*.*.skc_state' of 'sock'");
	refuse("sock.sk_common.skc_state", "did you mean __sk_common.skc_state?");
	refuse("sock_common.__sk_common.skc_state", "no member '__sk_common.skc_state' of");
	refuse("sokc.__sk_common.skc_state", "did you mean sock");
	refuse(".skc_state", "no member 'skc_state' of a struct without a name is accessed in "
	       "this kernel; one of that name is in sock_common");
	refuse("sock_common.sk_state", "no member 'sk_state' of 'sock_common'");
	refuse("sock.__sk_common", "no member");
}

/* Lists what the shell completes a prefix to: a struct, a member by each of its names, a path. */
static void test_names(void **state)
{
	static const struct {
		const char *prefix, *names;
	} cases[] = {
		{ "sock", "sock.\nsock_common.\n" },
		{ "sock.s", "sock.sk_state\nsock.skc_refcnt\nsock.skc_state\n" },
		{ "sock.__sk_common.",
		  "sock.__sk_common.skc_refcnt\nsock.__sk_common.skc_state\n" },
		{ "sock.__sk_common.skc_s", "sock.__sk_common.skc_state\n" },
		{ "sock.sk_common.", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		_cleanup_str_ struct wv_str out = { 0 };
		struct wv_error error = { 0 };

		assert_int_equal(wv_db_complete(db, WV_NAMES_MEMBERS, cases[i].prefix, &out,
						&error), 0);
		assert_string_equal(wv_str_text(&out), cases[i].names);
	}
}

static void test_call_of_get(void **state)
{
	EXPECT("ops.get", WV_KINDS_ALL,
	       "get other fs/other.c:7:4 other+4 exact 30 15",
	       "call other fs/other.c:7:4 other+11 exact 37 15",);
	EXPECT("ops.get", WV_KIND_BIT(WEFT_KIND_GET),
	       "get other fs/other.c:7:4 other+4 exact 30 15", );
	EXPECT("ops.get", WV_KIND_BIT(WEFT_KIND_CALL),
	       "call other fs/other.c:7:4 other+11 exact 37 15",);
}

static void test_fields(void **state)
{
	struct wv_pointcut pointcut;
	struct wv_matches matches;
	struct wv_error error = { 0 };
	const struct wv_match *match;

	assert_int_equal(wv_pointcut_parse("sock.sk_state", WV_KINDS_ALL, &pointcut, &error), 0);
	assert_int_equal(wv_db_query(db, &pointcut, &matches, &error), 0);
	match = matches.list.data;
	assert_string_equal(match->structure, "sock_common");
	assert_string_equal(match->member, "skc_state");
	assert_string_equal(match->path, "sock.__sk_common.skc_state");
	assert_string_equal(match->macro, "sk_state");
	assert_int_equal(match->effect, -1);
	assert_true(match->joinpoint > 0);
	wv_matches_deinit(&matches);
	wv_pointcut_deinit(&pointcut);
	assert_int_equal(wv_pointcut_parse("sk_buff.destructor", WV_KINDS_ALL, &pointcut, &error),
			 0);
	assert_int_equal(wv_db_query(db, &pointcut, &matches, &error), 0);
	match = matches.list.data;
	assert_int_equal(match->effect, WEFT_EFFECT_CALL);
	assert_null(match->path);
	assert_null(match->macro);
	/* call *%rax */
	assert_memory_equal(match->bytes, "\xff\xd0", 2);
	wv_matches_deinit(&matches);
	wv_pointcut_deinit(&pointcut);
}

static void test_entry(void **state)
{
	/*
	 * The entry's shadow must lie after endbr64 and ftrace's call (destroy), after the call
	 * alone (touch), or after endbr64 alone (other).
	 */
	EXPECT("destroy", 0, "entry destroy fs/sample.c:9:1 destroy+9 symbol a 15",);
	EXPECT("touch", 0, "entry touch fs/sample.c:19:1 touch+5 symbol 21 15",);
	EXPECT("other", 0, "entry other fs/other.c:6:1 other+4 symbol 30 15",);
	EXPECT("other_alias", 0, "entry other_alias fs/other.c:6:1 other_alias+4 symbol 30 15",);
	EXPECT("__fentry__", 0, "entry __fentry__ -:0:0 __fentry__+0 symbol 0 15",);
	/*
	 * Both functions begin with a nop of five bytes. The nop of nopped() is in the kernel's
	 * list of ftrace's sites, the nop of unlisted() is not.
	 */
	EXPECT("nopped", 0, "entry nopped -:0:0 nopped+5 symbol 40 7",);
	EXPECT("unlisted", 0, "entry unlisted -:0:0 unlisted+0 symbol 41 6",);
	/* peek() exists only as inlined instances. */
	EXPECT("peek", 0, "inlined peek include/sample.h:5:9 destroy+23 symbol 18 15",
	       "inlined peek include/sample.h:5:9 other+8 symbol 34 15",);
	refuse("destory", "did you mean destroy?");
	refuse("thunk",
	       "an assembler label, not a function: name an instruction of it, as in thunk+0");
	refuse("peek%entry", "function 'peek' has no code of its own");
	refuse("destroy%inlined", "function 'destroy' is inlined nowhere");
}

/* Names of functions with * and ?, which are looked up in the list of all names. */
static void test_wildcards(void **state)
{
	static const char destroy[] = "entry destroy fs/sample.c:9:1 destroy+9 symbol a 15";
	static const char nopped[] = "entry nopped -:0:0 nopped+5 symbol 40 7";

	EXPECT("n?p*d%entry", 0, nopped,);
	EXPECT("*opp*%entry", 0, nopped,);
	EXPECT("d*%entry", 0, destroy,);
	EXPECT("*stroy%entry", 0, destroy,);
	EXPECT("*tro*%entry", 0, destroy,);
	EXPECT("d?st*o?%entry", 0, destroy,);
	EXPECT("*d*y*%entry", 0, destroy,);
	EXPECT("???troy%entry", 0, destroy,);
	refuse("destr?%entry", "no function of this kernel is named like 'destr?'");
	refuse("*destroy?*%entry", "no function of this kernel is named like '*destroy?*'");
	refuse("estr*%entry", "no function of this kernel is named like 'estr*'");
	/* A label and an inlined function are no functions with code of their own. */
	refuse("th*k%entry", "no function of this kernel is named like 'th*k'");
	refuse("p*k%entry", "no function of this kernel is named like 'p*k'");
}

static void test_flow(void **state)
{
	EXPECT("destroy%exit", 0, "exit destroy include/sample.h:5:9 destroy+26 symbol 1b 15",);
	EXPECT("other%exit", 0, "exit other fs/other.c:7:9 other+11 symbol 37 15",);
	EXPECT("destroy%blocks", 0, "block destroy fs/sample.c:10:5 destroy+9 symbol a 15",);
	EXPECT("destroy%calls", 0, "callsite destroy fs/sample.c:10:8 destroy+13 symbol e 15",);
	EXPECT("other%calls", 0, "callsite other fs/other.c:7:9 other+11 symbol 37 15",);
	EXPECT("__fentry__%callers", 0, "callsite destroy fs/sample.c:9:1 destroy+4 symbol 5 15",
	       "callsite touch fs/sample.c:19:1 touch+0 symbol 1c 15",);
	refuse("destroy%callers", "function 'destroy' has no callsite");
	refuse("destory%exit", "did you mean destroy?");
}

static void test_file_and_within(void **state)
{
	struct wv_pointcut pointcut;
	struct wv_matches matches;
	struct wv_error error = { 0 };

	assert_int_equal(wv_pointcut_of_file("sample.c", WV_KINDS_ALL, &pointcut, &error), 0);
	assert_int_equal(wv_db_query(db, &pointcut, &matches, &error), 0);
	assert_int_equal(matches.list.n, 6);
	assert_int_equal(wv_matches_within(&matches, "fs/sample.c", &error), 0);
	assert_int_equal(matches.list.n, 6);
	assert_int_equal(wv_matches_within(&matches, "touch", &error), 0);
	assert_int_equal(matches.list.n, 3);
	assert_int_equal(wv_matches_within(&matches, "tou", &error), -WV_E_NO_MATCH);
	assert_contains(error.message, "none of the 3 places is within");
	wv_matches_deinit(&matches);
	wv_pointcut_deinit(&pointcut);
	assert_int_equal(wv_pointcut_of_file("smaple.c", WV_KINDS_ALL, &pointcut, &error), 0);
	assert_int_equal(wv_db_query(db, &pointcut, &matches, &error), -WV_E_NO_MATCH);
	assert_contains(error.message, "did you mean sample.c");
	wv_pointcut_deinit(&pointcut);
}

static void test_file_names(void **state)
{
	static const struct {
		const char *name, *wanted;
		bool is;
	} cases[] = {
		{ "net/ipv4/tcp.c", "tcp.c", true },
		{ "net/ipv4/tcp.c", "ipv4/tcp.c", true },
		{ "net/ipv4/tcp.c", "net/ipv4/tcp.c", true },
		{ "net/ipv4/tcp.c", "cp.c", false },
		{ "net/ipv4/tcp.c", "/net/ipv4/tcp.c", true },
		{ "net/ipv4/tcp.c", "./net/ipv4/tcp.c", true },
		{ "net/ipv4/tcp.c", "/ipv4/tcp.c", false },
		{ "net/ipv4/tcp.c", "./tcp.c", false },
		{ "net/ipv4/tcp.c", "/net/*/tcp.c", true },
		{ "net/ipv4/tcp.c", "/*/tcp.c", false },
		{ "net/ipv4/tcp.c", "/net/", true },
		{ "net/ipv4/tcp.c", "/ipv4/", false },
		{ "arch/x86/kernel/signal.c", "kernel/signal.c", true },
		{ "arch/x86/kernel/signal.c", "/kernel/signal.c", false },
		{ "net/ipv4/tcp.c", "net", false },
		{ "net/ipv4/tcp.c", "net/", true },
		{ "net/ipv4/tcp.c", "net/ipv4/", true },
		{ "net/ipv4/tcp.c", "ipv4/", false },
		{ "net/ipv4/tcp.c", "*/ipv4/", true },
		{ "net/ipv4/tcp.c", "net/ipv?/", true },
		{ "net/ipv4/tcp.c", "net/ipv/", false },
		{ "net/ipv4/tcp.c", "net/ipv4/tcp.c/", false },
		{ "net/ipv4/tcp.c", "tcp*.c", true },
		{ "net/ipv4/tcp.c", "net/*/t?p.c", true },
		{ "net/ipv4/tcp.c", "net*", false },
		{ "net/ipv4/tcp.c", "*", true },
		{ "net/ipv4/tcp.c", "*/*/*/*", false },
		{ "include/net/tcp.h", "net/", false },
		{ "a.c", "/", false },
		{ "/usr/src/a.c", "/usr/src/", true },
		{ "/usr/src/a.c", "/usr/src/a.c", true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (wv_file_is(cases[i].name, cases[i].wanted) != cases[i].is)
			fail_msg("%s, %s", cases[i].name, cases[i].wanted);
}

static void within(const char *text, const char *where, size_t left)
{
	struct wv_pointcut pointcut;
	struct wv_matches matches;
	struct wv_error error = { 0 };

	assert_int_equal(wv_pointcut_of_file(text, WV_KINDS_ALL, &pointcut, &error), 0);
	assert_int_equal(wv_db_query(db, &pointcut, &matches, &error), 0);
	assert_int_equal(wv_matches_within(&matches, where, &error), left ? 0 : -WV_E_NO_MATCH);
	if (left)
		assert_int_equal(matches.list.n, left);
	wv_matches_deinit(&matches);
	wv_pointcut_deinit(&pointcut);
}

/* A pattern must find the joinpoints of all names that match it, each joinpoint once. */
static void test_patterns(void **state)
{
	EXPECT("d*roy%exit", 0, "exit destroy include/sample.h:5:9 destroy+26 symbol 1b 15",);
	/* other() has two names but is one function. */
	EXPECT("o*%exit", 0,
	       "exit other fs/other.c:7:9 other+11 symbol 37 15",);
	EXPECT("sk_b*.destr?ctor", WV_KINDS_ALL,
	       "call destroy fs/sample.c:10:5 destroy+13 exact e 15", );
	EXPECT("*.*", WV_KIND_BIT(WEFT_KIND_SET) | WV_KIND_BIT(WEFT_KIND_RMW),
	       "rmw destroy fs/sample.c:12:9 destroy+20 exact 15 15",
	       "set vanished fs/sample.c:30:1 -+0 optimized-out 0 0", );
	/*
	 * Both joinpoints match the pattern by several names: by the member's own struct, by the
	 * struct that the expression begins with and, for one of them, by a macro. Each must be
	 * found once.
	 */
	EXPECT("soc*.s*", WV_KINDS_ALL, "get touch fs/sample.c:20:11 touch+6 column 22 15",
	       "get touch fs/sample.c:21:30 touch+9 operand 25 15",);
	EXPECT("*/sample.c:10", 0, "line destroy fs/sample.c:10:5 destroy+9 line a 15",);
	within("fs/", "touch", 3);
	within("*.h", "include/", 2);
	within("*.h", "other.c", 0);
	within("fs/", "t?uch", 3);
	refuse("nothing_*", "no function of this kernel is named like 'nothing_*'");
	refuse("sk_bufd.*", "no struct, union or typedef 'sk_bufd' is accessed in this kernel; did "
			    "you mean sk_buff?");
	refuse("sk_buff.x*", "no member 'x*' of 'sk_buff' is accessed");
	refuse("x*.len", "no member that is accessed in this kernel is named like 'x*.len'");
	refuse("fz/:10", "no folder 'fz/' in this kernel; did you mean fs/?");
	refuse("f*.d:10", "no file of this kernel is named like 'f*.d'");
}

static void test_line(void **state)
{
	EXPECT("fs/sample.c:10", 0, "line destroy fs/sample.c:10:5 destroy+9 line a 15",);
	EXPECT("sample.c:10", 0, "line destroy fs/sample.c:10:5 destroy+9 line a 15",);
	EXPECT("sample.h:5", 0, "line peek include/sample.h:5:9 destroy+23 line 18 15",
	       "line peek include/sample.h:5:9 other+8 line 34 15",);
	refuse("fs/sample.c:15",
	       "line 15 of fs/sample.c holds no code; nearest: fs/sample.c:12, fs/sample.c:19");
	refuse("fs/sample.c:1", "nearest: fs/sample.c:9");
	refuse("ample.c:10", "no file 'ample.c' in this kernel; did you mean sample.c");
	refuse("fs/smaple.c:10", "did you mean fs/sample.c?");
}

static void test_instruction(void **state)
{
	EXPECT("destroy+0xd", 0, "instruction destroy fs/sample.c:10:8 destroy+13 symbol e 15",);
	EXPECT("thunk+0", 0, "instruction thunk fs/other.c:7:9 thunk+0 symbol 39 14",);
	EXPECT("destroy+0", 0, "instruction destroy fs/sample.c:9:1 destroy+0 symbol 1 15",);
	refuse("destroy+0xe", "inside an instruction; the nearest are destroy+0xd and destroy+0xf");
	refuse("destroy+27", "function 'destroy' ends before offset 0x1b");
	refuse("destroy+0x7fffffff", "ends before");
	refuse("nowhere_near+1", "no function 'nowhere_near'");
}

static void test_unknown(void **state)
{
	refuse("sk_bluff.len", "no struct, union or typedef 'sk_bluff' is accessed in this kernel; "
			       "did you mean sk_buff?");
	refuse("sk_buff.lne",
	       "no member 'lne' of 'sk_buff' is accessed in this kernel; did you mean len?");
	refuse("sock.sk_stat", "did you mean sk_state");
}

/*
 * The same image must give the same bytes of a database. An old file at the path must be replaced.
 */
static void test_reproducible(void **state)
{
	struct wv_index_totals again;
	struct wv_error error = { 0 };
	unsigned char *first, *second;
	size_t n_first, n_second;

	files_write("again.weft", "old", 3);
	assert_int_equal(wv_index_build(SAMPLE, files_path("again.weft"), &again, &error), 0);
	first = files_read(files_path("sample.weft"), &n_first);
	second = files_read(files_path("again.weft"), &n_second);
	assert_int_equal(n_first, n_second);
	assert_memory_equal(first, second, n_first);
	assert_int_equal(files_count(), 2);
	free(first);
	free(second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_totals),	     cmocka_unit_test(test_meta),
		cmocka_unit_test(test_member),	     cmocka_unit_test(test_path),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_call_of_get),  cmocka_unit_test(test_fields),
		cmocka_unit_test(test_entry),	     cmocka_unit_test(test_flow),
		cmocka_unit_test(test_wildcards),    cmocka_unit_test(test_file_names),
		cmocka_unit_test(test_file_and_within),
		cmocka_unit_test(test_patterns),     cmocka_unit_test(test_line),
		cmocka_unit_test(test_instruction),  cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_reproducible),
	};

	return cmocka_run_group_tests(tests, build, close_db);
}
