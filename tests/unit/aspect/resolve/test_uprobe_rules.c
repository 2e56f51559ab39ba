// SPDX-License-Identifier: GPL-2.0-or-later
/* Unit tests of which instructions the kernel's uprobes take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "aspect/resolve/uprobe-rules.h"

#define TAKES(...) \
	wv_uprobe_takes((const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }))

static void takes_what_programs_consist_of(void **state)
{
	assert_true(TAKES(0x55));				/* push %rbp */
	assert_true(TAKES(0xf3, 0x0f, 0x1e, 0xfa));		/* endbr64 */
	assert_true(TAKES(0x48, 0x89, 0xe5));			/* mov %rsp,%rbp */
	assert_true(TAKES(0xe8, 0, 0, 0, 0));			/* call */
	assert_true(TAKES(0xff, 0x25, 0, 0, 0, 0));		/* jmp *0(%rip) */
	assert_true(TAKES(0xc3));				/* ret */
	assert_true(TAKES(0xf3, 0xc3));				/* rep ret */
	assert_true(TAKES(0x64, 0x48, 0x8b, 0x04, 0x25));	/* mov %fs:..,%rax */
	assert_true(TAKES(0xc5, 0xf8, 0x10, 0x07));		/* vmovups (%rdi),%xmm0 */
	assert_true(TAKES(0xc4, 0xe2, 0x71, 0xb8, 0xc2));	/* vfmadd231ps */
}

static void refuses_what_the_kernel_does(void **state)
{
	assert_false(TAKES(0xf0, 0xff, 0x07));			/* lock incl (%rdi) */
	assert_false(TAKES(0x66, 0xf0, 0xff, 0x07));		/* and with another prefix */
	assert_false(TAKES(0x2e, 0x66, 0x0f, 0x1f, 0x84));	/* nopw %cs:.. */
	assert_false(TAKES(0xcc));				/* int3 */
	assert_false(TAKES(0xcd, 0x80));			/* int $0x80 */
	assert_false(TAKES(0xf4));				/* hlt */
	assert_false(TAKES(0x0f, 0x05));			/* syscall */
	assert_false(TAKES(0x0f, 0x0b));			/* ud2 */
	assert_false(TAKES(0xc5, 0xfa, 0x6f, 0x07));		/* vmovdqu: 6f is outs */
}

static void refuses_what_ends_too_soon(void **state)
{
	assert_false(wv_uprobe_takes(NULL, 0));
	assert_false(TAKES(0x66));
	assert_false(TAKES(0x48));
	assert_false(TAKES(0x0f));
	assert_false(TAKES(0xc5, 0xf8));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_what_programs_consist_of),
		cmocka_unit_test(refuses_what_the_kernel_does),
		cmocka_unit_test(refuses_what_ends_too_soon),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
