// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests live/installed.c: whether the key by which modules are signed is one that the kernel
 * trusts. The test writes the few files that decide this into a folder that is used as the root of
 * the system. The other checks of live/installed.c are tested in tests/cli.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmocka-all.h"

#include "live/installed.h"
#include "files.h"

#define KEYS "var/lib/dkms"
#define VARIABLES "sys/firmware/efi/efivars"
#define LIST VARIABLES "/MokListRT-605dab50-e046-4300-abb6-3dd810dd8b23"

static char root[PATH_MAX];

/*
 * Makes the folders of @path below the folder that is used as root, and then the file @path with
 * the contents @text.
 */
static void put(const char *path, const char *text)
{
	char whole[2 * PATH_MAX];
	FILE *file;

	snprintf(whole, sizeof(whole), "%s/%s", root, path);
	for (char *slash = whole + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(whole, 0700);
		*slash = '/';
	}
	file = fopen(whole, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static struct wv_health_check ask(bool enforced)
{
	const struct wv_system system = { .root = root, .release = "6.1.0" };
	struct wv_health_check check = { .name = "signatures" };

	wv_installed_key(&system, enforced, &check);
	return check;
}

static void test_key(void **state)
{
	struct wv_health_check check;

	snprintf(root, sizeof(root), "%s", files_path(""));
	assert_int_equal(ask(false).level, WV_HEALTH_OK);
	check = ask(true);
	assert_int_equal(check.level, WV_HEALTH_MISSING);
	assert_contains(check.found, "there is no key");
	put(KEYS "/mok.pub", "the certificate");
	check = ask(true);
	assert_int_equal(check.level, WV_HEALTH_MISSING);
	assert_contains(check.remedy, "mokutil --import /var/lib/dkms/mok.pub");
	put(LIST, "attributes, somebody's certificate");
	assert_int_equal(ask(true).level, WV_HEALTH_MISSING);
	put(LIST, "attributes, the certificate, another");
	check = ask(true);
	assert_int_equal(check.level, WV_HEALTH_OK);
	assert_contains(check.found, "/var/lib/dkms/mok.pub");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
