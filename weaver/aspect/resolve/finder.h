/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The common state of the searches for a variable at a shadow: the joinpoint, the variables in
 * scope, the stack frame. The files values-*.c use it; each of them finds one kind of variable.
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
	/*
	 * number of local and of global symbols with this name; symbols at the same address count
	 * once
	 */
	size_t nr_local, nr_global;
};

struct wv_finder {
	struct wv_db *db; /* of the kernel, or of the program of .joinpoint */
	struct wv_db *kernel_db;
	const struct wv_kernel_files *files;
	struct wv_image *kernel; /* the vmlinux */
	struct wv_scopes *kernel_scopes;
	/* the module that was used last, its image and its scopes; .module NULL: none yet */
	const char *module;
	struct wv_image *module_image;
	struct wv_scopes *module_scopes;
	/*
	 * address, in the image of .scopes, at which DWARF is searched for variables of .joinpoint
	 */
	struct wv_scopes *scopes;
	/* address in that image at which DWARF is searched for variables of .joinpoint */
	uint64_t at;
	struct wv_decoder *decoder;
	/* the functions of .db, and those of .kernel_db */
	struct wv_functions *functions, *kernel_functions;
	/*
	 * for the kernel: link address of _text; for a program: the link address of its text minus
	 * the text's offset in the file
	 */
	uint64_t text;
	WV_VEC(struct wv_value_symbol) symbols; /* symbols of all $sym(): values-symbol.h */
	/* the joinpoint at which variables are looked up; NULL: none yet */
	const struct wv_selected *joinpoint;
	struct wv_scope scope; /* the variables in scope at .joinpoint */
	/*
	 * stack frame at .joinpoint; valid if .has_cfa, which is set when a local variable first
	 * needs it
	 */
	struct wv_cfa cfa;
	bool has_cfa;
	/*
	 * A cache of the last search for a struct.
	 * .struct_name: the name of the struct.
	 * .struct_unit: offset in .debug_info of the unit that was searched; 0: the cache is empty.
	 * .struct_entry: offset in .debug_info of the struct's entry; 0: the unit has no such
	 * struct.
	 */
	uint64_t struct_unit, struct_entry;
	char struct_name[128];
	struct wv_error *error; /* belongs to the caller */
};

/*
 * The result for one variable at one shadow. If the variable is unavailable there, .found.kind is
 * WV_FOUND_NOT, and .found.why is the reason.
 */
struct wv_finding {
	struct wv_found found;
	struct wv_type type;
	bool unknown; /* true: unavailable because nothing has this name */
	char why[384]; /* memory for .found.why, if the text of the reason is not constant */
	/*
	 * if .unknown is set for a $field: the type, mostly a struct, that has no member .lacking,
	 * as the offset of its DWARF entry
	 */
	uint64_t structure;
	char lacking[128];
};

/*
 * Opens the vmlinux of @files; NULL: no variables of the kernel are looked up. Returns
 * -WV_E_MISMATCH if the vmlinux has another build-id than @db. @files must stay valid. The finder
 * must be closed after a failure, too.
 */
int wv_finder_open(struct wv_finder *finder, struct wv_db *db, const struct wv_kernel_files *files);
void wv_finder_close(struct wv_finder *finder);

/*
 * Makes @joinpoint the one at which variables are found. @joinpoint must stay valid until the next
 * call. Returns:
 * -WV_E_FAILURE: the file of the joinpoint's module does not exist.
 * -WV_E_MISMATCH: that file is of another build.
 */
int wv_finder_look_at(struct wv_finder *finder, const struct wv_selected *joinpoint);

#endif /* WV_FINDER_H */
