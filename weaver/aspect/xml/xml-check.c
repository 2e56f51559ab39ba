// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lets libxml2 decide whether a file is well-formed. Only libxml2's errors and its read position
 * are used; xml.c reads the contents. libxml2 is loaded when the first aspect is read, because it
 * brings ICU and the C++ library with it, which take longer to load than most commands run
 * (docs/decisions.md).
 */
#include <dlfcn.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <string.h>

#include "aspect/xml/xml-check.h"

/*
 * The file name of the shared library of libxml2 that fits the headers with which this file is
 * compiled. libxml2 changes the number in the name when it changes the layout of structs in these
 * headers.
 */
#if LIBXML_VERSION >= 21400
#define SONAME "libxml2.so.16"
#else
#define SONAME "libxml2.so.2"
#endif

/* Type of the error that libxml2 passes to an error function: const since libxml2 2.12. */
#if LIBXML_VERSION >= 21200
typedef const xmlError *xml_problem;
#else
typedef xmlErrorPtr xml_problem;
#endif

#define FUNCTIONS(use)                 \
	use(xmlByteConsumed)           \
	use(xmlCreateMemoryParserCtxt) \
	use(xmlCtxtUseOptions)         \
	use(xmlFreeParserCtxt)         \
	use(xmlParseDocument)          \
	use(xmlStopParser)

/* Pointers to libxml2's functions. Each member has the name of its function; load() sets them. */
static struct {
#define MEMBER(name) __typeof__(name) *name;
	FUNCTIONS(MEMBER)
#undef MEMBER
} libxml;

static int load(struct wv_error *error)
{
	static bool loaded;
	void *library;

	if (loaded)
		return 0;
	library = dlopen(SONAME, RTLD_LAZY | RTLD_LOCAL);
	if (!library)
		return wv_fail(error, WV_E_FAILURE, "aspects cannot be read without libxml2: %s",
			       dlerror());
#define FIND(name)                                                                           \
	libxml.name = (__typeof__(libxml.name))dlsym(library, #name);                        \
	if (!libxml.name)                                                                    \
		return wv_fail(error, WV_E_FAILURE,                                          \
			       "aspects cannot be read with this libxml2: %s", dlerror());
	FUNCTIONS(FIND)
#undef FIND
	loaded = true;
	return 0;
}

struct check {
	const struct wv_xml *xml;
	size_t start; /* offset of the first byte that is passed to libxml2 */
	xmlParserCtxtPtr context;
	bool failed;
	size_t last; /* offset of the last error; valid if .failed */
	struct wv_error_list *list;
};

/* Reports an error after which libxml2 continues as if the markup were text. */
static void report(struct check *check, size_t offset, const char *message)
{
	/* For && and << libxml2 has two errors, at adjacent bytes: report only the first one. */
	if (!check->failed || offset > check->last + 1)
		wv_report_error(check->list, wv_xml_location(check->xml, offset), "%s", message);
	check->failed = true;
	check->last = offset;
}

/*
 * Stops libxml2 at an error after which the rest of the file would be misunderstood. Reports this
 * error only if none was reported before.
 */
static void stop(struct check *check, size_t offset, const char *message)
{
	if (!check->failed)
		report(check, offset, message);
	libxml.xmlStopParser(check->context);
}

/* Returns libxml2's read position, as an offset in the file. */
static size_t consumed(const struct check *check)
{
	long offset = libxml.xmlByteConsumed(check->context);

	if (offset < 0)
		return check->start;
	offset += check->start;
	return (size_t)offset > check->xml->n ? check->xml->n : (size_t)offset;
}

/*
 * Returns the start of the markup that libxml2 has read up to @offset: the last byte before @offset
 * that is one of @bytes.
 */
static size_t markup_start(const struct check *check, size_t offset, const char *bytes)
{
	do
		offset -= offset > check->start;
	while (offset > check->start && !strchr(bytes, check->xml->bytes[offset]));
	return offset;
}

static void on_doctype(void *data, const xmlChar *name, const xmlChar *external,
		       const xmlChar *system)
{
	struct check *check = data;

	stop(check, markup_start(check, consumed(check), "<"),
	     "a document type declaration is not allowed in an aspect");
}

/*
 * Reports a < or & that does not begin markup, and how to write it in XML. The author has probably
 * copied C into the XML.
 */
static void report_markup(struct check *check, size_t offset)
{
	bool reference = check->xml->bytes[offset] == '&';
	char message[160];

	snprintf(message, sizeof(message),
		 "this '%c' begins no %s; in C write < as &lt; and & as &amp;, "
		 "or put the body into <![CDATA[ ]]>",
		 reference ? '&' : '<', reference ? "reference" : "tag");
	report(check, offset, message);
}

static void on_error(void *data, xml_problem problem)
{
	struct check *check = data;
	size_t offset = consumed(check);
	char message[512];

	if (problem->level < XML_ERR_ERROR)
		return;
	snprintf(message, sizeof(message), "%s",
		 problem->message ? problem->message : "not well-formed");
	message[strcspn(message, "\n")] = '\0';
	switch (problem->code) {
	case XML_ERR_LT_IN_ATTRIBUTE:
		report_markup(check, offset);
		break;
	case XML_ERR_NAME_REQUIRED:
	case XML_ERR_ENTITYREF_SEMICOL_MISSING:
		report_markup(check, markup_start(check, offset, "<&\n"));
		break;
	case XML_ERR_UNDECLARED_ENTITY:
		report(check, markup_start(check, offset, "<&\n"), message);
		break;
	default:
		stop(check, offset, message);
	}
}

int wv_xml_check(const struct wv_xml *xml, size_t start, struct wv_error_list *list,
		 struct wv_error *error)
{
	struct check check = { .xml = xml, .start = start, .list = list };
	xmlParserCtxtPtr context;
	int failed = load(error);

	if (failed)
		return failed;
	context = libxml.xmlCreateMemoryParserCtxt(xml->bytes + start, xml->n - start);
	if (!context)
		return wv_no_memory(error);
	check.context = context;
	memset(context->sax, 0, sizeof(*context->sax));
	context->sax->initialized = XML_SAX2_MAGIC;
	context->sax->internalSubset = on_doctype;
	context->sax->serror = on_error;
	context->userData = &check;
	libxml.xmlCtxtUseOptions(context, XML_PARSE_NONET | XML_PARSE_IGNORE_ENC);
	libxml.xmlParseDocument(context);
	if (!context->wellFormed && !check.failed)
		stop(&check, consumed(&check), "not well-formed");
	libxml.xmlFreeParserCtxt(context);
	return 0;
}
