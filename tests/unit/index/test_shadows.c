// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests index/merge.c, sort.c and shadows.c: which labels become shadows, and which rows of the
 * line table replace missing labels.
 */
#include <stdlib.h>

#include "cmocka-all.h"
#include "index/fates.h"
#include "index/shadows.h"

/* Two functions, f at 0x1000 and g at 0x2000, and one joinpoint at a.c:10:5, all made by hand. */
struct bench {
	struct wv_merge merge; /* The merged labels and accesses. */
	struct wv_symbols symbols; /* The functions f and g. */
	wv_rows rows; /* The rows of the line table. */
	struct wv_operands operands; /* All zero, so nothing is found by operand. */
	struct wv_shadows shadows; /* The shadows that are chosen. */
};

static void add_function(struct bench *bench, const char *name)
{
	struct wv_source_function *function = wv_vec_push(&bench->merge.functions);

	function->name = wv_pool_add(&bench->merge.names, name);
}

static void bench_init(struct bench *bench, unsigned int kind)
{
	struct wv_symbol *f, *g;
	struct wv_joinpoint *joinpoint;

	memset(bench, 0, sizeof(*bench));
	f = wv_vec_push(&bench->symbols.list);
	*f = (struct wv_symbol){ .name = "f", .address = 0x1000, .size = 0x100 };
	g = wv_vec_push(&bench->symbols.list);
	*g = (struct wv_symbol){ .name = "g", .address = 0x2000, .size = 0x100 };
	memset(wv_vec_push(&bench->merge.fields), 0, sizeof(struct wv_field));
	wv_pool_add(&bench->merge.names, "");
	add_function(bench, "g");
	joinpoint = wv_vec_push(&bench->merge.joinpoints);
	*joinpoint = (struct wv_joinpoint){ .kind = kind, .function = 0, .line = 10, .column = 5,
					    .macro = WV_NO_MACRO,
					    .file = wv_paths_add(&bench->merge.paths, "/k",
								 "a.c") };
	bench->merge.next_group = 4;
}

static void add_label(struct bench *bench, uint64_t address, uint32_t group, unsigned int use)
{
	struct wv_label *label = wv_vec_push(&bench->merge.labels);

	*label = (struct wv_label){ .address = address, .group = group, .effect = use };
}

static void add_row(struct bench *bench, uint64_t address, uint32_t line, uint32_t column)
{
	struct wv_row *row = wv_vec_push(&bench->rows);

	*row = (struct wv_row){ .address = address, .line = line, .column = column,
				 .statement = true };
}

static void bench_deinit(struct bench *bench)
{
	wv_shadows_deinit(&bench->shadows);
	wv_vec_deinit(&bench->rows);
	wv_symbols_deinit(&bench->symbols);
	wv_merge_deinit(&bench->merge);
}

/*
 * Chooses shadows and compares their addresses with @addresses, which end with 0, and their
 * precision. Then releases @bench.
 */
static void expect(struct bench *bench, enum weft_precision precision, const uint64_t *addresses)
{
	struct wv_error error;
	size_t n = 0;

	assert_int_equal(wv_merge_sort(&bench->merge, &error), 0);
	assert_int_equal(wv_shadows_init(&bench->shadows, &bench->merge, &bench->rows,
					 &bench->symbols, &bench->operands, &error), 0);
	wv_vec_for_each(shadow, &bench->shadows.list) {
		if (shadow->chosen != WV_CHOSEN_OWN)
			continue;
		assert_true(shadow->address == addresses[n]);
		assert_int_equal(shadow->precision, precision);
		n++;
	}
	assert_true(addresses[n] == 0);
	assert_int_equal(bench->shadows.nr_joinpoints[precision], 1);
	bench_deinit(bench);
}

#define EXPECT(bench, precision, ...) expect(bench, precision, (const uint64_t[]){ __VA_ARGS__ 0 })

static void test_get(void **state)
{
	struct bench bench;

	bench_init(&bench, WEFT_KIND_GET);
	add_label(&bench, 0x1008, 0, WEFT_EFFECT_RMW);
	add_label(&bench, 0x1004, 0, WEFT_EFFECT_LOAD);
	add_label(&bench, 0x1004, 1, WEFT_EFFECT_LOAD);
	add_label(&bench, 0x1004, 0, WEFT_EFFECT_RMW);
	add_label(&bench, 0x1010, 0, WEFT_EFFECT_STORE);
	EXPECT(&bench, WEFT_PRECISION_EXACT, 0x1004, 0x1008, );
}

