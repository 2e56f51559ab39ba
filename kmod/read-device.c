// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The device for readers; see read-device.h. Whose records a view has is decided by the credentials
 * with which the file was opened, not by those of whoever sends a request: a privileged program
 * that was handed the file reads no more by it.
 *
 * Nothing here takes wk_mutex: a user could make others wait who need it. Aspects and their records
 * are looked at under wk_readers_lock. Everything that may take long is done before, with no lock
 * but that of the file: memory is allocated, and user memory is accessed.
 */
#include <linux/bitmap.h>
#include <linux/capability.h>
#include <linux/container_of.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pid_namespace.h>
#include <linux/pagemap.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/user_namespace.h>

#include "runtime/abi.h"
#include "runtime/value-names.h"
#include "aspect.h"
#include "base/lock.h"
#include "base/table-memory.h"
#include "publish.h"
#include "read-device.h"
#include "record/view.h"
#include "request.h"

/* The most bytes that one request for records gets. */
enum { ANSWER_MAX = 256 << 10 };

/* An open file. */
struct reader {
	struct mutex lock; /* of the requests of this file; outside of wk_readers_lock */
	const struct cred *cred; /* the credentials with which the file was opened */
	bool privileged;   /* opened with CAP_SYS_ADMIN */
	bool is_view;	   /* ->view has begun, and is valid until the file is closed */
	struct wk_view view;
};

/* What a view needs to know of an aspect before it begins. */
struct source {
	struct wk_aspect *aspect;
	struct wk_published published;
	u32 nr_joinpoints;
};

/*
 * Finds the aspect called @name. False: there is none that may be read. Under wk_readers_lock;
 * ret->aspect may be freed when that is released.
 */
static bool find_source(const char *name, struct source *ret)
{
	struct wk_aspect *aspect = wk_aspect_find_to_read(name);

	if (!aspect || aspect->records.closed)
		return false;
	*ret = (struct source){ aspect, aspect->published, aspect->nr_joinpoints };
	return true;
}

static bool is_same(const struct source *a, const struct source *b)
{
	return a->aspect == b->aspect && a->nr_joinpoints == b->nr_joinpoints &&
	       a->published.is == b->published.is &&
	       a->published.has_group == b->published.has_group &&
	       gid_eq(a->published.group, b->published.group);
}

/*
 * Sets view->pid for the process @pid of the caller's namespace. -ENOENT: there is none, or it is
 * not the user's.
 */
static int choose_process(struct wk_view *view, u32 pid)
{
	const struct task_struct *task;
	int ret = -ENOENT;
	struct pid *found;

	if (!pid)
		return 0;
	rcu_read_lock();
	found = find_vpid(pid);
	task = found ? pid_task(found, PIDTYPE_TGID) : NULL;
	if (task && (view->everything || uid_eq(task_uid(task), view->user))) {
		view->pid = pid_nr(found);
		ret = 0;
	}
	rcu_read_unlock();
	return ret;
}

/* Sets the bits of @indices in view->joinpoints. */
static int choose_joinpoints(struct wk_view *view, const u32 *indices, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		if (indices[i] >= view->nr_joinpoints)
			return -ERANGE;
		set_bit(indices[i], view->joinpoints);
	}
	return 0;
}

/*
 * Begins @view, if the aspect is still as @before says. -ENOENT: it has changed, or is gone.
 * -EDQUOT: see wk_view_begin().
 */
static int begin_prepared(struct wk_view *view, const struct weft_view *request,
			  const struct source *before)
{
	struct source now;
	int ret = -ENOENT;

	spin_lock(&wk_readers_lock);
	if (find_source(request->name, &now) && is_same(&now, before))
		ret = wk_view_begin(view, &now.aspect->records, request->flags & WEFT_VIEW_NEW);
	spin_unlock(&wk_readers_lock);
	return ret;
}

/*
 * Begins the view that @request asks for. For an aspect or process that the user may not read, the
 * error is the same as for one that does not exist: -ENOENT.
 */
static int begin(struct reader *reader, const struct weft_view *request, const u32 *indices)
{
	struct wk_view *view = &reader->view;
	bool found, everything = false;
	struct source source;
	int ret;

	spin_lock(&wk_readers_lock);
	found = find_source(request->name, &source);
	spin_unlock(&wk_readers_lock);
	if (!found || (!wk_may_read(&source.published, reader->cred, &everything) &&
		       !reader->privileged))
		return -ENOENT;
	*view = (struct wk_view){
		.user = reader->cred->uid,
		.everything = everything || reader->privileged,
		.privileged = reader->privileged,
	};
	memcpy(view->words, request->words, sizeof(view->words));
	memcpy(view->fields, request->fields, sizeof(view->fields));
	ret = choose_process(view, request->pid);
	if (!ret)
		ret = wk_view_create(view, request->nr_joinpoints ? source.nr_joinpoints : 0);
	if (!ret)
		ret = choose_joinpoints(view, indices, request->nr_joinpoints);
	if (!ret)
		ret = begin_prepared(view, request, &source);
	if (ret)
		wk_view_destroy(view);
	reader->is_view = !ret;
	return ret;
}

