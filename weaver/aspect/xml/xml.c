// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * XML with places. libxml2 parses and so decides what is well-formed; of its events only "a tag
 * ends here" is used, and the tag is then read again from the file's bytes, which is simple because
 * it is known to be well-formed. So a place is always a byte offset, whatever libxml2 thinks of
 * columns.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "aspect/xml/errors.h"
#include "aspect/xml/libxml.h"
#include "aspect/xml/xml.h"
#include "aspect/xml/xml-text.h"
#include "base/cleanup.h"

struct reader {
	struct wv_xml *xml;
	const struct wv_libxml *libxml;
	xmlParserCtxtPtr context;
	WV_VEC(struct wv_xml_node *) open;
	size_t skipped; /* bytes of a byte order mark, which libxml2 was not given */
	bool failed;
	size_t last; /* the place of the last error */
	struct wv_error_list *list;
};

/* What libxml2 goes on behind, as if it had been text. */
static void report(struct reader *reader, size_t offset, const char *message)
{
	/* && and << are two of one and the same. */
	if (!reader->failed || offset > reader->last + 1)
		wv_report_error(reader->list, wv_xml_location(reader->xml, offset), "%s", message);
	reader->failed = true;
	reader->last = offset;
}

/* What makes the rest of the file mean something else: no more errors, and none at all where there is one already. */
static void fail(struct reader *reader, size_t offset, const char *message)
{
	if (!reader->failed)
		report(reader, offset, message);
	reader->libxml->xmlStopParser(reader->context);
}

static void fail_memory(struct reader *reader)
{
	reader->failed = true;
	reader->list->no_memory = true;
	reader->libxml->xmlStopParser(reader->context);
}

/* How far libxml2 has read, as an offset into the file. */
static size_t consumed(const struct reader *reader)
{
	long offset = reader->libxml->xmlByteConsumed(reader->context);

	if (offset < 0)
		return reader->skipped;
	offset += reader->skipped;
	return (size_t)offset > reader->xml->n ? reader->xml->n : (size_t)offset;
}

/* ---- tags ------------------------------------------------------------------------------------ */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t skip_blanks(const char *bytes, size_t offset, size_t end)
{
	while (offset < end && is_blank(bytes[offset]))
		offset++;
	return offset;
}

static size_t skip_name(const char *bytes, size_t offset, size_t end)
{
	while (offset < end && !is_blank(bytes[offset]) && !strchr("=/>", bytes[offset]))
		offset++;
	return offset;
}

static char *decode_value(const char *bytes, size_t start, size_t end)
{
	char *value = malloc(end - start + 1);
	size_t used = 0;

	if (!value)
		return NULL;
	while (start < end) {
		size_t n = 1;

		if (bytes[start] == '&') {
			start += wv_xml_reference(bytes + start, value + used, &n);
		} else {
			value[used] = is_blank(bytes[start]) ? ' ' : bytes[start];
			start++;
		}
		used += n;
	}
	value[used] = '\0';
	return value;
}

/* Reads the attributes between @offset and the tag's end at @end; false when memory is out. */
static bool read_attributes(const struct wv_xml *xml, struct wv_xml_node *node, size_t offset, size_t end)
{
	const char *bytes = xml->bytes;

	for (;;) {
		struct wv_xml_attribute *attribute;
		size_t name, name_end, value, value_end;

		name = skip_blanks(bytes, offset, end);
		name_end = skip_name(bytes, name, end);
		if (name_end == name)
			return true;
		value = skip_blanks(bytes, name_end, end) + 1; /* '=' */
		value = skip_blanks(bytes, value, end);
		if (value >= end)
			return true;
		value_end = value + 1;
		while (value_end < end && bytes[value_end] != bytes[value])
			value_end++;
		attribute = wv_vec_push(&node->attributes);
		if (!attribute)
			return false;
		attribute->location = wv_xml_location(xml, name);
		attribute->value_location = wv_xml_location(xml, value + 1);
		attribute->name = strndup(bytes + name, name_end - name);
		attribute->value = decode_value(bytes, value + 1, value_end);
		if (!attribute->name || !attribute->value)
			return false;
		offset = value_end + 1;
	}
}

static void node_destroy(struct wv_xml_node *node)
{
	if (!node)
		return;
	wv_vec_for_each(attribute, &node->attributes) {
		free(attribute->name);
		free(attribute->value);
	}
	wv_vec_for_each(child, &node->children)
		node_destroy(*child); /* libxml2 refuses depths that would matter here */
	wv_vec_deinit(&node->attributes);
	wv_vec_deinit(&node->children);
	wv_vec_deinit(&node->runs);
	free(node->name);
	free(node);
}

/* The '<' of the tag that libxml2 has just read up to @offset: no other can stand inside a tag. */
static size_t tag_start(const struct wv_xml *xml, size_t offset)
{
	const char *start = memrchr(xml->bytes, '<', offset);

	return start ? (size_t)(start - xml->bytes) : 0;
}

