// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the joinpoint table (runtime/joinpoint-table.h). Accesses are sorted by function and
 * source location, so that consecutive accesses differ little and compress well. Accesses of header
 * functions that are not in the object file are left out. Fields, functions and strings are
 * numbered by first mention. All lists are made and compressed here; the assembler computes only
 * addresses, distances between labels and the unit's length.
 */
#include "gcc-compat.h"
#include "joinpoints.h"
#include "printer.h"

/* An access that goes into the table. */
struct kept {
	unsigned access;
	wp_source_location location;
};

/*
 * The lists encoded so far, and the numbers of the strings, fields and functions that they mention.
 */
struct lists {
	wp_bytes bytes;
	wp_mentions strings, fields, functions;
};

/* One number made of a function's name and flags, by which wp_mention() identifies the function. */
static unsigned pack_function(unsigned name, unsigned flags)
{
	return name << 2 | (flags & 3);
}

static unsigned function_of_owner(const wp_owner *owner)
{
	return owner->variable ? 0 : pack_function(owner->name, owner->flags);
}

static int order_of(unsigned a, unsigned b)
{
	return a < b ? -1 : a > b;
}

/*
 * Compares two strings, given by their numbers (wp_string()), by their texts; 0: they are equal.
 * The numbers themselves are no order: the same text may have another number in a unit for which no
 * code is made, and both tables have to have their accesses in the same order.
 */
static int order_of_names(unsigned a, unsigned b)
{
	return a == b ? 0 : strcmp(wp_string_text(a), wp_string_text(b));
}

/*
 * Compares two fields by their names, as order_of_names() does, and fields with equal names by
 * their numbers. 0: they are the same field.
 */
static int compare_fields(unsigned a, unsigned b)
{
	const wp_field *one = &wp_fields[a], *other = &wp_fields[b];
	int order = 0;

	if (a == b)
		return 0;
	order = order_of_names(one->struct_name, other->struct_name);
	if (!order)
		order = order_of_names(one->member, other->member);
	if (!order)
		order = order_of_names(one->path, other->path);
	return order ? order : order_of(a, b);
}

/*
 * Compares two accesses for their order in the table. 0: everything that the table has of them is
 * equal.
 */
static int compare_kept(const kept *one, const kept *other)
{
	const wp_access *a = &wp_accesses[one->access];
	const wp_access *b = &wp_accesses[other->access];
	const unsigned pairs[][2] = {
		{ wp_owners[a->owner].uid, wp_owners[b->owner].uid },
		{ (unsigned)one->location.line, (unsigned)other->location.line },
		{ one->location.column, other->location.column },
		{ one->location.spelling_line, other->location.spelling_line },
		{ one->location.spelling_column, other->location.spelling_column },
		{ a->kind, b->kind },
	};
	int order = order_of_names(one->location.file, other->location.file);

	for (unsigned i = 0; i < ARRAY_SIZE(pairs) && !order; i++)
		order = order_of(pairs[i][0], pairs[i][1]);
	if (!order)
		order = order_of_names(one->location.spelling_file, other->location.spelling_file);
	if (!order)
		order = order_of_names(one->location.macro, other->location.macro);
	return order ? order : compare_fields(a->field, b->field);
}

static int compare_for_sort(const void *a, const void *b)
{
	const kept *one = (const kept *)a;
	const kept *other = (const kept *)b;
	int order = compare_kept(one, other);

	return order ? order : order_of(one->access, other->access);
}

static void choose_accesses(vec<kept> *accesses_ret)
{
	wp_mark_variables_emitted();
	for (unsigned i = 1; i < wp_accesses.length(); i++) {
		const wp_access *access = &wp_accesses[i];
		const wp_owner *owner = &wp_owners[access->owner];
		kept kept = {};

		if (!access->labelled && !owner->emitted && !owner->main_file)
			continue;
		kept.access = i;
		wp_source_location_init(&kept.location, access->where);
		accesses_ret->safe_push(kept);
	}
	if (accesses_ret->length())
		qsort(accesses_ret->address(), accesses_ret->length(), sizeof(kept),
		      compare_for_sort);
}