static void test_set(void **state)
{
	struct bench bench;

	bench_init(&bench, WEFT_KIND_SET);
	add_label(&bench, 0x1004, 0, WEFT_EFFECT_LOAD);
	add_label(&bench, 0x1008, 0, WEFT_EFFECT_STORE);
	add_label(&bench, 0x2004, 1, WEFT_EFFECT_STORE);
	EXPECT(&bench, WEFT_PRECISION_EXACT, 0x1008, 0x2004, );
}

/*
 * Tests the shadows of a read-modify-write access in three functions. In f the access is split into
 * a load and a store, of which the store must be the shadow. In g it is one instruction, which must
 * be the shadow. In the third function only the load is left and must be the shadow.
 */
static void test_rmw(void **state)
{
	struct bench bench;

	bench_init(&bench, WEFT_KIND_RMW);
	add_label(&bench, 0x1004, 0, WEFT_EFFECT_LOAD);
	add_label(&bench, 0x1008, 0, WEFT_EFFECT_STORE);
	add_label(&bench, 0x2004, 1, WEFT_EFFECT_RMW);
	add_label(&bench, 0x2040, 2, WEFT_EFFECT_LOAD);
	EXPECT(&bench, WEFT_PRECISION_EXACT, 0x1008, 0x2004, 0x2040, );
}

static void test_call(void **state)
{
	struct bench bench;

	bench_init(&bench, WEFT_KIND_CALL);
	add_label(&bench, 0x1004, 0, WEFT_EFFECT_LOAD);
	add_label(&bench, 0x1010, 0, WEFT_EFFECT_CALL);
	add_label(&bench, 0x2004, 1, WEFT_EFFECT_LOAD);
	EXPECT(&bench, WEFT_PRECISION_EXACT, 0x1010, 0x2004, );
}

static void test_address(void **state)
{
	struct bench bench;

	bench_init(&bench, WEFT_KIND_ADDRESS);
	add_label(&bench, 0x1004, 0, WEFT_EFFECT_LOAD);
	add_label(&bench, 0x1010, 0, WEFT_EFFECT_ADDRESS);
	EXPECT(&bench, WEFT_PRECISION_EXACT, 0x1010, );
	bench_init(&bench, WEFT_KIND_ADDRESS);
	add_label(&bench, 0x1004, 0, WEFT_EFFECT_LOAD);
	EXPECT(&bench, WEFT_PRECISION_OPTIMIZED_OUT, );
	/*
	 * The call that gets the address as an argument must be the shadow, not the instruction
	 * that makes the address.
	 */
	bench_init(&bench, WEFT_KIND_ADDRESS);
	add_label(&bench, 0x1004, 0, WEFT_EFFECT_ADDRESS);
	add_label(&bench, 0x1010, 0, WEFT_EFFECT_ARGUMENT_5);
	EXPECT(&bench, WEFT_PRECISION_EXACT, 0x1010, );
}

/*
 * A get whose value is called has two shadows: its load, and the call, which is chosen only if
 * calls are asked for.
 */
static void test_called_get(void **state)
{
	struct bench bench;
	struct wv_error error;

	bench_init(&bench, WEFT_KIND_GET);
	add_label(&bench, 0x1004, 0, WEFT_EFFECT_LOAD);
	add_label(&bench, 0x1010, 0, WEFT_EFFECT_CALL);
	assert_int_equal(wv_merge_sort(&bench.merge, &error), 0);
	assert_int_equal(wv_shadows_init(&bench.shadows, &bench.merge, &bench.rows, &bench.symbols,
					 &bench.operands, &error), 0);
	assert_int_equal(bench.shadows.list.n, 2);
	assert_int_equal(bench.shadows.list.data[0].chosen, WV_CHOSEN_OWN);
	assert_int_equal(bench.shadows.list.data[1].chosen, WV_CHOSEN_CALL);
	wv_shadows_deinit(&bench.shadows);
	wv_vec_deinit(&bench.merge.labels);
	add_label(&bench, 0x1004, 0, WEFT_EFFECT_LOAD);
	EXPECT(&bench, WEFT_PRECISION_EXACT, 0x1004, );
}

static void test_column(void **state)
{
	struct bench bench;

	bench_init(&bench, WEFT_KIND_GET);
	add_row(&bench, 0x1000, 10, 1);
	add_row(&bench, 0x2008, 10, 5);
	add_row(&bench, 0x1008, 10, 5);
	add_row(&bench, 0x1008, 10, 5);
	add_row(&bench, 0x1010, 11, 5);
	EXPECT(&bench, WEFT_PRECISION_COLUMN, 0x1008, 0x2008, );
}

/*
 * If no row has the access's column, the line's row with the lowest address in each function must
 * be taken.
 */
