// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The device /dev/weft. Each request is one function, which is looked up by the request's number;
 * the full command code, which contains the size of the request's struct, must be the same, too.
 * The struct is copied in (request.h), run() takes wk_mutex and calls the function, and the struct
 * is copied out. Only WEFT_IOC_WEAVE releases wk_mutex in between: while the author's start block
 * runs, or programs are opened, and, if the weave fails after that, while the end block runs.
 *
 * User memory is accessed only while wk_mutex is not held, since an access may have to wait for any
 * time, for example for a page that is on another machine. That holds for the arrays that the
 * struct points to, too. Arrays of input are copied in by a function that is called before wk_mutex
 * is taken. Arrays of output are written to a buffer (struct call), which is copied out afterwards.
 */
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/pagemap.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "runtime/abi.h"
#include "aspect.h"
#include "aspect-life.h"
#include "device.h"
#include "base/lock.h"
#include "base/table-memory.h"
#include "parts.h"
#include "plan.h"
#include "plan-check.h"
#include "publish.h"
#include "request.h"
#include "uprobes.h"
#include "record/ring-recorder.h"
#include "splice/int3-hook.h"
#include "splice/kprobe-hook.h"
#include "splice/splice.h"
#include "base/unexported.h"
#include "text/text.h"

/* One request, with the arrays in user memory that its struct points to. */
struct call {
	struct file *file;
	struct wk_plan plan;	   /* the plan of WEFT_IOC_WEAVE; empty for other requests */
	struct weft_piece *pieces; /* the pieces of WEFT_IOC_TEXT; NULL for other requests */
	struct wk_tried_programs programs; /* the programs that WEFT_IOC_PARTS asks about */
	/*
	 * ->answer: its first ->size bytes are copied to ->user after the call; kvmalloc()ed, or
	 * NULL
	 */
	void *answer;
	size_t size;
	void __user *user;
	struct wk_refusals refusals; /* of the plan; copied out after the call, too */
};

/* The most bytes that one request for records or rows gets; the caller repeats it for more. */
enum { ANSWER_MAX = 4 << 20 };

/*
 * Returns a buffer of @size bytes, to be copied to user address @user. The caller sets call->size
 * to the number of bytes that it has written: only those may be copied out. NULL: memory is short.
 */
static void *make_answer(struct call *call, u64 user, size_t size)
{
	call->answer = kvmalloc(size, WK_GFP_REQUEST);
	call->user = u64_to_user_ptr(user);
	return call->answer;
}

static long do_info(struct call *call, void *argument)
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

static long prepare_text(struct call *call, const void *argument)
{
	const struct weft_text *text = argument;

	if (!text->nr_pieces)
		return -EINVAL;
	if (text->nr_pieces > WEFT_PIECES_MAX)
		return -E2BIG;
	call->pieces = kvmalloc_array(text->nr_pieces, sizeof(*call->pieces), WK_GFP_REQUEST);
	if (!call->pieces)
		return -ENOMEM;
	return copy_from_user(call->pieces, u64_to_user_ptr(text->pieces),
			      text->nr_pieces * sizeof(*call->pieces))
		       ? -EFAULT
		       : 0;
}

static long do_text(struct call *call, void *argument)
{
	const struct weft_text *text = argument;
	bool original = text->flags & WEFT_TEXT_ORIGINAL;
	size_t size = 0;
	long ret;

	for (u32 i = 0; i < text->nr_pieces; i++) {
		size += call->pieces[i].size;
		if (size > WEFT_TEXT_MAX)
			return -E2BIG;
	}
	if (!make_answer(call, text->buffer, size))
		return -ENOMEM;
	ret = wk_text_read_pieces(call->pieces, text->nr_pieces, call->answer, original);
	if (ret)
		return ret;
	call->size = size;
	return 0;
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
	/*
	 * The aspect's advice may have been left in the middle, so the static variables of the
	 * author's C may have any values.
	 */
	if (aspect->state == WEFT_STATE_LOADED && wk_fault_count(&aspect->fault))
		return -ENOTRECOVERABLE;
	return aspect->state == WEFT_STATE_LOADED ? 0 : -EBUSY;
}

static long prepare_weave(struct call *call, const void *argument)
{
	return wk_plan_init(&call->plan, argument);
}