/*
 * Merges accesses that look the same in the source, and numbers the rest. Example: a macro mentions
 * its argument in each arm of a switch over the size; all arms but one are dead.
 */
static void merge_accesses(vec<kept> *accesses, vec<unsigned> *number_ret)
{
	unsigned count = 0;

	number_ret->safe_grow_cleared(wp_accesses.length());
	for (unsigned i = 0; i < accesses->length(); i++) {
		if (!count || compare_kept(&(*accesses)[count - 1], &(*accesses)[i]))
			(*accesses)[count++] = (*accesses)[i];
		(*number_ret)[(*accesses)[i].access] = count - 1;
	}
	accesses->truncate(count);
}

/* Writes one column of the table's accesses: calls write() for each access. */
template <typename writer> static void column(const vec<kept> &accesses, writer write)
{
	for (unsigned i = 0; i < accesses.length(); i++)
		write(&accesses[i], &wp_accesses[accesses[i].access]);
}

static void list_locations(lists *to, const vec<kept> &accesses)
{
	unsigned file = 0;
	int line = 0;

	column(accesses, [=](const kept *it, const wp_access *access) {
		wp_mention(&to->bytes, &to->strings, it->location.file);
	});
	column(accesses, [=](const kept *it, const wp_access *access) {
		wp_bytes_uleb(&to->bytes,
			      access->kind | (it->location.in_macro ? WEFT_ACCESS_MACRO : 0));
	});
	column(accesses, [&](const kept *it, const wp_access *access) {
		wp_bytes_sleb(&to->bytes,
			      it->location.line - (it->location.file == file ? line : 0));
		file = it->location.file;
		line = it->location.line;
	});
	column(accesses, [=](const kept *it, const wp_access *access) {
		wp_bytes_uleb(&to->bytes, it->location.column);
	});
}

/* A token spelled within this many lines of the access is most likely a macro's argument. */
#define NEAR_LINES 30

static bool same_spelling(const wp_source_location *a, const wp_source_location *b)
{
	return a->macro == b->macro && a->spelling_file == b->spelling_file &&
	       a->spelling_line == b->spelling_line && a->spelling_column == b->spelling_column;
}

/*
 * Returns how to encode where an access is spelled. @last: for each field, the location of its last
 * access that was written in full; NULL: none.
 */
static enum weft_spelling choose_spelling(const kept *it, vec<const wp_source_location *> *last)
{
	const wp_source_location *location = &it->location;
	const wp_source_location **full = &(*last)[wp_accesses[it->access].field];

	if (*full && same_spelling(*full, location))
		return WEFT_SPELLING_LAST;
	if (location->spelling_file == location->file &&
	    abs((int)location->spelling_line - location->line) < NEAR_LINES)
		return WEFT_SPELLING_NEAR;
	*full = location;
	return WEFT_SPELLING_FULL;
}

static void list_macros(lists *to, const vec<kept> &accesses)
{
	vec<const wp_source_location *> last = vNULL, locations = vNULL;
	vec<unsigned char> spelling = vNULL;
	unsigned file = 0, line = 0;

	last.safe_grow_cleared(wp_fields.length());
	column(accesses, [&](const kept *it, const wp_access *access) {
		if (!it->location.in_macro)
			return;
		unsigned char how = choose_spelling(it, &last);

		wp_bytes_uleb(&to->bytes, how);
		if (how == WEFT_SPELLING_LAST)
			return;
		locations.safe_push(&it->location);
		spelling.safe_push(how);
	});
	for (unsigned i = 0; i < locations.length(); i++)
		wp_mention(&to->bytes, &to->strings, locations[i]->macro);
	for (unsigned i = 0; i < locations.length(); i++) {
		const wp_source_location *it = locations[i];

		if (spelling[i] == WEFT_SPELLING_NEAR) {
			wp_bytes_sleb(&to->bytes, (int)it->spelling_line - it->line);
			wp_bytes_sleb(&to->bytes, (int)it->spelling_column - (int)it->column);
			continue;
		}
		wp_mention(&to->bytes, &to->strings, it->spelling_file);
		wp_bytes_sleb(&to->bytes,
			      (int)(it->spelling_line - (it->spelling_file == file ? line : 0)));
		wp_bytes_uleb(&to->bytes, it->spelling_column);
		file = it->spelling_file;
		line = it->spelling_line;
	}
	last.release();
	locations.release();
	spelling.release();
}

