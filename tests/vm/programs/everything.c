// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints one of several aspects that together have a joinpoint at every instruction of many
 * functions, hot and cold, for the stress test. Usage: everything VMLINUX SEED FUNCTIONS SISTERS N.
 * SEED selects FUNCTIONS functions, which SISTERS aspects share; the program prints the Nth of
 * these aspects (counted from 0), named "everythingN". Each has a counter or, if N is odd, advice
 * in C. Instructions that must not be spliced are not left out: weft.ko has to refuse them.
 *
 * A function is put into the aspect whose text is shortest so far, or into none if it does not fit,
 * so no aspect is larger than the weaver accepts, whatever the seed.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aspect/xml/xml.h"
#include "x86/decode.h"
#include "image/symbols.h"

static uint64_t random_state;

static uint64_t random_bits(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

/* Returns whether the symbol is a function with a unique name, not within another function. */
static bool is_function(const struct wv_symbols *symbols, const struct wv_symbol *symbol)
{
	if (symbol->label || symbol->alias || !symbol->size)
		return false;
	wv_vec_for_each(other, &symbols->list)
		if (other != symbol && !strcmp(other->name, symbol->name))
			return false;
	return true;
}

static size_t print_function(FILE *out, struct wv_image *image, struct wv_decoder *decoder,
			     const struct wv_symbol *symbol)
{
	const uint8_t *bytes;
	struct wv_error error;
	size_t room, n = 0;

	if (wv_image_text(image, symbol->address, &bytes, &room, &error))
		return 0;
	for (size_t at = 0; at < symbol->size && at < room; n++) {
		size_t length =
			wv_decode_length(decoder, bytes + at, room - at, symbol->address + at);

		if (!length)
			break;
		fprintf(out, "    <instruction symbol=\"%s\" offset=\"%#zx\"/>\n", symbol->name,
			at);
		at += length;
	}
	return n;
}

static size_t shortest(const size_t *lengths, size_t n)
{
	size_t least = 0;

	for (size_t i = 1; i < n; i++)
		if (lengths[i] < lengths[least])
			least = i;
	return least;
}

int main(int argc, char **argv)
{
	/* Leaves room for the XML around the instructions. */
	const size_t longest = WV_XML_MAX - 1000;
	struct wv_symbols symbols;
	struct wv_decoder *decoder;
	struct wv_image *image;
	struct wv_error error;
	size_t wanted, sisters, number, left, instructions = 0, functions = 0, *lengths;
	bool *taken; /* for each symbol: it was looked at; @left symbols were not */

	if (argc != 6)
		errx(2, "usage: everything VMLINUX SEED FUNCTIONS SISTERS N");
	random_state = strtoull(argv[2], NULL, 0) * 2 + 1;
	wanted = strtoul(argv[3], NULL, 0);
	sisters = strtoul(argv[4], NULL, 0);
	number = strtoul(argv[5], NULL, 0);
	if (number >= sisters)
		errx(2, "there are only %zu aspects", sisters);
	if (wv_image_open(argv[1], &image, &error) || wv_symbols_init(&symbols, image, &error) ||
	    wv_decoder_create(&decoder, &error))
		errx(2, "%s", error.message);
	taken = calloc(symbols.list.n, sizeof(*taken));
	lengths = calloc(sisters, sizeof(*lengths));
	if (!taken || !lengths || symbols.list.n < 2 * wanted)
		errx(2, "there are not so many functions");
	left = symbols.list.n;
	printf("<?xml version=\"1.0\"?>\n<aspect name=\"everything%zu\">\n  <pointcut "
	       "name=\"all\"><or>\n",
	       number);
	for (size_t chosen = 0; chosen < wanted;) {
		size_t i = random_bits() % symbols.list.n, sister = shortest(lengths, sisters),
		       length, n;
		char *text;
		FILE *out;

		if (!left)
			errx(2, "only %zu functions fit into the aspects", chosen);
		if (taken[i])
			continue;
		taken[i] = true;
		left--;
		if (!is_function(&symbols, &symbols.list.data[i]))
			continue;
		out = open_memstream(&text, &length);
		if (!out)
			err(2, "memory");
		n = print_function(out, image, decoder, &symbols.list.data[i]);
		fclose(out);
		if (lengths[sister] + length <= longest) {
			lengths[sister] += length;
			chosen++;
			if (sister == number) {
				fputs(text, stdout);
				functions++;
				instructions += n;
			}
		}
		free(text);
	}
	printf("  </or></pointcut>\n  <before-advice "
	       "pointcut=\"all\">%s;</before-advice>\n</aspect>\n",
	       number % 2 ? "static unsigned long ran; ran++" : "");
	fprintf(stderr, "everything%zu: %zu instructions of %zu functions, seed %s\n", number,
		instructions, functions, argv[2]);
	free(lengths);
	free(taken);
	wv_decoder_destroy(decoder);
	wv_symbols_deinit(&symbols);
	wv_image_close(image);
	return 0;
}
