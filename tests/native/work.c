// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of works, and functions that works share (declared in work.h). */
#include "work.h"

const struct work works[] = {
	{ "compression", "libz.so.1", work_compression },
	{ "streams", "libz.so.1", work_streams },
	{ "files", "libz.so.1", work_files },
	{ "digests", "libcrypto.so.3", work_digests },
	{ "ciphers", "libcrypto.so.3", work_ciphers },
	{ "codes", "libcrypto.so.3", work_codes },
	{ "numbers", "libcrypto.so.3", work_numbers },
	{ "keys", "libcrypto.so.3", work_keys },
	{ "database", "libsqlite3.so.0", work_database },
};
const size_t nr_works = sizeof(works) / sizeof(works[0]);

void work_init(void)
{
	work_cryptography_init();
	work_database_init();
}

/* Adds bytes to an FNV-1a hash. */
uint64_t work_add(uint64_t sum, const void *bytes, size_t n)
{
	const unsigned char *at = bytes;

	while (n--)
		sum = (sum ^ *at++) * 0x100000001b3;
	return sum;
}

void work_text(char *ret, size_t n, unsigned int seed)
{
	static const char *const words[] = { "splice ",	 "patch ", "the ",  "woven ",	   "a ",
					     "kernel\n", "of ",	   "1969 ", "joinpoint, ", "x" };
	const char *word = "";

	while (n--) {
		while (!*word) {
			seed = seed * 1103515245 + 12345;
			word = words[(seed >> 16) % (sizeof(words) / sizeof(words[0]))];
		}
		*ret++ = *word++;
	}
}
