// SPDX-License-Identifier: GPL-2.0-or-later
/* Formats the text of records; see render.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/notation.h"
#include "trace/render.h"

enum {
	WIDTH_MOST = 1 << 16,
	DIGITS = 24,
	POINTER_DIGITS = 16,
	ERRNO_MOST = 4095,
};

/* The flags, the width, the precision and the type letter of a conversion. */
struct style {
	bool left, zero, plus, blank, alternate;
	int width, precision; /* -1: not given */
	char type;
};

static void add_n(struct wv_rendered *out, const char *text, size_t n)
{
	size_t room = sizeof(out->text) - 1 - out->size;

	n = n < room ? n : room;
	memcpy(out->text + out->size, text, n);
	out->size += n;
}

static void add_times(struct wv_rendered *out, char c, int times)
{
	for (; times > 0 && out->size < sizeof(out->text) - 1; times--)
		out->text[out->size++] = c;
}

/*
 * Adds a number. If the flag '0' is set, zeros fill the width even if there is a precision. C does
 * not do this, but the kernel's vsprintf.c does.
 */
static void add_number(struct wv_rendered *out, const struct style *style, uint64_t number)
{
	const bool is_signed = style->type == 'd' || style->type == 'i';
	const bool negative = is_signed && (int64_t)number < 0;
	const uint64_t value = negative ? -number : number;
	const char *sign = negative	  ? "-"
			   : !is_signed	  ? ""
			   : style->plus  ? "+"
			   : style->blank ? " "
					  : "";
	const char *prefix = "";
	char digits[DIGITS];
	int n, zeroes, width;

	if (style->type == 'x' || style->type == 'X') {
		n = snprintf(digits, sizeof(digits), style->type == 'x' ? "%" PRIx64 : "%" PRIX64,
			     value);
		prefix = !style->alternate ? "" : style->type == 'x' ? "0x" : "0X";
	} else if (style->type == 'o') {
		n = snprintf(digits, sizeof(digits), "%" PRIo64, value);
		prefix = style->alternate && value ? "0" : "";
	} else {
		n = snprintf(digits, sizeof(digits), "%" PRIu64, value);
	}
	zeroes = style->precision > n ? style->precision - n : 0;
	width = style->width - n - zeroes - (int)strlen(sign) - (int)strlen(prefix);
	if (!style->left && !style->zero)
		add_times(out, ' ', width);
	add_n(out, sign, strlen(sign));
	add_n(out, prefix, strlen(prefix));
	if (!style->left && style->zero)
		add_times(out, '0', width);
	add_times(out, '0', zeroes);
	add_n(out, digits, (size_t)n);
	if (style->left)
		add_times(out, ' ', width);
}

static void add_text(struct wv_rendered *out, const struct style *style, const char *text)
{
	size_t n = style->precision < 0 ? strlen(text) : strnlen(text, (size_t)style->precision);

	if (!style->left)
		add_times(out, ' ', style->width - (int)n);
	add_n(out, text, n);
	if (style->left)
		add_times(out, ' ', style->width - (int)n);
}

/* Adds a character. It may be a NUL, which then ends the text, as it ends the kernel's. */
static void add_character(struct wv_rendered *out, const struct style *style, char c)
{
	if (!style->left)
		add_times(out, ' ', style->width - 1);
	add_n(out, &c, 1);
	if (style->left)
		add_times(out, ' ', style->width - 1);
}

static void add_pointer(struct wv_rendered *out, struct style style, uint64_t pointer)
{
	if (style.width < 0) {
		style.width = POINTER_DIGITS;
		style.zero = true;
	}
	style.type = 'x';
	add_number(out, &style, pointer);
}

static void add_symbol(struct wv_rendered *out, const struct style *style, char extension,
		       const struct wv_symbol_finder *symbols, uint64_t address)
{
	const struct wv_trace_symbol *symbol = symbols->find(symbols->context, address);
	struct style whole = *style;
	char text[512];
	int n;

	whole.precision = -1;
	if (!symbol) {
		snprintf(text, sizeof(text), "0x%" PRIx64, address);
		add_text(out, &whole, text);
		return;
	}
	n = extension == 's' ? snprintf(text, sizeof(text), "%s", symbol->name)
			     : snprintf(text, sizeof(text), "%s/0x%" PRIx64,
					wv_symbol_text(symbol->name, address - symbol->begin).text,
					symbol->end - symbol->begin);
	if (n > 0 && (size_t)n < sizeof(text) && *symbol->module)
		snprintf(text + n, sizeof(text) - (size_t)n, " [%s]", symbol->module);
	add_text(out, &whole, text);
}

