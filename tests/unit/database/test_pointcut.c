// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests database/pointcut-parse.c, which parses the command line's forms of pointcuts and refuses
 * others, and database/pointcut-kinds.c, the table of kinds.
 */
#include <stdio.h>

#include "cmocka-all.h"
#include "runtime/joinpoint-table.h"
#include "database/pointcut-parse.h"
#include "database/pointcut-kinds.h"

static struct wv_pointcut parse(const char *text)
{
	struct wv_pointcut pointcut;
	struct wv_error error = { 0 };

	if (wv_pointcut_parse(text, WV_KINDS_ALL, &pointcut, &error))
		fail_msg("%s: %s", text, error.message);
	return pointcut;
}

static void refuse(const char *text, const char *words)
{
	struct wv_pointcut pointcut;
	struct wv_error error = { 0 };

	if (wv_pointcut_parse(text, WV_KINDS_ALL, &pointcut, &error) != -WV_E_USAGE)
		fail_msg("'%s' was taken", text);
	assert_contains(error.message, words);
	assert_null(pointcut.symbol);
	assert_null(pointcut.structure);
}

static void test_member(void **state)
{
	struct wv_pointcut pointcut = parse("sk_buff.destructor");

	assert_int_equal(pointcut.type, WV_POINTCUT_MEMBER);
	assert_string_equal(pointcut.structure, "sk_buff");
	assert_string_equal(pointcut.member, "destructor");
	assert_int_equal(pointcut.kinds, WV_KINDS_ALL);
	wv_pointcut_deinit(&pointcut);
	pointcut = parse("sock.__sk_common.skc_state");
	assert_int_equal(pointcut.type, WV_POINTCUT_MEMBER);
	assert_string_equal(pointcut.structure, "sock");
	assert_string_equal(pointcut.member, "__sk_common.skc_state");
	assert_true(wv_member_is_path(pointcut.member));
	assert_string_equal(wv_member_last(pointcut.member), "skc_state");
	wv_pointcut_deinit(&pointcut);
	pointcut = parse(".sym");
	assert_int_equal(pointcut.type, WV_POINTCUT_MEMBER);
	assert_string_equal(pointcut.structure, "");
	assert_string_equal(pointcut.member, "sym");
	assert_false(wv_member_is_path(pointcut.member));
	wv_pointcut_deinit(&pointcut);
	pointcut = parse("sock.sk_state@exact");
	assert_true(pointcut.exact);
	assert_string_equal(pointcut.member, "sk_state");
	wv_pointcut_deinit(&pointcut);
	refuse("sock.sk_state@line", "write STRUCT.MEMBER@exact");
	refuse("vfs_read@exact", "write STRUCT.MEMBER@exact");
	refuse("foo.isra.0@exact", "@exact is for members");
	refuse(".x.y", "STRUCT.MEMBER");
	refuse("x.", "STRUCT.MEMBER");
	refuse("x.y.", "STRUCT.MEMBER");
	refuse("x..y", "STRUCT.MEMBER");
	refuse("1x.y", "STRUCT.MEMBER");
	refuse("x.y z", "STRUCT.MEMBER");
}

static void test_parts(void **state)
{
	static const struct {
		const char *text;
		enum wv_pointcut_type type;
		bool inlined, only_inlined;
	} parts[] = {
		{ "vfs_read", WV_POINTCUT_ENTRY, true, false },
		{ "vfs_read%entry", WV_POINTCUT_ENTRY, false, false },
		{ "vfs_read%inlined", WV_POINTCUT_ENTRY, true, true },
		{ "vfs_read%exit", WV_POINTCUT_EXIT, false, false },
		{ "vfs_read%blocks", WV_POINTCUT_BLOCK, false, false },
		{ "vfs_read%calls", WV_POINTCUT_CALLS, false, false },
		{ "vfs_read%callers", WV_POINTCUT_CALLERS, false, false },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		struct wv_pointcut pointcut = parse(parts[i].text);

		assert_int_equal(pointcut.type, parts[i].type);
		assert_int_equal(pointcut.inlined, parts[i].inlined);
		assert_int_equal(pointcut.only_inlined, parts[i].only_inlined);
		assert_string_equal(pointcut.symbol, "vfs_read");
		wv_pointcut_deinit(&pointcut);
	}
	refuse("vfs_read%exits", "not a part of a function");
	refuse("%exit", "not a part of a function");
	refuse("vfs_read%", "not a part of a function");
	refuse("a.b c%exit", "not a part of a function");
}

