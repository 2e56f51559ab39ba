/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parser of weft_log() formats, into conversions. The weaver uses it to refuse formats that
 * weft.ko would not record. weft.ko uses it to find out which arguments point to data. Both must
 * parse a format as the kernel's vsprintf.c does. Freestanding.
 */
#ifndef WEFT_LOG_FORMAT_H
#define WEFT_LOG_FORMAT_H

/* maximum number of arguments of a record, including those for "*" */
#define WR_ARGUMENTS_MAX 24

struct wr_conversion {
	const char *end;	     /* the first byte after the conversion */
	/* one letter of "diuxXocsp", or '%' ("%%" takes no argument) */
	char type;
	char extension, second;	     /* the first two letters or digits after %p, or 0 */
	int width, precision;	     /* -1: none, or given by an argument */
	unsigned char width_is_argument, precision_is_argument;
};

/*
 * Letters after %p that weft_log() accepts. PLAIN: vsprintf.c uses only the pointer's value.
 * COPIED: vsprintf.c reads data at the pointer, which weft_log() can copy at the hit. With any
 * other letter vsprintf.c would follow further pointers.
 */
#define WR_POINTERS_PLAIN  "SsxKeB"
#define WR_POINTERS_COPIED "RrhEbMmIiUN4atGukdD"

static inline int wr_is_one_of(char c, const char *set)
{
	for (; *set; set++)
		if (*set == c)
			return 1;
	return 0;
}

static inline int wr_is_alnum(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline const char *wr_number(const char *s, int *number_ret, unsigned char *is_argument_ret)
{
	if (*s == '*') {
		*is_argument_ret = 1;
		return s + 1;
	}
	for (*number_ret = 0; *s >= '0' && *s <= '9'; s++)
		if (*number_ret < 1 << 16)
			*number_ret = *number_ret * 10 + (*s - '0');
	return s;
}

/*
 * Parses the conversion whose '%' is at @s. Returns false if weft_log() does not support the
 * conversion; ret->end is then the position at which parsing stopped.
 */
static inline int wr_conversion_parse(const char *s, struct wr_conversion *ret)
{
	*ret = (struct wr_conversion){ .width = -1, .precision = -1 };
	for (s++; wr_is_one_of(*s, "-+ #0"); s++)
		;
	if (*s == '*' || (*s >= '0' && *s <= '9'))
		s = wr_number(s, &ret->width, &ret->width_is_argument);
	if (*s == '.')
		s = wr_number(s + 1, &ret->precision, &ret->precision_is_argument);
	while (*s && wr_is_one_of(*s, "hlLzt"))
		s++;
	ret->type = *s;
	ret->end = *s ? s + 1 : s;
	if (!*s || !wr_is_one_of(*s, "diuxXocsp%"))
		return 0;
	/* For a pointer, vsprintf.c would take a precision given as '*' for the width as well. */
	if (*s == 'p' && ret->precision_is_argument)
		return 0;
	if (*s != 'p' || !wr_is_alnum(s[1]))
		return 1;
	ret->extension = s[1];
	ret->second = wr_is_alnum(s[2]) ? s[2] : 0;
	for (s++; wr_is_alnum(*s); s++)
		;
	ret->end = s;
	return wr_is_one_of(ret->extension, WR_POINTERS_PLAIN) ||
	       wr_is_one_of(ret->extension, WR_POINTERS_COPIED);
}

/* Returns the number of arguments that the conversion takes. */
static inline unsigned int wr_conversion_arguments(const struct wr_conversion *conversion)
{
	return conversion->width_is_argument + conversion->precision_is_argument +
	       (conversion->type != '%');
}

#endif /* WEFT_LOG_FORMAT_H */
