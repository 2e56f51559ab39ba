// SPDX-License-Identifier: GPL-2.0-or-later
/* Adds the names of functions to a recording's table; see recorded-symbols.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/order.h"
#include "base/vec.h"
#include "live/recorded-symbols.h"
#include "trace/recording.h"

/*
 * RECENT: number of recently seen addresses that are remembered. Records have the same few
 * addresses of functions again and again, and a remembered address is not added to .list again.
 * NAME_MAX_: size in bytes of the buffer for a name with its module.
 */
enum { RECENT = 1024, NAME_MAX_ = 512 };

struct addresses {
	WV_VEC(uint64_t) list;	 /* may have an address more than once */
	uint64_t recent[RECENT]; /* indexed by a hash of the address */
};

static int add_address(struct addresses *addresses, uint64_t address, struct wv_error *error)
{
	uint64_t *recent = &addresses->recent[(address ^ address >> 12) % RECENT], *added;

	if (*recent == address)
		return 0;
	*recent = address;
	added = wv_vec_push(&addresses->list);
	if (!added)
		return wv_no_memory(error);
	*added = address;
	return 0;
}

/* Adds to @addresses those values of one record that are printed as names of functions. */
static int collect(struct addresses *addresses, const struct wv_raw *raw, struct wv_error *error)
{
	const struct wv_argument_fields *fields = &raw->statement->fields;
	struct wv_arguments arguments = { .bytes = raw->values, .n = raw->size, .fields = fields };
	int err = 0;

	if (raw->has_text)
		return 0;
	while (arguments.field < fields->n && !err) {
		const struct wv_argument_field *field = &fields->list[arguments.field];
		struct wv_argument argument;

		err = wv_argument_take(&arguments, &argument, error);
		if (!err && field->type == 'p' && field->size &&
		    (field->extension == 's' || field->extension == 'S'))
			err = add_address(addresses, argument.number, error);
	}
	return err;
}

static int collect_all(const char *path, struct addresses *addresses, struct wv_error *error)
{
	struct wv_recording *recording = malloc(sizeof(*recording));
	int err;

	if (!recording)
		return wv_no_memory(error);
	err = wv_recording_open(path, recording, error);
	if (!err) {
		wv_vec_for_each(stream, &recording->streams) {
			struct wv_raw raw;
			bool any = true;

			while (!err && any) {
				err = wv_recording_next_raw(recording, stream, &raw, &any, error);
				if (!err && any)
					err = collect(addresses, &raw, error);
			}
		}
		wv_recording_close(recording);
	}
	free(recording);
	return err;
}

static int compare(const void *a, const void *b, void *context)
{
	return wv_order(*(const uint64_t *)a, *(const uint64_t *)b);
}

/*
 * A symbol of /proc/kallsyms. Of several symbols with one address, the first in the file is used.
 */
struct symbol {
	uint64_t address;
	size_t order; /* the symbol's place in the file */
	char *name; /* the name, followed by " [MODULE]" if the symbol is a module's */
};

struct symbols {
	WV_VEC(struct symbol) list;
};

static int compare_symbols(const void *a_, const void *b_, void *context)
{
	const struct symbol *a = a_, *b = b_;

	return wv_order(a->address, b->address) ?: wv_order(a->order, b->order);
}

static int read_symbols(struct symbols *symbols, struct wv_error *error)
{
	_cleanup_fclose_ FILE *stream = fopen("/proc/kallsyms", "re");
	_cleanup_free_ char *line = NULL;
	size_t size = 0;

	if (!stream)
		return wv_fail_errno(error, errno, "/proc/kallsyms");
	while (getline(&line, &size, stream) > 0) {
		struct symbol *symbol;
		uint64_t address;
		char type;
		int at;

		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%" SCNx64 " %c %n", &address, &type, &at) != 2 || !address)
			continue;
		symbol = wv_vec_push(&symbols->list);
		if (!symbol)
			return wv_no_memory(error);
		*symbol = (struct symbol){ .address = address,
					   .order = symbols->list.n,
					   .name = strdup(line + at) };
		if (!symbol->name)
			return wv_no_memory(error);
	}
	wv_sort(symbols->list.data, symbols->list.n, sizeof(*symbols->list.data), compare_symbols,
		NULL);
	return 0;
}

/* Returns the index of the first symbol whose address is greater than @address. */
static size_t first_after(const struct symbols *symbols, uint64_t address)
{
	return wv_vec_partition(&symbols->list, symbol, symbol->address <= address);
}

static void write_symbol(const struct symbols *symbols, size_t after, struct wv_str *out)
{
	const struct symbol *list = symbols->list.data;
	size_t first = after - 1;
	char name[NAME_MAX_], *module;

	while (first && list[first - 1].address == list[first].address)
		first--;
	snprintf(name, sizeof(name), "%s", list[first].name);
	module = name + strcspn(name, "\t ");
	if (*module)
		*module++ = '\0';
	module += strspn(module, "\t [");
	module[strcspn(module, "]")] = '\0';
	wv_trace_write_symbol(&(struct wv_trace_symbol){ .begin = list[first].address,
							 .end = list[after].address,
							 .name = name,
							 .module = module },
			      out);
}

static int write_symbols(const struct addresses *addresses, struct wv_growing *table,
			 struct wv_error *error)
{
	_cleanup_str_ struct wv_str text = { 0 };
	struct symbols symbols = { 0 };
	int err = read_symbols(&symbols, error), why = 0;
	size_t last = 0;

	wv_vec_for_each(address, &addresses->list) {
		const size_t after = err ? 0 : first_after(&symbols, *address);

		/* The last symbol is left out, because its end is not known. */
		if (after && after < symbols.list.n && after != last)
			write_symbol(&symbols, after, &text);
		last = after;
	}
	if (!err && text.n)
		why = wv_growing_add_text(table, &text);
	wv_vec_for_each(symbol, &symbols.list)
		free(symbol->name);
	wv_vec_deinit(&symbols.list);
	return why ? wv_fail_errno(error, why, "the names of functions in the recording") : err;
}

int wv_record_symbols(const char *path, struct wv_growing *table, struct wv_error *error)
{
	struct addresses *addresses = calloc(1, sizeof(*addresses));
	int err;

	if (!addresses)
		return wv_no_memory(error);
	err = collect_all(path, addresses, error);
	wv_sort(addresses->list.data, addresses->list.n, sizeof(*addresses->list.data), compare,
		NULL);
	if (!err && addresses->list.n)
		err = write_symbols(addresses, table, error);
	wv_vec_deinit(&addresses->list);
	free(addresses);
	return err;
}