static void test_line(void **state)
{
	struct bench bench;

	bench_init(&bench, WEFT_KIND_GET);
	add_row(&bench, 0x2010, 10, 7);
	add_row(&bench, 0x1010, 10, 7);
	add_row(&bench, 0x1008, 10, 9);
	add_row(&bench, 0x2004, 9, 5);
	EXPECT(&bench, WEFT_PRECISION_LINE, 0x1008, 0x2010, );
}

/*
 * A label says that a load at 0x1004 belongs to this access of kind set. A set is a store, so the
 * label does not count: it stays in the list of shadows as one that is not chosen, and expect()
 * skips it. The chosen shadow comes from the line table, as if there were no label.
 */
static void test_line_despite_label(void **state)
{
	struct bench bench;

	bench_init(&bench, WEFT_KIND_SET);
	add_label(&bench, 0x1004, 0, WEFT_EFFECT_LOAD);
	add_row(&bench, 0x1000, 10, 7);
	EXPECT(&bench, WEFT_PRECISION_LINE, 0x1000, );
}

/*
 * All code of a macro's expansion has one location, so the first row of each function must be
 * taken.
 */
static void test_macro(void **state)
{
	struct bench bench;

	bench_init(&bench, WEFT_KIND_GET);
	bench.merge.joinpoints.data[0].macro = 0;
	add_row(&bench, 0x1010, 10, 5);
	add_row(&bench, 0x1008, 10, 5);
	add_row(&bench, 0x2008, 10, 5);
	add_row(&bench, 0x2010, 10, 5);
	EXPECT(&bench, WEFT_PRECISION_COLUMN, 0x1008, 0x2008, );
}

/*
 * One expansion of a macro defines two functions. Each access must get the row in its own function.
 */
static void test_macro_functions(void **state)
{
	struct wv_joinpoint *other;
	struct bench bench;
	struct wv_error error;

	bench_init(&bench, WEFT_KIND_GET);
	bench.symbols.list.data[0].name = "f.isra.0";
	add_function(&bench, "f");
	bench.merge.joinpoints.data[0].macro = 0;
	other = wv_vec_push(&bench.merge.joinpoints);
	*other = bench.merge.joinpoints.data[0];
	other->function = 1;
	add_row(&bench, 0x1008, 10, 5);
	add_row(&bench, 0x2008, 10, 5);
	assert_int_equal(wv_merge_sort(&bench.merge, &error), 0);
	assert_int_equal(wv_shadows_init(&bench.shadows, &bench.merge, &bench.rows, &bench.symbols,
					 &bench.operands, &error), 0);
	assert_int_equal(bench.shadows.list.n, 2);
	assert_true(bench.shadows.list.data[0].address == 0x1008);
	assert_true(bench.shadows.list.data[1].address == 0x2008);
	bench_deinit(&bench);
}

static void test_initialiser(void **state)
{
	struct bench bench;

	bench_init(&bench, WEFT_KIND_INIT);
	bench.merge.functions.data[0].name = 0;
	add_row(&bench, 0x1008, 10, 5);
	EXPECT(&bench, WEFT_PRECISION_OPTIMIZED_OUT, );
}

static void test_optimized_out(void **state)
{
	struct bench bench;

	bench_init(&bench, WEFT_KIND_GET);
	add_row(&bench, 0x1000, 9, 5);
	EXPECT(&bench, WEFT_PRECISION_OPTIMIZED_OUT, );
}

/* Adds a fate. @label is the index of the servant's label, or WV_NO_SERVANT. */
static void add_fate(struct bench *bench, uint32_t group, enum weft_fate what, uint32_t label)
{
	struct wv_fate *fate = wv_vec_push(&bench->merge.fates);

	assert_non_null(fate);
	*fate = (struct wv_fate){ .joinpoint = 0, .group = group, .fate = what,
				  .label = label, .servant = WV_NO_SERVANT,
				  .function = wv_pool_add(&bench->merge.names, "g") };
	bench->merge.next_group = group + 1;
}

/*
 * Makes a bench with two accesses: one at line 10 has a row of the line table, and tests add its
 * fates; one at line 20 has a label at 0x1004, in f, and may be the servant.
 */
static void bench_with_servant(struct bench *bench)
{
	struct wv_joinpoint *other;

	bench_init(bench, WEFT_KIND_GET);
	other = wv_vec_push(&bench->merge.joinpoints);
	*other = bench->merge.joinpoints.data[0];
	other->line = 20;
	add_label(bench, 0x1004, 0, WEFT_EFFECT_LOAD);
	bench->merge.labels.data[0].joinpoint = 1;
	add_row(bench, 0x1008, 10, 5);
}