static long do_view(struct reader *reader, struct weft_view *request)
{
	u32 *indices = NULL;
	long ret = 0;

	if (request->abi != WEFT_ABI_VERSION) {
		request->abi = WEFT_ABI_VERSION;
		return -EPROTO;
	}
	if (request->flags & ~WEFT_VIEW_NEW ||
	    strnlen(request->words, sizeof(request->words)) == sizeof(request->words) ||
	    strnlen(request->fields, sizeof(request->fields)) == sizeof(request->fields))
		return -EINVAL;
	if (request->nr_joinpoints > WEFT_VIEW_JOINPOINTS_MAX ||
	    wr_arguments_count(request->fields) > WEFT_VIEW_FIELDS_MAX)
		return -E2BIG;
	if (request->nr_joinpoints) {
		const size_t size = request->nr_joinpoints * sizeof(*indices);

		indices = kvmalloc(size, GFP_KERNEL_ACCOUNT);
		if (!indices)
			return -ENOMEM;
		if (copy_from_user(indices, u64_to_user_ptr(request->joinpoints), size))
			ret = -EFAULT;
	}
	if (!ret)
		ret = reader->is_view ? -EBUSY : begin(reader, request, indices);
	kvfree(indices);
	return ret;
}

static long do_view_read(struct reader *reader, struct weft_view_read *request)
{
	const u32 size = min_t(u32, request->size, ANSWER_MAX);
	void __user *user = u64_to_user_ptr(request->buffer);
	struct wk_view_state state;
	bool more = false;
	void *answer;
	long ret;

	if (!reader->is_view)
		return -ENODATA;
	/* Records that cannot be copied out are missed, so the buffer is tried before. */
	if (fault_in_writeable(user, size))
		return -EFAULT;
	answer = kvmalloc(size, GFP_KERNEL_ACCOUNT);
	if (!answer)
		return -ENOMEM;
	ret = wk_view_read(&reader->view, answer, size, &more);
	state = wk_view_state(&reader->view);
	request->lost = state.lost;
	request->uncounted = state.uncounted;
	request->flags = (more ? WEFT_VIEW_MORE : 0) | (state.ended ? WEFT_VIEW_ENDED : 0);
	if (ret > 0 && copy_to_user(user, answer, ret)) {
		wk_view_miss(&reader->view, answer, ret);
		ret = -EFAULT;
	}
	kvfree(answer);
	if (ret < 0)
		return ret;
	request->used = ret;
	return 0;
}

/* Describes a joinpoint of the view's aspect. The name in the request is ignored. */
static long do_joinpoint(const struct reader *reader, struct weft_joinpoint_text *text)
{
	const struct wk_records *records;
	long ret = -ENOENT;

	if (!reader->is_view)
		return -ENODATA;
	spin_lock(&wk_readers_lock);
	records = reader->view.records;
	if (records)
		ret = wk_aspect_joinpoint(container_of(records, struct wk_aspect, records), text);
	spin_unlock(&wk_readers_lock);
	return ret;
}

union argument {
	struct weft_view view;
	struct weft_view_read read;
	struct weft_joinpoint_text joinpoint;
};

static long run(void *reader_, unsigned int command, void *argument)
{
	struct reader *reader = reader_;
	long ret;

	if (mutex_lock_killable(&reader->lock))
		return -EINTR;
	switch (command) {
	case WEFT_IOC_VIEW:
		ret = do_view(reader, argument);
		break;
	case WEFT_IOC_VIEW_READ:
		ret = do_view_read(reader, argument);
		break;
	default:
		ret = do_joinpoint(reader, argument);
	}
	mutex_unlock(&reader->lock);
	return ret;
}

static long device_ioctl(struct file *file, unsigned int command, unsigned long user)
{
	union argument argument;

	if (command != WEFT_IOC_VIEW && command != WEFT_IOC_VIEW_READ &&
	    command != WEFT_IOC_JOINPOINT)
		return -ENOTTY;
	return wk_request(command, user, &argument, sizeof(argument), run, file->private_data);
}

/*
 * Opens the device for any process outside of user namespaces whose user ids are all the same: a
 * set-user-id program would read what is not its caller's. Records show what kprobes could show, so
 * a lockdown that forbids kprobes forbids this, too.
 */
static int device_open(struct inode *inode, struct file *file)
{
	const struct cred *cred = file->f_cred;
	const bool privileged = capable(CAP_SYS_ADMIN);
	struct reader *reader;
	int ret;

	/* The task ids in records are those of the initial pid namespace. */
	if (cred->user_ns != &init_user_ns ||
	    (!privileged && task_active_pid_ns(current) != &init_pid_ns))
		return -EPERM;
	if (!privileged && !(uid_eq(cred->uid, cred->euid) && uid_eq(cred->uid, cred->suid) &&
			     uid_eq(cred->uid, cred->fsuid)))
		return -EPERM;
	ret = security_locked_down(LOCKDOWN_KPROBES);
	if (ret)
		return ret;
	reader = kzalloc(sizeof(*reader), GFP_KERNEL_ACCOUNT);
	if (!reader)
		return -ENOMEM;
	mutex_init(&reader->lock);
	reader->cred = cred; /* valid as long as @file, and so as long as the reader */
	reader->privileged = privileged;
	file->private_data = reader;
	return 0;
}

static int device_release(struct inode *inode, struct file *file)
{
	struct reader *reader = file->private_data;

	if (reader->is_view)
		wk_view_destroy(&reader->view);
	kfree(reader);
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
	.name = "weft-read",
	.mode = 0666,
	.fops = &device_operations,
};

int __init wk_read_device_init(void)
{
	return misc_register(&device);
}

void wk_read_device_deinit(void)
{
	misc_deregister(&device);
}