static void list_accesses(lists *to, const vec<kept> &accesses)
{
	wp_bytes_uleb(&to->bytes, accesses.length());
	column(accesses, [=](const kept *it, const wp_access *access) {
		wp_mention(&to->bytes, &to->functions,
			   function_of_owner(&wp_owners[access->owner]));
	});
	list_locations(to, accesses);
	column(accesses, [=](const kept *it, const wp_access *access) {
		wp_mention(&to->bytes, &to->fields, access->field);
	});
	list_macros(to, accesses);
}

static void list_functions(lists *to)
{
	const vec<unsigned> &order = to->functions.order;

	for (unsigned i = 0; i < order.length(); i++)
		wp_mention(&to->bytes, &to->strings, order[i] >> 2);
	for (unsigned i = 0; i < order.length(); i++)
		wp_bytes_uleb(&to->bytes, order[i] & 3);
}

/* The wp_string() of a path without its last member. Used if no field has that path. */
static unsigned prefix_of(const wp_field *field)
{
	const char *path = wp_string_text(field->path);
	const char *dot = strrchr(path, '.');
	char *prefix = xstrndup(path, dot ? dot - path : 0);
	unsigned string = wp_string(prefix);

	free(prefix);
	return string;
}

static void list_fields(lists *to)
{
	const vec<unsigned> &order = to->fields.order;

	/* Mentioning a parent may append it to the list, so read the length each time. */
	for (unsigned i = 0; i < order.length(); i++) {
		const wp_field *field = &wp_fields[order[i]];

		wp_bytes_uleb(&to->bytes, !field->path	  ? WEFT_PATH_PLAIN
					  : field->parent ? WEFT_PATH_PARENT
							  : WEFT_PATH_PREFIX);
		if (field->path && field->parent)
			wp_mention(&to->bytes, &to->fields, field->parent - 1);
		else if (field->path)
			wp_mention(&to->bytes, &to->strings, prefix_of(field));
	}
	for (unsigned i = 0; i < order.length(); i++)
		wp_mention(&to->bytes, &to->strings, wp_fields[order[i]].struct_name);
	for (unsigned i = 0; i < order.length(); i++)
		wp_mention(&to->bytes, &to->strings, wp_fields[order[i]].member);
	for (unsigned i = 0; i < order.length(); i++)
		wp_bytes_uleb(&to->bytes, wp_fields[order[i]].flags);
}

/*
 * Drops each entry that has the label, the effect and the access of an entry before it. Two entries
 * may have got the same access when accesses were merged.
 */
static void drop_repeated(wp_range *range, const vec<unsigned> &access_number)
{
	wp_entry *entries = &wp_entries[range->first_entry];
	unsigned count = 0;

	for (unsigned i = 0; i < range->entry_count; i++) {
		bool repeated = false;

		for (unsigned k = count; k-- && entries[k].label == entries[i].label && !repeated;)
			repeated = entries[k].effect == entries[i].effect &&
				   access_number[entries[k].access] ==
					   access_number[entries[i].access];
		if (!repeated)
			entries[count++] = entries[i];
	}
	range->entry_count = count;
}

/* Groups the ranges by section, in the order in which the sections first occur. */
static void sort_ranges(vec<wp_range *> *ranges_ret, vec<unsigned> *counts_ret)
{
	wp_map seen = {};

	for (unsigned i = 0; i < wp_ranges.length(); i++) {
		const void *part = wp_ranges[i].section;
		unsigned *at = wp_map_at(&seen, (uintptr_t)part);

		if ((*at)++)
			continue;
		counts_ret->safe_push(0);
		for (unsigned k = i; k < wp_ranges.length(); k++) {
			if (wp_ranges[k].section != part)
				continue;
			ranges_ret->safe_push(&wp_ranges[k]);
			counts_ret->last()++;
		}
	}
	wp_map_deinit(&seen);
}

