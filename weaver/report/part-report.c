// SPDX-License-Identifier: GPL-2.0-or-later
/* Reports an aspect's parts in modules; see part-report.h. */
#include "base/notation.h"
#include "live/live-parts.h"
#include "report/part-report.h"

void wv_parts_text(const struct wv_device *device, const char *name, struct wv_str *out)
{
	struct wv_part_statuses parts;
	struct wv_error ignored;

	if (wv_device_parts(device, name, &parts, &ignored))
		return;
	wv_vec_for_each(part, &parts.list) {
		if (part == parts.list.data)
			continue;
		wv_str_addf(out, "  %s%s%s: %s, %s", part->module, *part->section ? " " : "",
			    part->section, wv_part_state_name(part->state),
			    wv_count_text(part->nr_splices,
					  *part->section ? "splice" : "uprobe").text);
		if (part->nr_refused)
			wv_str_addf(out, ", %u refused", part->nr_refused);
		if (part->error)
			wv_str_addf(out, " (%s)", wv_part_error_text(part->error));
		wv_str_add(out, "\n");
	}
	wv_part_statuses_deinit(&parts);
}

void wv_parts_json(const struct wv_device *device, const char *name, struct wv_json *json)
{
	struct wv_part_statuses parts;
	struct wv_error ignored;

	if (wv_device_parts(device, name, &parts, &ignored))
		return;
	if (parts.list.n > 1) {
		wv_json_begin_array(json, "modules");
		wv_vec_for_each(part, &parts.list) {
			if (part == parts.list.data)
				continue;
			wv_json_begin_object(json, NULL);
			wv_json_text(json, "module", part->module);
			wv_json_text(json, "section", part->section);
			wv_json_text(json, "state", wv_part_state_name(part->state));
			wv_json_unsigned(json, "splices", part->nr_splices);
			wv_json_unsigned(json, "refused", part->nr_refused);
			wv_json_end_object(json);
		}
		wv_json_end_array(json);
	}
	wv_part_statuses_deinit(&parts);
}
