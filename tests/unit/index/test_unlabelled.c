// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests index/unlabelled.c, which finds instructions that have lost their labels. The instructions
 * are the four that access sk_buff.len in sample.S; labels and lines are made by hand.
 */
#include <stdlib.h>

#include "cmocka-all.h"
#include "index/unlabelled.h"

#define TEXT 0xffffffff81000000

/*
 * Offsets of the instructions that access sk_buff.len, as in test_db.c, and of the instructions
 * next to them.
 */
enum {
	LOAD = 0x10,
	STORE = 0x15,
	PEEK = 0x18,
	RETURN = 0x1b,
	OTHER = 0x2c,
	OTHER_PEEK = 0x34,
	LEN = 0x70,
	SIZE = 3
};

struct bench {
	struct wv_image *image; /* The sample. */
	struct wv_merge merge; /* The labels and accesses, made by hand. */
	struct wv_symbols symbols; /* The sample's symbols. */
	wv_rows rows; /* The rows of the line table, made by hand. */
	struct wv_debug debug; /* Empty, as if there were no DWARF. */
	struct wv_operands operands; /* The memory operands of the instructions. */
	struct wv_inlined_list inlined; /* The inlined instances, made by hand. */
	struct wv_shadows shadows; /* The shadows, with the duplicates. */
};

static void add_symbol(struct bench *bench, const char *name, uint64_t start, uint64_t end)
{
	struct wv_symbol *symbol = wv_vec_push(&bench->symbols.list);

	*symbol = (struct wv_symbol){ .name = name, .address = TEXT + start, .size = end - start };
}

/*
 * Adds an access in destroy() at a.c:10:5, and a field for it whose number is that of the access.
 */
static void add_joinpoint(struct bench *bench, unsigned int kind, const char *member)
{
	struct wv_field *field = wv_vec_push(&bench->merge.fields);
	struct wv_joinpoint *joinpoint = wv_vec_push(&bench->merge.joinpoints);

	*field = (struct wv_field){ .structure = wv_pool_add(&bench->merge.names, "sk_buff"),
				    .member = wv_pool_add(&bench->merge.names, member),
				    .path = wv_pool_add(&bench->merge.names, "") };
	*joinpoint = (struct wv_joinpoint){
		.kind = kind, .field = bench->merge.fields.n - 1, .line = 10,
					    .column = 5, .macro = WV_NO_MACRO,
					    .file = wv_paths_add(&bench->merge.paths, "/k",
								 "a.c") };
}

static void bench_init(struct bench *bench)
{
	struct wv_source_function *function;

	memset(bench, 0, sizeof(*bench));
	assert_int_equal(wv_image_open(SAMPLE, &bench->image, &(struct wv_error){ 0 }), 0);
	add_symbol(bench, "destroy", 1, RETURN + 1);
	add_symbol(bench, "other", OTHER, OTHER_PEEK + SIZE);
	function = wv_vec_push(&bench->merge.functions);
	*function = (struct wv_source_function){
		.name = wv_pool_add(&bench->merge.names, "destroy")
	};
	bench->merge.next_group = 4;
}

static void add_label(struct bench *bench, uint32_t joinpoint, uint64_t at, unsigned int use)
{
	struct wv_label *label = wv_vec_push(&bench->merge.labels);

	*label = (struct wv_label){ .joinpoint = joinpoint, .address = TEXT + at, .effect = use };
}

static void add_row(struct bench *bench, uint64_t at, uint32_t line, uint32_t column)
{
	struct wv_row *row = wv_vec_push(&bench->rows);

	*row = (struct wv_row){
		.address = TEXT + at, .size = SIZE, .line = line, .column = column
	};
}

/* Notes that other() has an inlined instance of destroy(). */
static void add_copy(struct bench *bench, struct wv_pool *names)
{
	struct wv_inlined_shadow *copy = wv_vec_push(&bench->inlined.list);

	bench->inlined.names = names;
	*copy = (struct wv_inlined_shadow){ .address = TEXT + OTHER_PEEK, .symbol = 1,
					 .function = wv_pool_add(names, "destroy") };
}

/*
 * Looks for unlabelled duplicates and compares their addresses with @duplicates, which end with 0.
 * Then releases @bench.
 */
static void expect(struct bench *bench, const uint64_t *duplicates)
{
	struct wv_error error = { 0 };
	uint64_t last = 0;
	size_t n = 0;

	assert_int_equal(wv_merge_sort(&bench->merge, &error), 0);
	assert_int_equal(wv_operands_init(&bench->operands, bench->image, &bench->debug,
					  &bench->merge, &error),
			 0);
	wv_vec_for_each(offset, &bench->operands.offsets)
		*offset = LEN;
	assert_int_equal(wv_shadows_init(&bench->shadows, &bench->merge, &bench->rows,
					 &bench->symbols, &bench->operands, &error),
			 0);
	assert_int_equal(wv_unlabelled_add(&bench->shadows, &bench->merge, &bench->rows,
					   &bench->symbols, &bench->operands, &bench->inlined,
					   &error),
			 0);
	wv_vec_for_each(shadow, &bench->shadows.list) {
		if (shadow->joinpoint)
			break;
		assert_true(shadow->address > last);
		last = shadow->address;
		if (shadow->precision == WEFT_PRECISION_EXACT)
			continue;
		assert_int_equal(shadow->precision, WEFT_PRECISION_OPERAND);
		assert_int_equal(shadow->chosen, WV_CHOSEN_OWN);
		assert_int_equal(shadow->address - TEXT, duplicates[n]);
		assert_int_equal(shadow->symbol, shadow->address - TEXT >= OTHER);
		n++;
	}
	assert_int_equal(duplicates[n], 0);
	wv_shadows_deinit(&bench->shadows);
	wv_inlined_list_deinit(&bench->inlined);
	wv_operands_deinit(&bench->operands);
	wv_vec_deinit(&bench->rows);
	wv_symbols_deinit(&bench->symbols);
	wv_merge_deinit(&bench->merge);
	wv_image_close(bench->image);
}