static long do_weave(struct call *call, void *argument)
{
	struct weft_weave *request = argument;
	struct wk_aspect *aspect = find_loaded(request->name);
	bool check = request->flags & WEFT_WEAVE_CHECK;
	struct wk_plan *plan = &call->plan;
	long ret;

	request->start = 0;
	if (!aspect)
		return -ENOENT;
	if (request->flags & ~(WEFT_WEAVE_CHECK | WEFT_WEAVE_BOUND | WEFT_WEAVE_URGENT |
			       WEFT_WEAVE_BALANCE | WEFT_WEAVE_PENDING))
		return -EINVAL;
	/*
	 * Without a plan there is something to weave only if weft.ko finds it itself: in modules
	 * that are loaded later, or in programs.
	 */
	if (!plan->nr && !(request->flags & WEFT_WEAVE_PENDING) &&
	    (check || !wk_uprobes_wanted(aspect->module)))
		return -EINVAL;
	ret = weave_state(aspect, request);
	if (!ret)
		ret = wk_budget_check(aspect->module, request);
	if (!ret && !check)
		ret = wk_timing_prepare(&aspect->timing, request);
	if (!ret)
		ret = wk_plan_check(plan, aspect);
	if (ret)
		return ret;
	if (!check)
		ret = plan->nr_refused ? -EINVAL
				       : wk_aspect_weave(aspect, plan, call->file, request);
	request->nr_refused = plan->nr_refused;
	/*
	 * Refusals are reported by a check, and by a weave that has failed because of them. Such a
	 * weave returns its own error, even if the refusals cannot be copied out. Nothing has to be
	 * copied if there are no refusals, and none in the elements in user space (->stale).
	 */
	if (plan->nr_refused || (check && plan->stale)) {
		long problem = wk_refusals_note(&call->refusals, plan, request);

		ret = ret ? ret : problem;
	}
	if (check)
		wk_plan_keep(plan, aspect);
	else
		wk_plan_forget();
	return ret;
}

static long do_unweave(struct call *call, void *argument)
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

static long do_list(struct call *call, void *argument)
{
	struct weft_status *status = argument;
	struct wk_aspect *aspect = wk_aspect_at(status->index);

	if (!aspect)
		return -ENOENT;
	wk_aspect_status(aspect, status);
	status->nr_pending = wk_parts_pending(aspect);
	return 0;
}

/*
 * Describes the call that weft.ko writes into the kernel's int3 handler (splice/int3-hook.c), as if
 * it were a splice.
 */
static long do_own_change(struct call *call, struct weft_shadows *request)
{
	struct weft_shadow_status own = { 0 };
	bool room = request->size;

	request->size = wk_int3_hook_call(&own);
	if (!room || !request->size)
		return 0;
	if (!make_answer(call, request->buffer, sizeof(own)))
		return -ENOMEM;
	memcpy(call->answer, &own, sizeof(own));
	call->size = sizeof(own);
	return 0;
}

static long do_shadows(struct call *call, void *argument)
{
	struct weft_shadows *request = argument;
	struct wk_aspect *aspect = find_loaded(request->name);
	struct weft_shadow_status *shadows;
	struct wk_attachment *attachment;
	u32 room, n = 0;

	if (!request->name[0])
		return do_own_change(call, request);
	if (!aspect)
		return -ENOENT;
	list_for_each_entry(attachment, &aspect->attachments, in_aspect)
		n++;
	room = min(request->size, n);
	request->size = n;
	shadows = make_answer(call, request->buffer, room * sizeof(*shadows));
	if (!shadows)
		return -ENOMEM;
	n = 0;
	list_for_each_entry(attachment, &aspect->attachments, in_aspect) {
		if (n == room)
			break;
		wk_attachment_describe(attachment, &shadows[n++]);
	}
	call->size = n * sizeof(*shadows);
	return 0;
}

static long prepare_parts(struct call *call, const void *argument)
{
	const struct weft_parts *request = argument;
	struct wk_aspect *aspect;
	long ret;

	if (mutex_lock_killable(&wk_mutex))
		return -EINTR;
	aspect = find_loaded(request->name);
	ret = aspect ? wk_parts_programs(aspect, &call->programs) : 0;
	mutex_unlock(&wk_mutex);
	if (!ret)
		wk_parts_try_programs(&call->programs);
	return ret;
}

