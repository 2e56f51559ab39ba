// SPDX-License-Identifier: GPL-2.0-or-later
/* One unit of work (declared in unit.h). */
#include <err.h>
#include <openssl/bn.h>
#include <openssl/evp.h>
#include <sqlite3.h>
#include <string.h>
#include <zlib.h>

#include "unit.h"
#include "work.h"

enum { TEXT = 600 };

static uint64_t add_compression(uint64_t sum, unsigned int seed, const char *text)
{
	unsigned char packed[2 * TEXT], back[TEXT];
	uLongf size = sizeof(packed), length = sizeof(back);

	if (compress2(packed, &size, (const Bytef *)text, TEXT, seed % 9 + 1) ||
	    uncompress(back, &length, packed, size))
		return 0;
	sum = work_add(sum, packed, size);
	return work_add(sum, back, length) + crc32(0, packed, size);
}

static uint64_t add_digest(uint64_t sum, const EVP_MD *md, const char *text)
{
	unsigned char value[EVP_MAX_MD_SIZE];
	unsigned int size = 0;

	if (!EVP_Digest(text, TEXT, value, &size, md, NULL))
		return 0;
	return work_add(sum, value, size);
}

static uint64_t add_number(uint64_t sum, const char *text)
{
	BN_CTX *context = BN_CTX_new();
	BIGNUM *a = BN_bin2bn((const unsigned char *)text, 40, NULL),
	       *b = BN_bin2bn((const unsigned char *)text + 40, 24, NULL), *r = BN_new();
	unsigned char bytes[128];

	BN_mul(r, a, b, context);
	sum = work_add(sum, bytes, BN_bn2bin(r, bytes));
	BN_mod(r, a, b, context);
	sum = work_add(sum, bytes, BN_bn2bin(r, bytes));
	BN_free(a);
	BN_free(b);
	BN_free(r);
	BN_CTX_free(context);
	return sum;
}

/* Each thread prepares the query once, since each has a database of its own. */
static uint64_t add_query(uint64_t sum, unsigned int seed)
{
	static __thread sqlite3_stmt *query;
	static const char sql[] =
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) "
		"SELECT group_concat(hex(i * ?1) || substr('weave', i % 4 + 1, 2)), sum(i * ?1) % "
		"97 FROM n WHERE i % 3 <> 1";

	if (!query) {
		sqlite3 *db;

		if (sqlite3_open(":memory:", &db) || sqlite3_prepare_v2(db, sql, -1, &query, NULL))
			errx(2, "no database");
	}
	sqlite3_bind_int(query, 1, seed + 1);
	while (sqlite3_step(query) == SQLITE_ROW)
		sum = work_add(sum, sqlite3_column_text(query, 0), sqlite3_column_bytes(query, 0)) +
		      sqlite3_column_int(query, 1);
	sqlite3_reset(query);
	return sum;
}

uint64_t unit_run(unsigned int seed)
{
	const EVP_MD *const mds[] = { EVP_md5(),    EVP_sha1(),	    EVP_sha256(),
				      EVP_sha512(), EVP_sha3_256(), EVP_blake2b512() };
	char text[TEXT];

	work_text(text, sizeof(text), seed);
	switch (seed % 4) {
	case 0:
		return add_compression(1, seed, text);
	case 1:
		return add_digest(2, mds[seed % 6], text);
	case 2:
		return add_number(3, text);
	default:
		return add_query(4, seed);
	}
}
