// SPDX-License-Identifier: GPL-2.0-or-later
/* Reports an aspect's tags; see tag-report.h. */
#include "base/notation.h"
#include "report/tag-report.h"

static void add_text(const struct weft_tag_info *info, struct wv_str *out)
{
	wv_str_addf(out, "  tag %s (%s): %s tagged, %llu untagged, %llu carry it\n", info->tag,
		    info->object, wv_count_text(info->tagged, "object").text, info->untagged,
		    info->carried);
	wv_str_addf(out, "    asked %s, %s the object carried it\n",
		    wv_count_text(info->asked, "time").text,
		    wv_count_text(info->held, "time").text);
	if (info->again)
		wv_str_addf(out, "    %s, an object came that had the tag already\n",
			    wv_count_text(info->again, "time").text);
	if (info->full)
		wv_str_addf(out, "    %s got no tag, since no slot was free: more 'objects' in its "
				 "<tag> give more\n",
			    wv_count_text(info->full, "object").text);
	if (info->lost)
		wv_str_add(out, "    no object carries it any more: a module that frees some was "
				"loaded, and is not woven\n");
}

void wv_tags_text(const struct wv_device *device, const struct weft_status *status,
		  struct wv_str *out)
{
	struct weft_tag_info info;
	uint32_t index = 0;

	while (wv_device_tag(device, status->name, index, &info)) {
		add_text(&info, out);
		index++;
	}
	if (index && status->missed)
		wv_str_addf(out, "    %s missed: an object that was freed in one of them may seem "
				 "to carry its tag still\n",
			    wv_count_text(status->missed, "execution").text);
}

void wv_tags_json(const struct wv_device *device, const char *name, struct wv_json *json)
{
	struct weft_tag_info info;
	uint32_t index = 0;

	for (; wv_device_tag(device, name, index, &info); index++) {
		if (!index)
			wv_json_begin_array(json, "tags");
		wv_json_begin_object(json, NULL);
		wv_json_text(json, "tag", info.tag);
		wv_json_text(json, "object", info.object);
		wv_json_unsigned(json, "tagged", info.tagged);
		wv_json_unsigned(json, "again", info.again);
		wv_json_unsigned(json, "no_slot", info.full);
		wv_json_unsigned(json, "untagged", info.untagged);
		wv_json_unsigned(json, "carried", info.carried);
		wv_json_unsigned(json, "asked", info.asked);
		wv_json_unsigned(json, "held", info.held);
		wv_json_unsigned(json, "slots", info.room);
		wv_json_bool(json, "lost", info.lost);
		wv_json_end_object(json);
	}
	if (index)
		wv_json_end_array(json);
}

bool wv_tags_any(const struct wv_device *device, const char *name)
{
	struct weft_tag_info info;

	return wv_device_tag(device, name, 0, &info);
}

void wv_tags_json_line(const struct wv_device *device, const char *name, struct wv_str *out)
{
	struct wv_json json = WV_JSON(out);

	if (!wv_tags_any(device, name))
		return;
	wv_json_begin_object(&json, NULL);
	wv_json_text(&json, "aspect", name);
	wv_tags_json(device, name, &json);
	wv_json_end_object(&json);
}
