/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmocka.h with the headers that it needs before it. */
#ifndef WEFT_TESTS_CMOCKA_ALL_H
#define WEFT_TESTS_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

/* Fails with both texts unless @text has @part in it. */
#define assert_contains(text, part)                                                   \
	do {                                                                          \
		if (!strstr((text), (part)))                                          \
			fail_msg("'%s' does not contain '%s'", (text), (part));       \
	} while (0)

#endif /* WEFT_TESTS_CMOCKA_ALL_H */