static void add_error(struct wv_rendered *out, struct style style, uint64_t pointer)
{
	const int64_t number = (int64_t)pointer;
	const char *name = NULL;
	char text[64];

	if (number >= 0 || number < -ERRNO_MOST) {
		add_pointer(out, style, pointer);
		return;
	}
	name = strerrorname_np((int)-number);
	if (name) {
		snprintf(text, sizeof(text), "-%s", name);
		add_text(out, &style, text);
		return;
	}
	style.type = 'd';
	add_number(out, &style, pointer);
}

static void add_value(struct wv_rendered *out, const struct style *style, char extension,
		      const struct wv_symbol_finder *symbols, const struct wv_argument *argument)
{
	switch (style->type) {
	case 's':
		add_text(out, style, argument->text);
		return;
	case 'c':
		add_character(out, style, (char)argument->number);
		return;
	case 'p':
		break;
	default:
		add_number(out, style, argument->number);
		return;
	}
	if (!extension || strchr("xK", extension))
		add_pointer(out, *style, argument->number);
	else if (strchr("sS", extension))
		add_symbol(out, style, extension, symbols, argument->number);
	else if (extension == 'e')
		add_error(out, *style, argument->number);
	else
		/* formatted by the kernel at the hit */
		add_n(out, argument->text, strlen(argument->text));
}

/*
 * Returns the flags of the conversion at @at, and the width and precision that are written as
 * digits in it.
 */
static struct style style_of(const char *at, const struct wr_conversion *conversion)
{
	struct style style = { .width = conversion->width,
			       .precision = conversion->precision,
			       .type = conversion->type };

	for (at++; strchr("-+ #0", *at) && *at; at++) {
		style.left |= *at == '-';
		style.plus |= *at == '+';
		style.blank |= *at == ' ';
		style.alternate |= *at == '#';
		style.zero |= *at == '0';
	}
	return style;
}

static int clamped(uint64_t number, int least)
{
	const int64_t value = (int64_t)number;

	return value < least ? least : value > WIDTH_MOST ? WIDTH_MOST : (int)value;
}

static int take_style(struct wv_arguments *arguments, const struct wr_conversion *conversion,
		      struct style *style, struct wv_error *error)
{
	struct wv_argument argument;
	int err = 0;

	if (conversion->width_is_argument) {
		err = wv_argument_take(arguments, &argument, error);
		if (err)
			return err;
		style->width = clamped(argument.number, -WIDTH_MOST);
		style->left |= style->width < 0;
		style->width = style->width < 0 ? -style->width : style->width;
	}
	if (conversion->precision_is_argument) {
		err = wv_argument_take(arguments, &argument, error);
		if (!err)
			style->precision = clamped(argument.number, 0);
	}
	return err;
}

int wv_render(const char *format, const struct wv_argument_fields *fields,
	      const struct wv_symbol_finder *symbols, const void *words, size_t n,
	      struct wv_rendered *ret, struct wv_error *error)
{
	struct wv_arguments arguments = { .bytes = words, .n = n, .fields = fields };
	const bool valued = wr_values_of_format(format);
	struct wr_conversion conversion;
	const char *end;

	ret->size = ret->nr_values = 0;
	for (const char *at = format; *at; at = end) {
		struct wv_argument argument;
		uint32_t start = ret->size;
		struct style style;
		int err;

		end = strchrnul(at, '%');
		if (end > at) {
			add_n(ret, at, (size_t)(end - at));
			continue;
		}
		wr_conversion_parse(at, &conversion);
		end = conversion.end;
		if (conversion.type == '%') {
			add_n(ret, "%", 1);
			continue;
		}
		style = style_of(at, &conversion);
		err = take_style(&arguments, &conversion, &style, error);
		if (!err)
			err = wv_argument_take(&arguments, &argument, error);
		if (err)
			return err;
		add_value(ret, &style, conversion.extension, symbols, &argument);
		if (valued && ret->size < sizeof(ret->text) - 1)
			ret->values[ret->nr_values++] = (struct weft_value){
				.start = start,
				.end = ret->size,
				.type = wr_value_letter(&conversion),
			};
	}
	ret->text[ret->size] = '\0';
	/* The text ends at the first NUL, which a %c may have written. */
	ret->size = (uint32_t)strlen(ret->text);
	while (ret->nr_values && ret->values[ret->nr_values - 1].end > ret->size)
		ret->nr_values--;
	return 0;
}