/* Hangs @node below the innermost open one, or makes it the root. */
static bool attach(struct reader *reader, struct wv_xml_node *node)
{
	struct wv_xml_node *parent, **slot;

	if (!reader->open.n) {
		reader->xml->root = node;
		return true;
	}
	parent = reader->open.data[reader->open.n - 1];
	slot = wv_vec_push(&parent->children);
	if (!slot)
		return false;
	*slot = node;
	return true;
}

static void on_start(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
		     int nr_namespaces, const xmlChar **namespaces, int nr_attributes,
		     int nr_defaulted, const xmlChar **attributes)
{
	struct reader *reader = data;
	struct wv_xml *xml = reader->xml;
	size_t end = consumed(reader), start = tag_start(xml, end), name_end;
	struct wv_xml_node *node, **slot;
	struct wv_xml_run *run;
	const char *close;

	if (reader->failed)
		return;
	close = memchr(xml->bytes + end, '>', xml->n - end);
	node = calloc(1, sizeof(*node));
	if (!node || !attach(reader, node)) {
		free(node);
		return fail_memory(reader);
	}
	if (reader->open.n) {
		struct wv_xml_node *parent = reader->open.data[reader->open.n - 1];

		parent->runs.data[parent->runs.n - 1].end = start;
	}
	name_end = skip_name(xml->bytes, start + 1, end);
	node->location = wv_xml_location(xml, start);
	node->name = strndup(xml->bytes + start + 1, name_end - start - 1);
	slot = wv_vec_push(&reader->open);
	run = wv_vec_push(&node->runs);
	if (!node->name || !slot || !run || !read_attributes(xml, node, name_end, end))
		return fail_memory(reader);
	run->start = run->end = close ? (size_t)(close - xml->bytes) + 1 : xml->n;
	*slot = node;
}

static void on_end(void *data, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
	struct reader *reader = data;
	struct wv_xml *xml = reader->xml;
	size_t end = consumed(reader), start = tag_start(xml, end);
	struct wv_xml_node *node, *parent;
	struct wv_xml_run *run;
	const char *close;

	if (reader->failed || !reader->open.n)
		return;
	node = reader->open.data[--reader->open.n];
	run = &node->runs.data[node->runs.n - 1];
	/* <name/> has no end tag: the last '<' is then its own. */
	run->end = start > run->start ? start : run->start;
	if (!reader->open.n)
		return;
	parent = reader->open.data[reader->open.n - 1];
	run = wv_vec_push(&parent->runs);
	if (!run)
		return fail_memory(reader);
	close = memchr(xml->bytes + start, '>', xml->n - start);
	/*
	 * The '>' of an end tag is its first; that of <name a=">"/> is the last byte that libxml2
	 * has read.
	 */
	run->start = xml->bytes[start + 1] == '/' && close ? (size_t)(close - xml->bytes) + 1 : end;
	run->end = run->start;
}

static void on_doctype(void *data, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
	struct reader *reader = data;

	fail(reader, tag_start(reader->xml, consumed(reader)),
	     "a document type declaration is not allowed in an aspect");
}

/* ---- errors of libxml2 ----------------------------------------------------------------------- */

/* The '<' or '&' before @offset: what begins the markup that libxml2 has begun to read. */
static size_t markup_start(const struct reader *reader, size_t offset)
{
	do
		offset -= offset > reader->skipped;
	while (offset > reader->skipped && !strchr("<&\n", reader->xml->bytes[offset]));
	return offset;
}

/* C in XML: what people stumble over, in words that help. */
static void fail_at_markup(struct reader *reader, size_t offset)
{
	const char *bytes = reader->xml->bytes;
	char message[160];

	snprintf(message, sizeof(message),
		 "this '%c' begins no %s; in C write < as &lt; and & as &amp;, or put the body into <![CDATA[ ]]>",
		 bytes[offset] == '&' ? '&' : '<', bytes[offset] == '&' ? "reference" : "tag");
	report(reader, offset, message);
}

static void on_error(void *data, xmlErrorPtr problem)
{
	struct reader *reader = data;
	size_t offset = consumed(reader);
	char message[512];

	if (reader->list->no_memory || problem->level < XML_ERR_ERROR)
		return;
	if (problem->code == XML_ERR_LT_IN_ATTRIBUTE)
		return fail_at_markup(reader, offset);
	if (problem->code == XML_ERR_NAME_REQUIRED || problem->code == XML_ERR_ENTITYREF_SEMICOL_MISSING)
		return fail_at_markup(reader, markup_start(reader, offset));
	if (problem->code == XML_ERR_UNDECLARED_ENTITY)
		offset = markup_start(reader, offset);
	snprintf(message, sizeof(message), "%s", problem->message ? problem->message : "not well-formed");
	message[strcspn(message, "\n")] = '\0';
	if (problem->code == XML_ERR_UNDECLARED_ENTITY)
		report(reader, offset, message);
	else
		fail(reader, offset, message);
}

/* ---- the file -------------------------------------------------------------------------------- */

