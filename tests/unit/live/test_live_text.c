// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests live/live-text.c, which reads announced pieces of live text with few requests. A stub of
 * ioctl() takes the place of weft.ko: it computes each byte of text from the byte's address, and
 * counts the requests.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "cmocka-all.h"
#include "live/live-text.h"

enum { TEXT = 0x1000, TEXT_SIZE = 1 << 20, HOLE = 0x9000 };

static const struct wv_device device = { .fd = 7,
					 .info = { .text = TEXT, .etext = TEXT + TEXT_SIZE } };
static unsigned int requests;

static uint8_t byte_at(uint64_t address)
{
	return (uint8_t)(address * 0x9e3779b97f4a7c15u >> 56);
}

/* Takes the place of ioctl(). The address HOLE is not text. */
int ioctl(int fd, unsigned long request, ...)
{
	const struct weft_piece *piece;
	const struct weft_text *text;
	uint8_t *to;
	va_list list;
	size_t size = 0;

	va_start(list, request);
	text = va_arg(list, const struct weft_text *);
	va_end(list);
	assert_int_equal(fd, device.fd);
	assert_int_equal(request, WEFT_IOC_TEXT);
	requests++;
	assert_in_range(text->nr_pieces, 1, WEFT_PIECES_MAX);
	piece = (const void *)(uintptr_t)text->pieces;
	to = (void *)(uintptr_t)text->buffer;
	for (uint32_t i = 0; i < text->nr_pieces; i++, piece++) {
		size += piece->size;
		assert_true(size <= WEFT_TEXT_MAX);
		assert_true(piece->address >= TEXT &&
			    piece->address + piece->size <= TEXT + TEXT_SIZE);
		for (uint64_t at = piece->address; at < piece->address + piece->size; at++) {
			if (at == HOLE) {
				errno = EFAULT;
				return -1;
			}
			*to++ = byte_at(at);
		}
	}
	return 0;
}

static void read_and_compare(struct wv_text *text, uint64_t address, size_t size)
{
	struct wv_error error;
	uint8_t bytes[4096];

	assert_int_equal(wv_text_read(text, address, bytes, size, &error), 0);
	for (size_t i = 0; i < size; i++)
		assert_int_equal(bytes[i], byte_at(address + i));
}

struct wish {
	uint64_t address;
	size_t size;
};

/*
 * Announces pieces in any order, some of which overlap, touch or repeat. All must be read, by few
 * requests.
 */
static void test_all_that_was_wanted(void **state)
{
	enum { WISHES = 20000, AHEAD = 16 };
	static struct wish wishes[WISHES];
	struct wv_error error;
	struct wv_text text;

	(void)state;
	for (unsigned int sorted = 0; sorted < 2; sorted++) {
		wv_text_init(&text, &device, true);
		srand(1 + sorted);
		for (unsigned int i = 0; i < WISHES; i++) {
			unsigned int at =
				sorted ? i * AHEAD : (unsigned int)rand() % (TEXT_SIZE / 2);

			size_t size = 1 + (size_t)rand() % 24, room = TEXT_SIZE / 2 - at;

			wishes[i] = (struct wish){ TEXT + TEXT_SIZE / 2 + at,
						   size < room ? size : room };
			assert_int_equal(
				wv_text_want(&text, wishes[i].address, wishes[i].size, &error), 0);
		}
		requests = 0;
		assert_int_equal(wv_text_fetch(&text, &error), 0);
		assert_in_range(requests, 4, 16);
		requests = 0;
		for (unsigned int i = 0; i < WISHES; i++)
			read_and_compare(&text, wishes[i].address, wishes[i].size);
		assert_int_equal(requests, 0);
		wv_text_deinit(&text);
	}
}

static void test_what_was_not(void **state)
{
	struct wv_error error;
	struct wv_text text;
	uint8_t byte;

	(void)state;
	wv_text_init(&text, &device, true);
	assert_int_equal(wv_text_want(&text, TEXT + 100, 10, &error), 0);
	assert_int_equal(wv_text_fetch(&text, &error), 0);
	requests = 0;
	read_and_compare(&text, TEXT + 100, 10);
	assert_int_equal(requests, 0);
	read_and_compare(&text, TEXT + 99, 10);
	read_and_compare(&text, TEXT + 101, 10);
	read_and_compare(&text, TEXT + 5000, 1);
	assert_int_equal(requests, 3);
	assert_int_equal(wv_text_read(&text, HOLE, &byte, 1, &error), -WV_E_REFUSED);
	wv_text_deinit(&text);
}

/* A piece that is not text must not keep the others from being read. */
static void test_a_hole(void **state)
{
	struct wv_error error;
	struct wv_text text;
	uint8_t byte;

	(void)state;
	wv_text_init(&text, &device, false);
	for (unsigned int at = 0; at < 2 * HOLE; at += 64)
		assert_int_equal(wv_text_want(&text, TEXT + at, 24, &error), 0);
	assert_int_equal(wv_text_fetch(&text, &error), 0);
	for (unsigned int at = 0; at < 2 * HOLE; at += 64)
		if (TEXT + at != HOLE)
			read_and_compare(&text, TEXT + at, 24);
	assert_int_equal(wv_text_read(&text, HOLE, &byte, 1, &error), -WV_E_REFUSED);
	wv_text_deinit(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_that_was_wanted),
		cmocka_unit_test(test_what_was_not),
		cmocka_unit_test(test_a_hole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
