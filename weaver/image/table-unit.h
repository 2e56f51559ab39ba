/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A unit of the plugin's joinpoint table, as table-reader.h reads it. A unit describes the code of
 * one object file. If a unit was read without error, every number in it that refers to something is
 * valid, and every string is terminated.
 */
#ifndef WV_TABLE_UNIT_H
#define WV_TABLE_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "runtime/joinpoint-table.h"

struct wv_unit_field {
	uint32_t structure, member, path; /* indices of strings */
	uint32_t flags;			  /* WEFT_FIELD_* */
	/*
	 * .path_kind says how the path is built (enum weft_path). It decides what .up is: the index
	 * of the prefix (a string), or the index of the parent (a field).
	 */
	uint32_t path_kind, up;
};

struct wv_unit_function {
	uint32_t name;	/* index of a string */
	uint32_t flags; /* WEFT_FUNCTION_* */
};

struct wv_unit_access {
	uint32_t field, function; /* indices in struct wv_unit */
	uint8_t kind;		  /* enum weft_kind */
	bool has_macro;
	uint8_t spelling; /* enum weft_spelling: how the members from .macro on were stored */
	/* .file is the index of a string. */
	uint32_t file, line, column;
	uint32_t macro, spelling_file, spelling_line, spelling_column;
};

struct wv_unit_label {
	uint64_t address;
	uint32_t access;   /* index of its access in .accesses */
	/* index in .functions of the emitted function that contains the instruction */
	uint32_t function;
	uint8_t effect;	   /* enum weft_access_effect */
	bool same;	   /* the label has the same address as the label before it */
	uint32_t section;  /* number of the text section, counted in the unit */
};

#define WV_NO_SERVANT UINT32_MAX

/* The fate of an access that has no instruction of its own in an emitted function. */
struct wv_unit_fate {
	uint32_t access;
	uint32_t function; /* index in .functions of the emitted function */
	uint8_t fate;	   /* enum weft_fate */
	/*
	 * index in .labels of the instruction that does the access's work; WV_NO_SERVANT: not known
	 */
	uint32_t servant;
};

/*
 * One unit. Reading the next unit into the same struct reuses its vectors and memory. The bytes of
 * the strings lie in the section, in .lists or in .paths.
 */
struct wv_unit {
	size_t offset; /* offset of the unit in the section, in bytes; for messages */
	WV_VEC(const char *) strings;
	uint32_t compilation_directory, main_file; /* indices of strings */
	WV_VEC(struct wv_unit_field) fields;
	WV_VEC(struct wv_unit_function) functions;
	WV_VEC(struct wv_unit_access) accesses;
	WV_VEC(struct wv_unit_label) labels;
	WV_VEC(struct wv_unit_fate) fates; /* none if !has_fates */
	bool has_fates; /* the table's version has fates */
	size_t nr_dropped; /* number of ranges whose section the linker dropped */
	uint8_t *lists;	   /* memory for the decompressed lists; owned */
	char *paths;
	/* index of the empty string, the path of fields whose path is "struct.member" */
	uint32_t no_path;
};

#endif /* WV_TABLE_UNIT_H */
