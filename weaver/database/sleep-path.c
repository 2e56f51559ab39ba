// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Searches for functions that may sleep; see sleep-path.h. The search is breadth-first, so the path
 * that it finds is a shortest one. Each function is decoded once, from its first byte to its last.
 *
 * A path that is found does not prove that the function sleeps: each call of the path may depend on
 * a condition. Some calls are not followed, because otherwise nearly every function would be found
 * to sleep:
 * - calls of allocators, which sleep or not by the flags that the caller passes;
 * - calls that are made only when the kernel is broken;
 * - calls of functions that test whether they may sleep.
 * Indirect calls are not followed either, because their targets are not known. So the search may
 * miss a function that sleeps.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/vec.h"
#include "database/db-handle.h"
#include "database/db.h"
#include "database/sleep-path.h"
#include "x86/decode.h"

enum {
	DEPTH_MAX = 6,	     /* maximum number of calls in a path */
	FUNCTIONS_MAX = 2000, /* maximum number of functions in one search */
};

/*
 * Functions that sleep by themselves. .pattern is matched with a function's name. .name is what a
 * printed path shows for the function; if it is NULL, the path shows the function's own name.
 */
static const struct {
	const char *pattern, *name;
} sleepers[] = {
	/* might_sleep() and cond_resched(); which symbol they call depends on the configuration */
	{ "__SCT__might_resched", "might_sleep" },
	{ "__SCT__cond_resched", "cond_resched" },
	{ "dynamic_might_resched", "might_sleep" },
	{ "dynamic_cond_resched", "cond_resched" },
	{ "__might_sleep", "might_sleep" },
	{ "__might_resched", "might_sleep" },
	{ "__might_fault", "might_fault" },
	{ "__cond_resched", "cond_resched" },
	{ "schedule", NULL },
	{ "schedule_timeout*", NULL },
	{ "schedule_hrtimeout*", NULL },
	{ "io_schedule*", NULL },
	/* these sleep if user memory is not present, by a page fault instead of a call */
	{ "strncpy_from_user", NULL },
	{ "strnlen_user", NULL },
	{ "_copy_from_user", NULL },
	{ "_copy_to_user", NULL },
};

/* Names or patterns of functions whose calls are not followed. */
static const char *const barriers[] = {
	/* allocators, which sleep or not by the flags that the caller passes */
	"__kmalloc*", "kmalloc_*", "kmem_cache_alloc*", "__kmem_cache_alloc*", "krealloc*",
	"kmemdup*", "kstrdup*", "kasprintf", "kvasprintf", "kvmalloc_node*", "alloc_pages*",
	"__alloc_pages*", "__get_free_pages*", "get_zeroed_page*", "mempool_alloc*", "__alloc_skb*",
	"page_frag_alloc*", "___slab_alloc*", "new_slab*", "allocate_slab*",
	/* only called when the kernel is broken, or to print something */
	"panic", "do_exit", "make_task_dead", "_printk", "vprintk*", "__warn*", "warn_slowpath*",
	"dump_stack*", "oops_end", "report_bug", "die", "fortify_panic", "__stack_chk_fail",
	/* preemption, which is not sleeping, and functions that run after an interrupt */
	"preempt_schedule*", "__SCT__preempt_schedule*", "do_softirq", "__local_bh_enable_ip",
	"irq_exit_rcu", "__rcu_read_unlock", "rcu_read_unlock_special",
	/*
	 * functions that test whether they may sleep, or that sleep only for an argument that
	 * atomic callers do not pass
	 */
	"kvfree", "kvfree_call_rcu", "skb_copy_ubufs", "__put_task_struct", "*_nofault",
	"*_inatomic",
};

struct function {
	uint64_t offset, size; /* .offset: bytes from _text. .size: in bytes. */
	char *name;
	const char *sleeps; /* the function's name in a path, if it itself sleeps; else NULL */
	/* .barrier: the function is one of barriers[]. .decoded: .callees is filled. */
	bool barrier, decoded;
	/*
	 * .trusted is set by wv_sleep_trust(). .met is set when a search reaches the function and
	 * does not follow its calls because it is trusted.
	 */
	bool trusted, met;
	WV_VEC(uint32_t) callees; /* indices in .functions of struct wv_sleep_search */
	/*
	 * .search is the number of the last search that reached the function. .from and .depth are
	 * of that search: .from is the index of the caller in the path, and .depth is the number of
	 * calls in the path.
	 */
	uint32_t search, from, depth;
};

struct wv_sleep_search {
	struct wv_db *db;
	struct wv_decoder *decoder;
	sqlite3_stmt *by_name, *by_offset;
	WV_VEC(const char *) trusted; /* names of trusted functions; they belong to the caller */
	WV_VEC(struct function) functions;
	struct wv_hash by; /* finds elements of .functions by offset */
	uint32_t searches; /* number of searches so far; also the number of the current one */
	WV_VEC(uint32_t) queue; /* indices in .functions that the current search has reached */
};

