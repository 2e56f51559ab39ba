/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The common state of the searches for a variable at a shadow: the variables in scope, the stack
 * frame, the joinpoint. The values-*.c files use it; each of them finds one kind of variable.
 */
#ifndef WV_FINDER_H
#define WV_FINDER_H

#include "aspect/language/aspect-model.h"
#include "aspect/resolve/dwarf-expression.h"
#include "aspect/resolve/select.h"
#include "x86/decode.h"
#include "image/dwarf/scopes.h"
#include "image/module-files.h"
#include "image/dwarf/types.h"
#include "plan/function-cache.h"

/* The files that have the DWARF of a kernel. */
struct wv_kernel_files {
	const char *vmlinux;
	struct wv_module_files modules;
};

/* A kernel symbol that the aspect names in $sym(). */
struct wv_value_symbol {
	const char *name;
	uint64_t address;
	/* how many symbols have this name, each address counted once: local ones, global ones */
	size_t nr_local, nr_global;
};

struct wv_finder {
	struct wv_db *db;
	const struct wv_kernel_files *files;
	struct wv_image *kernel; /* the vmlinux */
	struct wv_scopes *kernel_scopes;
	/* the module that was used last, its image and scopes; .module NULL: none yet */
	const char *module;
	struct wv_image *module_image;
	struct wv_scopes *module_scopes;
	struct wv_scopes *scopes; /* the scopes of the image that contains .joinpoint */
	/* the address, in that image, at which variables are looked up in DWARF for .joinpoint */
	uint64_t at;
	struct wv_decoder *decoder;
	struct wv_functions *functions;
	uint64_t text; /* link address of _text */
	WV_VEC(struct wv_value_symbol) symbols; /* symbols of all $sym(): values-symbol.h */
	const struct wv_selected *joinpoint; /* the current joinpoint; NULL: none yet */
	struct wv_scope scope; /* the variables in scope at .joinpoint */
	/* the stack frame at .joinpoint; found only when a local needs it: then .has_cfa is set */
	struct wv_cfa cfa;
	bool has_cfa;
	/*
	 * A cache: the struct that was looked up last has the name .struct_name. Offsets in
	 * .debug_info of the unit searched and of the struct's entry; .struct_unit 0: nothing
	 * cached; .struct_entry 0: no such struct in the unit.
	 */
	uint64_t struct_unit, struct_entry;
	char struct_name[128];
	struct wv_error *error; /* owned by the caller */
};

/*
 * The result for one variable at one shadow. If the variable is unavailable there, .found.kind is
 * WV_FOUND_NOT and .found.why the reason.
 */
struct wv_finding {
	struct wv_found found;
	struct wv_type type;
	bool unknown; /* unavailable because no variable, member or symbol has this name */
	char why[384]; /* memory for .found.why, if its text is made for this finding */
	/*
	 * if .unknown, for $field: offset of the entry of the struct that lacks the name .lacking
	 */
	uint64_t structure;
	char lacking[128];
};

/*
 * The vmlinux of @files must have the build-id of @db, else -WV_E_MISMATCH. @files must stay valid.
 * Close the finder after a failure, too.
 */
int wv_finder_open(struct wv_finder *finder, struct wv_db *db, const struct wv_kernel_files *files);
void wv_finder_close(struct wv_finder *finder);

/*
 * Makes @joinpoint the one at which variables are found. It must stay valid until the next call.
 * -WV_E_FAILURE: the file of its module is not there; -WV_E_MISMATCH: the file is of another build.
 */
int wv_finder_look_at(struct wv_finder *finder, const struct wv_selected *joinpoint);

#endif /* WV_FINDER_H */