/* Whether entry number @entry of a range has the same label as the entry before it. */
static bool is_same_address(const wp_range *range, unsigned entry)
{
	const wp_entry *it = &wp_entries[range->first_entry + entry];

	return entry && it->label == it[-1].label;
}

template <typename writer> static void each_entry(const vec<wp_range *> &ranges, writer write)
{
	for (unsigned i = 0; i < ranges.length(); i++) {
		for (unsigned k = 0; k < ranges[i]->entry_count; k++)
			write(&wp_entries[ranges[i]->first_entry + k],
			      is_same_address(ranges[i], k));
	}
}

static void list_ranges(lists *to, const vec<wp_range *> &ranges, const vec<unsigned> &counts,
			const vec<unsigned> &access_number)
{
	static const unsigned char effect_of_kind[] = WEFT_EFFECT_OF_KIND;
	unsigned last = 0, next = 0;

	wp_bytes_uleb(&to->bytes, counts.length());
	for (unsigned i = 0; i < counts.length(); i++) {
		wp_bytes_uleb(&to->bytes, counts[i]);
		for (unsigned k = 0; k < counts[i]; k++) {
			const wp_range *range = ranges[next++];

			wp_mention(&to->bytes, &to->functions,
				   pack_function(range->function, range->flags));
			wp_bytes_uleb(&to->bytes, range->entry_count);
		}
	}
	each_entry(ranges, [&](const wp_entry *entry, bool same) {
		unsigned number = access_number[entry->access];

		wp_bytes_sleb(&to->bytes, (int)(number - last));
		last = number;
	});
	each_entry(ranges, [&](const wp_entry *entry, bool same) {
		unsigned usual = effect_of_kind[wp_accesses[entry->access].kind];
		unsigned code = entry->effect == usual ? 0 : entry->effect + 1;

		wp_bytes_uleb(&to->bytes,
			      (same ? WEFT_ENTRY_SAME : 0) | code << WEFT_ENTRY_EFFECT_SHIFT);
	});
}

/* Whether the same function has an equal fate before fate @i of the unit. */
static bool is_repeated(unsigned i, const vec<unsigned> &access_number)
{
	const wp_fate *it = &wp_fates[i];

	while (i-- && wp_fates[i].function == it->function) {
		const wp_fate *other = &wp_fates[i];

		if (access_number[other->access] == access_number[it->access] &&
		    other->fate == it->fate && other->label == it->label)
			return true;
	}
	return false;
}

/* The key of an entry: made of its label and of the number of its access in the table. */
static uint64_t entry_key(int label, unsigned number)
{
	return wp_key(label, number, 0);
}

/* Writes how many fates each function has. */
static void list_fate_functions(lists *to, const vec<const wp_fate *> &fates)
{
	unsigned functions = 0, next;

	for (unsigned i = 0; i < fates.length(); i++)
		functions += !i || fates[i - 1]->function != fates[i]->function;
	wp_bytes_uleb(&to->bytes, functions);
	for (unsigned i = 0; i < fates.length(); i = next) {
		next = i;
		while (next < fates.length() && fates[next]->function == fates[i]->function)
			next++;
		wp_mention(&to->bytes, &to->functions,
			   pack_function(fates[i]->function, fates[i]->flags));
		wp_bytes_uleb(&to->bytes, next - i);
	}
}

