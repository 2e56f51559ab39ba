/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows that describe a command's options. The parser, `weft help`, man pages and shell
 * completion all read these rows, so that none of the four can lack an option. The parser stores an
 * option's value in a struct that the command defines, at the offset that the row has.
 */
#ifndef WV_OPTION_ROW_H
#define WV_OPTION_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The type of a value or an operand, for completion. */
enum wv_completion {
	WV_COMPLETE_NONE, /* ends a list of operands */
	WV_COMPLETE_ANY,
	WV_COMPLETE_FILE,
	WV_COMPLETE_FOLDER,
	WV_COMPLETE_IMAGE,	      /* a vmlinux or a module */
	WV_COMPLETE_DATABASE,
	WV_COMPLETE_ASPECT_FILE, /* a file .xml */
	WV_COMPLETE_ASPECT,      /* a file .xml or .ko */
	WV_COMPLETE_WOVEN,	      /* name of an aspect in the kernel */
	WV_COMPLETE_POINTCUT,    /* a pointcut as on the command line, or an aspect's file */
	WV_COMPLETE_KINDS,
	WV_COMPLETE_SOURCE,      /* a source file of the database */
	WV_COMPLETE_WITHIN,      /* a function or a source file in the database */
	WV_COMPLETE_COMMAND,     /* name of a weft command */
	WV_COMPLETE_PROGRAM,     /* a command of another program, with its arguments */
};

enum wv_option_type {
	WV_OPTION_FLAG,	      /* the member is a bool, which is set to true */
	WV_OPTION_TEXT,	      /* the member is a const char *: the value */
	WV_OPTION_TEXTS,      /* the member is a struct wv_texts: all values that are given */
	WV_OPTION_MAYBE_TEXT, /* the member is a const char *; "" if no value is given */
	WV_OPTION_NUMBER,     /* the member is a size_t; the value is decimal */
	WV_OPTION_TIME,	      /* the member is a uint64_t, in nanoseconds (base/duration.h) */
};

/* The values of an option that may be given several times. */
enum { WV_TEXTS_MAX = 16 };
struct wv_texts {
	const char *text[WV_TEXTS_MAX];
	size_t n;
};

struct wv_option {
	const char *name; /* without the dashes; NULL terminates the rows */
	char letter;	  /* letter of the short option, or 0 */
	enum wv_option_type type;
	size_t offset;	   /* offset of the member of the command's struct that gets the value */
	/* name of the value in the help: "FILE"; NULL: the option has no value */
	const char *value;
	enum wv_completion completes;
	const char *help; /* one sentence, of any length; \n begins a new line */
};

/*
 * Returns the offset of @member in @type, the command's struct. If the type of the member is not
 * @wanted, the array in this expression has the size -1, which the compiler reports as an error.
 */
#define WV_OPTION_AT(type, member, wanted) \
	(offsetof(type, member) + \
	 0 * sizeof(char[__builtin_types_compatible_p(__typeof__(((type *)0)->member), wanted) ? \
				 1 : -1]))

/* Initializers of rows, one for each type of value. @letter is 0 if there is no short option. */
#define WV_OPTION_ROW(kind, type, member, wanted, name, letter, value, completes, help) \
	{ name, letter, kind, WV_OPTION_AT(type, member, wanted), value, completes, help }
#define WV_FLAG(type, member, name, letter, help) \
	WV_OPTION_ROW(WV_OPTION_FLAG, type, member, bool, name, letter, NULL, WV_COMPLETE_NONE, \
		      help)
#define WV_TEXT(type, member, name, letter, value, completes, help) \
	WV_OPTION_ROW(WV_OPTION_TEXT, type, member, const char *, name, letter, value, completes, \
		      help)
#define WV_TEXTS(type, member, name, letter, value, completes, help) \
	WV_OPTION_ROW(WV_OPTION_TEXTS, type, member, struct wv_texts, name, letter, value, \
		      completes, help)
#define WV_MAYBE_TEXT(type, member, name, letter, value, completes, help) \
	WV_OPTION_ROW(WV_OPTION_MAYBE_TEXT, type, member, const char *, name, letter, value, \
		      completes, help)
#define WV_NUMBER(type, member, name, letter, value, help) \
	WV_OPTION_ROW(WV_OPTION_NUMBER, type, member, size_t, name, letter, value, \
		      WV_COMPLETE_ANY, help)
#define WV_TIME(type, member, name, letter, help) \
	WV_OPTION_ROW(WV_OPTION_TIME, type, member, uint64_t, name, letter, "TIME", \
		      WV_COMPLETE_ANY, help)

#endif /* WV_OPTION_ROW_H */
