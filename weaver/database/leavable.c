// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decides which functions are leavable; see leavable.h. weft.ko may leave such a function at any of
 * its instructions, without running the rest. So at each instruction these must hold:
 * - The function holds no lock.
 * - The preemption count and the interrupt flag are as they were before the call.
 * - None of the kernel's data is half changed.
 * Therefore each instruction must be of a kind that can break none of these rules. Instructions
 * that are not listed here are not allowed. An instruction may write memory only through a pointer.
 * Such memory is assumed to be the caller's, as when memcpy() fills the aspect's own buffer.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "database/db-handle.h"
#include "database/db.h"
#include "database/leavable.h"
#include "x86/preserved-change.h"

enum {
	DEPTH_MAX = 4,	     /* maximum depth of calls below the function that advice calls */
	/* maximum size of a function in bytes: a larger one is probably not leavable */
	SIZE_MAX_BYTES = 4096,
};

/*
 * Patterns of harmless instructions in AT&T syntax. The text of an instruction with a lock prefix
 * begins with "lock", which no pattern does.
 */
static const char *const harmless[] = {
	"mov*", "lea*", "add*", "sub*", "adc*", "sbb*", "and*", "or[lqbw]*", "xor*", "not*", "neg*",
	"inc*", "dec*", "cmp[lqbw]*", "test*", "sh[lr]*", "sa[lr]*", "ro[lr]*", "imul*", "mul*",
	"div*", "idiv*", "cqto", "cltd", "cltq", "cwtl", "set*", "cmov*", "bs[fr]*", "bt[lq]*",
	"tzcnt*", "lzcnt*", "popcnt*", "bswap*", "push[qw]*", "pop[qw]*", "nop*", "endbr64",
	"lfence", "leave*", "std", "cld", "j*", "call*", "ret*", "int3", "rep movs*", "rep stos*",
	"repne scas*", "repe cmps*", "scas*", "cmps*", "lods*", "stos*",
};

/* Harmful instructions that match a pattern of the harmless ones. */
static const char *const harmful[] = { "popf*", "*%cr[0-9]*", "*%dr[0-9]*", "*%[defs]s, *",
				       "*, %[defs]s", "call*\\**", "j*\\**" };

/*
 * Functions that do nothing but return. Depending on the kernel's configuration, nearly every
 * function calls or jumps to them. They are not checked.
 */
static const char *const no_callees[] = { "__fentry__", "__x86_return_thunk" };

/*
 * Suffixes of the names of a function's assembler variants, such as memcpy_erms. At boot an
 * alternative decides to which variant the kernel jumps. The vmlinux does not show which one that
 * will be, so all variants have to be leavable.
 */
static const char *const variants[] = { "", "_erms", "_orig" };

struct wv_leavable_search {
	struct wv_db *db;
	struct wv_decoder *decoder;
	sqlite3_stmt *by_name, *by_offset;
	/* the function that wv_leavable_add() checks, and those that it calls or jumps to */
	WV_VEC(struct weft_leavable) reached;
};

int wv_leavable_search_create(struct wv_db *db, struct wv_leavable_search **ret,
			      struct wv_error *error)
{
	struct wv_leavable_search *search = calloc(1, sizeof(*search));
	int err;

	if (!search)
		return wv_no_memory(error);
	search->db = db;
	err = wv_decoder_create(&search->decoder, error);
	if (!err)
		err = wv_db_prepare(db,
				    "SELECT offset FROM symbol WHERE name = ? AND "
				    WV_SQL_IN_VMLINUX("offset"),
				    &search->by_name, error);
	if (!err)
		err = wv_db_prepare(db,
				    "SELECT name, size, " WV_SQL_IS_PREFERRED("flags")
				    " FROM symbol WHERE offset = ?",
				    &search->by_offset, error);
	if (err) {
		wv_leavable_search_destroy(search);
		return err;
	}
	*ret = search;
	return 0;
}

void wv_leavable_search_destroy(struct wv_leavable_search *search)
{
	if (!search)
		return;
	wv_vec_deinit(&search->reached);
	wv_decoder_destroy(search->decoder);
	sqlite3_finalize(search->by_name);
	sqlite3_finalize(search->by_offset);
	free(search);
}

#define MATCHES(patterns, text) matches(patterns, sizeof(patterns) / sizeof(*(patterns)), text)

static bool matches(const char *const *patterns, size_t n, const char *text)
{
	for (size_t i = 0; i < n; i++)
		if (!fnmatch(patterns[i], text, 0))
			return true;
	return false;
}

/*
 * Returns whether the instruction writes a per-CPU variable: its last operand is relative to gs. In
 * AT&T syntax the last operand is the destination, except of cmp and test, which write nothing.
 */
static bool writes_per_cpu(const char *text)
{
	const char *last = strrchr(text, ' ');

	return last && strstr(last, "%gs:") && strncmp(text, "cmp", 3) && strncmp(text, "test", 4);
}

