// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests the keys of module/cache.c: a module that was signed is not found again when the files that
 * it was signed with have changed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmocka-all.h"
#include "module/cache.h"
#include "files.h"

static struct wv_signing signing = { .tool = "/kernel/scripts/sign-file", .hash = "sha256" };
static char folder[PATH_MAX], db[PATH_MAX];

static void write_text(const char *name, const char *text, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s", files_write(name, text, strlen(text)));
}

/* Returns the path in the cache of an aspect whose module is signed with @signing. */
static const char *cached(void)
{
	static const uint8_t build_id[20];
	static char path[PATH_MAX];
	const struct wv_str text = { .data = "<aspect/>", .n = 9 };
	const struct wv_cache_inputs inputs = {
		.aspect = "a.xml", .text = &text, .build_id = build_id,
		.build_id_size = sizeof(build_id), .kernel = folder, .db = db,
		.signing = &signing, .kmod = folder, .runtime = folder,
	};
	struct wv_error error;

	if (wv_cache_path(&inputs, path, &error))
		fail_msg("%s", error.message);
	return path;
}

static int setup(void **state)
{
	char path[PATH_MAX];

	write_text(".config", "", path);
	write_text("Module.symvers", "", path);
	write_text("vmlinux.weft", "", db);
	write_text("key", "one", signing.key);
	write_text("certificate", "one", signing.certificate);
	snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(path, '/') - path), path);
	return setenv("XDG_CACHE_HOME", folder, 1);
}

static int teardown(void **state)
{
	char path[PATH_MAX + 16];

	snprintf(path, sizeof(path), "%s/weft/aspects", folder);
	rmdir(path);
	*strrchr(path, '/') = '\0';
	return rmdir(path);
}

static void test_same(void **state)
{
	char before[PATH_MAX];

	strcpy(before, cached());
	assert_string_equal(cached(), before);
}

static void test_new_key_in_its_place(void **state)
{
	char before[PATH_MAX];

	strcpy(before, cached());
	write_text("key", "another", signing.key);
	assert_string_not_equal(cached(), before);
}

static void test_new_certificate_in_its_place(void **state)
{
	char before[PATH_MAX];

	strcpy(before, cached());
	write_text("certificate", "another", signing.certificate);
	assert_string_not_equal(cached(), before);
}

/* The key is in a hardware token, so there is no file with the key. */
static void test_key_in_a_token(void **state)
{
	strcpy(signing.key, "pkcs11:object=weft");
	assert_non_null(strstr(cached(), ".ko"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),
		cmocka_unit_test(test_new_key_in_its_place),
		cmocka_unit_test(test_new_certificate_in_its_place),
		cmocka_unit_test(test_key_in_a_token),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