static long do_parts(struct call *call, void *argument)
{
	struct weft_parts *request = argument;
	struct wk_aspect *aspect = find_loaded(request->name);
	struct weft_part_status *parts;
	u32 room;

	if (!aspect)
		return -ENOENT;
	room = min(request->size, aspect->nr_parts);
	request->size = aspect->nr_parts;
	parts = make_answer(call, request->buffer, room * sizeof(*parts));
	if (!parts)
		return -ENOMEM;
	wk_parts_status(aspect, &call->programs, parts, room);
	call->size = room * sizeof(*parts);
	return 0;
}

/*
 * Tests beforehand whether the user's buffer can be written to: do_read() consumes records, and
 * those that cannot be copied out are lost.
 */
static long prepare_read(struct call *call, const void *argument)
{
	const struct weft_read *request = argument;
	size_t size = min_t(u32, request->size, ANSWER_MAX);

	return fault_in_writeable(u64_to_user_ptr(request->buffer), size) ? -EFAULT : 0;
}

static long do_read(struct call *call, void *argument)
{
	struct weft_read *request = argument;
	struct wk_aspect *aspect = wk_aspect_find(request->name);
	long ret;

	if (!aspect)
		return -ENOENT;
	request->size = min_t(u32, request->size, ANSWER_MAX);
	if (!make_answer(call, request->buffer, request->size))
		return -ENOMEM;
	ret = wk_records_read(&aspect->records, call->answer, request->size);
	if (ret < 0)
		return ret;
	request->used = call->size = ret;
	/*
	 * The aspect is freed only when a read finds nothing, not when the last record is read:
	 * whoever has read a record still asks for the name of its joinpoint.
	 */
	if (!ret)
		wk_aspect_reap(aspect);
	return 0;
}

static long do_joinpoint(struct call *call, void *argument)
{
	struct weft_joinpoint_text *text = argument;
	struct wk_aspect *aspect = wk_aspect_find(text->name);

	return aspect ? wk_aspect_joinpoint(aspect, text) : -ENOENT;
}

static long do_metric(struct call *call, void *argument)
{
	struct weft_metric_info *info = argument;
	struct wk_aspect *aspect = wk_aspect_find(info->name);

	return aspect ? wk_metrics_info(&aspect->metrics, info) : -ENOENT;
}

/*
 * Handles WEFT_IOC_METRIC_ROWS and WEFT_IOC_METRIC_OPEN: @read copies as many rows, or open pairs,
 * of a metric as fit into the caller's buffer.
 */
static long read_metric(struct call *call, struct weft_metric_rows *request,
			int (*read)(const struct wk_metrics *metrics,
				    struct weft_metric_rows *request, void *buffer,
				    wk_name_key name_key, const void *table))
{
	struct wk_aspect *aspect = wk_aspect_find(request->name);
	long ret;

	if (!aspect)
		return -ENOENT;
	request->size = min_t(u32, request->size, ANSWER_MAX);
	if (!make_answer(call, request->buffer, request->size))
		return -ENOMEM;
	ret = read(&aspect->metrics, request, call->answer, wk_aspect_name_key, aspect);
	if (!ret)
		call->size = request->used;
	return ret;
}

static long do_metric_rows(struct call *call, void *argument)
{
	return read_metric(call, argument, wk_metrics_rows);
}

static long do_metric_open(struct call *call, void *argument)
{
	return read_metric(call, argument, wk_metrics_open);
}

static long do_metric_reset(struct call *call, void *argument)
{
	struct wk_aspect *aspect = wk_aspect_find(((struct weft_metric_reset *)argument)->name);

	return aspect ? wk_aspect_reset(aspect) : -ENOENT;
}

static long do_once(struct call *call, void *argument)
{
	struct weft_once_states *request = argument;
	struct wk_aspect *aspect = wk_aspect_find(request->name);
	u32 size;

	if (!aspect)
		return -ENOENT;
	if (!aspect->once.states)
		return -ENODATA;
	size = min(request->size, aspect->nr_joinpoints);
	if (!make_answer(call, request->buffer, size))
		return -ENOMEM;
	/* Advice may change a byte meanwhile. Either of its values may be copied. */
	data_race(memcpy(call->answer, aspect->once.states, size));
	call->size = size;
	request->size = aspect->nr_joinpoints;
	return 0;
}

