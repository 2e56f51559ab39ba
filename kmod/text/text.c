// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads live text and finds kprobes in it; see text.h. */
#include <linux/cache.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "base/unexported.h"
#include "runtime/abi.h"
#include "text/module-text.h"
#include "text/same-bytes.h"
#include "text/text.h"
#include "base/lock.h"

enum { INT3 = 0xcc, NEAR_JUMP = 0xe9, NEAR_JUMP_SIZE = 5 };

static const struct wk_text_overlay *overlay __ro_after_init;

void __init wk_text_init(const struct wk_text_overlay *writers)
{
	overlay = writers;
}

unsigned long wk_text_end(unsigned long address)
{
	if (address >= wk_unexported.stext && address < wk_unexported.etext)
		return wk_unexported.etext;
	return wk_module_text_end(address);
}

bool wk_text_contains(unsigned long address, unsigned int size)
{
	unsigned long end = wk_text_end(address);

	return end && size <= end - address;
}

/* ---- finding what kprobes wrote -------------------------------------------------------------- */

/*
 * In @buffer, a copy of the @size bytes at @address, restores the original bytes under the int3 or
 * jump of the kprobe at @probe. Under an int3 it restores one byte only, because another kprobe may
 * be right after it. The kprobe may be in a module that was unloaded, where nothing is mapped any
 * more; so its bytes are read in a way that cannot fault.
 */
static void restore_kprobe(unsigned long probe, unsigned long address, u8 *buffer,
			   unsigned int size)
{
	u8 first = 0, bytes[MAX_INSN_SIZE];
	unsigned int written;

	/* A kprobe that is disarmed, or that is at ftrace's instruction, has written nothing. */
	if (copy_from_kernel_nofault(&first, (void *)probe, sizeof(first)) ||
	    (first != INT3 && first != NEAR_JUMP) ||
	    wk_call(recover_probed_instruction)(bytes, probe) != (unsigned long)bytes)
		return;
	written = first == NEAR_JUMP ? NEAR_JUMP_SIZE : 1;
	for (unsigned int i = 0; i < written; i++)
		if (probe + i >= address && probe + i < address + size)
			buffer[probe + i - address] = bytes[i];
}

static bool may_be_near(unsigned long probe, unsigned long address, unsigned int size)
{
	return probe + NEAR_JUMP_SIZE > address && probe < address + size;
}

/*
 * Returns whether there is a kprobe that may have written one of the @size bytes at @address. If
 * @buffer, a copy of these bytes, is not NULL, restores in it the original bytes under all such
 * kprobes. RCU protects the lists of kprobes, so preemption is switched off.
 *
 * Kprobes of unloaded modules are skipped. Such a kprobe stays in the lists until its owner
 * unregisters it. By then the text of another module may be at its address, and the kprobe has
 * written nothing there.
 */
static bool restore_kprobes(unsigned long address, u8 *buffer, unsigned int size)
{
	const struct kprobe *probe;
	bool found = false;

	if (!wk_has(recover_probed_instruction))
		return false;
	preempt_disable();
	for (unsigned int i = 0; i < wk_unexported.kprobe_lists; i++) {
		hlist_for_each_entry_rcu(probe, &wk_unexported.kprobes[i], hlist) {
			if (!may_be_near((unsigned long)probe->addr, address, size) ||
			    probe->flags & KPROBE_FLAG_GONE)
				continue;
			found = true;
			if (buffer)
				restore_kprobe((unsigned long)probe->addr, address, buffer, size);
		}
	}
	preempt_enable();
	return found;
}

/* Does any kprobe exist? The answer holds while the caller holds kprobe_mutex. */
static bool any_kprobe(void)
{
	for (unsigned int i = 0; i < wk_unexported.kprobe_lists; i++)
		if (!hlist_empty(&wk_unexported.kprobes[i]))
			return true;
	return false;
}

/*
 * Reads the original bytes of @n pieces of text. If no kprobe exists at all, the pieces are not
 * searched for kprobes one by one, which would take as long as all the rest.
 */
