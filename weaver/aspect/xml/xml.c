// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads XML and keeps locations. xml-check.c has found that the file is well-formed and has no
 * document type. So one pass over the file that finds the ends of tags, comments and CDATA is
 * enough. Locations are computed from byte offsets; libxml2 has no locations of attributes and
 * texts.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "aspect/xml/xml-check.h"
#include "aspect/xml/xml-text.h"
#include "aspect/xml/xml.h"
#include "base/cleanup.h"

/* ---- reading tags and attributes ------------------------------------------------------------- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static size_t skip_blanks(const char *bytes, size_t offset)
{
	return offset + strspn(bytes + offset, " \t\n\r");
}

/* Returns the offset after the name of a tag or an attribute. */
static size_t skip_name(const char *bytes, size_t offset)
{
	return offset + strcspn(bytes + offset, " \t\n\r=/>");
}

/*
 * Returns the offset after the first @terminator that begins at or after @offset; the end of the
 * file if there is none.
 */
static size_t skip_past(const struct wv_xml *xml, size_t offset, const char *terminator)
{
	const char *found = strstr(xml->bytes + offset, terminator);

	return found ? (size_t)(found - xml->bytes) + strlen(terminator) : xml->n;
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

/*
 * Reads the attribute whose name begins at @offset. Returns the offset of its end; 0: out of
 * memory.
 */
static size_t read_attribute(const struct wv_xml *xml, struct wv_xml_node *node, size_t offset)
{
	struct wv_xml_attribute *attribute = wv_vec_push(&node->attributes);
	size_t name_end = skip_name(xml->bytes, offset);
	size_t value = skip_blanks(xml->bytes, name_end);
	const char *end;

	value = skip_blanks(xml->bytes, value + (xml->bytes[value] == '='));
	end = xml->bytes[value] ? strchr(xml->bytes + value + 1, xml->bytes[value]) : NULL;
	if (!attribute || !end)
		return 0;
	attribute->location = wv_xml_location(xml, offset);
	attribute->value_location = wv_xml_location(xml, value + 1);
	attribute->name = strndup(xml->bytes + offset, name_end - offset);
	attribute->value = decode_value(xml->bytes, value + 1, end - xml->bytes);
	return attribute->name && attribute->value ? (size_t)(end - xml->bytes) + 1 : 0;
}

/* Reads the start tag at @offset. Returns the offset of its end; 0: out of memory. */
static size_t read_tag(const struct wv_xml *xml, struct wv_xml_node *node, size_t offset)
{
	size_t name_end = skip_name(xml->bytes, offset + 1), at = name_end;

	node->location = wv_xml_location(xml, offset);
	node->name = strndup(xml->bytes + offset + 1, name_end - offset - 1);
	if (!node->name)
		return 0;
	for (;;) {
		at = skip_blanks(xml->bytes, at);
		if (strchr("/>", xml->bytes[at]))
			return skip_past(xml, at, ">");
		at = read_attribute(xml, node, at);
		if (!at)
			return 0;
	}
}

/* ---- building the tree ----------------------------------------------------------------------- */

struct builder {
	struct wv_xml *xml;
	/* elements whose end tag has not been read yet, from the root to the innermost */
	WV_VEC(struct wv_xml_node *) open;
};

static struct wv_xml_node *innermost(const struct builder *builder)
{
	return builder->open.n ? builder->open.data[builder->open.n - 1] : NULL;
}

/* This function and the following ones up to build() return false only if memory runs out. */
static bool add_run(struct builder *builder, enum wv_xml_run_kind kind, size_t start, size_t end)
{
	struct wv_xml_node *node = innermost(builder);
	struct wv_xml_run *run;

	if (!node || start == end)
		return true;
	run = wv_vec_push(&node->runs);
	if (run)
		*run = (struct wv_xml_run){ .kind = kind, .start = start, .end = end };
	return run;
}

/* Adds the element whose start tag is at *@offset, and moves *@offset after this tag. */
static bool add_node(struct builder *builder, size_t *offset)
{
	struct wv_xml_node *node = calloc(1, sizeof(*node)), *parent = innermost(builder), **slot;

	slot = parent ? wv_vec_push(&parent->children) : &builder->xml->root;
	if (!node || !slot) {
		free(node);
		return false;
	}
	*slot = node;
	*offset = read_tag(builder->xml, node, *offset);
	if (!*offset || builder->xml->bytes[*offset - 2] == '/')
		return *offset;
	slot = wv_vec_push(&builder->open);
	if (slot)
		*slot = node;
	return slot;
}

static bool starts_with(const struct wv_xml *xml, size_t offset, const char *text)
{
	return !strncmp(xml->bytes + offset, text, strlen(text));
}

/* Adds the tag, comment or CDATA section at *@offset, and moves *@offset after it. */
static bool add_markup(struct builder *builder, size_t *offset)
{
	static const char cdata[] = "<![CDATA[", cdata_end[] = "]]>";
	const struct wv_xml *xml = builder->xml;
	size_t start = *offset;

	if (starts_with(xml, start, cdata)) {
		*offset = skip_past(xml, start, cdata_end);
		return add_run(builder, WV_XML_CDATA, start + strlen(cdata),
			       *offset - strlen(cdata_end));
	}
	if (starts_with(xml, start, "<!--") || starts_with(xml, start, "<?")) {
		/* Look for the end of a comment only after its `<!--`: `<!-->` does not end one. */
		*offset = xml->bytes[start + 1] == '!' ? skip_past(xml, start + 4, "-->")
						       : skip_past(xml, start + 2, "?>");
		return add_run(builder, WV_XML_ASIDE, start, *offset);
	}
	if (!starts_with(xml, start, "</"))
		return add_node(builder, offset);
	builder->open.n -= builder->open.n > 0;
	*offset = skip_past(xml, start, ">");
	return true;
}

/* Builds the tree from the bytes from @start on. False: out of memory. */
static bool build(struct wv_xml *xml, size_t start)
{
	struct builder builder = { .xml = xml };
	bool ok = true;

	while (ok && start < xml->n) {
		size_t end = start + strcspn(xml->bytes + start, "<");

		ok = add_run(&builder, WV_XML_TEXT, start, end);
		start = end;
		if (ok && start < xml->n)
			ok = add_markup(&builder, &start);
	}
	wv_vec_deinit(&builder.open);
	return ok;
}

/* ---- reading the file ------------------------------------------------------------------------ */

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

static int copy_text(struct wv_xml *xml, const struct wv_str *text, struct wv_error *error)
{
	if (text->failed)
		return wv_no_memory(error);
	if (text->n > WV_XML_MAX)
		return wv_fail_at(error, WV_E_ASPECT, xml->path, 0, 0,
				  "larger than an aspect may be (%u bytes)", WV_XML_MAX);
	xml->bytes = calloc(1, text->n + 1);
	if (!xml->bytes)
		return wv_no_memory(error);
	memcpy(xml->bytes, wv_str_text(text), text->n);
	xml->n = text->n;
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
 * Checks that libxml2 will read the same bytes as xml.c, without converting them from another
 * encoding: else libxml2's offsets would not be valid in this file. Sets *@start_ret to the offset
 * of the first byte after a byte order mark; 0 if there is no mark.
 */
static int check_text(const struct wv_xml *xml, size_t *start_ret, struct wv_error *error)
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
	*start_ret = start;
	start = skip_blanks(xml->bytes, start);
	if (xml->bytes[start] != '<') {
		struct wv_text_location location = wv_xml_location(xml, start);

		return wv_fail_at(error, WV_E_ASPECT, xml->path, location.line, location.column,
				  start == xml->n ? "an empty file" :
						    "not XML in UTF-8: it begins with no '<'");
	}
	return 0;
}

static void cleanup_xml(struct wv_xml **xml)
{
	wv_xml_destroy(*xml);
}

int wv_xml_read(const char *path, struct wv_xml **ret, struct wv_errors *errors,
		struct wv_error *error)
{
	return wv_xml_read_text(path, NULL, ret, errors, error);
}

int wv_xml_read_text(const char *path, const struct wv_str *text, struct wv_xml **ret,
		     struct wv_errors *errors, struct wv_error *error)
{
	_cleanup_(cleanup_xml) struct wv_xml *xml = calloc(1, sizeof(*xml));
	struct wv_error_list list = { .path = path };
	size_t start = 0;
	int failed;

	if (!xml)
		return wv_fail_errno(error, ENOMEM, "%s", path);
	xml->path = strdup(path);
	if (!xml->path)
		return wv_fail_errno(error, ENOMEM, "%s", path);
	failed = text ? copy_text(xml, text, error) : read_bytes(xml, error);
	if (!failed)
		failed = index_lines(xml, error);
	if (!failed)
		failed = check_text(xml, &start, error);
	if (!failed)
		failed = wv_xml_check(xml, start, &list, error);
	if (!failed)
		failed = wv_error_list_finish(&list, error);
	if (!failed && !build(xml, start))
		failed = wv_no_memory(error);
	if (errors)
		*errors = list.errors;
	else
		wv_errors_deinit(&list.errors);
	if (failed)
		return failed;
	*ret = wv_take(xml);
	return 0;
}
