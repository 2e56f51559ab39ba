/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libxml2, loaded when the first aspect is read. It brings ICU and the C++ library along, which take longer to load than most
 * commands take in all; only those that read XML pay for them.
 */
#ifndef WV_LIBXML_H
#define WV_LIBXML_H

#include <libxml/parser.h>
#include <libxml/parserInternals.h>

#include "base/error.h"

/* The functions that are used of it, by their own names. */
#define WV_LIBXML_FUNCTIONS(use)       \
	use(xmlByteConsumed)           \
	use(xmlCreateMemoryParserCtxt) \
	use(xmlCtxtUseOptions)         \
	use(xmlFreeParserCtxt)         \
	use(xmlParseDocument)          \
	use(xmlStopParser)

struct wv_libxml {
#define WV_LIBXML_MEMBER(name) __typeof__(name) *name;
	WV_LIBXML_FUNCTIONS(WV_LIBXML_MEMBER)
#undef WV_LIBXML_MEMBER
};

/* *@ret stays valid. -WV_E_FAILURE names the library where it is not there or is another one. */
int wv_libxml_load(const struct wv_libxml **ret, struct wv_error *error);

#endif /* WV_LIBXML_H */
