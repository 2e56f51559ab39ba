/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The common source of two modules of the same size and layout (alike_one.c, alike_two.c) that
 * differ in one instruction: where alike_one has a nop, alike_two jumps over the next instruction.
 * A write of a number to the parameter `call` calls alike_function() with that number; a read gives
 * the result of the last call.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

#ifdef ALIKE_JUMPS
#define ALIKE_DIFFERENCE ".byte 0xe9\n\t.long 1f - . - 4\n\t"
#else
#define ALIKE_DIFFERENCE ".nops 1\n\t.nops 1\n\t.nops 1\n\t.nops 1\n\t.nops 1\n\t"
#endif

noinline unsigned long alike_function(unsigned long x)
{
	asm volatile("testq %0, %0\n\t"
		     "js 0f\n\t"
		     ALIKE_DIFFERENCE
		     "0:\tincq %0\n"
		     "1:\tincq %0\n\t"
		     "incq %0\n\t"
		     "incq %0"
		     : "+a"(x));
	return x;
}

static unsigned long result;

static int call(const char *text, const struct kernel_param *param)
{
	unsigned long x;
	int ret = kstrtoul(text, 0, &x);

	if (!ret)
		result = alike_function(x);
	return ret;
}

static const struct kernel_param_ops call_ops = { .set = call, .get = param_get_ulong };
module_param_cb(call, &call_ops, &result, 0644);
MODULE_LICENSE("GPL");
