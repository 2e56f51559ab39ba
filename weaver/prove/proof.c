// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds and compares the functions of an object, one after the other; see proof.h. */
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/notation.h"
#include "base/order.h"
#include "prove/find-place.h"
#include "prove/proof.h"

/* The data that all functions of one object have in common. */
struct prover {
	const struct wv_shipped *shipped;
	struct wv_object_code code;
	struct wv_proof *proof;
	const char *main;
};

static const struct wv_elf_entry *symbol_of(const struct prover *prover, size_t position)
{
	return &prover->code.tables.symbols.data[prover->code.symbols.data[position]];
}

/*
 * Returns the image's symbol at @address that has one of the function's names. Returns NULL if
 * there is none.
 */
static const struct wv_named *find_symbol(const struct prover *prover,
					  const struct wv_object_function *function,
					  uint64_t address)
{
	for (size_t i = 0; i < function->n; i++) {
		size_t n;
		const struct wv_named *named =
			wv_named_find(&prover->shipped->named,
				      symbol_of(prover, function->first + i)->name, &n);

		for (size_t k = 0; k < n; k++)
			if (named[k].address == address)
				return &named[k];
	}
	return NULL;
}

static void explain_place(const struct prover *prover, const struct wv_object_function *function,
			  struct wv_difference *ret)
{
	size_t n;

	ret->kind = WV_DIFFERENT_PLACE;
	if (wv_named_find(&prover->shipped->named, symbol_of(prover, function->first)->name, &n))
		snprintf(ret->text, sizeof(ret->text),
			 "the image has a function of that name, but not of this unit, or several");
	else
		snprintf(ret->text, sizeof(ret->text), "the image has no function of that name");
}

static void compare(struct prover *prover, const struct wv_object_function *function,
		    uint64_t *address_ret, struct wv_difference *ret)
{
	const struct wv_section_place *place = &prover->code.places.data[function->at.section];
	uint64_t address = place->address + function->at.offset;
	const struct wv_named *named = NULL;

	memset(ret, 0, sizeof(*ret));
	if (place->state == WV_PLACE_KNOWN)
		named = find_symbol(prover, function, address);
	if (!named || !wv_shipped_is_unit(prover->shipped, address, prover->main)) {
		explain_place(prover, function, ret);
		return;
	}
	*address_ret = address;
	if (named->size == function->size) {
		wv_compare_code(&prover->code, prover->shipped, function->at, function->size,
				address, ret);
		return;
	}
	ret->kind = WV_DIFFERENT_SIZE;
	snprintf(ret->text, sizeof(ret->text), "%" PRIu64 " %s instead of %" PRIu64, named->size,
		 wv_plural(named->size, "byte", "bytes"), function->size);
}

static int add(struct prover *prover, const struct wv_object_function *function,
	       struct wv_error *error)
{
	const wv_sections *sections = wv_image_sections(prover->code.image);
	struct wv_proven *proven = wv_vec_push(&prover->proof->functions);
	struct wv_difference difference;

	if (!proven)
		return wv_no_memory(error);
	proven->name = symbol_of(prover, function->first)->name;
	proven->start = sections->data[function->at.section].address + function->at.offset;
	proven->size = function->size;
	proven->why = WV_POOL_FAILED;
	compare(prover, function, &proven->address, &difference);
	proven->kind = difference.kind;
	if (difference.kind == WV_SAME)
		return 0;
	proven->why = wv_pool_add(&prover->proof->texts, difference.text);
	return proven->why == WV_POOL_FAILED ? wv_no_memory(error) : 0;
}

static int by_start(const void *left, const void *right)
{
	const struct wv_proven *a = left, *b = right;

	return wv_order(a->start, b->start);
}

int wv_prove(struct wv_proof *proof, const struct wv_shipped *shipped, struct wv_image *object,
	     const char *main, struct wv_error *error)
{
	struct prover prover = { .shipped = shipped, .proof = proof, .main = main };
	int ret;

	memset(proof, 0, sizeof(*proof));
	ret = wv_object_code_init(&prover.code, object, error);
	if (!ret)
		ret = wv_places_find(&prover.code, shipped, main, error);
	for (size_t i = 0; i < prover.code.functions.n && !ret; i++)
		ret = add(&prover, &prover.code.functions.data[i], error);
	wv_object_code_deinit(&prover.code);
	if (ret)
		wv_proof_deinit(proof);
	else if (proof->functions.n)
		qsort(proof->functions.data, proof->functions.n, sizeof(*proof->functions.data),
		      by_start);
	return ret;
}

void wv_proof_deinit(struct wv_proof *proof)
{
	wv_vec_deinit(&proof->functions);
	wv_pool_deinit(&proof->texts);
}

const struct wv_proven *wv_proof_at(const struct wv_proof *proof, uint64_t address)
{
	size_t after = wv_vec_partition(&proof->functions, function, function->start <= address);
	const struct wv_proven *last = after ? &proof->functions.data[after - 1] : NULL;

	return last && address - last->start < last->size ? last : NULL;
}