static bool is_harmless(struct wv_leavable_search *search, const uint8_t *bytes, size_t n,
			uint64_t address, const struct wv_insn *insn)
{
	struct wv_access access;
	char text[128];

	wv_decode_text(search->decoder, bytes, n, address, NULL, NULL, text, sizeof(text));
	if (!MATCHES(harmless, text) || MATCHES(harmful, text) || writes_per_cpu(text))
		return false;
	if (wv_decode_access(search->decoder, bytes, n, address, &access) && access.writes &&
	    (access.relative || access.base == WV_NO_REGISTER))
		return false;
	return !wv_preserved_change(search->decoder, bytes, n, address, insn);
}

static int check(struct wv_leavable_search *search, uint64_t offset, unsigned int depth, bool *ret,
		 struct wv_error *error);

/*
 * Checks the instructions of @function, and the functions that it calls or jumps to. Sets *@ret to
 * false if one of them is not leavable.
 */
static int check_body(struct wv_leavable_search *search, struct weft_leavable function,
		      unsigned int depth, bool *ret, struct wv_error *error)
{
	uint64_t text = wv_db_text_address(search->db);
	uint64_t end = (uint64_t)function.offset + function.size;
	struct wv_insn insn;
	int err = 0;

	for (uint64_t at = function.offset; !err && *ret && at < end; at += insn.length) {
		uint8_t bytes[WEFT_INSN_MAX];
		size_t n = wv_db_bytes(search->db, at, bytes, sizeof(bytes));

		*ret = n && wv_decode(search->decoder, bytes, n, text + at, &insn) &&
		       is_harmless(search, bytes, n, text + at, &insn);
		if (*ret && insn.direct &&
		    (insn.target - text < function.offset || insn.target - text >= end))
			err = check(search, insn.target - text, depth + 1, ret, error);
	}
	return err;
}

/*
 * Looks up the function that begins at @offset. Sets *@size_ret to its size in bytes, or to 0 if no
 * function begins there. Sets *@ignored_ret to whether the function is one of no_callees, which may
 * be called although they are not checked.
 */
static int look_up(struct wv_leavable_search *search, uint64_t offset, uint64_t *size_ret,
		   bool *ignored_ret, struct wv_error *error)
{
	bool more;
	int err;

	*size_ret = 0;
	*ignored_ret = false;
	sqlite3_reset(search->by_offset);
	sqlite3_bind_int64(search->by_offset, 1, (sqlite3_int64)offset);
	while (!(err = wv_db_step(search->db, search->by_offset, &more, error)) && more) {
		if (MATCHES(no_callees, wv_db_text(search->by_offset, 0)))
			*ignored_ret = true;
		if (sqlite3_column_int(search->by_offset, 2))
			*size_ret = sqlite3_column_int64(search->by_offset, 1);
	}
	return err;
}

/*
 * Checks the function that begins at @offset, and those that it calls or jumps to. Sets *@ret to
 * false if one of them is not leavable.
 */
static int check(struct wv_leavable_search *search, uint64_t offset, unsigned int depth, bool *ret,
		 struct wv_error *error)
{
	struct weft_leavable *added;
	uint64_t size;
	bool ignored;
	int err;

	wv_vec_for_each(other, &search->reached)
		if (other->offset == offset)
			return 0;
	err = look_up(search, offset, &size, &ignored, error);
	if (err || ignored)
		return err;
	*ret = size && size <= SIZE_MAX_BYTES && depth <= DEPTH_MAX && offset <= UINT32_MAX;
	if (!*ret)
		return 0;
	added = wv_vec_push(&search->reached);
	if (!added)
		return wv_no_memory(error);
	*added = (struct weft_leavable){ .offset = offset, .size = size };
	return check_body(search, *added, depth, ret, error);
}

static int add_reached(struct wv_leavable_search *search, wv_leavables *ret, struct wv_error *error)
{
	wv_vec_for_each(function, &search->reached) {
		struct weft_leavable *added = NULL;

		wv_vec_for_each(other, ret)
			if (other->offset == function->offset)
				added = other;
		if (!added)
			added = wv_vec_push(ret);
		if (!added)
			return wv_no_memory(error);
		*added = *function;
	}
	return 0;
}

int wv_leavable_add(struct wv_leavable_search *search, const char *name, wv_leavables *ret,
		    struct wv_error *error)
{
	bool more, leavable = true;
	int err = 0;

	search->reached.n = 0;
	for (size_t i = 0; i < sizeof(variants) / sizeof(*variants) && !err && leavable; i++) {
		char variant[256];

		snprintf(variant, sizeof(variant), "%s%s", name, variants[i]);
		sqlite3_reset(search->by_name);
		wv_db_bind_text(search->by_name, 1, variant);
		err = wv_db_step(search->db, search->by_name, &more, error);
		if (!err && more)
			err = check(search, sqlite3_column_int64(search->by_name, 0), 0, &leavable,
				    error);
	}
	return err || !leavable ? err : add_reached(search, ret, error);
}
