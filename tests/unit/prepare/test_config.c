// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests prepare/config.c: it reads a kernel's configuration and says whether such a kernel can be
 * woven.
 */
#include <stdlib.h>
#include <string.h>

#include "cmocka-all.h"

#include "files.h"
#include "live/health.h"
#include "prepare/config.h"

static const char *written(const char *text)
{
	return files_write("config", text, strlen(text));
}

static void options(void **state)
{
	_cleanup_config_ struct wv_config config = { 0 };
	struct wv_error error;
	char *text;

	assert_int_equal(wv_config_read(written("#\n# Linux/x86 6.1.192 Kernel Configuration\n#\n"
						"CONFIG_SMP=y\n# CONFIG_GCOV is not set\n"
						"CONFIG_SND=m\nCONFIG_CC=\"gcc (Debian) 12\"\n"
						"CONFIG_NR=64\nCONFIG_EMPTY=\"\"\n"),
					&config, &error), 0);
	assert_string_equal(config.version.data, "6.1.192");
	assert_true(wv_config_has(&config, "CONFIG_SMP"));
	assert_false(wv_config_has(&config, "CONFIG_SND"));
	assert_false(wv_config_has(&config, "CONFIG_GCOV"));
	assert_false(wv_config_has(&config, "CONFIG_SM"));
	text = wv_config_text(&config, "CONFIG_CC");
	assert_string_equal(text, "gcc (Debian) 12");
	free(text);
	text = wv_config_text(&config, "CONFIG_NR");
	assert_string_equal(text, "64");
	free(text);
	text = wv_config_text(&config, "CONFIG_EMPTY");
	assert_string_equal(text, "");
	free(text);
	assert_null(wv_config_text(&config, "CONFIG_N"));
}

static void no_configuration(void **state)
{
	struct wv_config config;
	struct wv_error error;

	assert_int_equal(wv_config_read("/nowhere", &config, &error), -WV_E_FAILURE);
	wv_config_deinit(&config);
	assert_int_equal(wv_config_read(written("hello\n# CONFIG_X is not set\n"), &config, &error),
			 -WV_E_FORMAT);
	wv_config_deinit(&config);
}

static void needs(void **state)
{
	struct wv_str text = { 0 };
	struct wv_error error;
	char *first;

	for (const char *const *option = wv_health_options; *option; option++)
		wv_str_addf(&text, "%s=y\n", *option);
	assert_int_equal(wv_config_check(written(text.data), &error), 0);
	/* The value m, for a module, counts as if the option were not set. */
	first = strchr(text.data, '=');
	first[1] = 'm';
	assert_int_equal(wv_config_check(written(text.data), &error), -WV_E_FAILURE);
	assert_contains(error.message, wv_health_options[0]);
	if (wv_health_options[1])
		assert_null(strstr(error.message, wv_health_options[1]));
	wv_str_deinit(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options),
		cmocka_unit_test(no_configuration),
		cmocka_unit_test(needs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
