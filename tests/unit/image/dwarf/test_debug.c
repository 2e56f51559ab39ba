// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests image/dwarf/debug.c and image/dwarf/lines.c on the DWARF of sample.S: offsets of members,
 * inlined instances, rows of the line table. Also tests index/operand.c: which operands can be an
 * access.
 */
#include <stdlib.h>
#include <string.h>

#include "cmocka-all.h"
#include "runtime/joinpoint-table.h"
#include "image/dwarf/debug.h"
#include "image/dwarf/lines.h"
#include "index/operand.h"

static struct wv_image *image;
static struct wv_debug debug;

static int open_sample(void **state)
{
	struct wv_error error;

	return wv_image_open(SAMPLE, &image, &error) || wv_debug_init(&debug, image, true, &error);
}

static int close_sample(void **state)
{
	wv_debug_deinit(&debug);
	wv_image_close(image);
	return 0;
}

static void expect(const char *path, int64_t offset)
{
	uint64_t got;

	if (!wv_debug_offset(&debug, path, &got))
		got = -1;
	if ((int64_t)got != offset)
		fail_msg("%s: %lld", path, (long long)got);
}

static void test_members(void **state)
{
	expect("sock_common.skc_state", 0x12);
	expect("sock.__sk_common.skc_state", 0x12);
	/* The member is in an anonymous union at 0x7c. */
	expect("sock_common.skc_refcnt", 0x80);
	expect("sock.__sk_common.skc_refcnt", 0x80);
	expect("sk_buff.len", 0x70);
	/* There are two structs of this name, which have the member at different offsets. */
	expect("sk_buff.destructor", -1);
	expect("sk_buff.nothing", -1);
	expect("sk_buff.len.deeper", -1);
	expect("nothing.len", -1);
	expect("sk_buff", -1);
	expect("", -1);
	expect("sk_buff.", -1);
}

/* Finds both inlined instances of peek(): one has an entry address, one has ranges. */
static void test_inlined(void **state)
{
	assert_int_equal(debug.inlined.n, 2);
	for (size_t i = 0; i < 2; i++)
		assert_string_equal(wv_pool_get(&debug.names, debug.inlined.data[i].function),
				    "peek");
	assert_true(debug.inlined.data[0].address == 0xffffffff81000018);
	assert_true(debug.inlined.data[1].address == 0xffffffff81000034);
}

/*
 * The reader gives each row of the line table a size: up to the next row of the same section, or,
 * for the section's last row, up to the section's end. sample.S also has a row (9:77) whose address
 * is the end of .text, where no instruction is. The reader must drop that row: in a linked image
 * the code after the address may be of another unit. The test makes .text longer, so that the row's
 * address lies inside the section, as it would in such an image.
 */
static void test_lines(void **state)
{
	const struct wv_row *before = NULL;
	const struct wv_section *other;
	struct wv_paths paths = { 0 };
	struct wv_error error;
	wv_rows rows = { 0 };
	uint64_t end = 0;

	wv_vec_for_each(section, wv_image_sections(image)) {
		if (strcmp(section->name, ".text"))
			continue;
		end = section->address + section->size;
		section->size += 16;
	}
	assert_int_equal(wv_image_section(image, ".other", &other, &error), 0);
	assert_int_equal(wv_lines_read(image, &paths, &rows, &error), 0);
	wv_vec_for_each(row, &rows) {
		assert_false(row->line == 9 && row->column == 77);
		if (before && row->address < end)
			assert_int_equal(before->address + before->size, row->address);
		if (before && row->address >= end)
			assert_int_equal(before->address + before->size, end);
		before = row;
	}
	assert_int_equal(before->address, other->address);
	assert_int_equal(before->size, other->size);
	wv_vec_deinit(&rows);
	wv_paths_deinit(&paths);
}

static bool fits(const char *bytes, size_t n, unsigned int kind, uint64_t offset)
{
	_cleanup_decoder_ struct wv_decoder *decoder = NULL;
	struct wv_error error;
	struct wv_insn insn;

	assert_int_equal(wv_decoder_create(&decoder, &error), 0);
	assert_int_equal(wv_decode(decoder, (const uint8_t *)bytes, n, 0x1000, &insn), n);
	return wv_operand_fits(kind, offset, &insn);
}

static void test_operands(void **state)
{
	/* mov 0x70(%rbx),%eax; mov %ecx,0x70(%rbx); incl 0x70(%rbx); lea 0x70(%rbx),%rax */
	static const char load[] = "\x8b\x43\x70", store[] = "\x89\x4b\x70", rmw[] = "\xff\x43\x70",
			  lea[] = "\x48\x8d\x43\x70";

	assert_true(fits(load, 3, WEFT_KIND_GET, 0x70));
	assert_false(fits(load, 3, WEFT_KIND_GET, 0x71));
	assert_false(fits(load, 3, WEFT_KIND_SET, 0x70));
	assert_true(fits(store, 3, WEFT_KIND_SET, 0x70));
	assert_false(fits(store, 3, WEFT_KIND_GET, 0x70));
	assert_true(fits(rmw, 3, WEFT_KIND_RMW, 0x70));
	assert_true(fits(lea, 4, WEFT_KIND_ADDRESS, 0x70));
	assert_false(fits(lea, 4, WEFT_KIND_GET, 0x70));
	assert_false(fits(load, 3, WEFT_KIND_ADDRESS, 0x70));
	/*
	 * cmpl $1,0x70(%rbx) and call *0x8(%rax) read a member. mov %gs:0x70(%rbx),%eax and mov
	 * 0x70(%rip),%eax do not access a struct.
	 */
	assert_true(fits("\x83\x7b\x70\x01", 4, WEFT_KIND_GET, 0x70));
	assert_false(fits("\x83\x7b\x70\x01", 4, WEFT_KIND_SET, 0x70));
	assert_true(fits("\xff\x50\x08", 3, WEFT_KIND_CALL, 8));
	assert_false(fits("\x65\x8b\x43\x70", 4, WEFT_KIND_GET, 0x70));
	assert_false(fits("\x8b\x05\x70\x00\x00\x00", 6, WEFT_KIND_GET, 0x70));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_members), cmocka_unit_test(test_inlined),
		cmocka_unit_test(test_operands), cmocka_unit_test(test_lines),
	};

	return cmocka_run_group_tests(tests, open_sample, close_sample);
}
