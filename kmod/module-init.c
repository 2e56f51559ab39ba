// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * weft.ko: weaves aspects into the running kernel's text and unweaves them. This file starts and
 * stops its parts. Each part is started after those that it uses. The device is last, since
 * requests may arrive as soon as it exists.
 */
#include <linux/module.h>

#include "aspect.h"
#include "aspect-life.h"
#include "budget.h"
#include "device.h"
#include "fault.h"
#include "text/blacklist.h"
#include "text/function.h"
#include "splice/grace.h"
#include "splice/kprobe-hook.h"
#include "splice/platform.h"
#include "once.h"
#include "part-life.h"
#include "read-device.h"
#include "metrics/stack.h"
#include "record/record.h"
#include "text/single-entry.h"
#include "text/sites.h"
#include "splice/splice.h"
#include "base/table-memory.h"
#include "base/unexported.h"
#include "text/text.h"
#include "timing.h"
#include "tracepoints.h"
#include "uprobes.h"
#include "splice/trap.h"

static int __init weft_init(void)
{
	int ret = wk_unexported_init();

	if (ret)
		return ret;
	wk_platform_init();
	wk_text_init(&wk_splice_overlay);
	wk_single_entry_init();
	ret = wk_record_scratch_init();
	if (ret)
		return ret;
	ret = wk_sites_init();
	if (ret)
		goto err_scratch;
	ret = wk_grace_init();
	if (ret)
		goto err_sites;
	ret = wk_trap_init();
	if (ret)
		goto err_grace;
	ret = wk_blacklist_init(wk_trap_is_hooked());
	if (ret)
		goto err_trap;
	ret = wk_kprobe_hook_init();
	if (ret)
		goto err_trap;
	ret = wk_timing_init();
	if (ret)
		goto err_kprobe_hook;
	ret = wk_fault_init();
	if (ret)
		goto err_timing;
	ret = wk_budget_init();
	if (ret)
		goto err_fault;
	ret = wk_uprobes_init();
	if (ret)
		goto err_budget;
	ret = wk_part_life_init();
	if (ret)
		goto err_uprobes;
	ret = wk_stack_init();
	if (ret)
		goto err_part_life;
	ret = wk_device_init();
	if (ret)
		goto err_stack;
	ret = wk_read_device_init();
	if (ret)
		goto err_device;
	return 0;

err_device:
	wk_device_deinit();
err_stack:
	wk_stack_deinit();
err_part_life:
	wk_part_life_deinit();
err_uprobes:
	wk_uprobes_deinit();
err_budget:
	wk_budget_deinit();
err_fault:
	wk_fault_deinit();
err_timing:
	wk_timing_deinit();
err_kprobe_hook:
	wk_kprobe_hook_deinit();
err_trap:
	wk_trap_deinit();
err_grace:
	wk_grace_deinit();
err_sites:
	wk_sites_deinit();
err_scratch:
	wk_record_scratch_deinit();
	return ret;
}

/*
 * Aspect modules depend on symbols that weft.ko exports, so none is loaded now and nothing is
 * woven. Retirement may still be running; wk_grace_deinit() waits for it.
 */
static void __exit weft_exit(void)
{
	wk_read_device_deinit();
	wk_device_deinit();
	wk_stack_deinit();
	wk_part_life_deinit();
	wk_uprobes_deinit();
	wk_budget_deinit();
	wk_fault_deinit();
	wk_timing_deinit();
	wk_once_deinit();
	wk_aspect_life_deinit();
	wk_grace_deinit();
	wk_kprobe_hook_deinit();
	wk_trap_deinit();
	wk_aspects_deinit();
	wk_tracepoints_deinit();
	wk_functions_deinit();
	wk_sites_deinit();
	wk_record_scratch_deinit();
	wk_accounts_deinit();
}

module_init(weft_init);
module_exit(weft_exit);
MODULE_LICENSE("GPL");
MODULE_AUTHOR("The weft authors");
MODULE_DESCRIPTION("Weaves advice into the running kernel");
