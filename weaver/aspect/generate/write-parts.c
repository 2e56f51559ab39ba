// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes the table of parts; see write-parts.h. */
#include "aspect/generate/write-parts.h"
#include "base/notation.h"
#include "runtime/abi.h"

static void write_part(const struct wv_text_part *part, const struct wv_part_row *row,
		       struct wv_str *out)
{
	wv_str_add(out, "\t{");
	if (part->module) {
		wv_str_addf(out, " .module = %u, .section = %u, /* ", row->module, row->section);
		wv_str_add_comment(out, part->module);
		wv_str_add(out, ", ");
		wv_str_add_comment(out, part->section);
		wv_str_addf(out,
			    " */\n\t  .anchor = %u, .anchor_offset = 0x%llx, .size = 0x%llx,\n\t ",
			    row->anchor, (unsigned long long)part->anchor_offset,
			    (unsigned long long)part->size);
	}
	wv_str_add(out, " .build_id = {");
	for (size_t i = 0; i < part->build_id_size; i++)
		wv_str_addf(out, "%s0x%02x,", i % 10 ? " " : "\n\t\t", part->build_id[i]);
	wv_str_addf(out, "\n\t  },\n\t  .build_id_size = %zu },\n", part->build_id_size);
}

void wv_parts_write(const wv_parts *parts, const struct wv_part_row *rows, struct wv_str *out)
{
	wv_str_add(out, "\nstatic const struct weft_text_part weft_parts[] __used __section(\""
			WEFT_SECTION_PARTS "\") = {\n");
	for (size_t i = 0; i < parts->n; i++)
		write_part(&parts->data[i], &rows[i], out);
	wv_str_add(out, "};\n");
}
