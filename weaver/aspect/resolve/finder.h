/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Context for finding a variable at a shadow: its scope, its frame, its joinpoint. Used by the
 * values-*.c files, each of which finds one kind of variable.
 */
#ifndef WV_FINDER_H
#define WV_FINDER_H

#include "aspect/language/aspect-model.h"
#include "aspect/resolve/dwarf-expression.h"
#include "aspect/resolve/select.h"
#include "x86/decode.h"
#include "image/dwarf/scopes.h"
#include "image/dwarf/types.h"
#include "plan/function-cache.h"

/* A symbol of the kernel that a $sym() names. */
struct wv_value_symbol {
	const char *name;
	uint64_t address;
	size_t nr_local, nr_global; /* number of symbols of this name at different addresses */
};

struct wv_finder {
	struct wv_image *image;
	struct wv_scopes *scopes;
	struct wv_decoder *decoder;
	struct wv_functions *functions;
	uint64_t text; /* link address of _text */
	WV_VEC(struct wv_value_symbol) symbols; /* symbols of all $sym(): values-symbol.h */
	const struct wv_selected *joinpoint; /* the current joinpoint; NULL: none yet */
	struct wv_scope scope; /* scope at its shadow */
	struct wv_cfa cfa;     /* frame at its shadow; valid only if .has_cfa, which locals need */
	bool has_cfa;
	/* Unit and entry of the struct that was looked up last, by its name. */
	uint64_t struct_unit, struct_entry;
	char struct_name[128];
	struct wv_error *error; /* owned by the caller */
};

/* One variable at one shadow. If it is unavailable, .found.kind is WV_FOUND_NOT. */
struct wv_finding {
	struct wv_found found;
	struct wv_type type;
	bool unknown; /* unavailable because nothing has this name */
};

/* @vmlinux must have @db's build-id. Close the finder also after a failure. */
int wv_finder_open(struct wv_finder *finder, struct wv_db *db, const char *vmlinux);
void wv_finder_close(struct wv_finder *finder);

/* Moves the finder to @joinpoint, which must stay valid until the next move. */
int wv_finder_look_at(struct wv_finder *finder, const struct wv_selected *joinpoint);

#endif /* WV_FINDER_H */