int wv_sleep_search_create(struct wv_db *db, struct wv_sleep_search **ret, struct wv_error *error)
{
	struct wv_sleep_search *search = calloc(1, sizeof(*search));
	int err;

	if (!search)
		return wv_no_memory(error);
	search->db = db;
	err = wv_decoder_create(&search->decoder, error);
	if (!err)
		err = wv_db_prepare(db,
				    "SELECT offset FROM symbol WHERE name = ? AND flags & "
				    WV_SQL(WV_SYMBOL_GLOBAL) " AND " WV_SQL_IN_VMLINUX("offset"),
				    &search->by_name, error);
	if (!err)
		err = wv_db_prepare(db,
				    "SELECT name, size FROM symbol WHERE offset = ? AND "
				    WV_SQL_IS_PREFERRED("flags"),
				    &search->by_offset, error);
	if (err) {
		wv_sleep_search_destroy(search);
		return err;
	}
	*ret = search;
	return 0;
}

void wv_sleep_search_destroy(struct wv_sleep_search *search)
{
	if (!search)
		return;
	wv_vec_for_each(function, &search->functions) {
		free(function->name);
		wv_vec_deinit(&function->callees);
	}
	wv_vec_deinit(&search->functions);
	wv_vec_deinit(&search->trusted);
	wv_vec_deinit(&search->queue);
	wv_hash_deinit(&search->by);
	wv_decoder_destroy(search->decoder);
	sqlite3_finalize(search->by_name);
	sqlite3_finalize(search->by_offset);
	free(search);
}

static void judge(const struct wv_sleep_search *search, struct function *function)
{
	wv_vec_for_each(name, &search->trusted)
		function->trusted |= !strcmp(function->name, *name);
	for (size_t i = 0; i < sizeof(sleepers) / sizeof(*sleepers) && !function->sleeps; i++)
		if (!fnmatch(sleepers[i].pattern, function->name, 0))
			function->sleeps = sleepers[i].name ? sleepers[i].name : function->name;
	for (size_t i = 0; i < sizeof(barriers) / sizeof(*barriers); i++)
		function->barrier |= !fnmatch(barriers[i], function->name, 0);
}

static bool is_at(const void *functions, uint32_t position, const void *offset)
{
	return ((const struct function *)functions)[position].offset == *(const uint64_t *)offset;
}

/*
 * Sets *@ret to the index in .functions of the function that begins at @offset. Adds the function
 * to .functions if it is new. Sets *@ret to WV_HASH_NONE if no function begins there.
 */
static int get_function(struct wv_sleep_search *search, uint64_t offset, uint32_t *ret,
			struct wv_error *error)
{
	uint32_t hash = wv_hash_bytes(&offset, sizeof(offset));
	struct function *function;
	bool more;
	int err;

	*ret = wv_hash_find(&search->by, hash, is_at, search->functions.data, &offset);
	if (*ret != WV_HASH_NONE)
		return 0;
	sqlite3_reset(search->by_offset);
	sqlite3_bind_int64(search->by_offset, 1, (sqlite3_int64)offset);
	err = wv_db_step(search->db, search->by_offset, &more, error);
	if (err || !more)
		return err;
	function = wv_vec_push(&search->functions);
	if (!function)
		return wv_no_memory(error);
	function->offset = offset;
	function->size = sqlite3_column_int64(search->by_offset, 1);
	function->name = strdup(wv_db_text(search->by_offset, 0));
	*ret = function - search->functions.data;
	if (!function->name || wv_hash_add(&search->by, hash, *ret))
		return wv_no_memory(error);
	judge(search, function);
	return 0;
}

static int add_callee(struct wv_sleep_search *search, uint32_t caller, uint64_t target,
		      struct wv_error *error)
{
	struct function *function;
	uint32_t callee, *added;
	int err = get_function(search, target, &callee, error);

	if (err || callee == WV_HASH_NONE)
		return err;
	function = &search->functions.data[caller];
	added = wv_vec_push(&function->callees);
	if (!added)
		return wv_no_memory(error);
	*added = callee;
	return 0;
}

/* Fills .callees of the function at index @position: those that it calls or jumps to. */
static int decode(struct wv_sleep_search *search, uint32_t position, struct wv_error *error)
{
	uint64_t offset = search->functions.data[position].offset;
	uint64_t end = offset + search->functions.data[position].size, start = offset;
	struct wv_insn insn;
	int err = 0;

	search->functions.data[position].decoded = true;
	while (!err && offset < end) {
		uint8_t bytes[WEFT_INSN_MAX];
		size_t n = wv_db_bytes(search->db, offset, bytes, sizeof(bytes));
		uint64_t address = wv_db_text_address(search->db) + offset;
		size_t length = n ? wv_decode(search->decoder, bytes, n, address, &insn) : 0;

		if (!n)
			break;
		if (length && insn.direct) {
			uint64_t target = insn.target - wv_db_text_address(search->db);

			if (target < start || target >= end)
				err = add_callee(search, position, target, error);
		}
		offset += length ? length : 1;
	}
	return err;
}

