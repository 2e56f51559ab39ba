// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A test module that has everything that a module's text can have, for module.sh: patch sites of
 * all kinds, cold parts, text that is freed after init, and static functions of the same name in
 * its two files.
 */
#include <linux/atomic.h>
#include <linux/jump_label.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/static_call.h>
#include <asm/cpufeature.h>
#include <asm/msr.h>

#include "many.h"

static DEFINE_STATIC_KEY_FALSE(rare);
static struct thing *kept;

static noinline int namesake(struct thing *thing)
{
	thing->first++;
	return add_up(thing);
}

DEFINE_STATIC_CALL(chosen, namesake);

static noinline int patched(struct thing *thing)
{
	u64 value;

	if (static_branch_unlikely(&rare))
		thing->third = 7;
	if (static_cpu_has(X86_FEATURE_SMAP))
		thing->second = 1;
	if (rdmsrl_safe(MSR_EFER, &value))
		return -EIO;
	return static_call(chosen)(thing) + (int)value;
}

static noinline int unlikely_parts(struct thing *thing)
{
	if (WARN_ON_ONCE(!thing->first))
		return add_up(thing);
	if (unlikely(thing->second == 4711))
		pr_err("many: this does not happen: %ld\n", thing->first);
	return thing->call(thing);
}

static int __init one_init(void)
{
	kept = kzalloc(sizeof(*kept), GFP_KERNEL);
	if (!kept)
		return -ENOMEM;
	kept->call = namesake;
	kept->first = 1;
	return two_init(kept) + patched(kept) + unlikely_parts(kept) > INT_MAX - 1 ? -EIO : 0;
}

static void __exit one_exit(void)
{
	two_run(kept, NULL);
	kfree(kept);
}

module_init(one_init);
module_exit(one_exit);
MODULE_LICENSE("GPL");
