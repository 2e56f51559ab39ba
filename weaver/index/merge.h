/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges the units of a joinpoint table. The same access, compiled into many objects through a
 * header, becomes one joinpoint with the labels of all objects. Two accesses are one joinpoint if
 * all members of struct wv_joinpoint are equal.
 */
#ifndef WV_MERGE_H
#define WV_MERGE_H

#include "base/hash.h"
#include "base/pool.h"
#include "base/vec.h"
#include "image/paths.h"
#include "image/table-reader.h"

#define WV_NO_MACRO UINT32_MAX

struct wv_field {
	uint32_t structure, member, path; /* numbers in .names */
	uint32_t flags;			  /* WEFT_FIELD_* */
};

struct wv_source_function {
	uint32_t name;
	uint32_t flags; /* WEFT_FUNCTION_* */
};

struct wv_joinpoint {
	uint32_t field, function; /* positions in .fields and .functions */
	uint32_t kind;		  /* enum weft_kind */
	uint32_t file, line, column;
	/* number in .names, or WV_NO_MACRO; without a macro the spelling_* members are 0 */
	uint32_t macro;
	uint32_t spelling_file, spelling_line, spelling_column;
};

struct wv_label {
	uint64_t address;
	uint32_t joinpoint; /* position in .joinpoints */
	uint32_t group;	    /* equal for all labels of one emitted function in one unit */
	uint8_t effect;	    /* enum weft_access_effect */
};

/* The fate of an access that has no instruction of its own in an emitted function. */
struct wv_fate {
	uint32_t joinpoint; /* position in .joinpoints */
	uint32_t group;	    /* group of the emitted function's labels, if it has labels */
	uint32_t function;  /* number in .names of the emitted function's name */
	/*
	 * The servant's label: position in .labels, or WV_NO_SERVANT. Valid before wv_merge_sort().
	 */
	uint32_t label;
	/* the servant: position in .joinpoints, or WV_NO_SERVANT; valid after wv_merge_sort() */
	uint32_t servant;
	/* address of the servant's instruction, 0 if there is none; valid after wv_merge_sort() */
	uint64_t address;
	uint8_t fate;	    /* enum weft_fate */
};

/* A contiguous piece of an image's text. */
struct wv_text_range {
	uint64_t start, end; /* link addresses */
};

struct wv_merge {
	struct wv_pool names;
	struct wv_paths paths; /* all source files, including those of the line tables */
	WV_VEC(struct wv_field) fields;
	WV_VEC(struct wv_source_function) functions;
	WV_VEC(struct wv_joinpoint) joinpoints;
	WV_VEC(struct wv_label) labels;
	WV_VEC(struct wv_fate) fates; /* if .partial, only fates in the text of .labelled */
	struct wv_hash field_index, function_index, joinpoint_index;
	size_t nr_units, nr_accesses, nr_dropped;
	uint32_t next_group;
	/*
	 * Whether the image was built without the plugin (parsed.h). If so, the labels are known
	 * only in the ranges of .labelled. If not, they are known in all text.
	 */
	bool partial;
	WV_VEC(struct wv_text_range) labelled; /* sorted once wv_merge_sort() has run */
	struct wv_pool units;	    /* if .partial: the main source files of the image's units */
	/* the accesses of a unit were added; indexed by number in .units */
	WV_VEC(bool) unit_is_known;
	WV_VEC(uint32_t) scratch; /* working memory of wv_merge_unit() */
	/* wv_merge_sort() fills the members from here on. */
	WV_VEC(const char *) files; /* final names, ascending; owned by paths */
	/* the position in .files of each file; indexed by number in .paths */
	WV_VEC(uint32_t) file_of;
};

/* Releases everything. An all-zero struct is empty and valid. */
void wv_merge_deinit(struct wv_merge *merge);

/* Adds all accesses of @unit. */
int wv_merge_unit(struct wv_merge *merge, const struct wv_unit *unit, struct wv_error *error);

/*
 * Sorts everything into its final order, and translates all positions and numbers accordingly. Call
 * this when all units and line tables have been added. The order depends on names only, not on the
 * order in which the units were added:
 * - Fields, functions and files ascend by name.
 * - Joinpoints ascend by field, file, line, column and the remaining members.
 * - Labels ascend by joinpoint, address and access effect. Equal labels become one.
 * - Fates ascend by joinpoint.
 * File numbers in joinpoints become positions in .files.
 */
int wv_merge_sort(struct wv_merge *merge, struct wv_error *error);

/*
 * Returns whether the labels at @address are known. If they are, an instruction at @address that
 * has no label does no access that the compiler knows of. @merge must be sorted.
 */
bool wv_merge_is_labelled(const struct wv_merge *merge, uint64_t address);

#endif /* WV_MERGE_H */
