// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The registry of aspects; see aspect.h. An aspect module registers from its init function.
 */
#define pr_fmt(fmt) "weft: " fmt

#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/wait.h>

#include "splice/around-table.h"
#include "aspect.h"
#include "base/build-id.h"
#include "base/self-check.h"
#include "base/lock.h"
#include "base/table-memory.h"
#include "plan.h"
#include "program-file.h"
#include "record/view.h"
#include "uprobes.h"
#include "runtime/precision-count.h"
#include "splice/splice.h"

static LIST_HEAD(aspects);
static DECLARE_WAIT_QUEUE_HEAD(changed); /* woken when the state of an aspect has changed */

/*
 * A ring needs at least one page. The upper bound keeps a typing error from exhausting memory: the
 * size applies to each CPU and each aspect.
 */
enum { BUFFER_LEAST_KB = 4, BUFFER_MOST_KB = 64 << 10 };

static int set_buffer_kb(const char *text, const struct kernel_param *param)
{
	int ret = param_set_uint_minmax(text, param, BUFFER_LEAST_KB, BUFFER_MOST_KB);

	if (ret)
		pr_err("buffer_kb is a number from %d to %d\n", BUFFER_LEAST_KB, BUFFER_MOST_KB);
	return ret;
}

static const struct kernel_param_ops buffer_kb_ops = { .set = set_buffer_kb,
						       .get = param_get_uint };

static unsigned int buffer_kb = 256;
module_param_cb(buffer_kb, &buffer_kb_ops, &buffer_kb, 0644);
MODULE_PARM_DESC(buffer_kb,
		 "size of each aspect's record buffer on each CPU, in KiB: 4 to 65536 (256)");

static struct wk_aspect *find(const char *name)
{
	struct wk_aspect *aspect;

	list_for_each_entry(aspect, &aspects, list)
		if (!strncmp(aspect->name, name, WEFT_NAME_MAX))
			return aspect;
	return NULL;
}

struct wk_aspect *wk_aspect_find(const char *name)
{
	wk_assert_locked();
	return find(name);
}

struct wk_aspect *wk_aspect_find_to_read(const char *name)
{
	wk_assert_readers_locked();
	return find(name);
}

struct wk_aspect *wk_aspect_at(unsigned int index)
{
	struct wk_aspect *aspect;

	wk_assert_locked();
	list_for_each_entry(aspect, &aspects, list)
		if (!index--)
			return aspect;
	return NULL;
}

unsigned int wk_aspect_count(void)
{
	struct wk_aspect *aspect;
	unsigned int n = 0;

	wk_assert_locked();
	list_for_each_entry(aspect, &aspects, list)
		n++;
	return n;
}

/*
 * Frees what make_memory() has allocated. A member that is all zero was never initialized, and
 * nothing is freed for it.
 */
static void free_memory(struct wk_aspect *aspect)
{
	wk_tags_deinit(&aspect->tags);
	wk_tasks_deinit(&aspect->tasks);
	wk_metrics_deinit(&aspect->metrics);
	wk_records_deinit(&aspect->records);
}

static int make_memory(struct wk_aspect *aspect, struct weft_aspect *module)
{
	int ret = wk_records_init(&aspect->records, module, buffer_kb);

	if (!ret)
		ret = wk_metrics_init(&aspect->metrics, module);
	if (!ret)
		ret = wk_tasks_init(&aspect->tasks, module);
	if (!ret)
		ret = wk_tags_init(&aspect->tags, module);
	if (ret == -ENOMEM)
		pr_err("%s: there is no memory for its tables and buffers; those of all aspects "
		       "may have %u %% of it (memory_percent)\n",
		       module->header->name, wk_memory_percent());
	if (ret)
		free_memory(aspect);
	return ret;
}

static void free_aspect(struct wk_aspect *aspect)
{
	WK_BUG(aspect->state != WEFT_STATE_GONE, "%s is freed in state %d\n", aspect->name,
	       aspect->state);
	spin_lock(&wk_readers_lock);
	list_del(&aspect->list);
	spin_unlock(&wk_readers_lock);
	kvfree(aspect->joinpoints);
	kvfree(aspect->strings);
	kvfree(aspect->parts);
	free_memory(aspect);
	wk_once_forget(&aspect->once);
	kfree(aspect);
}

/* Is there data that a reader may still ask for once the module is gone? */
static bool leaves_something(struct wk_aspect *aspect)
{
	return wk_records_unread(&aspect->records) || aspect->metrics.nr || aspect->tags.nr ||
	       aspect->once.states;
}

