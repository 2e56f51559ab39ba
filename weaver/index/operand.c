// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds shadows by an instruction's operand; see operand.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "index/operand.h"

static int find_offsets(struct wv_operands *operands, const struct wv_debug *debug,
			struct wv_error *error)
{
	const struct wv_merge *merge = operands->merge;

	wv_vec_for_each(field, &merge->fields) {
		const char *path = wv_pool_get(&merge->names, field->path);
		uint64_t *slot = wv_vec_push(&operands->offsets);
		char plain[256];
		int n;

		if (!slot)
			return wv_no_memory(error);
		*slot = WV_NO_OFFSET;
		n = snprintf(plain, sizeof(plain), "%s.%s",
			     wv_pool_get(&merge->names, field->structure),
			     wv_pool_get(&merge->names, field->member));
		if (!*path && n > 0 && (size_t)n < sizeof(plain))
			path = plain;
		if (!*path || !wv_debug_offset(debug, path, slot))
			*slot = WV_NO_OFFSET;
	}
	return 0;
}

static int compare_labels(const void *left, const void *right)
{
	const struct wv_labelled *a = left, *b = right;

	return wv_order(a->address, b->address) ?: wv_order(a->field, b->field);
}

int wv_operands_init(struct wv_operands *operands, struct wv_image *image,
		     const struct wv_debug *debug, const struct wv_merge *merge,
		     struct wv_error *error)
{
	int ret;

	memset(operands, 0, sizeof(*operands));
	operands->image = image;
	operands->merge = merge;
	ret = wv_decoder_create(&operands->decoder, error);
	if (!ret)
		ret = find_offsets(operands, debug, error);
	for (size_t i = 0; i < merge->labels.n && !ret; i++) {
		const struct wv_label *label = &merge->labels.data[i];
		struct wv_labelled *slot = wv_vec_push(&operands->labels);

		if (!slot)
			ret = wv_no_memory(error);
		else
			*slot = (struct wv_labelled){
				label->address, merge->joinpoints.data[label->joinpoint].field };
	}
	if (ret)
		wv_operands_deinit(operands);
	else if (operands->labels.n)
		qsort(operands->labels.data, operands->labels.n, sizeof(*operands->labels.data),
		      compare_labels);
	return ret;
}

void wv_operands_deinit(struct wv_operands *operands)
{
	wv_decoder_destroy(operands->decoder);
	operands->decoder = NULL;
	wv_vec_deinit(&operands->offsets);
	wv_vec_deinit(&operands->labels);
}

/* The index in operands->labels of the first label at or after @address. */
static size_t first_label(const struct wv_operands *operands, uint64_t address)
{
	return wv_vec_partition(&operands->labels, label, label->address < address);
}

bool wv_operands_labelled(const struct wv_operands *operands, uint64_t address)
{
	size_t first = first_label(operands, address);

	return first < operands->labels.n && operands->labels.data[first].address == address;
}

/*
 * Returns whether the path of the member @part goes through the member @whole, as
 * `sk->__sk_common.skc_reuse` goes through sock.__sk_common. GCC accesses a bit-field of a nested
 * struct through a reference to the nested struct. The label of such an access names only the
 * nested struct, so it counts for the bit-field as well.
 */
static bool is_through(const struct wv_merge *merge, const struct wv_field *whole,
		       const struct wv_field *part)
{
	const char *path = wv_pool_get(&merge->names, whole->path),
		   *rest = wv_pool_get(&merge->names, part->path);
	const char *structure = wv_pool_get(&merge->names, whole->structure);
	size_t n = strlen(path);

	if (n)
		return !strncmp(rest, path, n) && rest[n] == '.';
	n = strlen(structure);
	if (!n || strncmp(rest, structure, n) || rest[n] != '.')
		return false;
	rest += n + 1;
	path = wv_pool_get(&merge->names, whole->member);
	n = strlen(path);
	return n && !strncmp(rest, path, n) && rest[n] == '.';
}

/*
 * Returns whether the instruction at @address may be an access of @field: false if the instruction
 * has labels and all of them are of other members.
 */
static bool may_be(const struct wv_operands *operands, uint64_t address, uint32_t field)
{
	const struct wv_field *fields = operands->merge->fields.data, *wanted = &fields[field];
	bool labelled = false;

	for (size_t i = first_label(operands, address);
	     i < operands->labels.n && operands->labels.data[i].address == address; i++) {
		const struct wv_field *other = &fields[operands->labels.data[i].field];

		if ((other->structure == wanted->structure && other->member == wanted->member) ||
		    is_through(operands->merge, other, wanted))
			return true;
		labelled = true;
	}
	return !labelled;
}

bool wv_operand_fits(unsigned int kind, uint64_t offset, const struct wv_insn *insn)
{
	if (!insn->has_memory || (uint64_t)insn->displacement != offset)
		return false;
	switch (kind) {
	case WEFT_KIND_GET: case WEFT_KIND_CALL:
		return insn->reads;
	case WEFT_KIND_SET: case WEFT_KIND_RMW: case WEFT_KIND_INIT:
		return insn->writes;
	case WEFT_KIND_ADDRESS:
		return insn->lea;
	}
	return false;
}

int wv_operands_find(const struct wv_operands *operands, uint32_t position,
		     const struct wv_row *rows, size_t n, uint64_t *ret, struct wv_error *error)
{
	const struct wv_joinpoint *joinpoint;
	uint64_t done = 0, offset;
	size_t nr_found = 0;

	*ret = 0;
	if (!operands->decoder)
		return 0;
	joinpoint = &operands->merge->joinpoints.data[position];
	offset = operands->offsets.data[joinpoint->field];
	if (offset == WV_NO_OFFSET)
		return 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t at = rows[i].address > done ? rows[i].address : done;
		uint64_t end = rows[i].address + rows[i].size;

		while (at < end) {
			const uint8_t *bytes;
			struct wv_insn insn;
			size_t room;
			int failed = wv_image_text(operands->image, at, &bytes, &room, error);

			if (failed)
				return failed;
			if (!room || !wv_decode(operands->decoder, bytes, room, at, &insn))
				break;
			if (wv_operand_fits(joinpoint->kind, offset, &insn) &&
			    may_be(operands, at, joinpoint->field)) {
				*ret = at;
				nr_found++;
			}
			at += insn.length;
		}
		done = at > done ? at : done;
	}
	if (nr_found != 1)
		*ret = 0;
	return 0;
}
