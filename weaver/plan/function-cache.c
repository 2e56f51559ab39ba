// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads functions from the database for the splice engine; see function-cache.h. */
#include <stdlib.h>
#include <string.h>

#include "runtime/frame.h"
#include "runtime/joinpoint-table.h"
#include "image/patch-sites.h"
#include "database/db.h"
#include "database/db-handle.h"
#include "plan/function-cache.h"
#include "splice/liveness.h"

/* Limit of a function's size in bytes, against damaged databases. */
enum { SIZE_MAX_FUNCTION = 1 << 20 };

struct wv_functions {
	struct wv_db *db;
	struct wv_decoder *decoder;
	sqlite3_stmt *holds, *begins, *exported, *owners, *loads, *branch_targets;
	/*
	 * The function that was requested last: its link address, its size in bytes and its
	 * liveness. .liveness is NULL if no function is cached.
	 */
	uint64_t start, size;
	struct wv_liveness *liveness;
};

void wv_functions_destroy(struct wv_functions *functions)
{
	if (!functions)
		return;
	wv_liveness_destroy(functions->liveness);
	sqlite3_finalize(functions->holds);
	sqlite3_finalize(functions->begins);
	sqlite3_finalize(functions->exported);
	sqlite3_finalize(functions->owners);
	sqlite3_finalize(functions->loads);
	sqlite3_finalize(functions->branch_targets);
	wv_decoder_destroy(functions->decoder);
	free(functions);
}

int wv_functions_create(struct wv_db *db, struct wv_functions **ret, struct wv_error *error)
{
	struct wv_functions *functions = calloc(1, sizeof(*functions));
	int failed;

	*ret = NULL;
	if (!functions)
		return wv_no_memory(error);
	functions->db = db;
	failed = wv_decoder_create(&functions->decoder, error);
	if (!failed)
		failed = wv_db_prepare(
			db,
			"SELECT offset, size, flags FROM symbol WHERE offset <= ?"
			" AND " WV_SQL_IS_PREFERRED("flags") " ORDER BY offset DESC LIMIT 1",
			&functions->holds, error);
	if (!failed)
		failed = wv_db_prepare(db, "SELECT name, flags FROM symbol WHERE offset = ?"
				       " ORDER BY flags & " WV_SQL(WV_SYMBOL_ALIAS),
				       &functions->begins, error);
	/*
	 * Finds the function to which an image refers by name although another image defines it.
	 * The name identifies the function, because two modules cannot export the same name.
	 */
	if (!failed)
		failed = wv_db_prepare(db, "SELECT flags FROM symbol WHERE name = ? AND flags & "
				       WV_SQL(WV_SYMBOL_GLOBAL) " AND "
				       WV_SQL_IS_NO_LABEL("flags") " ORDER BY offset LIMIT 1",
				       &functions->exported, error);
	if (!failed)
		failed = wv_db_prepare(db, "SELECT offset, kind, target, size FROM owner"
				       " WHERE offset BETWEEN ?1 AND ?2 AND kind <> ?3"
				       " ORDER BY offset", &functions->owners, error);
	/* The labelled loads of a joinpoint in a range of offsets. */
	if (!failed)
		failed = wv_db_prepare(db, "SELECT offset FROM shadow WHERE joinpoint = ?1"
				       " AND offset BETWEEN ?2 AND ?3"
				       " AND use = ?4 AND precision = ?5",
				       &functions->loads, error);
	if (!failed)
		failed = wv_db_prepare(
			db,
			"SELECT offset FROM branch_target WHERE offset BETWEEN ? AND ? UNION ALL"
			" SELECT offset FROM symbol WHERE offset BETWEEN ?1 + 1 AND ?2",
			&functions->branch_targets, error);
	if (failed) {
		wv_functions_destroy(functions);
		return failed;
	}
	sqlite3_bind_int(functions->owners, 3, WV_OWNER_NO_PROBE);
	sqlite3_bind_int(functions->loads, 4, WEFT_EFFECT_LOAD);
	sqlite3_bind_int(functions->loads, 5, WEFT_PRECISION_EXACT);
	*ret = functions;
	return failed;
}

/*
 * Returns whether @name is the name of an indirect thunk, such as "__x86_indirect_thunk_r11". If it
 * is, sets *@ret to the number of the register that the name ends with.
 */
static bool thunk_register(const char *name, unsigned int *ret)
{
	static const char prefix[] = "__x86_indirect_thunk_";
	static const char *const registers[WR_NR_REGISTERS] = {
		"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
		"r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15",
	};

	if (strncmp(name, prefix, strlen(prefix)))
		return false;
	for (unsigned int reg = 0; reg < WR_NR_REGISTERS; reg++) {
		if (!strcmp(name + strlen(prefix), registers[reg])) {
			*ret = reg;
			return true;
		}
	}
	return false;
}

/*
 * Returns the flags of the function called @name that another image exports; 0: the database has
 * none.
 */
