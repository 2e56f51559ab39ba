/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Registers uprobes: breakpoints in the text of programs, at an offset of a file, in every process
 * that maps the file. Since 6.12 an uprobe is unregistered in two steps. The second, a wait for
 * handlers that still run, is done once for many uprobes.
 */
#ifndef WK_COMPAT_UPROBE_H
#define WK_COMPAT_UPROBE_H

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/uprobes.h>

/* What is needed to unregister an uprobe. */
struct wk_uprobe_handle {
	struct uprobe *uprobe; /* NULL in kernels before 6.12, which do not need it */
	bool registered;
};

/* The parameter list of an uprobe's handler. */
#ifdef WK_HAS_UPROBE_DATA
#define WK_UPROBE_HANDLER(consumer, regs) \
	(struct uprobe_consumer *consumer, struct pt_regs *regs, __u64 *data_)
#else
#define WK_UPROBE_HANDLER(consumer, regs) \
	(struct uprobe_consumer *consumer, struct pt_regs *regs)
#endif

static inline int wk_uprobe_register(struct inode *inode, loff_t offset,
				     struct uprobe_consumer *consumer,
				     struct wk_uprobe_handle *ret)
{
#ifdef WK_HAS_UPROBE_HANDLE
	int err;

	ret->uprobe = uprobe_register(inode, offset, 0, consumer);
	err = PTR_ERR_OR_ZERO(ret->uprobe);
#else
	int err = uprobe_register(inode, offset, consumer);
#endif
	ret->registered = !err;
	return err;
}

/* Afterwards handlers may still run until wk_uprobe_wait() has returned. */
static inline void wk_uprobe_unregister(struct inode *inode, loff_t offset,
					struct uprobe_consumer *consumer,
					struct wk_uprobe_handle *handle)
{
	if (!handle->registered)
		return;
#ifdef WK_HAS_UPROBE_HANDLE
	uprobe_unregister_nosync(handle->uprobe, consumer);
#else
	uprobe_unregister(inode, offset, consumer);
#endif
	handle->registered = false;
}

/*
 * 1: wk_uprobe_wait() waits, for the handlers of all uprobes. 0: it does nothing, since in this
 * kernel wk_uprobe_unregister() waits itself.
 */
#ifdef WK_HAS_UPROBE_HANDLE
#define WK_UPROBE_WAITS 1
#else
#define WK_UPROBE_WAITS 0
#endif

/* Waits until no handler of an uprobe that was unregistered runs any more. */
static inline void wk_uprobe_wait(void)
{
#ifdef WK_HAS_UPROBE_HANDLE
	uprobe_unregister_sync();
#endif
}

#endif /* WK_COMPAT_UPROBE_H */
