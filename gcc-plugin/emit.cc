// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table's printer. The heart is renumbering: records are sorted by place, so that lines need
 * one byte each, those of unused header functions are left out, and fields, functions and strings
 * are numbered as the remaining records ask for them. All numbers are encoded here; only addresses,
 * differences of labels and the unit's length are left to the assembler.
 */
#include "gcc-compat.h"
#include "joinpoints.h"
#include "printer.h"

/* A record that goes into the table. */
struct kept {
	unsigned record;
	wp_place place;
};

/* Old numbers to new ones, and the old ones in new order. New numbers are stored plus 1. */
struct numbering {
	struct wp_map number;
	vec<unsigned> order;
};

static struct numbering strings, fields, functions;

static unsigned number_of(numbering *numbering, unsigned old)
{
	unsigned *at = wp_map_at(&numbering->number, wp_key(old, 0, 0));

	if (!*at) {
		numbering->order.safe_push(old);
		*at = numbering->order.length();
	}
	return *at - 1;
}

/* A function is its name and flags. */
static unsigned pack_function(unsigned name, unsigned flags)
{
	return name << 2 | (flags & 3);
}

static unsigned function_of_owner(const wp_owner *owner)
{
	return number_of(&functions,
			 owner->variable ? 0 : pack_function(owner->name, owner->flags));
}

static int order_of(unsigned a, unsigned b)
{
	return a < b ? -1 : a > b;
}

/* 0 for accesses that a reader of the source cannot tell apart. */
static int compare_kept(const kept *one, const kept *other)
{
	const wp_record *a = &wp_records[one->record];
	const wp_record *b = &wp_records[other->record];
	const unsigned pairs[][2] = {
		{one->place.file, other->place.file},
		{(unsigned)one->place.line, (unsigned)other->place.line},
		{one->place.column, other->place.column},
		{one->place.spelling_file, other->place.spelling_file},
		{one->place.spelling_line, other->place.spelling_line},
		{one->place.spelling_column, other->place.spelling_column},
		{one->place.macro, other->place.macro},
		{a->owner, b->owner},
		{a->field, b->field},
		{a->kind, b->kind},
	};

	for (unsigned i = 0; i < ARRAY_SIZE(pairs); i++) {
		if (pairs[i][0] != pairs[i][1])
			return order_of(pairs[i][0], pairs[i][1]);
	}
	return 0;
}

static int compare_for_sort(const void *a, const void *b)
{
	const kept *one = (const kept *)a;
	const kept *other = (const kept *)b;
	int order = compare_kept(one, other);

	return order ? order : order_of(one->record, other->record);
}

static void choose_records(vec<kept> *records_ret)
{
	wp_alive_variables();
	for (unsigned i = 1; i < wp_records.length(); i++) {
		const wp_record *record = &wp_records[i];
		const wp_owner *owner = &wp_owners[record->owner];
		kept kept = {};

		if (!record->labelled && !owner->alive && !owner->main_file)
			continue;
		kept.record = i;
		wp_place_init(&kept.place, record->where);
		records_ret->safe_push(kept);
	}
	if (records_ret->length())
		qsort(records_ret->address(), records_ret->length(), sizeof(kept),
		      compare_for_sort);
}

/*
 * Numbers the records. A macro that mentions its argument in each arm of a switch by size makes
 * many accesses of one, of which all but one arm is dead; they look the same to a reader, so they
 * are one record.
 */
static void merge_records(vec<kept> *records, vec<unsigned> *record_number_ret)
{
	unsigned count = 0;

	record_number_ret->safe_grow_cleared(wp_records.length());
	for (unsigned i = 0; i < records->length(); i++) {
		if (!count || compare_kept(&(*records)[count - 1], &(*records)[i]))
			(*records)[count++] = (*records)[i];
		(*record_number_ret)[(*records)[i].record] = count - 1;
	}
	records->truncate(count);
}

/*
 * Everything that will be referred to gets its number before the lists, which come first, are
 * printed.
 */
static void number_all(const vec<kept> &records)
{
	number_of(&strings, 0);
	for (unsigned i = 0; i < records.length(); i++) {
		const kept *it = &records[i];
		const wp_record *record = &wp_records[it->record];

		number_of(&fields, record->field);
		function_of_owner(&wp_owners[record->owner]);
		number_of(&strings, it->place.file);
		if (it->place.in_macro) {
			number_of(&strings, it->place.macro);
			number_of(&strings, it->place.spelling_file);
		}
	}
	for (unsigned i = 0; i < wp_ranges.length(); i++)
		number_of(&functions, pack_function(wp_ranges[i].function, wp_ranges[i].flags));
	for (unsigned i = 0; i < fields.order.length(); i++) {
		const wp_field *field = &wp_fields[fields.order[i]];

		number_of(&strings, field->struct_name);
		number_of(&strings, field->member);
		number_of(&strings, field->path);
	}
	for (unsigned i = 0; i < functions.order.length(); i++)
		number_of(&strings, functions.order[i] >> 2);
}

