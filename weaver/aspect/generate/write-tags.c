// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes tags as C; see write-tags.h. Each expression that the author wrote is on lines of its own,
 * so that its columns match the XML. Its value is passed to macros of runtime/tag-advice.h.
 */
#include <string.h>

#include "aspect/generate/write-tags.h"
#include "aspect/language/advice-code.h"

void wv_tags_write_storage(const struct wv_aspect *aspect, struct wv_str *out)
{
	wv_str_add(out, aspect->tags.n ? "\n" : "");
	wv_vec_for_each(tag, &aspect->tags)
		wv_str_addf(out, "WEFT_TAG(%s, %u)\n", tag->name, tag->bits);
}

/*
 * Writes a declaration of weft_object_@number, whose value is the expression. `(void)0,` turns the
 * expression into an rvalue: __auto_type does not accept an array. The check of the value's size is
 * on the same line as the expression, so that the compiler reports an error with that line. If the
 * expression contains `//`, the check is on the next line, where no comment can swallow it.
 */
static void write_object(const struct wv_aspect_code *code, size_t number, wv_write_code write,
			 void *context, struct wv_str *out)
{
	struct wv_aspect_code checked = *code;

	checked.text.bytes = (struct wv_str){ 0 };
	wv_str_addf(&checked.text.bytes,
		    "%s%s); _Static_assert(sizeof(weft_object_%zu) == sizeof(long), "
		    "\"an object is given by its address\"",
		    code->text.bytes.data, strstr(code->text.bytes.data, "//") ? "\n" : "", number);
	wv_str_addf(out, "\t__auto_type weft_object_%zu = ((void)0,\n", number);
	if (!checked.text.bytes.failed)
		write(context, &checked);
	wv_str_add(out, "\t);\n");
	out->failed |= checked.text.bytes.failed;
	wv_str_deinit(&checked.text.bytes);
}

void wv_tags_write_guard(const struct wv_aspect *aspect, const struct wv_aspect_advice *advice,
			 wv_write_code write, void *context, struct wv_str *out)
{
	const struct wv_aspect_pointcut *pointcut = &aspect->pointcuts.data[advice->pointcut];
	const bool start = advice->metric && wv_metric_is_pair(advice->metric);
	size_t n = 0;

	if (!wv_advice_asks_tags(advice) || !pointcut->tagged.n)
		return;
	wv_vec_for_each(use, &pointcut->tagged)
		write_object(&use->object, n++, write, context, out);
	n = 0;
	wv_str_add(out, start ? "\tconst bool weft_active = " : "\tweft_when(");
	if (start)
		wv_str_add(out, "weft_passes && ");
	wv_vec_for_each(use, &pointcut->tagged) {
		wv_str_addf(out, "%s%sweft_tagged(%s, weft_object_%zu)", n ? " && " : "",
			    use->absent ? "!" : "", use->name, n);
		n++;
	}
	wv_str_add(out, start ? ";\n" : ")\n");
}

void wv_tags_write_body(const struct wv_aspect *aspect, const struct wv_aspect_advice *advice,
			wv_write_code write, void *context, struct wv_str *out)
{
	const struct wv_aspect_tag *tag = &aspect->tags.data[advice->tag - 1];

	if (!advice->untags && tag->condition.location.line) {
		wv_str_add(out, "\tif (!(\n");
		write(context, &tag->condition);
		wv_str_add(out, "\t))\n\t\treturn;\n");
	}
	wv_str_add(out, "\t{\n");
	write_object(advice->untags ? &tag->until_object : &tag->object, 0, write, context, out);
	wv_str_addf(out, "\tweft_%s_tag_%s((unsigned long)weft_object_0);\n\t}\n\t}\n",
		    advice->untags ? "remove" : "add", tag->name);
}

void wv_tags_write_table(const struct wv_aspect *aspect, struct wv_str *out)
{
	if (!aspect->tags.n)
		return;
	wv_str_add(out, "\nstatic const struct weft_tag weft_tags[] = {\n");
	wv_vec_for_each(tag, &aspect->tags) {
		wv_str_addf(out, "\tWEFT_TAG_ROW(%s, ", tag->name);
		wv_str_add_c(out, tag->object_text);
		wv_str_add(out, "),\n");
	}
	wv_str_add(out, "};\n");
}

void wv_tags_write_end(const struct wv_aspect *aspect, struct wv_str *out)
{
	if (aspect->tags.n)
		wv_str_add(out, ", .tags = weft_tags, .nr_tags = ARRAY_SIZE(weft_tags)");
}