/*
 * The table must have every kind that is looked up in it, and the command line must accept every
 * kind that the table lists.
 */
static void test_table(void **state)
{
	const struct wv_function_part *part;
	enum wv_pointcut_type type;
	struct wv_str help = { 0 };

	for (type = 0; type < WV_POINTCUT_TYPES; type++) {
		const struct wv_pointcut_kind *kind = wv_pointcut_kind(type);

		assert_non_null(kind->find);
		assert_non_null(kind->explain);
		assert_int_equal(!kind->word, kind->picks == WV_PICKS_ACCESSES);
		assert_int_equal(!kind->form, !kind->help);
		if (kind->parts->name)
			assert_int_equal(kind->subject, WV_SUBJECT_FUNCTION);
		/* A type with neither a name nor a form is chosen by an option. */
		else if (!kind->form)
			assert_int_equal(type, WV_POINTCUT_FILE);
	}
	wv_pointcut_help(&help);
	for (size_t i = 0; (part = wv_function_part(i, &type)); i++) {
		struct wv_pointcut pointcut;
		char text[64];

		snprintf(text, sizeof(text), "f%%%s", part->name);
		pointcut = parse(text);
		assert_int_equal(pointcut.type, type);
		assert_int_equal(pointcut.inlined, part->inlined);
		assert_int_equal(pointcut.only_inlined, part->only_inlined);
		wv_pointcut_deinit(&pointcut);
		assert_contains(help.data, text + 1);
		refuse("f%nothing", text + 1);
	}
	wv_str_deinit(&help);
}

static void test_entry(void **state)
{
	static const char *const names[] = { "vfs_read", "foo.isra.0", "_x1",
					     "foo.constprop.0.cold.3", "foo.cold",
					     "foo.isra.0.cold" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct wv_pointcut pointcut = parse(names[i]);

		assert_int_equal(pointcut.type, WV_POINTCUT_ENTRY);
		assert_string_equal(pointcut.symbol, names[i]);
		wv_pointcut_deinit(&pointcut);
	}
	refuse("", "not a pointcut");
	refuse("1st", "not a pointcut");
	refuse("vfs read", "not a pointcut");
}

static void test_line(void **state)
{
	struct wv_pointcut pointcut = parse("fs/namei.c:2400");

	assert_int_equal(pointcut.type, WV_POINTCUT_LINE);
	assert_string_equal(pointcut.file, "fs/namei.c");
	assert_int_equal(pointcut.line, 2400);
	wv_pointcut_deinit(&pointcut);
	refuse("fs/namei.c:", "FILE:LINE");
	refuse("fs/namei.c:0", "FILE:LINE");
	refuse("fs/namei.c:-3", "FILE:LINE");
	refuse("fs/namei.c:12x", "FILE:LINE");
	refuse("fs/namei.c:99999999999999999999", "FILE:LINE");
	refuse("fs/namei.c:4294967297", "FILE:LINE");
	refuse("namei:2400", "is a module; write FILE:LINE");
	refuse(":12", "FILE:LINE");
}