static long do_fault(struct call *call, void *argument)
{
	struct weft_fault *request = argument;
	struct wk_aspect *aspect = wk_aspect_find(request->name);

	return aspect ? wk_fault_describe(&aspect->fault, request) : -ENOENT;
}

static long do_record(struct call *call, void *argument)
{
	struct weft_recorder *request = argument;
	struct wk_aspect *aspect = wk_aspect_find(request->name);
	long ret;

	if (!aspect)
		return -ENOENT;
	if (aspect->state != WEFT_STATE_LOADED || aspect->records.recorder.file ||
	    call->file->private_data || wk_records_unread(&aspect->records))
		return -EBUSY;
	if (request->size > WEFT_RING_SIZE_MAX)
		return -EINVAL;
	ret = request->size ? wk_records_resize(&aspect->records, request->size) : 0;
	if (!ret)
		ret = wk_recorder_attach(&aspect->records.recorder, aspect->records.rings,
					 call->file);
	request->size = wk_records_ring_size(&aspect->records);
	request->nr_cpus = nr_cpu_ids;
	request->packed = wk_record_packed();
	return ret;
}

static long do_spans(struct call *call, void *argument)
{
	struct weft_spans *request = argument;
	struct wk_aspect *aspect = wk_aspect_find(request->name);
	struct weft_span *spans;

	if (!aspect || aspect->records.recorder.file != call->file)
		return -ENODATA;
	if (request->nr < nr_cpu_ids)
		return -EMSGSIZE;
	spans = make_answer(call, request->buffer, nr_cpu_ids * sizeof(*spans));
	if (!spans)
		return -ENOMEM;
	wk_recorder_spans(&aspect->records.recorder, spans, request->flags & WEFT_SPANS_WRITTEN);
	/*
	 * Read the number of statements after the spans, so that it includes the statement of each
	 * record in them: a statement is counted before its first record is committed.
	 */
	smp_rmb();
	request->nr_statements =
		min(atomic_read(&aspect->records.nr_statements), (int)WK_STATEMENTS_MAX);
	call->size = nr_cpu_ids * sizeof(*spans);
	return 0;
}

static long do_statement(struct call *call, void *argument)
{
	struct weft_statement_text *request = argument;
	struct wk_aspect *aspect = wk_aspect_find(request->name);
	const struct weft_statement *statement;
	size_t format, values;

	if (!aspect || !aspect->module)
		return aspect ? -ENODATA : -ENOENT;
	statement = wk_records_statement(&aspect->records, request->index, &request->content);
	if (!statement)
		return -ERANGE;
	format = strlen(statement->format) + 1;
	values = strlen(statement->values) + 1;
	if (format + values > request->size)
		return -EMSGSIZE;
	if (!make_answer(call, request->buffer, format + values))
		return -ENOMEM;
	memcpy(call->answer, statement->format, format);
	memcpy(call->answer + format, statement->values, values);
	request->size = call->size = format + values;
	return 0;
}

static long do_publish(struct call *call, void *argument)
{
	struct wk_aspect *aspect = find_loaded(((struct weft_publish *)argument)->name);

	return aspect ? wk_publish(aspect, argument) : -ENOENT;
}

static long do_tag(struct call *call, void *argument)
{
	struct wk_aspect *aspect = wk_aspect_find(((struct weft_tag_info *)argument)->name);

	return aspect ? wk_tags_info(&aspect->tags, argument) : -ENOENT;
}

struct request {
	unsigned int command;
	/* handles the request; called under wk_mutex */
	long (*run)(struct call *call, void *argument);
	/*
	 * called before ->run, without wk_mutex, and does what may take any time: copies in the
	 * arrays that the struct points to, opens programs. NULL: there is nothing of the kind
	 */
	long (*prepare)(struct call *call, const void *argument);
};

