// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests which functions are proven identical: the sample as an object is compared with the linked
 * sample and with itself as a module; a copy of it with another byte is compared with the linked
 * sample.
 */
#include <stdlib.h>
#include <string.h>

#include "cmocka-all.h"
#include "files.h"
#include "prove/proof.h"

struct proving {
	struct wv_image *image, *object;
	struct wv_units units;
	struct wv_paths paths;
	struct wv_shipped shipped;
	struct wv_proof proof;
};

static void prove(struct proving *proving, const char *image, const char *object, const char *main)
{
	struct wv_error error = { 0 };

	memset(proving, 0, sizeof(*proving));
	assert_int_equal(wv_image_open(image, &proving->image, &error), 0);
	assert_int_equal(wv_image_open(object, &proving->object, &error), 0);
	assert_int_equal(wv_units_read(proving->image, &proving->paths, &proving->units, &error),
			 0);
	assert_int_equal(wv_shipped_init(&proving->shipped, proving->image, &proving->units,
					 &proving->paths, &error), 0);
	if (wv_prove(&proving->proof, &proving->shipped, proving->object, main, &error))
		fail_msg("%s", error.message);
}

static void end(struct proving *proving)
{
	wv_proof_deinit(&proving->proof);
	wv_shipped_deinit(&proving->shipped);
	wv_units_deinit(&proving->units);
	wv_paths_deinit(&proving->paths);
	wv_image_close(proving->object);
	wv_image_close(proving->image);
}

static const struct wv_proven *find(const struct proving *proving, const char *name)
{
	wv_vec_for_each(proven, &proving->proof.functions)
		if (!strcmp(proven->name, name))
			return proven;
	fail_msg("no function %s", name);
	return NULL;
}

/*
 * Makes a copy of the object in which destroy() begins with another instruction; returns its path.
 */
static const char *change(void)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	size_t size;
	uint8_t *bytes = files_read(MODULE, &size);
	uint8_t *found = memmem(bytes, size, endbr64, sizeof(endbr64));
	const char *path;

	assert_non_null(found);
	found[sizeof(endbr64) - 1] ^= 1;
	path = files_write("changed.o", bytes, size);
	free(bytes);
	return path;
}

static void test_identical(void **state)
{
	struct proving proving;
	const struct wv_proven *proven;

	prove(&proving, SAMPLE, MODULE, "fs/sample.c");
	assert_true(proving.proof.functions.n > 3);
	wv_vec_for_each(each, &proving.proof.functions)
		if (each->kind != WV_SAME)
			fail_msg("%s: %s", each->name,
				 wv_pool_get(&proving.proof.texts, each->why));
	proven = find(&proving, "destroy");
	assert_ptr_equal(wv_proof_at(&proving.proof, proven->start), proven);
	assert_ptr_equal(wv_proof_at(&proving.proof, proven->start + proven->size - 1), proven);
	assert_ptr_not_equal(wv_proof_at(&proving.proof, proven->start + proven->size), proven);
	assert_null(wv_proof_at(&proving.proof, 0));
	assert_true(proven->address > 0xffffffff80000000);
	end(&proving);
}

/* Compares the object with itself as a module's file, so that both sides have relocations. */
static void test_module(void **state)
{
	struct proving proving;

	prove(&proving, MODULE, MODULE, "fs/sample.c");
	wv_vec_for_each(each, &proving.proof.functions) {
		assert_int_equal(each->kind, WV_SAME);
		assert_int_equal(each->start, each->address);
	}
	end(&proving);
}

static void test_changed(void **state)
{
	struct proving proving;

	prove(&proving, SAMPLE, change(), "fs/sample.c");
	assert_int_equal(find(&proving, "destroy")->kind, WV_DIFFERENT_BYTES);
	assert_int_equal(find(&proving, "touch")->kind, WV_SAME);
	end(&proving);
}

/* A linked image must not be accepted as an object. */
static void test_refused(void **state)
{
	struct wv_error error = { 0 };
	struct proving proving;
	struct wv_proof proof;

	prove(&proving, SAMPLE, MODULE, "fs/sample.c");
	assert_int_equal(wv_prove(&proof, &proving.shipped, proving.image, "", &error),
			 -WV_E_FORMAT);
	end(&proving);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_identical),
		cmocka_unit_test(test_module),
		cmocka_unit_test(test_changed),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