static void test_module(void **state)
{
	static const char *const forms[] = { "sk_buff.destructor", "vfs_read", "vfs_read%exit",
					     "main.c:12", "fs/namei.c:12", "vfs_read+0x5" };

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct wv_pointcut plain = parse(forms[i]), pointcut;
		char text[64];

		assert_null(plain.module);
		snprintf(text, sizeof(text), "nf-*:%s", forms[i]);
		pointcut = parse(text);
		assert_string_equal(pointcut.module, "nf-*");
		assert_int_equal(pointcut.type, plain.type);
		assert_int_equal(pointcut.line, plain.line);
		wv_pointcut_deinit(&pointcut);
		wv_pointcut_deinit(&plain);
	}
	refuse("ext4:", "is not a pointcut");
	refuse("-ext4:vfs_read", "FILE:LINE");
}

static void test_tracepoint(void **state)
{
	static const char *const names[] = { "sched_switch", "sched_*", "tcp_probe" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct wv_pointcut pointcut;
		char text[64];

		snprintf(text, sizeof(text), "tracepoint:%s", names[i]);
		pointcut = parse(text);
		assert_int_equal(pointcut.type, WV_POINTCUT_TRACEPOINT);
		assert_string_equal(pointcut.symbol, names[i]);
		assert_string_equal(pointcut.module, "vmlinux");
		wv_pointcut_deinit(&pointcut);
	}
	refuse("tracepoint:sched:sched_switch", "write tracepoint:sched_switch");
	refuse("tracepoint:", "is not a tracepoint");
	refuse("tracepoint:12", "is not a tracepoint");
	refuse("tracepoint:a+0x5", "is not a tracepoint");
	refuse("tracepoint:a%exit", "is not a tracepoint");
}

static void test_instruction(void **state)
{
	struct wv_pointcut pointcut = parse("vfs_read+0x12");

	assert_int_equal(pointcut.type, WV_POINTCUT_INSTRUCTION);
	assert_string_equal(pointcut.symbol, "vfs_read");
	assert_int_equal(pointcut.offset, 0x12);
	wv_pointcut_deinit(&pointcut);
	pointcut = parse("foo.cold+12");
	assert_string_equal(pointcut.symbol, "foo.cold");
	assert_int_equal(pointcut.offset, 12);
	wv_pointcut_deinit(&pointcut);
	refuse("vfs_read+", "SYMBOL+OFFSET");
	refuse("vfs_read+x", "SYMBOL+OFFSET");
	refuse("vfs_read+-1", "SYMBOL+OFFSET");
	refuse("vfs_read+0x1g", "SYMBOL+OFFSET");
	refuse("+0x10", "SYMBOL+OFFSET");
	refuse("vfs_read+0xfffffffffffffffff", "SYMBOL+OFFSET");
	refuse("vfs_read+0x80000000", "SYMBOL+OFFSET");
}

static void test_kinds(void **state)
{
	struct wv_error error;
	uint32_t kinds;

	assert_int_equal(wv_kinds_parse("get|call", &kinds, &error), 0);
	assert_int_equal(kinds, WV_KIND_BIT(WEFT_KIND_GET) | WV_KIND_BIT(WEFT_KIND_CALL));
	for (unsigned int kind = 0; kind < WEFT_KIND_COUNT; kind++) {
		assert_int_equal(wv_kinds_parse(wv_kind_name(kind), &kinds, &error), 0);
		assert_int_equal(kinds, WV_KIND_BIT(kind));
	}
	assert_int_equal(wv_kinds_parse("read", &kinds, &error), -WV_E_USAGE);
	assert_contains(error.message, "'read'");
	assert_int_equal(wv_kinds_parse("", &kinds, &error), -WV_E_USAGE);
	assert_int_equal(wv_kinds_parse("get|", &kinds, &error), -WV_E_USAGE);
	assert_int_equal(wv_kinds_parse("ge", &kinds, &error), -WV_E_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_member),	    cmocka_unit_test(test_entry),
		cmocka_unit_test(test_parts),	    cmocka_unit_test(test_table),
		cmocka_unit_test(test_line), cmocka_unit_test(test_module),
		cmocka_unit_test(test_tracepoint),
		cmocka_unit_test(test_instruction),
		cmocka_unit_test(test_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