void wk_aspect_reap(struct wk_aspect *aspect)
{
	wk_assert_locked();
	if (aspect->state == WEFT_STATE_GONE && !leaves_something(aspect))
		free_aspect(aspect);
}

int wk_aspect_reset(struct wk_aspect *aspect)
{
	wk_assert_locked();
	if (aspect->state != WEFT_STATE_GONE) {
		wk_tags_reset(&aspect->tags);
		return wk_metrics_reset(&aspect->metrics);
	}
	wk_metrics_deinit(&aspect->metrics);
	wk_tags_deinit(&aspect->tags);
	wk_once_forget(&aspect->once);
	wk_aspect_reap(aspect);
	return 0;
}

void wk_aspects_deinit(void)
{
	struct wk_aspect *aspect, *next;

	list_for_each_entry_safe(aspect, next, &aspects, list)
		free_aspect(aspect);
}

/* Sums the stats of all CPUs and the hits that inline counters have counted (metrics/counts.h). */
static struct weft_stats count(const struct wk_aspect *aspect)
{
	struct weft_stats sum = aspect->stats;
	int cpu;

	if (!aspect->module)
		return sum;
	for_each_possible_cpu(cpu) {
		const struct weft_stats *stats = per_cpu_ptr(aspect->module->stats, cpu);

		sum.hits += READ_ONCE(stats->hits) + READ_ONCE(stats->begun);
		sum.missed += READ_ONCE(stats->missed);
		sum.dropped += READ_ONCE(stats->dropped);
		sum.no_stack += READ_ONCE(stats->no_stack);
	}
	sum.hits += wk_metrics_hits(&aspect->metrics);
	return sum;
}

void wk_aspect_become(struct wk_aspect *aspect, enum weft_state state)
{
	wk_assert_locked();
	WRITE_ONCE(aspect->state, wk_aspect_state_enter(aspect->state, state, aspect->name));
	wake_up_all(&changed);
}

static u32 count_optimizing(const struct wk_aspect *aspect)
{
	const struct wk_attachment *attachment;
	u32 n = 0;

	list_for_each_entry(attachment, &aspect->attachments, in_aspect)
		n += attachment->splice->state == WK_STATE_OPTIMIZING;
	return n;
}

static void block_status(const struct wk_running_block *block, struct weft_status *status)
{
	const struct task_struct *task;

	if (!block->thread)
		return;
	rcu_read_lock();
	task = pid_task(block->thread, PIDTYPE_PID);
	status->block_died = !task || READ_ONCE(task->flags) & PF_EXITING;
	rcu_read_unlock();
	status->block_pid = pid_vnr(block->thread);
	status->block_ns = ktime_get_ns() - block->since;
}

void wk_aspect_status(struct wk_aspect *aspect, struct weft_status *status)
{
	const struct weft_stats stats = count(aspect);

	wk_assert_locked();
	strscpy(status->name, aspect->name, sizeof(status->name));
	status->state = aspect->state;
	status->content = aspect->content;
	status->nr_joinpoints = aspect->nr_joinpoints;
	memcpy(status->accesses, aspect->accesses, sizeof(status->accesses));
	status->nr_splices = aspect->nr_attachments + wk_uprobes_count(aspect->uprobes);
	status->nr_optimizing = count_optimizing(aspect);
	status->bound = aspect->bound != NULL;
	status->owner = 0;
	if (aspect->owner) {
		rcu_read_lock();
		if (pid_task(aspect->owner, PIDTYPE_TGID))
			status->owner = pid_vnr(aspect->owner);
		rcu_read_unlock();
	}
	block_status(&aspect->block, status);
	status->faults = wk_fault_count(&aspect->fault);
	wk_budget_status(&aspect->budget, status);
	status->hits = stats.hits;
	status->missed = stats.missed;
	status->dropped = stats.dropped;
	status->no_stack = stats.no_stack;
	status->inside = aspect->module ? wk_around_inside(aspect->module) : 0;
	status->tasks = aspect->state == WEFT_STATE_LOADED ? 0 : wk_tasks_used(&aspect->tasks);
	status->tasks_room = wk_tasks_room(&aspect->tasks);
	wk_records_totals(&aspect->records, &status->records, &status->lost);
	status->unread = wk_records_unread(&aspect->records);
	status->overtaken = aspect->records.overtaken;
	status->views = wk_views_count(&aspect->records);
	status->published = !aspect->published.is ? WEFT_PUBLISHED_NOT :
			    aspect->published.has_group ? WEFT_PUBLISHED_GROUP : WEFT_PUBLISHED;
	status->group = __kgid_val(aspect->published.group);
	if (aspect->module)
		wk_timing_status(&aspect->timing, status);
}