static void print_strings(unsigned directory, unsigned main_file)
{
	unsigned directory_number = number_of(&strings, directory);
	unsigned main_file_number = number_of(&strings, main_file);

	wp_print_uleb(strings.order.length());
	for (unsigned i = 0; i < strings.order.length(); i++)
		wp_print_string(wp_string_text(strings.order[i]));
	wp_print_uleb(directory_number);
	wp_print_uleb(main_file_number);
}

static void print_fields(void)
{
	wp_print_uleb(fields.order.length());
	for (unsigned i = 0; i < fields.order.length(); i++) {
		const wp_field *field = &wp_fields[fields.order[i]];

		wp_print_uleb(number_of(&strings, field->struct_name));
		wp_print_uleb(number_of(&strings, field->member));
		wp_print_uleb(number_of(&strings, field->path));
		wp_print_uleb(field->flags);
	}
}

static void print_functions(void)
{
	wp_print_uleb(functions.order.length());
	for (unsigned i = 0; i < functions.order.length(); i++) {
		wp_print_uleb(number_of(&strings, functions.order[i] >> 2));
		wp_print_uleb(functions.order[i] & 3);
	}
}

static void print_records(const vec<kept> &records)
{
	int line = 0;

	wp_print_uleb(records.length());
	for (unsigned i = 0; i < records.length(); i++) {
		const wp_record *record = &wp_records[records[i].record];
		const wp_place *place = &records[i].place;

		wp_print_uleb(number_of(&fields, record->field));
		wp_print_uleb(record->kind | (place->in_macro ? WEFT_RECORD_MACRO : 0));
		wp_print_uleb(function_of_owner(&wp_owners[record->owner]));
		wp_print_uleb(number_of(&strings, place->file));
		wp_print_sleb(place->line - line);
		wp_print_uleb(place->column);
		line = place->line;
		if (!place->in_macro)
			continue;
		wp_print_uleb(number_of(&strings, place->macro));
		wp_print_uleb(number_of(&strings, place->spelling_file));
		wp_print_uleb(place->spelling_line);
		wp_print_uleb(place->spelling_column);
	}
}

/* Merged records can leave the same statement about a label twice; drops all but the first. */
static void drop_repeated(wp_range *range, const vec<unsigned> &record_number)
{
	wp_entry *entries = &wp_entries[range->first_entry];
	unsigned count = 0;

	for (unsigned i = 0; i < range->entry_count; i++) {
		bool repeated = false;

		for (unsigned k = count; k-- && entries[k].label == entries[i].label && !repeated;)
			repeated = entries[k].use == entries[i].use &&
				   record_number[entries[k].record] ==
					   record_number[entries[i].record];
		if (!repeated)
			entries[count++] = entries[i];
	}
	range->entry_count = count;
}

static void print_ranges(const vec<unsigned> &record_number)
{
	wp_print_uleb(wp_ranges.length());
	for (unsigned i = 0; i < wp_ranges.length(); i++) {
		wp_range *range = &wp_ranges[i];
		int label = wp_entries[range->first_entry].label;

		drop_repeated(range, record_number);
		wp_print_uleb(number_of(&functions, pack_function(range->function, range->flags)));
		wp_print_uleb(range->entry_count);
		wp_print_address(label);
		for (unsigned k = 0; k < range->entry_count; k++) {
			const wp_entry *entry = &wp_entries[range->first_entry + k];

			wp_print_distance(label, entry->label);
			wp_print_uleb((uint64_t)record_number[entry->record] << WEFT_USE_BITS |
				      entry->use);
			label = entry->label;
		}
	}
}

/*
 * Code that the kernel's tree builds for user space; a table in it would change the image's build-
 * id, and help nobody.
 */
static bool is_user_space_image(void)
{
	return wp_macro_defined("BUILD_VDSO") || wp_macro_defined("BUILD_VDSO32");
}

void wp_emit(void *unused, void *data)
{
	vec<kept> records = vNULL;
	vec<unsigned> record_number = vNULL;

	if (seen_error() || !asm_out_file || wp_writing_pch() || is_user_space_image())
		return;
	choose_records(&records);
	if (!records.length())
		return;
	merge_records(&records, &record_number);
	number_all(records);
	wp_print_begin();
	print_strings(wp_file_name(get_src_pwd()), wp_file_name(main_input_filename));
	print_fields();
	print_functions();
	print_records(records);
	print_ranges(record_number);
	wp_print_end();
	records.release();
	record_number.release();
}
