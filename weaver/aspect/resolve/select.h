/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resolves an aspect against a database: finds the joinpoints that its pointcuts pick, as the
 * module's table will list them. Does not depend on the generated C.
 */
#ifndef WV_SELECT_H
#define WV_SELECT_H

#include "aspect/resolve/after.h"
#include "aspect/resolve/program.h"
#include "aspect/resolve/text-parts.h"
#include "aspect/language/aspect-model.h"
#include "aspect/xml/errors.h"
#include "aspect/resolve/pick-query.h"
#include "database/db.h"
#include "database/query.h"

/*
 * For around-advice: which registers must be as they were when the advice returns to the function's
 * caller (struct wv_signature.preserves).
 */
enum wv_preserves {
	WV_PRESERVES_USUAL, /* those of the calling convention */
	WV_PRESERVES_MOST,  /* all but that of the result */
	WV_PRESERVES_ALL,   /* all; the function returns nothing */
};

struct wv_selected {
	uint64_t offset; /* offset of the shadow in the database */
	/* number of the shadow's part, and the offset in this part; set by wv_selection_query() */
	uint32_t part;
	uint64_t text_offset;
	size_t advice; /* index into the aspect's advices */
	uint32_t live; /* .live to .slot_c_size are as in struct weft_joinpoint */
	uint8_t before, displaced;
	int16_t slot;
	uint32_t c_size, slot_c_size;
	enum weft_when when;
	uint16_t returns; /* .returns of struct weft_joinpoint */
	enum wv_preserves preserves; /* set by wv_values_find() */
	/*
	 * Why the joinpoint cannot be woven, if that is known before the weave; else NONE. A
	 * refused joinpoint is in the module's table, too, and counts as matched.
	 */
	enum weft_refusal refusal;
	/*
	 * true: the joinpoint is at an exit of a function (or .when is LEAVING), and its
	 * instruction is a jump to another function. So advice at the joinpoint runs before that
	 * other function does.
	 */
	bool tail;
	bool tracepoint; /* true: .match is a tracepoint's function; weft.ko will enable it */
	const struct wv_match *match;
	/* if .when is RETURNED, the call that returns to .match; else equal to .match */
	const struct wv_match *from;
	/* link address of .match, at which variables are looked up in DWARF */
	uint64_t at;
	struct wv_program *program; /* the program that the shadow is in; NULL: the kernel */
	char *what; /* name of the joinpoint in messages: "sk_buff.destructor call" */
};

/* A joinpoint that was optimized out. */
struct wv_optimized_out {
	const struct wv_match *match;
	char *what;
};

struct wv_selection {
	/* sorted by offset, advice and .when after wv_selection_finish() */
	WV_VEC(struct wv_selected) list;
	WV_VEC(struct wv_optimized_out) optimized_out;
	wv_parts parts; /* parts that have shadows of the list; set by wv_selection_query() */
	/*
	 * number of shadows that are left out, because a module frees their text after its
	 * initialization
	 */
	size_t in_init;
	/*
	 * number of entries that were dropped because another entry has the same shadow, advice and
	 * .when
	 */
	size_t merged;
	WV_VEC(struct wv_picks) picks; /* storage of .match and .from */
	struct wv_afters afters;       /* further storage of .match, for after-advice */
	/*
	 * The aspect's programs, set by the caller; NULL: pointcuts of programs are left out. In
	 * .list the shadows of the kernel come first, then those of each program.
	 */
	struct wv_programs *programs;
	WV_VEC(struct wv_afters) program_afters; /* as .afters, for each program */
};

/*
 * Adds the joinpoints that the aspect's pointcut @index has picked, once for each advice of the
 * pointcut. For after-advice, adds the locations that .afters finds instead. Takes ownership of
 * @picks, even if it fails. @text: the link address of _text. Returns -WV_E_NO_MATCH, with the
 * pointcut's location, if @picks is empty.
 */
int wv_selection_add(struct wv_selection *selection, const struct wv_aspect *aspect, size_t index,
		     struct wv_picks *picks, uint64_t text, struct wv_error *error);

/*
 * Sorts the list, keeps one of several entries with the same shadow, advice and .when, and refuses
 * the starts of pairs whose end is refused. Returns -WV_E_NO_MATCH if the list is empty or has more
 * than WEFT_PLAN_MAX entries, if all joinpoints of an advice are refused, or if one joinpoint of a
 * flow is refused.
 */
int wv_selection_finish(struct wv_selection *selection, const struct wv_aspect *aspect,
			struct wv_error *error);

/*
 * Calls wv_selection_add() for every pointcut that has advice, and then wv_selection_finish(). Then
 * sets the parts, the live registers and the displaced ranges of all entries; drops shadows in text
 * that a module frees (.in_init), and refuses calls and returns that lack each other. Adds names
 * that the kernel does not have to @errors, each with its location; @error is the last of them.
 * After such an error the selection is not finished, but its list is sorted and has what was found,
 * so that the caller can look for further errors in the aspect.
 */
int wv_selection_query(struct wv_selection *selection, const struct wv_aspect *aspect,
		       struct wv_db *db, struct wv_errors *errors, struct wv_error *error);

/*
 * Calls wv_selection_add() for each pointcut that has advice and is for @program; NULL: for the
 * kernel. Sets *@any_ret to whether there is such a pointcut; if so, then calls
 * wv_selection_finish().
 */
int wv_selection_add_all(struct wv_selection *selection, const struct wv_aspect *aspect,
			 struct wv_db *db, const struct wv_program *program, bool *any_ret,
			 struct wv_errors *errors, struct wv_error *error);

/* Adds the shadows of all programs to @selection; part of wv_selection_query(). */
int wv_selection_query_programs(struct wv_selection *selection, const struct wv_aspect *aspect,
				struct wv_errors *errors, struct wv_error *error);

/* Returns whether the aspect's advice @advice runs at several joinpoints of the list. */
bool wv_selection_has_several(const struct wv_selection *selection, size_t advice);

void wv_selection_deinit(struct wv_selection *selection);

#endif /* WV_SELECT_H */
