// SPDX-License-Identifier: GPL-2.0-or-later
/* The fields of a record's arguments; see fields.h. */
#include <string.h>

#include "trace/fields.h"

uint8_t wv_conversion_bytes(const char *conversion, char type)
{
	const char *at = conversion + 1;

	if (type == 'p')
		return 8;
	if (type == 'c')
		return 1;
	at += strspn(at, "-+ #0123456789.*");
	if (at[0] == 'h')
		return at[1] == 'h' ? 1 : 2;
	return strchr("lLzt", at[0]) && at[0] ? 8 : 4;
}

/*
 * Returns whether the kernel stores an argument of this conversion as text: the string of a %s, or
 * the text that vbin_printf() makes of a pointer at the hit, such as that of %pI4.
 */
static bool is_text(const struct wr_conversion *conversion)
{
	if (conversion->type == 's')
		return true;
	return conversion->type == 'p' && conversion->extension &&
	       !strchr("SsxKe", conversion->extension);
}

static uint8_t align_of(uint8_t size, enum weft_content content)
{
	if (content == WEFT_CONTENT_WORDS)
		return 4;
	return !size ? 1 : size > 4 ? 4 : size;
}

int wv_fields_of_format(const char *format, enum weft_content content, uint32_t packed,
			struct wv_argument_fields *ret, struct wv_error *error)
{
	const bool wide = content == WEFT_CONTENT_PACKED && packed & WEFT_PACKED_WIDE;
	struct wr_conversion conversion;

	*ret = (struct wv_argument_fields){ 0 };
	for (const char *at = format; (at = strchr(at, '%')); at = conversion.end) {
		struct wv_argument_field field = { .role = WV_FIELD_WIDTH,
						   .size = 4,
						   .is_signed = true };

		if (!wr_conversion_parse(at, &conversion) ||
		    ret->n + wr_conversion_arguments(&conversion) > WR_ARGUMENTS_MAX)
			return wv_fail(error, WV_E_FORMAT,
				       "a record's format is none of weft_log()");
		field.type = conversion.type;
		field.extension = conversion.extension;
		field.align = align_of(field.size, content);
		if (conversion.width_is_argument)
			ret->list[ret->n++] = field;
		field.role = WV_FIELD_PRECISION;
		if (conversion.precision_is_argument)
			ret->list[ret->n++] = field;
		if (conversion.type == '%')
			continue;
		field.role = WV_FIELD_VALUE;
		field.size = is_text(&conversion) ? 0 : wv_conversion_bytes(at, conversion.type);
		if (wide && field.size && field.size < 4 && conversion.type != 'c')
			field.size = 4;
		field.is_signed = conversion.type == 'd' || conversion.type == 'i';
		field.align = align_of(field.size, content);
		if (!field.size && content == WEFT_CONTENT_WORDS)
			return wv_fail(error, WV_E_FORMAT,
				       "a record's format needs texts, and its content has none");
		ret->list[ret->n++] = field;
	}
	if (content == WEFT_CONTENT_WORDS)
		for (size_t i = 0; i < ret->n; i++)
			ret->size += ret->list[i].size > 4 ? 8 : 4;
	ret->ragged = content == WEFT_CONTENT_PACKED ||
		      (ret->n && ret->list[ret->n - 1].size < WEFT_RECORD_ALIGN);
	return 0;
}

static int too_short(struct wv_error *error)
{
	return wv_fail(error, WV_E_FORMAT, "a record ends inside of its arguments");
}

int wv_argument_take(struct wv_arguments *arguments, struct wv_argument *ret,
		     struct wv_error *error)
{
	const struct wv_argument_field *field = &arguments->fields->list[arguments->field++];
	const uint8_t *at;
	size_t left;

	arguments->at = (arguments->at + field->align - 1) & ~(size_t)(field->align - 1);
	if (arguments->at > arguments->n || arguments->n - arguments->at < field->size)
		return too_short(error);
	at = arguments->bytes + arguments->at;
	left = arguments->n - arguments->at;
	*ret = (struct wv_argument){ .text = "" };
	if (!field->size) {
		const uint8_t *end = memchr(at, '\0', left);

		if (!end)
			return too_short(error);
		ret->text = (const char *)at;
		arguments->at += (size_t)(end - at) + 1;
		return 0;
	}
	memcpy(&ret->number, at, field->size);
	if (field->is_signed && field->size < sizeof(ret->number)) {
		const unsigned int unused = 64 - 8 * field->size;

		ret->number = (uint64_t)((int64_t)(ret->number << unused) >> unused);
	}
	arguments->at += field->size;
	return 0;
}
