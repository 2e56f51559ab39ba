/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files that find values have in common. */
#ifndef WV_VALUES_INTERNAL_H
#define WV_VALUES_INTERNAL_H

#include "aspect/resolve/dwarf-expression.h"
#include "aspect/resolve/values.h"
#include "x86/decode.h"
#include "image/dwarf/scopes.h"
#include "plan/function-cache.h"
#include "base/suggest.h"

struct wv_value_symbol {
	const char *name;
	uint64_t address;
	size_t nr_local, nr_global; /* of this name, at different addresses */
};

/* The image, and what is known of the shadow that is looked at. */
struct wv_finder {
	struct wv_image *image;
	struct wv_scopes *scopes;
	struct wv_decoder *decoder;
	struct wv_functions *functions;
	uint64_t text;
	WV_VEC(struct wv_value_symbol) symbols;
	const struct wv_selected *joinpoint;
	struct wv_scope scope; /* at the shadow */
	struct wv_cfa cfa;     /* there; looked for when a local is */
	bool has_cfa;
	uint64_t struct_unit, struct_entry; /* where the struct that was looked for last is, by its name */
	char struct_name[128];
	struct wv_error *error;
};

/* One variable at one shadow. Where it cannot be had .found.kind is WV_FOUND_NOT. */
struct wv_finding {
	struct wv_found found;
	struct wv_type type;
	bool unknown; /* since nothing has this name */
};

/* Each returns 0 also where it cannot be had; errors are those of the image. */
int wv_find_local(struct wv_finder *finder, const char *name, struct wv_finding *ret);
int wv_find_member(struct wv_finder *finder, const struct wv_reference *named, struct wv_finding *ret);
int wv_find_symbol(struct wv_finder *finder, const char *name, struct wv_finding *ret);

int wv_find_return(struct wv_finder *finder, struct wv_finding *ret);

/* The type of the member that the joinpoint accesses; *@known_ret is false where DWARF does not tell. */
int wv_find_member_type(struct wv_finder *finder, bool *known_ret, struct wv_type *ret);

/* The locals that can be had here. */
int wv_find_available(struct wv_finder *finder, void (*visit)(const char *name, void *context), void *context);

/* The entry of the struct whose member is accessed here; 0: nobody knows. */
int wv_find_structure(struct wv_finder *finder, uint64_t *ret);

/* Names like that of @named, which cannot be had here (values-suggest.c). */
int wv_suggest(struct wv_finder *finder, const struct wv_reference *named, struct wv_suggestion *suggestion);

/* Tells apart the texts of each value once they are all there (values-locations.c). */
int wv_values_number(struct wv_values *values, struct wv_error *error);

#endif /* WV_VALUES_INTERNAL_H */
