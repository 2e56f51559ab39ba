/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arguments of a weft_log() statement as fields of its records: where each is and of what type,
 * from the format alone.
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
	WV_FIELD_WIDTH,	    /* the '*' before a '.' */
	WV_FIELD_PRECISION, /* the '*' after it */
};

struct wv_argument_field {
	enum wv_field_role role;
	uint8_t size;  /* bytes: 1, 2, 4, 8; 0: a text with its NUL */
	uint8_t align; /* bytes, from the start of the record */
	bool is_signed;
	/* of the conversion that it belongs to: d i u x X o c s p, with the letter after %p or 0 */
	char type, extension;
};

struct wv_argument_fields {
	struct wv_argument_field list[WR_ARGUMENTS_MAX];
	size_t n;
};

/*
 * @content: how the arguments are stored. @packed: WEFT_PACKED_* of the kernel. -WV_E_FORMAT: no
 * weft_log() has such a format.
 */
int wv_fields_of_format(const char *format, enum weft_content content, uint32_t packed,
			struct wv_argument_fields *ret, struct wv_error *error);

/* The arguments of a record, as far as they have been taken: ->field of them. */
struct wv_arguments {
	const uint8_t *bytes;
	size_t n, at;
	const struct wv_argument_fields *fields;
	size_t field;
};

struct wv_argument {
	uint64_t number;  /* extended to 64 bits, with its sign if it has one */
	const char *text; /* of a text; it ends inside of the record */
};

/* Takes the next one; there must be one. -WV_E_FORMAT: the record is too short for it. */
int wv_argument_take(struct wv_arguments *arguments, struct wv_argument *ret,
		     struct wv_error *error);

/* The length modifiers of a conversion, as bytes of the number: "hh" is 1, none is 4, "ll" is 8. */
uint8_t wv_conversion_bytes(const char *conversion, char type);

#endif /* WV_TRACE_FIELDS_H */