static void copy_string(const struct wk_aspect *aspect, u32 offset, char *to, size_t size)
{
	if (aspect->strings && offset < aspect->strings_size)
		strscpy(to, aspect->strings + offset, size);
	else
		to[0] = '\0';
}

/*
 * Describes a start or end block as if it were a joinpoint: it has only a name, and no location in
 * the kernel.
 */
static void describe_block(struct weft_joinpoint_text *text, const char *name)
{
	text->line = 0;
	text->column = 0;
	text->symbol_offset = 0;
	text->text_offset = 0;
	strscpy(text->what, name, sizeof(text->what));
	strscpy(text->symbol, name, sizeof(text->symbol));
	text->function[0] = '\0';
	text->file[0] = '\0';
	text->module[0] = '\0';
}

/* Of a joinpoint in a program, the module is the name of the program's file. */
static void name_program(const struct wk_aspect *aspect, const struct wk_part *part,
			 struct weft_joinpoint_text *text)
{
	const char *path = aspect->strings ? aspect->strings + part->module : "";

	if (wk_program_is(path))
		strscpy(text->module, kbasename(path), sizeof(text->module));
}

int wk_aspect_joinpoint(const struct wk_aspect *aspect, struct weft_joinpoint_text *text)
{
	const struct weft_joinpoint *joinpoint;

	if (text->index == WEFT_JOINPOINT_START || text->index == WEFT_JOINPOINT_END) {
		describe_block(text, text->index == WEFT_JOINPOINT_START ? "start" : "end");
		return 0;
	}
	if (!aspect->joinpoints || text->index >= aspect->nr_joinpoints)
		return -ERANGE;
	joinpoint = &aspect->joinpoints[text->index];
	text->line = joinpoint->line;
	text->column = joinpoint->column;
	text->symbol_offset = joinpoint->symbol_offset;
	text->text_offset = joinpoint->text_offset;
	copy_string(aspect, joinpoint->what, text->what, sizeof(text->what));
	copy_string(aspect, joinpoint->symbol, text->symbol, sizeof(text->symbol));
	copy_string(aspect, joinpoint->function, text->function, sizeof(text->function));
	copy_string(aspect, joinpoint->file, text->file, sizeof(text->file));
	copy_string(aspect, aspect->parts[joinpoint->part].module, text->module,
		    sizeof(text->module));
	name_program(aspect, &aspect->parts[joinpoint->part], text);
	return 0;
}

static void name_joinpoint(const struct wk_aspect *aspect, u64 index, char *text, size_t size)
{
	struct weft_joinpoint_text *joinpoint = kzalloc(sizeof(*joinpoint), GFP_KERNEL);

	if (!joinpoint)
		return;
	joinpoint->index = index;
	if (index < aspect->nr_joinpoints && !wk_aspect_joinpoint(aspect, joinpoint))
		scnprintf(text, size, "%s+0x%x", joinpoint->symbol, joinpoint->symbol_offset);
	kfree(joinpoint);
}

void wk_aspect_name_key(const void *aspect_, u64 kind, u64 key, char *text, size_t size)
{
	const struct wk_aspect *aspect = aspect_;

	if (kind == WEFT_KEY_JOINPOINT)
		name_joinpoint(aspect, key, text, size);
	else if (aspect->strings && key < aspect->strings_size)
		strscpy(text, aspect->strings + key, size);
}

static int check_header(const struct weft_aspect *module)
{
	const struct weft_aspect_header *header = module->header;

	if (!header || header->magic != WEFT_ASPECT_MAGIC || header->abi != WEFT_ABI_VERSION) {
		pr_err("%s: made for another version of weft\n", module->module->name);
		return -EINVAL;
	}
	if (!header->name[0] || strnlen(header->name, WEFT_NAME_MAX) == WEFT_NAME_MAX ||
	    !header->nr_joinpoints || !header->nr_advices || !header->nr_parts ||
	    !module->strings_size || module->strings[module->strings_size - 1]) {
		pr_err("%s: damaged aspect header\n", module->module->name);
		return -EINVAL;
	}
	if (!wk_parts_are_valid(module)) {
		pr_err("%s: damaged table of parts\n", module->module->name);
		return -EINVAL;
	}
	if (!wk_build_id_is(module->parts->build_id, module->parts->build_id_size)) {
		pr_err("%s: made for another build of the kernel\n", module->module->name);
		return -EINVAL;
	}
	return 0;
}

/*
 * Frees the aspect called @name if its module was unloaded. The aspect's unread records are lost,
 * which is logged.
 * -EEXIST: an aspect of that name is still loaded
 */
