// SPDX-License-Identifier: GPL-2.0-or-later
/* Reports which text an aspect has changed; see changed-text.h. */
#include <stdbool.h>
#include <stdlib.h>

#include "report/changed-text.h"

/* A range of text that weft has changed: .length bytes at the live address .address. */
struct range {
	uint64_t address;
	unsigned int length;
	const char *kind;
	const uint8_t *before; /* the original bytes; points into struct wv_spliced */
	int donor;	       /* 1: the range is a donor of a springboard's slot; 0: it is not */
};

typedef WV_VEC(struct range) ranges;

static const char *kind_of(const struct weft_shadow_status *shadow)
{
	static const char *const names[] = {
		[WEFT_SPLICE_CALL] = "call",
		[WEFT_SPLICE_JUMP] = "jump",
		[WEFT_SPLICE_TRAP] = "trap",
		[WEFT_SPLICE_SPRINGBOARD] = "springboard",
	};

	return shadow->kind < sizeof(names) / sizeof(names[0]) ? names[shadow->kind] : "unknown";
}

static int add(ranges *list, struct range range, struct wv_error *error)
{
	struct range *slot = wv_vec_push(list);

	if (!slot)
		return wv_fail(error, WV_E_NO_MEMORY, "out of memory");
	*slot = range;
	return 0;
}

static int add_shadow(ranges *list, const struct weft_shadow_status *shadow,
		      struct wv_error *error)
{
	const bool donor = shadow->freed != shadow->slot;
	const struct range splice = { .address = shadow->address,
				      .length = shadow->length,
				      .kind = kind_of(shadow),
				      .before = shadow->old };
	const struct range freed = { .address = shadow->freed,
				     .length = shadow->freed_length,
				     .kind = donor ? "donor" : "slot",
				     .before = shadow->freed_old,
				     .donor = donor };
	int ret = add(list, splice, error);

	return ret || !shadow->freed ? ret : add(list, freed, error);
}

/*
 * Orders ranges by address. If the range of a donor is also the range of a splice of the aspect,
 * the splice comes first.
 */
static int compare(const void *left, const void *right)
{
	const struct range *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->donor - b->donor;
}

/*
 * Sets @ret to the ranges of text that were changed for @shadows, in ascending order. A splice that
 * several shadows share, and a donor that several springboards share, are in the list only once.
 */
static int find(const struct wv_spliced *shadows, ranges *ret, struct wv_error *error)
{
	size_t n = 0;

	wv_vec_for_each(shadow, &shadows->list) {
		int err = add_shadow(ret, shadow, error);

		if (err)
			return err;
	}
	if (ret->n)
		qsort(ret->data, ret->n, sizeof(ret->data[0]), compare);
	wv_vec_for_each(range, ret)
		if (!n || ret->data[n - 1].address != range->address)
			ret->data[n++] = *range;
	ret->n = n;
	return 0;
}

/* A function that is called for each range. */
typedef void range_report(const char *aspect, const struct range *range, void *out);

static int for_each(const struct wv_device *device, const char *name, range_report *report,
		    void *out, struct wv_error *error)
{
	struct wv_spliced shadows;
	ranges list = { 0 };
	int ret = wv_device_shadows(device, name, &shadows, error);

	if (ret)
		return ret;
	ret = find(&shadows, &list, error);
	if (!ret)
		wv_vec_for_each(range, &list)
			report(*name ? name : "weft.ko", range, out);
	wv_vec_deinit(&list);
	wv_spliced_deinit(&shadows);
	return ret;
}

static void add_bytes(struct wv_str *out, const struct range *range)
{
	for (unsigned int i = 0; i < range->length; i++)
		wv_str_addf(out, "%02x", range->before[i]);
}

static void add_row(const char *aspect, const struct range *range, void *table_)
{
	struct wv_text_table *table = table_;

	wv_text_table_add(table, "%#llx", (unsigned long long)range->address);
	wv_text_table_add(table, "%u", range->length);
	wv_text_table_text(table, range->kind);
	wv_text_table_text(table, aspect);
	add_bytes(wv_text_table_begin(table), range);
	wv_text_table_end(table);
}

static void add_object(const char *aspect, const struct range *range, void *json_)
{
	struct wv_str before = { 0 };
	struct wv_json *json = json_;

	add_bytes(&before, range);
	wv_json_begin_object(json, NULL);
	wv_json_text(json, "aspect", aspect);
	wv_json_hex(json, "address", range->address);
	wv_json_unsigned(json, "length", range->length);
	wv_json_text(json, "kind", range->kind);
	wv_json_str(json, "before", &before);
	wv_json_end_object(json);
	wv_str_deinit(&before);
}

void wv_changed_header(struct wv_text_table *table)
{
	wv_text_table_text(table, "ADDRESS");
	wv_text_table_text(table, "LENGTH");
	wv_text_table_text(table, "KIND");
	wv_text_table_text(table, "ASPECT");
	wv_text_table_text(table, "BYTES BEFORE");
}

int wv_changed_rows(const struct wv_device *device, const char *name, struct wv_text_table *table,
		    struct wv_error *error)
{
	return for_each(device, name, add_row, table, error);
}

int wv_changed_json(const struct wv_device *device, const char *name, struct wv_json *json,
		    struct wv_error *error)
{
	return for_each(device, name, add_object, json, error);
}
