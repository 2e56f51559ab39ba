// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The device /dev/weft. Each request is one function. device_ioctl() copies its struct in, takes
 * wk_mutex, calls the function and copies the struct out. Only WEFT_IOC_WEAVE releases wk_mutex in
 * between, for the author's start block. The function is found by the request's
 * number and must have the same full command code, which contains the size of the struct.
 */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "runtime/abi.h"
#include "aspect.h"
#include "aspect-life.h"
#include "device.h"
#include "base/lock.h"
#include "plan.h"
#include "plan-check.h"
#include "splice/int3-hook.h"
#include "splice/kprobe-hook.h"
#include "splice/splice.h"
#include "base/unexported.h"
#include "text/text.h"

static long do_info(struct file *file, void *argument)
{
	const struct wk_kprobe_counts kprobes = wk_kprobe_hook_counts();
	struct weft_info *info = argument;

	info->abi = WEFT_ABI_VERSION;
	info->nr_aspects = wk_aspect_count();
	info->text = wk_unexported.text;
	info->etext = wk_unexported.etext;
	info->kprobes_refused = kprobes.refused;
	info->kprobes_unoptimized = kprobes.unoptimized;
	return 0;
}

/* Buffers of one WEFT_IOC_TEXT request. */
struct reading {
	struct weft_piece *pieces;
	u8 *bytes;
};

static long read_pieces(const struct weft_text *text, struct reading *reading)
{
	bool original = text->flags & WEFT_TEXT_ORIGINAL;
	size_t size = 0, at = 0;

	for (u32 i = 0; i < text->nr_pieces; i++) {
		size += reading->pieces[i].size;
		if (size > WEFT_TEXT_MAX)
			return -E2BIG;
	}
	reading->bytes = kvmalloc(size, GFP_KERNEL);
	if (!reading->bytes)
		return -ENOMEM;
	for (u32 i = 0; i < text->nr_pieces; i++) {
		const struct weft_piece *piece = &reading->pieces[i];
		long ret = wk_text_read(piece->address, reading->bytes + at, piece->size, original);

		if (ret)
			return ret;
		at += piece->size;
	}
	return copy_to_user(u64_to_user_ptr(text->buffer), reading->bytes, size) ? -EFAULT : 0;
}

static long do_text(struct file *file, void *argument)
{
	const struct weft_text *text = argument;
	struct reading reading = { 0 };
	long ret;

	if (!text->nr_pieces || text->nr_pieces > WEFT_PIECES_MAX)
		return -E2BIG;
	reading.pieces = vmemdup_user(u64_to_user_ptr(text->pieces),
				      array_size(text->nr_pieces, sizeof(*reading.pieces)));
	if (IS_ERR(reading.pieces))
		return PTR_ERR(reading.pieces);
	ret = read_pieces(text, &reading);
	kvfree(reading.bytes);
	kvfree(reading.pieces);
	return ret;
}

/*
 * Returns the aspect called @name, or NULL if there is none or its module is gone. @name comes from
 * user space and may lack its NUL.
 */
static struct wk_aspect *find_loaded(const char *name)
{
	struct wk_aspect *aspect = wk_aspect_find(name);

	return aspect && aspect->module ? aspect : NULL;
}

static long weave_state(const struct wk_aspect *aspect, const struct weft_weave *request)
{
	if (aspect->content != request->content)
		return -ESTALE;
	if (aspect->state == WEFT_STATE_WOVEN)
		return -EEXIST;
	/* Its advice was left in the middle, so its own data may be in any state. */
	if (aspect->state == WEFT_STATE_LOADED && wk_fault_count(&aspect->fault))
		return -ENOTRECOVERABLE;
	return aspect->state == WEFT_STATE_LOADED ? 0 : -EBUSY;
}

static long do_weave(struct file *file, void *argument)
{
	struct weft_weave *request = argument;
	struct wk_aspect *aspect = find_loaded(request->name);
	bool check = request->flags & WEFT_WEAVE_CHECK;
	struct wk_plan plan;
	long ret;

	request->start = 0;
	if (!aspect)
		return -ENOENT;
	if (request->flags & ~(WEFT_WEAVE_CHECK | WEFT_WEAVE_BOUND | WEFT_WEAVE_URGENT |
			       WEFT_WEAVE_BALANCE))
		return -EINVAL;
	ret = weave_state(aspect, request);
	if (!ret)
		ret = wk_budget_check(aspect->module, request);
	if (!ret && !check)
		ret = wk_timing_prepare(&aspect->timing, request);
	if (ret)
		return ret;
	ret = wk_plan_init(&plan, request);
	if (ret)
		return ret;
	ret = wk_plan_check(&plan, aspect);
	if (ret) {
		wk_plan_deinit(&plan);
		return ret;
	}
	if (!check)
		ret = plan.nr_refused ? -EINVAL : wk_aspect_weave(aspect, &plan, file, request);
	request->nr_refused = plan.nr_refused;
	/*
	 * If the refusals cannot be copied out, the aspect stays woven nevertheless; its status
	 * says so.
	 */
	if (plan.nr_refused || check) {
		long fault = wk_plan_report(&plan, request);

		ret = ret ? ret : fault;
	}
	if (check)
		wk_plan_keep(&plan, aspect);
	else
		wk_plan_forget();
	wk_plan_deinit(&plan);
	return ret;
}