static int replace_gone(const char *name)
{
	struct wk_aspect *before = wk_aspect_find(name);

	if (!before)
		return 0;
	if (before->state != WEFT_STATE_GONE)
		return -EEXIST;
	pr_info("%s: loaded again, %llu unread records of the last time dropped\n", name,
		wk_records_unread(&before->records));
	free_aspect(before);
	return 0;
}

int weft_aspect_register(void *module_)
{
	struct weft_aspect *module = module_;
	struct wk_aspect *aspect;
	int ret = check_header(module);

	if (ret)
		return ret;
	aspect = kzalloc(sizeof(*aspect), GFP_KERNEL);
	if (!aspect)
		return -ENOMEM;
	ret = make_memory(aspect, module);
	if (ret) {
		kfree(aspect);
		return ret;
	}
	aspect->parts = wk_parts_create(module);
	if (!aspect->parts) {
		free_memory(aspect);
		kfree(aspect);
		return -ENOMEM;
	}
	aspect->nr_parts = module->header->nr_parts;
	strscpy(aspect->name, module->header->name, sizeof(aspect->name));
	aspect->module = module;
	aspect->content = module->header->content;
	aspect->nr_joinpoints = module->header->nr_joinpoints;
	aspect->joinpoints = module->joinpoints;
	wr_count_precision(aspect->joinpoints, aspect->nr_joinpoints, aspect->accesses);
	aspect->strings = module->strings;
	aspect->strings_size = module->strings_size;
	aspect->state = WEFT_STATE_LOADED;
	INIT_LIST_HEAD(&aspect->attachments);
	INIT_LIST_HEAD(&aspect->arrays);
	wk_timing_create(&aspect->timing, module, &aspect->metrics, &aspect->attachments);
	wk_once_create(&aspect->once, module, &aspect->timing);
	wk_fault_create(&aspect->fault, module);

	mutex_lock(&wk_mutex);
	ret = replace_gone(aspect->name);
	if (!ret) {
		module->private = &aspect->records;
		spin_lock(&wk_readers_lock);
		list_add_tail(&aspect->list, &aspects);
		spin_unlock(&wk_readers_lock);
	}
	mutex_unlock(&wk_mutex);
	if (ret) {
		kvfree(aspect->parts);
		free_memory(aspect);
		kfree(aspect);
	}
	return ret;
}
EXPORT_SYMBOL_GPL(weft_aspect_register);

static void *copy_table(const void *from, size_t size)
{
	void *copy = kvmalloc(size, GFP_KERNEL);

	if (copy)
		memcpy(copy, from, size);
	return copy;
}

/*
 * Called when the module is being unloaded. Keeps what readers still need from the module: formats
 * unread records, and copies the tables with the joinpoints' names.
 */
static void outlive_module(struct wk_aspect *aspect)
{
	bool stays;
	u64 dropped;

	wk_views_close(&aspect->records); /* readers use the tables of the module, too */
	stays = leaves_something(aspect);
	aspect->stats = count(aspect);
	aspect->joinpoints = stays ? copy_table(aspect->joinpoints,
						aspect->nr_joinpoints * sizeof(*aspect->joinpoints))
				   : NULL;
	aspect->strings = stays ? copy_table(aspect->strings, aspect->strings_size) : NULL;
	aspect->module = NULL;
	wk_fault_create(&aspect->fault, NULL);
	wk_aspect_become(aspect, WEFT_STATE_GONE);
	dropped = wk_records_keep(&aspect->records);
	if (dropped)
		pr_warn("%s: there is no memory to keep %llu unread records: they are lost\n",
			aspect->name, dropped);
	wk_metrics_keep(&aspect->metrics);
	wk_tags_keep(&aspect->tags);
	wk_tasks_deinit(&aspect->tasks);
}

/*
 * Is @aspect neither LOADED nor WOVEN? Its state is read without wk_mutex, so it may have changed
 * when this returns.
 */
static bool is_between(const struct wk_aspect *aspect)
{
	enum weft_state state = READ_ONCE(aspect->state);

	return state != WEFT_STATE_LOADED && state != WEFT_STATE_WOVEN;
}

void wk_aspect_wait(const struct wk_aspect *aspect)
{
	wk_assert_locked();
	mutex_unlock(&wk_mutex);
	wait_event_idle(changed, !is_between(aspect));
	mutex_lock(&wk_mutex);
}

void wk_aspect_remove(struct wk_aspect *aspect)
{
	wk_assert_locked();
	outlive_module(aspect);
	wk_aspect_reap(aspect);
}