static int enqueue(struct wv_sleep_search *search, uint32_t position, uint32_t from, uint32_t depth,
		   struct wv_error *error)
{
	struct function *function = &search->functions.data[position];
	uint32_t *added;

	if (function->search == search->searches)
		return 0;
	function->search = search->searches;
	function->from = from;
	function->depth = depth;
	added = wv_vec_push(&search->queue);
	if (!added)
		return wv_no_memory(error);
	*added = position;
	return 0;
}

/*
 * Searches for a function that sleeps by itself, beginning at the function with the index @first.
 * Sets *@ret to the index of the first such function that the search reaches, or to WV_HASH_NONE if
 * it reaches none. Does not follow the calls of trusted functions, unless @distrust is true.
 */
static int search_from(struct wv_sleep_search *search, uint32_t first, bool distrust,
		       uint32_t *ret, struct wv_error *error)
{
	int err;

	*ret = WV_HASH_NONE;
	search->searches++;
	search->queue.n = 0;
	err = enqueue(search, first, WV_HASH_NONE, 0, error);
	for (size_t i = 0; !err && i < search->queue.n && i < FUNCTIONS_MAX; i++) {
		uint32_t position = search->queue.data[i];
		const struct function *function = &search->functions.data[position];

		if (function->sleeps) {
			*ret = position;
			return 0;
		}
		if (function->trusted && !distrust) {
			search->functions.data[position].met = true;
			continue;
		}
		if (function->barrier || function->depth == DEPTH_MAX)
			continue;
		if (!function->decoded)
			err = decode(search, position, error);
		function = &search->functions.data[position];
		for (size_t call = 0; !err && call < function->callees.n; call++)
			err = enqueue(search, function->callees.data[call], position,
				      function->depth + 1, error);
	}
	return err;
}

/*
 * Adds to @path the path by which the last search has come to the function at index @position:
 * "dput -> might_sleep".
 */
static void write_path(const struct wv_sleep_search *search, uint32_t position, struct wv_str *path)
{
	const struct function *function = &search->functions.data[position];

	if (function->from != WV_HASH_NONE) {
		write_path(search, function->from, path);
		wv_str_add(path, " -> ");
	}
	wv_str_add(path, function->sleeps ? function->sleeps : function->name);
}

int wv_sleep_trust(struct wv_sleep_search *search, const char *name, enum wv_sleep_trust *ret,
		   struct wv_error *error)
{
	const char **added;

	*ret = WV_SLEEP_ITSELF;
	for (size_t i = 0; i < sizeof(sleepers) / sizeof(*sleepers); i++)
		if (!fnmatch(sleepers[i].pattern, name, 0) ||
		    (sleepers[i].name && !strcmp(sleepers[i].name, name)))
			return 0;
	added = wv_vec_push(&search->trusted);
	if (!added)
		return wv_no_memory(error);
	*added = name;
	wv_vec_for_each(function, &search->functions)
		function->trusted |= !strcmp(function->name, name);
	*ret = WV_SLEEP_TRUSTED;
	return 0;
}

int wv_sleep_trust_is_needed(struct wv_sleep_search *search, const char *name, bool *ret,
			     struct wv_error *error)
{
	int err = 0;

	*ret = false;
	/* Use an index: search_from() may add functions, which moves the array. */
	for (uint32_t i = 0; i < search->functions.n && !err && !*ret; i++) {
		const struct function *function = &search->functions.data[i];
		uint32_t found;

		if (!function->met || strcmp(function->name, name))
			continue;
		err = search_from(search, i, true, &found, error);
		*ret = !err && found != WV_HASH_NONE;
	}
	return err;
}

int wv_sleep_path(struct wv_sleep_search *search, const char *name, bool *ret, struct wv_str *path,
		  struct wv_error *error)
{
	uint32_t first, found = WV_HASH_NONE;
	bool more;
	int err;

	*ret = false;
	sqlite3_reset(search->by_name);
	wv_db_bind_text(search->by_name, 1, name);
	err = wv_db_step(search->db, search->by_name, &more, error);
	if (err || !more)
		return err;
	err = get_function(search, sqlite3_column_int64(search->by_name, 0), &first, error);
	if (!err && first != WV_HASH_NONE)
		err = search_from(search, first, false, &found, error);
	if (err || found == WV_HASH_NONE)
		return err;
	*ret = true;
	write_path(search, found, path);
	return 0;
}