#define EXPECT(bench, ...) expect(bench, (const uint64_t[]){ __VA_ARGS__ 0 })

/* Makes a bench with one labelled load, and with all four instructions in its line and column. */
static void bench_of_loads(struct bench *bench)
{
	bench_init(bench);
	add_joinpoint(bench, WEFT_KIND_GET, "len");
	add_label(bench, 0, PEEK, WEFT_EFFECT_LOAD);
	add_row(bench, LOAD, 10, 5);
	add_row(bench, STORE, 10, 5);
	add_row(bench, PEEK, 10, 5);
	add_row(bench, OTHER_PEEK, 10, 5);
}

/*
 * The other load in the function must be found as the duplicate. The store in it must not, nor the
 * load in other(), which is not known to have an inlined instance.
 */
static void test_load(void **state)
{
	struct bench bench;

	bench_of_loads(&bench);
	EXPECT(&bench, LOAD, );
}

static void test_copy(void **state)
{
	struct wv_pool names = { 0 };
	struct bench bench;

	bench_of_loads(&bench);
	add_copy(&bench, &names);
	EXPECT(&bench, LOAD, OTHER_PEEK, );
	wv_pool_deinit(&names);
}

/*
 * An instruction counts as a duplicate only if its row in the line table has the location of the
 * labelled instruction. That need not be the location of the access: an instruction that stores has
 * the location of the assignment.
 */
static void test_place(void **state)
{
	struct bench bench;

	bench_init(&bench);
	add_joinpoint(&bench, WEFT_KIND_GET, "len");
	add_label(&bench, 0, PEEK, WEFT_EFFECT_LOAD);
	add_row(&bench, LOAD, 10, 9);
	add_row(&bench, PEEK, 10, 9);
	EXPECT(&bench, LOAD, );
	bench_init(&bench);
	add_joinpoint(&bench, WEFT_KIND_GET, "len");
	add_label(&bench, 0, PEEK, WEFT_EFFECT_LOAD);
	add_row(&bench, LOAD, 10, 9);
	add_row(&bench, PEEK, 10, 5);
	EXPECT(&bench, );
	bench_init(&bench);
	add_joinpoint(&bench, WEFT_KIND_GET, "len");
	add_label(&bench, 0, PEEK, WEFT_EFFECT_LOAD);
	add_row(&bench, LOAD, 11, 5);
	add_row(&bench, PEEK, 10, 5);
	EXPECT(&bench, );
}

/* An instruction with a label is not a duplicate of another one. */
static void test_labelled(void **state)
{
	struct bench bench;

	bench_of_loads(&bench);
	add_joinpoint(&bench, WEFT_KIND_GET, "tail");
	add_label(&bench, 1, LOAD, WEFT_EFFECT_LOAD);
	EXPECT(&bench, );
}

/*
 * Labelled instructions of two members look alike at this location. A third instruction that looks
 * like them could belong to either member, so it must not count as a duplicate.
 */
static void test_several_members(void **state)
{
	struct wv_pool names = { 0 };
	struct bench bench;

	bench_of_loads(&bench);
	add_copy(&bench, &names);
	add_joinpoint(&bench, WEFT_KIND_GET, "tail");
	add_label(&bench, 1, OTHER_PEEK, WEFT_EFFECT_LOAD);
	EXPECT(&bench, );
	wv_pool_deinit(&names);
}

/* A duplicate of a store must be a store, and here there is no other store. */
static void test_store(void **state)
{
	struct bench bench;

	bench_init(&bench);
	add_joinpoint(&bench, WEFT_KIND_SET, "len");
	add_label(&bench, 0, STORE, WEFT_EFFECT_STORE);
	add_row(&bench, LOAD, 10, 5);
	add_row(&bench, STORE, 10, 5);
	EXPECT(&bench, );
}

/*
 * Tests a read-modify-write that was split into a load and a store, and whose load is the shadow.
 * The store after this load belongs to the same access, so it must not become a second shadow. A
 * store in another function is another access, so it must become a shadow.
 */
static void test_split(void **state)
{
	struct wv_pool names = { 0 };
	struct bench bench;

	bench_init(&bench);
	add_joinpoint(&bench, WEFT_KIND_RMW, "len");
	add_label(&bench, 0, LOAD, WEFT_EFFECT_LOAD);
	add_row(&bench, LOAD, 10, 5);
	add_row(&bench, STORE, 10, 5);
	EXPECT(&bench, );
	bench_init(&bench);
	add_copy(&bench, &names);
	add_joinpoint(&bench, WEFT_KIND_RMW, "len");
	add_label(&bench, 0, OTHER_PEEK, WEFT_EFFECT_LOAD);
	add_row(&bench, LOAD, 10, 5);
	add_row(&bench, STORE, 10, 5);
	EXPECT(&bench, STORE, );
	wv_pool_deinit(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_load),	cmocka_unit_test(test_copy),
		cmocka_unit_test(test_place),	cmocka_unit_test(test_labelled),
		cmocka_unit_test(test_several_members), cmocka_unit_test(test_store),
		cmocka_unit_test(test_split),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