static long do_unweave(struct file *file, void *argument)
{
	struct weft_unweave *request = argument;
	struct wk_aspect *aspect = find_loaded(request->name);

	if (!aspect)
		return -ENOENT;
	if (aspect->state != WEFT_STATE_WOVEN)
		return aspect->state == WEFT_STATE_LOADED ? -ENODATA : -EBUSY;
	request->nr_restored = wk_aspect_unweave(aspect);
	return 0;
}

static long do_list(struct file *file, void *argument)
{
	struct weft_status *status = argument;
	struct wk_aspect *aspect = wk_aspect_at(status->index);

	if (!aspect)
		return -ENOENT;
	wk_aspect_status(aspect, status);
	return 0;
}

static void fill_shadow(const struct wk_attachment *attachment, struct weft_shadow_status *shadow)
{
	const struct wk_splice *splice = attachment->splice;

	memset(shadow, 0, sizeof(*shadow));
	shadow->address = splice->address;
	shadow->trampoline = splice->trampoline->address;
	shadow->kind = splice->kind;
	shadow->length = splice->length;
	shadow->optimizing = splice->state == WK_STATE_OPTIMIZING;
	memcpy(shadow->old, splice->old, splice->length);
	shadow->slot = splice->slot.address;
	if (splice->donor) {
		shadow->freed = splice->donor->address;
		shadow->freed_length = splice->donor->length;
		memcpy(shadow->freed_old, splice->donor->old, splice->donor->length);
	} else if (splice->slot.address) {
		shadow->freed = splice->slot.address;
		shadow->freed_length = sizeof(splice->slot.old);
		memcpy(shadow->freed_old, splice->slot.old, sizeof(splice->slot.old));
	}
}

/* The call of the int3's handler, as if it were a splice. */
static long do_own_change(struct weft_shadows *request, struct weft_shadow_status __user *buffer)
{
	struct weft_shadow_status call = { .kind = WEFT_SPLICE_CALL, .length = WEFT_JUMP_SIZE };
	bool room = request->size;

	request->size = wk_int3_hook_call(&call.address, &call.trampoline, call.old);
	return room && request->size && copy_to_user(buffer, &call, sizeof(call)) ? -EFAULT : 0;
}

static long do_shadows(struct file *file, void *argument)
{
	struct weft_shadows *request = argument;
	struct weft_shadow_status __user *buffer = u64_to_user_ptr(request->buffer);
	struct wk_aspect *aspect = find_loaded(request->name);
	struct weft_shadow_status shadow;
	struct wk_attachment *attachment;
	u32 n = 0;

	if (!request->name[0])
		return do_own_change(request, buffer);
	if (!aspect)
		return -ENOENT;
	list_for_each_entry(attachment, &aspect->attachments, in_aspect) {
		if (n < request->size) {
			fill_shadow(attachment, &shadow);
			if (copy_to_user(&buffer[n], &shadow, sizeof(shadow)))
				return -EFAULT;
		}
		n++;
	}
	request->size = n;
	return 0;
}

static long do_read(struct file *file, void *argument)
{
	struct weft_read *request = argument;
	struct wk_aspect *aspect = wk_aspect_find(request->name);
	long ret;

	if (!aspect)
		return -ENOENT;
	ret = wk_records_read(&aspect->records, u64_to_user_ptr(request->buffer), request->size);
	if (ret < 0)
		return ret;
	request->used = ret;
	/*
	 * Free it only when a read finds nothing, not with the last record: its reader still has to
	 * ask for the joinpoint's name.
	 */
	if (!ret)
		wk_aspect_reap(aspect);
	return 0;
}

static long do_joinpoint(struct file *file, void *argument)
{
	struct weft_joinpoint_text *text = argument;
	struct wk_aspect *aspect = wk_aspect_find(text->name);

	return aspect ? wk_aspect_joinpoint(aspect, text) : -ENOENT;
}

static long do_metric(struct file *file, void *argument)
{
	struct weft_metric_info *info = argument;
	struct wk_aspect *aspect = wk_aspect_find(info->name);

	return aspect ? wk_metrics_info(&aspect->metrics, info) : -ENOENT;
}

static long do_metric_rows(struct file *file, void *argument)
{
	struct weft_metric_rows *request = argument;
	struct wk_aspect *aspect = wk_aspect_find(request->name);

	return aspect ? wk_metrics_rows(&aspect->metrics, request, wk_aspect_name_key, aspect)
		      : -ENOENT;
}