static int read_bytes(struct wv_xml *xml, struct wv_error *error)
{
	_cleanup_close_ int fd = -1;
	struct stat status;
	ssize_t got;

	fd = open(xml->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || fstat(fd, &status))
		return wv_fail_errno(error, errno, "%s", xml->path);
	if (!S_ISREG(status.st_mode))
		return wv_fail_at(error, WV_E_ASPECT, xml->path, 0, 0, "not a regular file");
	if (status.st_size > (off_t)WV_XML_MAX)
		return wv_fail_at(error, WV_E_ASPECT, xml->path, 0, 0,
				  "larger than an aspect may be (%u bytes)", WV_XML_MAX);
	xml->bytes = calloc(1, status.st_size + 1);
	if (!xml->bytes)
		return wv_fail_errno(error, ENOMEM, "%s", xml->path);
	while (xml->n < (size_t)status.st_size) {
		got = read(fd, xml->bytes + xml->n, status.st_size - xml->n);
		if (got < 0)
			return wv_fail_errno(error, errno, "%s", xml->path);
		if (!got)
			break;
		xml->n += got;
	}
	return 0;
}

static int index_lines(struct wv_xml *xml, struct wv_error *error)
{
	size_t offset = 0;

	for (;;) {
		const char *end = memchr(xml->bytes + offset, '\n', xml->n - offset);
		size_t *line = wv_vec_push(&xml->lines);

		if (!line)
			return wv_fail_errno(error, ENOMEM, "%s", xml->path);
		*line = offset;
		if (!end)
			return 0;
		offset = end - xml->bytes + 1;
	}
}

/*
 * Offsets into the file are only places if libxml2 reads the same bytes: no other encoding, no
 * conversion.
 */
static int check_text(const struct wv_xml *xml, size_t *skipped_ret, struct wv_error *error)
{
	static const char mark[] = "\xef\xbb\xbf";
	const char *nul = memchr(xml->bytes, '\0', xml->n);
	size_t start = 0;

	if (nul) {
		struct wv_text_location location = wv_xml_location(xml, nul - xml->bytes);

		return wv_fail_at(error, WV_E_ASPECT, xml->path, location.line, location.column,
				  "not XML in UTF-8: a NUL byte");
	}
	if (!strncmp(xml->bytes, mark, strlen(mark)))
		start = strlen(mark);
	*skipped_ret = start;
	start = skip_blanks(xml->bytes, start, xml->n);
	if (xml->bytes[start] != '<') {
		struct wv_text_location location = wv_xml_location(xml, start);

		return wv_fail_at(error, WV_E_ASPECT, xml->path, location.line, location.column,
				  start == xml->n ? "an empty file" :
						    "not XML in UTF-8: it begins with no '<'");
	}
	return 0;
}

static int parse(struct wv_xml *xml, size_t skipped, struct wv_error_list *list, struct wv_error *error)
{
	struct reader reader = { .xml = xml, .skipped = skipped, .list = list };
	const struct wv_libxml *libxml;
	xmlParserCtxtPtr context;

	if (wv_libxml_load(&libxml, error))
		return -(int)error->code;
	context = libxml->xmlCreateMemoryParserCtxt(xml->bytes + skipped, xml->n - skipped);
	if (!context)
		return wv_fail_errno(error, ENOMEM, "%s", xml->path);
	reader.libxml = libxml;
	reader.context = context;
	memset(context->sax, 0, sizeof(*context->sax));
	context->sax->initialized = XML_SAX2_MAGIC;
	context->sax->startElementNs = on_start;
	context->sax->endElementNs = on_end;
	context->sax->internalSubset = on_doctype;
	context->sax->serror = on_error;
	context->userData = &reader;
	libxml->xmlCtxtUseOptions(context, XML_PARSE_NONET | XML_PARSE_IGNORE_ENC);
	libxml->xmlParseDocument(context);
	if (!context->wellFormed && !reader.failed)
		fail(&reader, consumed(&reader), "not well-formed");
	wv_vec_deinit(&reader.open);
	libxml->xmlFreeParserCtxt(context);
	return wv_error_list_finish(list, error);
}

static void cleanup_xml(struct wv_xml **xml)
{
	wv_xml_destroy(*xml);
}

int wv_xml_read(const char *path, struct wv_xml **ret, struct wv_errors *errors, struct wv_error *error)
{
	_cleanup_(cleanup_xml) struct wv_xml *xml = calloc(1, sizeof(*xml));
	struct wv_error_list list = { .path = path };
	size_t skipped = 0;
	int failed;

	if (!xml)
		return wv_fail_errno(error, ENOMEM, "%s", path);
	xml->path = strdup(path);
	if (!xml->path)
		return wv_fail_errno(error, ENOMEM, "%s", path);
	failed = read_bytes(xml, error);
	if (!failed)
		failed = index_lines(xml, error);
	if (!failed)
		failed = check_text(xml, &skipped, error);
	if (!failed)
		failed = parse(xml, skipped, &list, error);
	if (errors)
		*errors = list.errors;
	else
		wv_errors_deinit(&list.errors);
	if (failed)
		return failed;
	*ret = wv_take(xml);
	return 0;
}

void wv_xml_destroy(struct wv_xml *xml)
{
	if (!xml)
		return;
	node_destroy(xml->root);
	wv_vec_deinit(&xml->lines);
	free(xml->bytes);
	free(xml->path);
	free(xml);
}
