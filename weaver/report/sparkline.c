// SPDX-License-Identifier: GPL-2.0-or-later
/* Draws lines of bars; see sparkline.h. */
#include <stdlib.h>
#include <string.h>

#include "report/sparkline.h"

bool wv_terminal_is_utf8(void)
{
	static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	/* The first variable that is set decides. */
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *value = getenv(variables[i]);

		if (value && *value)
			return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
	}
	return false;
}

static const struct wv_series *find(const struct wv_samples *samples, size_t index, const char *key)
{
	if (index >= samples->metrics.n)
		return NULL;
	wv_vec_for_each(series, &samples->metrics.data[index].keys)
		if (!strcmp(series->key, key))
			return series;
	return NULL;
}

void wv_sparkline(const struct wv_samples *samples, size_t index, const char *key, bool utf8,
		  struct wv_str *out)
{
	static const char *const blocks[] = { " ", "▁", "▂", "▃", "▄",
					      "▅", "▆", "▇", "█" };
	static const char *const ascii[] = { " ", ".", ".", ":", "-", "=", "+", "*", "#" };
	const struct wv_series *series = find(samples, index, key);
	size_t first = samples->n > WV_SPARKS ? samples->n - WV_SPARKS : 0;
	int64_t most = 1, last;

	if (!series || !samples->n)
		return;
	for (size_t i = first; i < samples->n; i++)
		if (series->gained[i] > most)
			most = series->gained[i];
	for (size_t i = samples->n - first; i < WV_SPARKS; i++)
		wv_str_add(out, " ");
	for (size_t i = first; i < samples->n; i++) {
		int64_t gained = series->gained[i] > 0 ? series->gained[i] : 0;
		/* Round the height up, so that each increase is visible. */
		int64_t height = (gained * 8 + most - 1) / most;

		wv_str_add(out, (utf8 ? blocks : ascii)[height]);
	}
	last = series->gained[samples->n - 1];
	wv_str_addf(out, " %.4g/s", (double)last * 1e9 / (double)samples->interval);
}