/* Indexed by _IOC_NR(). */
static const struct request requests[] = {
	{ WEFT_IOC_INFO, do_info },
	{ WEFT_IOC_TEXT, do_text, prepare_text },
	{ WEFT_IOC_WEAVE, do_weave, prepare_weave },
	{ WEFT_IOC_UNWEAVE, do_unweave },
	{ WEFT_IOC_LIST, do_list },
	{ WEFT_IOC_SHADOWS, do_shadows },
	{ WEFT_IOC_READ, do_read, prepare_read },
	{ WEFT_IOC_JOINPOINT, do_joinpoint },
	{ WEFT_IOC_METRIC, do_metric },
	{ WEFT_IOC_METRIC_ROWS, do_metric_rows },
	{ WEFT_IOC_METRIC_RESET, do_metric_reset },
	{ WEFT_IOC_ONCE, do_once },
	{ WEFT_IOC_FAULT, do_fault },
	{ WEFT_IOC_PARTS, do_parts, prepare_parts },
	{ WEFT_IOC_RECORD, do_record },
	{ WEFT_IOC_SPANS, do_spans },
	{ WEFT_IOC_STATEMENT, do_statement },
	{ WEFT_IOC_METRIC_OPEN, do_metric_open },
	{ WEFT_IOC_PUBLISH, do_publish },
	{ WEFT_IOC_TAG, do_tag },
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
	struct weft_parts parts;
	struct weft_recorder recorder;
	struct weft_spans spans;
	struct weft_statement_text statement;
	struct weft_publish publish;
	struct weft_tag_info tag;
};

/*
 * Handles a request. Copies the answer and the refusals out even if the request has failed: they
 * are valid then, too, as are weft_weave.nr_refused and .start.
 */
static long run(void *call_, unsigned int command, void *argument)
{
	const struct request *request = &requests[_IOC_NR(command)];
	struct call *call = call_;
	long ret = request->prepare ? request->prepare(call, argument) : 0;

	if (!ret && mutex_lock_killable(&wk_mutex))
		ret = -EINTR;
	if (ret)
		return ret;
	ret = request->run(call, argument);
	mutex_unlock(&wk_mutex);
	if (call->answer && copy_to_user(call->user, call->answer, call->size) && !ret)
		ret = -EFAULT;
	if (wk_refusals_copy(&call->refusals) && !ret)
		ret = -EFAULT;
	return ret;
}

static long device_ioctl(struct file *file, unsigned int command, unsigned long user)
{
	const unsigned int number = _IOC_NR(command);
	struct call call = { .file = file };
	union argument argument;
	long ret;

	if (_IOC_TYPE(command) != WEFT_IOC_MAGIC || number >= ARRAY_SIZE(requests) ||
	    requests[number].command != command)
		return -ENOTTY;
	ret = wk_request(command, user, &argument, sizeof(argument), run, &call);
	wk_plan_deinit(&call.plan);
	wk_refusals_deinit(&call.refusals);
	wk_parts_forget_programs(&call.programs);
	kvfree(call.pieces);
	kvfree(call.answer);
	return ret;
}

/*
 * Opens the device for a process with CAP_SYS_ADMIN. The process can then weave aspects that are
 * loaded, and read the kernel's text and the records of advice. Kprobes permit no less, so a
 * lockdown that forbids kprobes forbids this, too. docs/safety.md says what a process can do with
 * CAP_SYS_ADMIN alone.
 */
static int device_open(struct inode *inode, struct file *file)
{
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	/* The misc device has set this member; open files have it for ring-recorder.c alone. */
	file->private_data = NULL;
	return security_locked_down(LOCKDOWN_KPROBES);
}

/*
 * Called when the last reference to the open file is dropped, also when its process was killed:
 * unweaves the aspects that are bound to it, and ends what it records.
 */
static int device_release(struct inode *inode, struct file *file)
{
	struct wk_aspect *aspect;

	mutex_lock(&wk_mutex);
	wk_plan_forget();
	for (unsigned int i = 0; (aspect = wk_aspect_at(i)); i++) {
		if (aspect->bound == file)
			wk_aspect_unweave(aspect);
		if (aspect->records.recorder.file == file)
			wk_recorder_detach(&aspect->records.recorder);
	}
	mutex_unlock(&wk_mutex);
	return 0;
}

static const struct file_operations device_operations = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.unlocked_ioctl = device_ioctl,
	.compat_ioctl = compat_ptr_ioctl, /* the structs contain no pointers or longs */
	.mmap = wk_recorder_map,
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
