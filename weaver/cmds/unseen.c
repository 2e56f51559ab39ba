// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints which metrics miss hits; see unseen.h. */
#include "cmds/unseen.h"
#include "report/metrics-report.h"

int wv_print_unseen(FILE *out, const struct wv_device *device, const char *name,
		    struct wv_error *error)
{
	struct wv_readings readings;
	struct wv_str text = { 0 };
	int err = wv_readings_get(device, name, &readings, error);

	if (err)
		return err;
	wv_unseen_lines(&readings, &text);
	if (text.data)
		fputs(text.data, out);
	wv_str_deinit(&text);
	wv_readings_deinit(&readings);
	return 0;
}