static long do_metric_reset(struct file *file, void *argument)
{
	struct weft_metric_reset *request = argument;
	struct wk_aspect *aspect = wk_aspect_find(request->name);

	if (!aspect)
		return -ENOENT;
	if (aspect->state != WEFT_STATE_GONE)
		return wk_metrics_reset(&aspect->metrics);
	wk_metrics_deinit(&aspect->metrics);
	wk_once_forget(&aspect->once);
	wk_aspect_reap(aspect);
	return 0;
}

static long do_once(struct file *file, void *argument)
{
	struct weft_once_states *request = argument;
	struct wk_aspect *aspect = wk_aspect_find(request->name);

	if (!aspect)
		return -ENOENT;
	if (!aspect->once.states)
		return -ENODATA;
	if (copy_to_user(u64_to_user_ptr(request->buffer), aspect->once.states,
			 min(request->size, aspect->nr_joinpoints)))
		return -EFAULT;
	request->size = aspect->nr_joinpoints;
	return 0;
}

static long do_fault(struct file *file, void *argument)
{
	struct weft_fault *request = argument;
	struct wk_aspect *aspect = wk_aspect_find(request->name);

	return aspect ? wk_fault_describe(&aspect->fault, request) : -ENOENT;
}

struct request {
	unsigned int command;
	long (*run)(struct file *file, void *argument);
};

/* Indexed by _IOC_NR(). */
static const struct request requests[] = {
	{ WEFT_IOC_INFO, do_info },   { WEFT_IOC_TEXT, do_text },
	{ WEFT_IOC_WEAVE, do_weave }, { WEFT_IOC_UNWEAVE, do_unweave },
	{ WEFT_IOC_LIST, do_list },   { WEFT_IOC_SHADOWS, do_shadows },
	{ WEFT_IOC_READ, do_read },   { WEFT_IOC_JOINPOINT, do_joinpoint },
	{ WEFT_IOC_METRIC, do_metric }, { WEFT_IOC_METRIC_ROWS, do_metric_rows },
	{ WEFT_IOC_METRIC_RESET, do_metric_reset }, { WEFT_IOC_ONCE, do_once },
	{ WEFT_IOC_FAULT, do_fault },
};

union argument {
	struct weft_info info;
	struct weft_text text;
	struct weft_weave weave;
	struct weft_unweave unweave;
	struct weft_status status;
	struct weft_shadows shadows;
	struct weft_read read;
	struct weft_joinpoint_text joinpoint;
	struct weft_metric_info metric;
	struct weft_metric_rows metric_rows;
	struct weft_metric_reset metric_reset;
	struct weft_once_states once;
	struct weft_fault fault;
};

static long device_ioctl(struct file *file, unsigned int command, unsigned long user)
{
	unsigned int number = _IOC_NR(command), size = _IOC_SIZE(command);
	union argument argument;
	long ret;

	if (_IOC_TYPE(command) != WEFT_IOC_MAGIC || number >= ARRAY_SIZE(requests) ||
	    requests[number].command != command)
		return -ENOTTY;
	memset(&argument, 0, sizeof(argument));
	if (_IOC_DIR(command) & _IOC_WRITE && copy_from_user(&argument, (void __user *)user, size))
		return -EFAULT;
	if (mutex_lock_killable(&wk_mutex))
		return -EINTR;
	ret = requests[number].run(file, &argument);
	mutex_unlock(&wk_mutex);
	/* Copied out even after an error: nr_refused and start are valid then, too. */
	if (_IOC_DIR(command) & _IOC_READ && copy_to_user((void __user *)user, &argument, size))
		return ret ? ret : -EFAULT;
	return ret;
}

/*
 * Who may open it may weave what is loaded, and sees the kernel's text and what advice records: no
 * less than kprobes give, so a lockdown that forbids those forbids this. docs/safety.md says what
 * CAP_SYS_ADMIN alone gains here.
 */
static int device_open(struct inode *inode, struct file *file)
{
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	return security_locked_down(LOCKDOWN_KPROBES);
}

/*
 * Called when the last reference to the open file is dropped, also when its process was killed:
 * unweaves the aspects that are bound to it.
 */
static int device_release(struct inode *inode, struct file *file)
{
	struct wk_aspect *aspect;

	mutex_lock(&wk_mutex);
	wk_plan_forget();
	for (unsigned int i = 0; (aspect = wk_aspect_at(i)); i++)
		if (aspect->bound == file)
			wk_aspect_unweave(aspect);
	mutex_unlock(&wk_mutex);
	return 0;
}

static const struct file_operations device_operations = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.unlocked_ioctl = device_ioctl,
	.compat_ioctl = compat_ptr_ioctl, /* the structs contain no pointers or longs */
	.llseek = noop_llseek,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "weft",
	.mode = 0600,
	.fops = &device_operations,
};

int __init wk_device_init(void)
{
	return misc_register(&device);
}

void wk_device_deinit(void)
{
	misc_deregister(&device);
}