static uint32_t exported_flags(struct wv_functions *functions, const char *name)
{
	sqlite3_reset(functions->exported);
	wv_db_bind_text(functions->exported, 1, name);
	return sqlite3_step(functions->exported) == SQLITE_ROW ?
		       sqlite3_column_int(functions->exported, 0) : 0;
}

enum wv_callee wv_functions_callee(void *context, uint64_t address, unsigned int *ret)
{
	struct wv_functions *functions = context;
	const char *name;
	uint32_t flags;

	sqlite3_reset(functions->begins);
	sqlite3_bind_int64(functions->begins, 1,
			   (sqlite3_int64)(address - functions->db->text_address));
	while (sqlite3_step(functions->begins) == SQLITE_ROW) {
		name = wv_db_text(functions->begins, 0);
		if (thunk_register(name, ret))
			return WV_CALLEE_THUNK;
		if (!strcmp(name, "__x86_return_thunk"))
			return WV_CALLEE_RETURN;
		if (!strcmp(name, "__fentry__"))
			return WV_CALLEE_NEUTRAL;
		flags = sqlite3_column_int(functions->begins, 1);
		if (flags & WV_SYMBOL_IMPORT)
			flags = exported_flags(functions, name);
		*ret = flags >> WV_SYMBOL_GIVEN_SHIFT & WV_SYMBOL_GIVEN;
		if (flags & WV_SYMBOL_COMPILED)
			return WV_CALLEE_COMPILED;
	}
	return WV_CALLEE_UNKNOWN;
}

/*
 * weft.ko's refusal for each kind of owner; 0: no refusal. Alternatives and paravirt sites are not
 * refused, because they do not change any more once the kernel has booted.
 */
static const uint8_t refusals[] = {
	[WV_OWNER_STATIC_CALL] = WEFT_REFUSAL_STATIC_CALL,
	[WV_OWNER_JUMP_LABEL] = WEFT_REFUSAL_JUMP_LABEL,
	[WV_OWNER_EXCEPTION] = WEFT_REFUSAL_EXCEPTION,
	[WV_OWNER_NO_PROBE] = 0,
};

int wv_functions_rewritten(struct wv_functions *functions, uint64_t offset, uint64_t size,
			   wv_rewritten_list *ret, struct wv_error *error)
{
	const uint64_t text = functions->db->text_address;
	bool more;
	int failed;

	sqlite3_reset(functions->owners);
	sqlite3_bind_int64(functions->owners, 1, (sqlite3_int64)offset);
	sqlite3_bind_int64(functions->owners, 2, (sqlite3_int64)(offset + size));
	failed = wv_db_step(functions->db, functions->owners, &more, error);
	while (!failed && more) {
		struct wv_rewritten *rewritten = wv_vec_push(ret);
		unsigned int kind = sqlite3_column_int(functions->owners, 1);

		if (!rewritten)
			return wv_no_memory(error);
		rewritten->address = text + sqlite3_column_int64(functions->owners, 0);
		rewritten->jumps = kind == WV_OWNER_JUMP_LABEL;
		rewritten->refusal =
			kind < sizeof(refusals) / sizeof(refusals[0]) ? refusals[kind] : 0;
		if (kind == WV_OWNER_JUMP_LABEL || kind == WV_OWNER_EXCEPTION)
			rewritten->target = text + sqlite3_column_int64(functions->owners, 2);
		rewritten->size = sqlite3_column_int(functions->owners, 3);
		failed = wv_db_step(functions->db, functions->owners, &more, error);
	}
	return failed;
}

/* Analyses the function at @offset and caches the result in functions->liveness. */
static int analyse(struct wv_functions *functions, uint64_t offset, bool compiled,
		   struct wv_error *error)
{
	wv_rewritten_list rewritten = { 0 };
	uint8_t *bytes = malloc(functions->size);
	struct wv_function_info function = {
		.start = functions->start, .bytes = bytes, .size = functions->size,
		.compiled = compiled, .callee = wv_functions_callee, .context = functions,
	};
	int ret = bytes ? wv_functions_rewritten(functions, offset, functions->size, &rewritten,
						 error)
			: wv_no_memory(error);

	if (!ret) {
		function.size = wv_db_bytes(functions->db, offset, bytes, functions->size);
		function.rewritten = rewritten.data;
		function.nr_rewritten = rewritten.n;
		ret = wv_liveness_create(&function, functions->decoder, &functions->liveness,
					 error);
	}
	wv_vec_deinit(&rewritten);
	free(bytes);
	return ret;
}

/*
 * Caches the function that contains @address. Sets *@ret to false if no function contains it, or if
 * that function is too large.
 */