static void list_fates(lists *to, const vec<wp_range *> &ranges, const vec<unsigned> &access_number)
{
	vec<const wp_fate *> fates = vNULL;
	wp_map entry_number = {};
	unsigned entries = 0, last = 0;

	each_entry(ranges, [&](const wp_entry *entry, bool same) {
		*wp_map_at(&entry_number, entry_key(entry->label, access_number[entry->access])) =
			entries++;
	});
	for (unsigned i = 0; i < wp_fates.length(); i++) {
		if (!is_repeated(i, access_number))
			fates.safe_push(&wp_fates[i]);
	}
	list_fate_functions(to, fates);
	for (unsigned i = 0; i < fates.length(); i++) {
		unsigned number = access_number[fates[i]->access];

		wp_bytes_sleb(&to->bytes, (int)(number - last));
		last = number;
	}
	for (unsigned i = 0; i < fates.length(); i++)
		wp_bytes_uleb(&to->bytes,
			      fates[i]->fate | (fates[i]->label ? WEFT_FATE_HAS_SERVANT : 0));
	last = 0;
	for (unsigned i = 0; i < fates.length(); i++) {
		if (!fates[i]->label)
			continue;
		unsigned number = wp_map_get(
			&entry_number,
			entry_key(fates[i]->label, access_number[fates[i]->servant]));

		wp_bytes_sleb(&to->bytes, (int)(number - last));
		last = number;
	}
	wp_map_deinit(&entry_number);
	fates.release();
}

static void print_addresses(const vec<wp_range *> &ranges, const vec<unsigned> &counts)
{
	unsigned next = 0;

	for (unsigned i = 0; i < counts.length(); i++) {
		int label = 0;

		for (unsigned end = next + counts[i]; next < end; next++) {
			for (unsigned k = 0; k < ranges[next]->entry_count; k++) {
				int at = wp_entries[ranges[next]->first_entry + k].label;

				if (!label)
					wp_print_address(at);
				else if (!is_same_address(ranges[next], k))
					wp_print_distance(label, at);
				label = at;
			}
		}
	}
}

/*
 * True for the vdso, which is user space code built in the kernel's tree. The kernel image contains
 * the vdso with its build-id, which a joinpoint table in the vdso would change.
 */
static bool is_user_space_image(void)
{
	return wp_macro_defined("BUILD_VDSO") || wp_macro_defined("BUILD_VDSO32");
}

static void print_unit(const lists *lists, const vec<wp_range *> &ranges,
		       const vec<unsigned> &counts)
{
	wp_bytes packed = vNULL, sizes = vNULL;
	bool shorter = wp_bytes_deflate(&packed, lists->bytes);

	wp_bytes_uleb(&sizes, lists->bytes.length());
	wp_bytes_uleb(&sizes, shorter ? packed.length() : 0);
	wp_print_begin();
	wp_print_bytes(sizes);
	wp_print_bytes(shorter ? packed : lists->bytes);
	print_addresses(ranges, counts);
	wp_print_end();
	packed.release();
	sizes.release();
}

static void write_table(const vec<kept> &accesses, const vec<unsigned> &access_number)
{
	vec<wp_range *> ranges = vNULL;
	vec<unsigned> counts = vNULL;
	lists to = {};

	for (unsigned i = 0; i < wp_ranges.length(); i++)
		drop_repeated(&wp_ranges[i], access_number);
	sort_ranges(&ranges, &counts);
	wp_mention(&to.bytes, &to.strings, wp_file_name(get_src_pwd()));
	wp_mention(&to.bytes, &to.strings, wp_file_name(main_input_filename));
	list_accesses(&to, accesses);
	list_ranges(&to, ranges, counts, access_number);
	list_fates(&to, ranges, access_number);
	list_functions(&to);
	list_fields(&to);
	for (unsigned i = 0; i < to.strings.order.length(); i++)
		wp_bytes_string(&to.bytes, wp_string_text(to.strings.order[i]));
	if (to.bytes.length() > WEFT_LISTS_MAX)
		error("the joinpoint table of this unit is too large (%u bytes)",
		      to.bytes.length());
	else
		print_unit(&to, ranges, counts);
	wp_mentions_deinit(&to.strings);
	wp_mentions_deinit(&to.fields);
	wp_mentions_deinit(&to.functions);
	to.bytes.release();
	ranges.release();
	counts.release();
}

void wp_emit(void *unused, void *data)
{
	vec<kept> accesses = vNULL;
	vec<unsigned> access_number = vNULL;

	if (seen_error() || !asm_out_file || wp_writing_pch() || is_user_space_image())
		return;
	choose_accesses(&accesses);
	if (!accesses.length())
		return;
	merge_accesses(&accesses, &access_number);
	write_table(accesses, access_number);
	accesses.release();
	access_number.release();
}
