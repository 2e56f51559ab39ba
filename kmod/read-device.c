// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The device for readers; see read-device.h. Whose records a view has is decided by the credentials
 * with which the file was opened, not by those of whoever sends a request: a privileged program
 * that was handed the file reads no more by it.
 *
 * User memory is accessed only while wk_mutex is not held, as in device.c. A request does a limited
 * amount of work under wk_mutex.
 */
#include <linux/bitmap.h>
#include <linux/capability.h>
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
#include "aspect.h"
#include "base/lock.h"
#include "base/table-memory.h"
#include "publish.h"
#include "read-device.h"
#include "record/view.h"

/* The most bytes that one request for records gets. */
enum { ANSWER_MAX = 256 << 10 };

/* An open file. */
struct reader {
	struct mutex lock; /* of the requests of this file; outside of wk_mutex */
	bool privileged;   /* opened with CAP_SYS_ADMIN */
	bool is_view;	   /* ->view has begun, and is valid until the file is closed */
	struct wk_view view;
	char name[WEFT_NAME_MAX]; /* of the aspect */
};

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

/* Sets view->joinpoints to the bits of @indices. */
static int choose_joinpoints(struct wk_view *view, const struct wk_aspect *aspect,
			     const u32 *indices, u32 n)
{
	if (!n)
		return 0;
	view->nr_joinpoints = aspect->nr_joinpoints;
	view->joinpoints = kvcalloc(BITS_TO_LONGS(aspect->nr_joinpoints), sizeof(long),
				    GFP_KERNEL_ACCOUNT);
	if (!view->joinpoints)
		return -ENOMEM;
	for (u32 i = 0; i < n; i++) {
		if (indices[i] >= aspect->nr_joinpoints)
			return -ERANGE;
		set_bit(indices[i], view->joinpoints);
	}
	return 0;
}

/* Under wk_mutex. Whatever is not the user's is as if it did not exist. */
static int begin(struct reader *reader, const struct cred *cred, const struct weft_view *request,
		 const u32 *indices)
{
	struct wk_aspect *aspect = wk_aspect_find(request->name);
	struct wk_view *view = &reader->view;
	bool everything = false;
	int ret;

	if (!aspect || !aspect->module ||
	    (!wk_may_read(aspect, cred, &everything) && !reader->privileged))
		return -ENOENT;
	*view = (struct wk_view){
		.user = cred->uid,
		.everything = everything || reader->privileged,
		.privileged = reader->privileged,
	};
	memcpy(view->words, request->words, sizeof(view->words));
	ret = choose_process(view, request->pid);
	if (!ret)
		ret = choose_joinpoints(view, aspect, indices, request->nr_joinpoints);
	if (!ret)
		ret = wk_view_begin(view, &aspect->records, request->flags & WEFT_VIEW_NEW);
	if (ret) {
		wk_view_destroy(view);
		return ret;
	}
	strscpy(reader->name, aspect->name, sizeof(reader->name));
	reader->is_view = true;
	return 0;
}

static long do_view(struct file *file, struct reader *reader, struct weft_view *request)
{
	u32 *indices = NULL;
	long ret = 0;

	if (request->abi != WEFT_ABI_VERSION) {
		request->abi = WEFT_ABI_VERSION;
		return -EPROTO;
	}
	if (request->flags & ~WEFT_VIEW_NEW ||
	    strnlen(request->words, sizeof(request->words)) == sizeof(request->words))
		return -EINVAL;
	if (request->nr_joinpoints > WEFT_VIEW_JOINPOINTS_MAX)
		return -E2BIG;
	if (request->nr_joinpoints) {
		const size_t size = request->nr_joinpoints * sizeof(*indices);

		indices = kvmalloc(size, GFP_KERNEL_ACCOUNT);
		if (!indices)
			return -ENOMEM;
		if (copy_from_user(indices, u64_to_user_ptr(request->joinpoints), size))
			ret = -EFAULT;
	}
	if (!ret && mutex_lock_killable(&wk_mutex))
		ret = -EINTR;
	if (ret) {
		kvfree(indices);
		return ret;
	}
	ret = reader->is_view ? -EBUSY : begin(reader, file->f_cred, request, indices);
	mutex_unlock(&wk_mutex);
	kvfree(indices);
	return ret;
}

