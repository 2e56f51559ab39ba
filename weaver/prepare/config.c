// SPDX-License-Identifier: GPL-2.0-or-later
/* Parses a kernel's configuration; see config.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "live/health.h"
#include "prepare/config.h"

void wv_config_deinit(struct wv_config *config)
{
	wv_pool_deinit(&config->lines);
	wv_str_deinit(&config->version);
}

/* Reads the version from a line such as "# Linux/x86 6.1.192 Kernel Configuration". */
static void read_heading(struct wv_config *config, const char *line)
{
	char version[64];

	if (!config->version.n && sscanf(line, "# Linux/%*s %63s Kernel", version) == 1)
		wv_str_add(&config->version, version);
}

int wv_config_read(const char *path, struct wv_config *ret, struct wv_error *error)
{
	_cleanup_fclose_ FILE *stream = fopen(path, "re");
	_cleanup_free_ char *line = NULL;
	size_t size = 0;

	*ret = (struct wv_config){ 0 };
	if (!stream)
		return wv_fail_errno(error, errno, "%s", path);
	while (getline(&line, &size, stream) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (*line == '#')
			read_heading(ret, line);
		else if (!strncmp(line, "CONFIG_", 7) &&
			 wv_pool_add(&ret->lines, line) == WV_POOL_FAILED)
			return wv_no_memory(error);
	}
	if (ferror(stream))
		return wv_fail_errno(error, errno, "%s", path);
	if (!ret->lines.strings.n)
		return wv_fail(error, WV_E_FORMAT,
			       "%s: not a kernel's configuration, as it sets no option: name "
			       "another with --config",
			       path);
	return 0;
}

bool wv_config_has(const struct wv_config *config, const char *option)
{
	char line[256];

	snprintf(line, sizeof(line), "%s=y", option);
	return wv_pool_find(&config->lines, line) != WV_POOL_FAILED;
}

char *wv_config_text(const struct wv_config *config, const char *option)
{
	size_t n = strlen(option);

	wv_vec_for_each(line, &config->lines.strings) {
		const char *value = *line + n + 1;

		if (strncmp(*line, option, n) || (*line)[n] != '=')
			continue;
		value += *value == '"';
		return strndup(value, strcspn(value, "\""));
	}
	return NULL;
}

int wv_config_check(const char *path, struct wv_error *error)
{
	_cleanup_config_ struct wv_config config = { 0 };
	_cleanup_str_ struct wv_str missing = { 0 };
	int ret = wv_config_read(path, &config, error);

	for (const char *const *option = wv_health_options; !ret && *option; option++)
		if (!wv_config_has(&config, *option))
			wv_str_addf(&missing, " %s", *option);
	if (ret || !missing.n)
		return ret;
	return wv_fail(error, WV_E_FAILURE,
		       "%s: weft needs a kernel with%s: take another kernel, or build one with "
		       "these options",
		       path, missing.data);
}
