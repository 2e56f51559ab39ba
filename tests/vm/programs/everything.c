// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `everything VMLINUX SEED FUNCTIONS N`: prints the N-th of the aspects that share the random choices of SEED, "everythingN". Its
 * shadows are all instructions of so many functions of the kernel, hot and cold, others than its sisters' ones; a counter is
 * at each, or, where N is odd,
 * advice in C. What may not be spliced is not left out: the kernel side has to refuse it.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/decode.h"
#include "image/symbols.h"

static uint64_t random_state;

static uint64_t random_bits(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

/* Symbols that are unambiguous by name, and no other function's middle. */
static bool is_function(const struct wv_symbols *symbols, const struct wv_symbol *symbol)
{
	if (symbol->label || symbol->alias || !symbol->size)
		return false;
	wv_vec_for_each(other, &symbols->list)
		if (other != symbol && !strcmp(other->name, symbol->name))
			return false;
	return true;
}

static size_t print_function(struct wv_image *image, struct wv_decoder *decoder, const struct wv_symbol *symbol)
{
	const uint8_t *bytes;
	struct wv_error error;
	size_t room, n = 0;

	if (wv_image_text(image, symbol->address, &bytes, &room, &error))
		return 0;
	for (size_t at = 0; at < symbol->size && at < room; n++) {
		size_t length = wv_decode_length(decoder, bytes + at, room - at, symbol->address + at);

		if (!length)
			break;
		printf("    <instruction symbol=\"%s\" offset=\"%#zx\"/>\n", symbol->name, at);
		at += length;
	}
	return n;
}

int main(int argc, char **argv)
{
	struct wv_symbols symbols;
	struct wv_decoder *decoder;
	struct wv_image *image;
	struct wv_error error;
	size_t wanted, number, instructions = 0, functions = 0;
	bool *taken;

	if (argc != 5)
		errx(2, "usage: everything VMLINUX SEED FUNCTIONS N");
	random_state = strtoull(argv[2], NULL, 0) * 2 + 1;
	wanted = strtoul(argv[3], NULL, 0);
	number = strtoul(argv[4], NULL, 0);
	if (wv_image_open(argv[1], &image, &error) || wv_symbols_init(&symbols, image, &error) || wv_decoder_create(&decoder, &error))
		errx(2, "%s", error.message);
	taken = calloc(symbols.list.n, sizeof(*taken));
	if (!taken || symbols.list.n < 2 * wanted * (number + 1))
		errx(2, "there are not so many functions");
	printf("<?xml version=\"1.0\"?>\n<aspect name=\"everything%zu\">\n  <pointcut name=\"all\"><or>\n", number);
	while (functions < wanted * (number + 1)) {
		size_t i = random_bits() % symbols.list.n;

		if (taken[i] || !is_function(&symbols, &symbols.list.data[i]))
			continue;
		taken[i] = true;
		/* The sisters before this one have the first. */
		if (functions++ >= wanted * number)
			instructions += print_function(image, decoder, &symbols.list.data[i]);
	}
	printf("  </or></pointcut>\n  <before-advice pointcut=\"all\">%s;</before-advice>\n</aspect>\n",
	       number % 2 ? "static unsigned long ran; ran++" : "");
	fprintf(stderr, "everything%zu: %zu instructions of %zu functions, seed %s\n", number, instructions, wanted, argv[2]);
	free(taken);
	wv_decoder_destroy(decoder);
	wv_symbols_deinit(&symbols);
	wv_image_close(image);
	return 0;
}