static int find(struct wv_functions *functions, uint64_t address, bool *ret, struct wv_error *error)
{
	uint64_t offset;
	bool more;
	int failed;

	*ret = functions->liveness && address - functions->start < functions->size;
	if (*ret)
		return 0;
	sqlite3_reset(functions->holds);
	sqlite3_bind_int64(functions->holds, 1,
			   (sqlite3_int64)(address - functions->db->text_address));
	failed = wv_db_step(functions->db, functions->holds, &more, error);
	if (failed || !more)
		return failed;
	offset = sqlite3_column_int64(functions->holds, 0);
	wv_liveness_destroy(functions->liveness);
	functions->liveness = NULL;
	functions->start = functions->db->text_address + offset;
	functions->size = sqlite3_column_int64(functions->holds, 1);
	if (address - functions->start >= functions->size || functions->size > SIZE_MAX_FUNCTION)
		return 0;
	failed = analyse(functions, offset,
			 sqlite3_column_int(functions->holds, 2) & WV_SYMBOL_COMPILED, error);
	*ret = !failed;
	return failed;
}

int wv_functions_live(struct wv_functions *functions, uint64_t address, uint32_t *ret,
		      struct wv_error *error)
{
	bool found;
	int failed = find(functions, address, &found, error);

	*ret = found ? wv_liveness_at(functions->liveness, address) : WEFT_LIVE_UNKNOWN;
	return failed;
}

int wv_functions_live_out(struct wv_functions *functions, uint64_t address, uint32_t *ret,
			     struct wv_error *error)
{
	bool found;
	int failed = find(functions, address, &found, error);

	*ret = found ? wv_liveness_out(functions->liveness, address) : WEFT_LIVE_UNKNOWN;
	return failed;
}

typedef WV_VEC(uint64_t) addresses;
typedef WV_VEC(struct wv_load) load_list;

static int add_addresses(struct wv_functions *functions, sqlite3_stmt *statement, addresses *ret,
		       struct wv_error *error)
{
	bool more;
	int failed = wv_db_step(functions->db, statement, &more, error);

	while (!failed && more) {
		uint64_t *address = wv_vec_push(ret);

		if (!address)
			return wv_no_memory(error);
		*address = functions->db->text_address + sqlite3_column_int64(statement, 0);
		failed = wv_db_step(functions->db, statement, &more, error);
	}
	return failed;
}

/*
 * Adds a struct wv_load for each of the @labelled instructions that loads eight bytes by a plain
 * move.
 */
static int add_loads(struct wv_functions *functions, const addresses *labelled, load_list *ret,
		     struct wv_error *error)
{
	wv_vec_for_each(address, labelled) {
		uint8_t bytes[WEFT_INSN_MAX];
		size_t n = wv_db_bytes(functions->db, *address - functions->db->text_address, bytes,
				       sizeof(bytes));
		struct wv_access access;
		struct wv_load *load;

		if (!wv_decode_access(functions->decoder, bytes, n, *address, &access) ||
		    access.loaded == WV_NO_REGISTER || access.size != sizeof(uint64_t) ||
		    access.index != WV_NO_REGISTER ||
		    (access.base == WV_NO_REGISTER && !access.relative))
			continue;
		load = wv_vec_push(ret);
		if (!load)
			return wv_no_memory(error);
		*load = (struct wv_load){ .address = *address,
					  .to = access.loaded,
					  .base = access.base,
					  .displacement = access.relative ? (int64_t)access.address
									  : access.displacement };
	}
	return 0;
}

/*
 * Adds the addresses that @statement returns and that are in the cached function. The statement's
 * parameters @first and @first + 1 get the first and the last offset of the function.
 */
static int read_addresses(struct wv_functions *functions, sqlite3_stmt *statement, int first,
			  addresses *ret, struct wv_error *error)
{
	uint64_t start = functions->start - functions->db->text_address;

	sqlite3_bind_int64(statement, first, (sqlite3_int64)start);
	sqlite3_bind_int64(statement, first + 1, (sqlite3_int64)(start + functions->size - 1));
	return add_addresses(functions, statement, ret, error);
}

int wv_functions_reaching_load(struct wv_functions *functions, uint64_t joinpoint, uint64_t address,
			       bool *found_ret, struct wv_load *ret, struct wv_error *error)
{
	addresses branch_targets = { 0 }, labelled = { 0 };
	load_list loads = { 0 };
	bool found;
	int failed = find(functions, address, &found, error);

	*found_ret = false;
	if (failed || !found)
		return failed;
	sqlite3_reset(functions->loads);
	sqlite3_bind_int64(functions->loads, 1, (sqlite3_int64)joinpoint);
	failed = read_addresses(functions, functions->loads, 2, &labelled, error);
	sqlite3_reset(functions->branch_targets);
	if (!failed)
		failed = read_addresses(functions, functions->branch_targets, 1, &branch_targets,
					error);
	if (!failed)
		failed = add_loads(functions, &labelled, &loads, error);
	if (!failed) {
		struct wv_reaching_load_input input = {
			.graph = wv_liveness_graph(functions->liveness),
			.branch_targets = branch_targets.data,
			.nr_branch_targets = branch_targets.n,
			.loads = loads.data,
			.nr_loads = loads.n,
			.call = address,
		};

		failed = wv_reaching_load_find(&input, found_ret, ret, error);
	}
	wv_vec_deinit(&labelled);
	wv_vec_deinit(&branch_targets);
	wv_vec_deinit(&loads);
	return failed;
}