static int read_original(const struct weft_piece *pieces, u32 n, u8 *buffer)
{
	u8 *at = buffer;
	int ret = 0;
	bool any;

	mutex_lock(wk_unexported.kprobe_mutex);
	any = any_kprobe();
	for (u32 i = 0; i < n && !ret; at += pieces[i++].size) {
		if (copy_from_kernel_nofault(at, (void *)pieces[i].address, pieces[i].size))
			ret = -EFAULT;
		else if (any)
			restore_kprobes(pieces[i].address, at, pieces[i].size);
		cond_resched();
	}
	mutex_unlock(wk_unexported.kprobe_mutex);
	at = buffer;
	for (u32 i = 0; i < n && !ret; at += pieces[i++].size)
		overlay->restore(pieces[i].address, at, pieces[i].size);
	return ret;
}

/*
 * The result of wk_text_look_for_kprobes().
 * KPROBES_ASK: there may be kprobes, so each address is looked up.
 * KPROBES_NONE: there was none when the function was called.
 * KPROBES_NONE_HELD: there is none, and none can be registered now.
 */
static enum { KPROBES_ASK, KPROBES_NONE, KPROBES_NONE_HELD } kprobes;

/* ---- reading text ---------------------------------------------------------------------------- */

int wk_text_read_pieces(const struct weft_piece *pieces, u32 n, u8 *buffer, bool original)
{
	wk_assert_locked();
	for (u32 i = 0; i < n; i++)
		if (!wk_text_contains(pieces[i].address, pieces[i].size))
			return -EFAULT;
	if (original)
		return read_original(pieces, n, buffer);
	for (u32 i = 0; i < n; buffer += pieces[i++].size)
		if (copy_from_kernel_nofault(buffer, (void *)pieces[i].address, pieces[i].size))
			return -EFAULT;
	return 0;
}

int wk_text_read(unsigned long address, u8 *buffer, unsigned int size, bool original)
{
	const struct weft_piece piece = { .address = address, .size = size };

	return wk_text_read_pieces(&piece, 1, buffer, original);
}

/*
 * As wk_text_is(), but slower: compares the bytes that the text has without what weft and kprobes
 * have written.
 */
static noinline bool original_is(unsigned long address, const u8 *bytes, unsigned int size)
{
	u8 live[256];

	for (unsigned int at = 0, n; at < size; at += n) {
		n = min_t(unsigned int, size - at, sizeof(live));
		if (wk_text_read(address + at, live, n, true) || memcmp(live, bytes + at, n))
			return false;
	}
	return true;
}

bool wk_text_is(unsigned long address, const u8 *bytes, unsigned int size)
{
	if (!wk_text_contains(address, size))
		return false;
	/*
	 * KPROBES_NONE may be out of date: a kprobe may have been registered after the look. If it
	 * has written to these bytes, they differ, and original_is() compares once more with what
	 * is under kprobes.
	 */
	if (overlay->none(address, size) &&
	    (kprobes != KPROBES_ASK || !restore_kprobes(address, NULL, size)) &&
	    wk_same_bytes((const void *)address, bytes, size))
		return true;
	return original_is(address, bytes, size);
}

void wk_text_look_for_kprobes(bool held)
{
	if (!wk_unexported.kprobes || any_kprobe())
		kprobes = KPROBES_ASK;
	else
		kprobes = held ? KPROBES_NONE_HELD : KPROBES_NONE;
}

void wk_text_forget_kprobes(void)
{
	kprobes = KPROBES_ASK;
}

/*
 * Is there a kprobe at @address that has none of @flags? get_kprobe() walks an RCU list; disabling
 * preemption is a read-side critical section.
 */
static bool kprobe_at(unsigned long address, u32 flags)
{
	const struct kprobe *probe;
	bool found;

	preempt_disable();
	probe = wk_call(get_kprobe)((void *)address);
	found = probe && !(probe->flags & flags);
	preempt_enable();
	return found;
}

bool wk_text_kprobe_in(unsigned long address, unsigned int size)
{
	bool found = false;

	if (kprobes == KPROBES_NONE_HELD)
		return false;
	for (unsigned long at = address; at != address + size && !found; at++)
		found = kprobe_at(at, 0);
	return found;
}

bool wk_text_kprobe_wrote(unsigned long address)
{
	return kprobe_at(address, KPROBE_FLAG_GONE);
}

bool wk_text_kprobe(unsigned long address, unsigned int size)
{
	return kprobes == KPROBES_ASK &&
	       wk_text_kprobe_in(address - NEAR_JUMP_SIZE + 1, size + NEAR_JUMP_SIZE - 1);
}