static void place(struct bench *bench)
{
	struct wv_error error;

	assert_int_equal(wv_merge_sort(&bench->merge, &error), 0);
	assert_int_equal(wv_shadows_init(&bench->shadows, &bench->merge, &bench->rows,
					 &bench->symbols, &bench->operands, &error), 0);
	assert_int_equal(wv_fates_place(&bench->shadows, &bench->merge, &bench->symbols, &error),
			 0);
}

/*
 * Tests an access that another access's instruction, its servant, does as well. The access is known
 * to have no instruction, so no row of the line table may be taken for it. The label of the servant
 * may get another address after the units were merged, as it does at the stack protector's guard;
 * the fate must then refer to the new address.
 */
static void test_coalesced(void **state)
{
	struct bench bench;
	const struct wv_placed_fate *fate;

	bench_with_servant(&bench);
	add_fate(&bench, 0, WEFT_FATE_COALESCED, 0);
	add_fate(&bench, 0, WEFT_FATE_COALESCED, 0);
	bench.merge.labels.data[0].address = 0x1006;
	place(&bench);
	assert_int_equal(bench.shadows.nr_joinpoints[WEFT_PRECISION_OPTIMIZED_OUT], 1);
	assert_int_equal(bench.shadows.nr_fates[WEFT_FATE_COALESCED], 1);
	assert_int_equal(bench.shadows.fates.n, 1);
	fate = &bench.shadows.fates.data[0];
	assert_true(fate->address == 0x1006);
	assert_int_equal(bench.merge.joinpoints.data[fate->joinpoint].line, 10);
	assert_int_equal(bench.merge.joinpoints.data[fate->by].line, 20);
	assert_string_equal(bench.symbols.list.data[fate->symbol].name, "f");
	bench_deinit(&bench);
}

/*
 * The access is dead in one function, and in registers in another function, which has no labels and
 * is found by its name.
 */
static void test_fates(void **state)
{
	struct bench bench;
	const struct wv_placed_fate *fates;

	bench_with_servant(&bench);
	add_fate(&bench, 1, WEFT_FATE_REGISTERS, WV_NO_SERVANT);
	add_fate(&bench, 0, WEFT_FATE_DEAD, WV_NO_SERVANT);
	bench.merge.next_group = 2;
	place(&bench);
	assert_int_equal(bench.shadows.nr_joinpoints[WEFT_PRECISION_OPTIMIZED_OUT], 1);
	assert_int_equal(bench.shadows.nr_fates[WEFT_FATE_REGISTERS], 1);
	assert_int_equal(bench.shadows.nr_fates[WEFT_FATE_DEAD], 0);
	assert_int_equal(bench.shadows.fates.n, 2);
	fates = bench.shadows.fates.data;
	assert_string_equal(bench.symbols.list.data[fates[0].symbol].name, "f");
	assert_int_equal(fates[0].fate, WEFT_FATE_DEAD);
	assert_string_equal(bench.symbols.list.data[fates[1].symbol].name, "g");
	assert_int_equal(fates[1].by, WV_NO_SERVANT);
	bench_deinit(&bench);
}

/* If an access has neither a label nor a fate, its shadow must come from the line table. */
static void test_no_fate(void **state)
{
	struct bench bench;

	bench_with_servant(&bench);
	place(&bench);
	assert_int_equal(bench.shadows.nr_joinpoints[WEFT_PRECISION_COLUMN], 1);
	assert_int_equal(bench.shadows.fates.n, 0);
	bench_deinit(&bench);
}

static void test_symbol_at(void **state)
{
	struct bench bench;

	bench_init(&bench, WEFT_KIND_GET);
	assert_null(wv_symbols_at(&bench.symbols, 0xfff));
	assert_string_equal(wv_symbols_at(&bench.symbols, 0x1000)->name, "f");
	assert_string_equal(wv_symbols_at(&bench.symbols, 0x10ff)->name, "f");
	assert_null(wv_symbols_at(&bench.symbols, 0x1100));
	assert_string_equal(wv_symbols_at(&bench.symbols, 0x2000)->name, "g");
	EXPECT(&bench, WEFT_PRECISION_OPTIMIZED_OUT, );
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_get),
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_rmw),
		cmocka_unit_test(test_call),
		cmocka_unit_test(test_address),
		cmocka_unit_test(test_called_get),
		cmocka_unit_test(test_column),
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_optimized_out),
		cmocka_unit_test(test_line_despite_label),
		cmocka_unit_test(test_symbol_at),
		cmocka_unit_test(test_macro),
		cmocka_unit_test(test_initialiser),
		cmocka_unit_test(test_coalesced),
		cmocka_unit_test(test_fates),
		cmocka_unit_test(test_no_fate),
		cmocka_unit_test(test_macro_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
