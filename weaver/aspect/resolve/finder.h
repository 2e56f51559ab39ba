/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of the shadow at which a variable is looked for: its scope, its frame, its
 * joinpoint. The values-*.c files ask it, each for one kind of variable.
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

/* A symbol of the kernel that some $sym() names. */
struct wv_value_symbol {
	const char *name;
	uint64_t address;
	size_t nr_local, nr_global; /* symbols of this name, at different addresses */
};

struct wv_finder {
	struct wv_image *image;
	struct wv_scopes *scopes;
	struct wv_decoder *decoder;
	struct wv_functions *functions;
	uint64_t text; /* link address of _text */
	WV_VEC(struct wv_value_symbol) symbols; /* values-symbol.h */
	const struct wv_selected *joinpoint; /* that is looked at; NULL: none yet */
	struct wv_scope scope; /* at its shadow */
	struct wv_cfa cfa;     /* there; only where .has_cfa, which locals need */
	bool has_cfa;
	/* Unit and entry of the struct that was looked for last, by its name. */
	uint64_t struct_unit, struct_entry;
	char struct_name[128];
	struct wv_error *error; /* the caller's */
};

/* One variable at one shadow. Where it cannot be had .found.kind is WV_FOUND_NOT. */
struct wv_finding {
	struct wv_found found;
	struct wv_type type;
	bool unknown; /* since nothing has this name */
};

/* @vmlinux must have @db's build-id. Close it also after a failure. */
int wv_finder_open(struct wv_finder *finder, struct wv_db *db, const char *vmlinux);
void wv_finder_close(struct wv_finder *finder);

/* Moves it to @joinpoint, which must live until the next move. */
int wv_finder_look_at(struct wv_finder *finder, const struct wv_selected *joinpoint);

#endif /* WV_FINDER_H */
