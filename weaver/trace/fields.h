/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arguments of a weft_log() statement as fields of its records. The position and the type of
 * each field follow from the format alone.
 */
#ifndef WV_TRACE_FIELDS_H
#define WV_TRACE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "runtime/abi.h"
#include "runtime/log-format.h"

enum wv_field_role {
	WV_FIELD_VALUE,
	WV_FIELD_WIDTH,	    /* the argument of a '*' before the point: a width */
	WV_FIELD_PRECISION, /* the argument of a '*' after the point: a precision */
};

struct wv_argument_field {
	enum wv_field_role role;
	uint8_t size;  /* bytes: 1, 2, 4, 8; 0: a text with its NUL */
	uint8_t align; /* bytes, from the start of the arguments */
	bool is_signed;
	/*
	 * The conversion that takes this argument. .type is one of d i u x X o c s p. .extension is
	 * the letter after %p, or 0 if there is none.
	 */
	char type, extension;
};

struct wv_argument_fields {
	struct wv_argument_field list[WR_ARGUMENTS_MAX];
	size_t n;
	/* bytes of all arguments with their padding; only for WEFT_CONTENT_WORDS, else 0 */
	size_t size;
	/*
	 * the last argument may end between two multiples of WEFT_RECORD_ALIGN, so that padding
	 * follows it
	 */
	bool ragged;
};

/*
 * Fills @ret with the fields of @format. @content says how records store the arguments, and @packed
 * has the kernel's WEFT_PACKED_* flags. Returns -WV_E_FORMAT if @format cannot be the format of a
 * weft_log() statement.
 */
int wv_fields_of_format(const char *format, enum weft_content content, uint32_t packed,
			struct wv_argument_fields *ret, struct wv_error *error);

/*
 * The state while the arguments of a record are taken one by one. The record has .n bytes of
 * arguments at .bytes, of which .at were taken so far. .field is the index in .fields of the next
 * argument.
 */
struct wv_arguments {
	const uint8_t *bytes;
	size_t n, at;
	const struct wv_argument_fields *fields;
	size_t field;
};

struct wv_argument {
	uint64_t number;  /* the value of a number, sign-extended or zero-extended to 64 bits */
	const char *text; /* the value of a text; points into the record */
};

/*
 * Takes the next argument, which must exist: arguments->field is less than arguments->fields->n.
 * Returns -WV_E_FORMAT if the record ends before the end of the argument.
 */
int wv_argument_take(struct wv_arguments *arguments, struct wv_argument *ret,
		     struct wv_error *error);

/*
 * Returns the size in bytes of the number that a conversion takes: 8 for %p, 1 for %c. For other
 * types it follows from the length modifier: "hh" is 1, none is 4, "ll" is 8.
 */
uint8_t wv_conversion_bytes(const char *conversion, char type);

#endif /* WV_TRACE_FIELDS_H */