static long do_view_read(struct file *file, struct reader *reader, struct weft_view_read *request)
{
	const u32 size = min_t(u32, request->size, ANSWER_MAX);
	void __user *user = u64_to_user_ptr(request->buffer);
	struct wk_view *view = &reader->view;
	bool more = false;
	void *answer;
	long ret = 0;

	if (!reader->is_view)
		return -ENODATA;
	/* Records that cannot be copied out are lost, so the buffer is tried before. */
	if (fault_in_writeable(user, size))
		return -EFAULT;
	answer = kvmalloc(size, GFP_KERNEL_ACCOUNT);
	if (!answer)
		return -ENOMEM;
	if (mutex_lock_killable(&wk_mutex)) {
		kvfree(answer);
		return -EINTR;
	}
	if (view->records)
		ret = wk_view_read(view, answer, size, &more);
	request->lost = wk_view_lost(view);
	request->flags = (more ? WEFT_VIEW_MORE : 0) | (view->records ? 0 : WEFT_VIEW_ENDED);
	mutex_unlock(&wk_mutex);
	if (ret > 0 && copy_to_user(user, answer, ret))
		ret = -EFAULT;
	kvfree(answer);
	if (ret < 0)
		return ret;
	request->used = ret;
	return 0;
}

/* The joinpoints of the view's aspect, whatever name the request has. */
static long do_joinpoint(struct file *file, struct reader *reader, struct weft_joinpoint_text *text)
{
	const struct wk_aspect *aspect;
	long ret = -ENOENT;

	if (!reader->is_view)
		return -ENODATA;
	if (mutex_lock_killable(&wk_mutex))
		return -EINTR;
	aspect = reader->view.records ? wk_aspect_find(reader->name) : NULL;
	if (aspect)
		ret = wk_aspect_joinpoint(aspect, text);
	mutex_unlock(&wk_mutex);
	return ret;
}

union argument {
	struct weft_view view;
	struct weft_view_read read;
	struct weft_joinpoint_text joinpoint;
};

static long run(struct file *file, unsigned int command, union argument *argument)
{
	struct reader *reader = file->private_data;
	long ret;

	if (mutex_lock_killable(&reader->lock))
		return -EINTR;
	switch (command) {
	case WEFT_IOC_VIEW:
		ret = do_view(file, reader, &argument->view);
		break;
	case WEFT_IOC_VIEW_READ:
		ret = do_view_read(file, reader, &argument->read);
		break;
	default:
		ret = do_joinpoint(file, reader, &argument->joinpoint);
	}
	mutex_unlock(&reader->lock);
	return ret;
}

static long device_ioctl(struct file *file, unsigned int command, unsigned long user)
{
	union argument argument;
	long ret;

	if (command != WEFT_IOC_VIEW && command != WEFT_IOC_VIEW_READ &&
	    command != WEFT_IOC_JOINPOINT)
		return -ENOTTY;
	memset(&argument, 0, sizeof(argument));
	if (copy_from_user(&argument, (void __user *)user, _IOC_SIZE(command)))
		return -EFAULT;
	ret = run(file, command, &argument);
	if (copy_to_user((void __user *)user, &argument, _IOC_SIZE(command)) && !ret)
		ret = -EFAULT;
	return ret;
}

/*
 * Opens the device for anybody outside of user namespaces who is one user: a program that runs with
 * another user's rights than its caller's would else read for the wrong one. What records show is
 * what kprobes show, so a lockdown that forbids kprobes forbids this, too.
 */
static int device_open(struct inode *inode, struct file *file)
{
	const struct cred *cred = file->f_cred;
	const bool privileged = capable(CAP_SYS_ADMIN);
	struct reader *reader;
	int ret;

	/* Records have the numbers of tasks outside of namespaces. */
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
	reader->privileged = privileged;
	file->private_data = reader;
	return 0;
}

static int device_release(struct inode *inode, struct file *file)
{
	struct reader *reader = file->private_data;

	if (reader->is_view) {
		mutex_lock(&wk_mutex);
		wk_view_destroy(&reader->view);
		mutex_unlock(&wk_mutex);
	}
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
