/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A splice: the bytes written over a shadow, the trampoline they lead to and the advice calls
 * (attachments) in that trampoline. There is at most one splice at an address; several aspects may
 * share it, each with its own attachments.
 *
 * An attachment is removed from a trampoline by a jump over its block; that needs no memory and so
 * cannot fail. An attachment is added by making a new trampoline and switching the splice to it.
 *
 * All functions except wk_splice_find(), wk_splice_covering() and wk_splice_none(): process
 * context, may sleep, under wk_mutex.
 */
#ifndef WK_SPLICE_H
#define WK_SPLICE_H

#include <linux/hash.h>
#include <linux/rculist.h>
#include <linux/types.h>

#include "runtime/advice.h"
#include "runtime/trampoline.h"
#include "base/table-memory.h"
#include "text/insn.h"
#include "splice/slot.h"
#include "splice/splice-state.h"
#include "text/text-check.h"

struct module;
struct weft_around;
struct wk_exec_mem;
struct wk_budget;
struct wk_fault;
struct wk_text_overlay;
struct wr_noted_call;

/* Executable code that a splice leads to. */
struct wk_trampoline {
	unsigned long address; /* live address */
	struct wk_exec_mem *memory;
	struct list_head retired; /* in a retirement, until no task can be in it */
};

/*
 * The life of a splice is ->state (splice-state.h). The following members also change. They are not
 * part of the state, since each can be set in several states:
 *  - ->next: while its bytes are being written, the state that they are written for; otherwise
 *    NONE.
 *  - ->owns_int3: an int3 of weft is, or may be, over its first byte and leads to ->target. If the
 *    flag is not set, an int3 there is a kprobe's, over weft's jump. The trap checks only this
 *    flag, with a single load and without a lock. The flag is also set while a jump is written or
 *    replaced: from before the int3 is written until no CPU can meet that int3 any more.
 *  - ->donates: a springboard's slot lies in its displaced range: it is a donor. That depends on
 *    the springboard, not on the donor's own state. While the flag is set, the donor stays in the
 *    text even without any attachment.
 */
struct wk_splice {
	struct hlist_node node; /* in the table by address, which the trap reads */
	unsigned long address;	/* live address where its displaced range begins */
	/*
	 * live address to which the trap sends CPUs: that of ->trampoline or, before the first
	 * commit, of ->next_trampoline
	 */
	unsigned long target;
	u8 kind;		/* enum weft_splice_kind */
	u8 length;		/* bytes of its displaced range: whole instructions */
	u8 nr;			/* number of displaced instructions */
	u8 first;		/* bytes of the first displaced instruction */
	u8 old[WEFT_DISPLACED_MAX]; /* the original bytes; unweaving restores them */
	/*
	 * the function may run with the direction flag set or user memory open: the trampoline gets
	 * WR_TRAMPOLINE_SANITIZE
	 */
	bool sanitize;
	struct wk_slot slot;	/* the slot of a springboard */
	/*
	 * of a springboard: the splice whose displaced range holds its slot; NULL: the slot is in
	 * padding
	 */
	struct wk_splice *donor;
	bool donates;		/* a springboard's slot is in its displaced range */
	/*
	 * of a donor: live target of the jump in the springboard's slot; kept when the springboard
	 * is taken out; 0: never set
	 */
	unsigned long slot_target;
	struct wk_trampoline *trampoline; /* the current one; NULL until the first is committed */
	struct wk_trampoline *next_trampoline; /* the next one: emitted, not committed yet */
	/*
	 * linked by wk_attachment.in_splice, in weaving order; enum weft_when decides in which
	 * order they run
	 */
	struct list_head attachments;
	/* on the list of a weave that is being made (weave.c), or of a retirement */
	struct list_head plan;
	/* on the list of a struct wk_optimizing until its jump is written */
	struct list_head optimize;
	u8 state;		/* enum wk_splice_state; wk_splice_become() alone changes it */
	/* enum wk_splice_state: the state for which its bytes are being written; else NONE */
	u8 next;
	/* the int3 over its first byte is weft's; the trap reads it without a lock */
	bool owns_int3;
	u8 refusal;		/* enum weft_refusal: what verify() in weave.c found */
};

/*
 * The code of one attachment in a trampoline; live addresses. Its first instruction is at least as
 * long as the jump over the block, which replaces it when the attachment is removed.
 */
struct wk_block {
	unsigned long start, end;
	unsigned long original; /* of around-advice: weft_around.original for this trampoline */
	u8 opening[WEFT_JUMP_SIZE]; /* the first bytes of the code while it is not jumped over */
};

struct wk_attachment {
	struct list_head in_splice, in_aspect;
	struct wk_splice *splice;
	struct weft_stats __percpu *stats; /* stats of the aspect, which count the hits */
	const struct weft_aspect *module; /* the aspect's module */
	struct wk_fault *fault;	     /* fault state of the aspect (fault.h); opaque here */
	struct wk_budget *budget;    /* budget of the aspect (budget.h); opaque here */
	struct weft_shadow shadow; /* passed to the advice */
	/*
	 * Live addresses. ->advice: the entry of the advice; 0: executions are only counted.
	 * ->entry: what the trampoline calls, which is the advice after its endbr64, or
	 * wk_checked_advice() (balance.h), which calls the advice.
	 */
	unsigned long advice, entry;
	/* for an attachment without advice: address of its own per-CPU counter; 0: it has none */
	unsigned long count;
	/*
	 * For an attachment that notes a call, or whose advice needs a noted call (noted-calls.h);
	 * else 0. ->asks: address of the function that its trampoline calls, wk_calls_note() or
	 * wk_calls_take(). ->calls: the table. ->call: the call's identity. ->notes: calls are
	 * noted now; accessed by WRITE_ONCE() and READ_ONCE().
	 */
	unsigned long asks;
	struct wr_noted_call *calls;
	u64 call;
	bool notes;
	/* of around-advice: its element in the aspect's module; else NULL */
	struct weft_around *around;
	/*
	 * of around-advice: live address of `endbr64; jmp shadow`, in wk_attachments.exits. An
	 * execution that goes on after the advice was taken out of the text calls this to run the
	 * function. For advice around a call, the jump leads to where the call leads
	 */
	unsigned long exit;
	/* of around-advice of a call: see struct wr_call.thunk */
	unsigned long thunk;
	/* WR_BIT()s: what is live at the shadow; the registers that the advice names */
	u32 live, needs;
	/* index of its element in the plan that it was made from, for reporting a refusal */
	u32 element;
	/*
	 * index of the shadow's instruction among the displaced ones; their number if the shadow is
	 * right after them
	 */
	u8 at;
	u8 when;		    /* enum weft_when */
	/* a jump skips ->block, because the advice has not started yet or has stopped */
	bool closed;
	/*
	 * of advice in a program: a task has died in it, by an oops; set while the advice may run,
	 * by WRITE_ONCE()
	 */
	bool died;
	struct wk_block block;	    /* its code in the splice's trampoline */
	struct wk_block next_block; /* its code in next_trampoline */
};

/* The attachments that were made at one time: by a weave, or when a module was loaded. */
struct wk_attachments {
	struct list_head list; /* on the list of the aspect, or of a retirement */
	/*
	 * the module that was loaded, which contains the splices of all these attachments; NULL: a
	 * weave made them
	 */
	const struct module *module;
	/* the table of noted calls that the attachments share; NULL: none of them needs it */
	struct wr_noted_call *calls;
	struct wk_exec_mem *exits; /* memory of all wk_attachment.exit; NULL: there are none */
	/*
	 * the account of the memory of this struct, of .calls, and of a splice and a trampoline for
	 * each attachment
	 */
	struct wk_account memory;
	struct wk_attachment all[];
};

/*
 * Returns @n attachments, all zero; NULL: memory is short, or the share of all aspects is used up.
 */
struct wk_attachments *wk_attachments_create(u32 n);
/* Frees @attachments, which may be NULL. */
void wk_attachments_destroy(struct wk_attachments *attachments);

/*
 * All splices, hashed by address. The heads take 128 KiB; with 10,000 splices the average chain is
 * shorter than one entry.
 */
enum { WK_SPLICES_BITS = 14 };
extern struct hlist_head wk_splices[];

static inline struct hlist_head *wk_splices_at(unsigned long address)
{
	return &wk_splices[hash_long(address, WK_SPLICES_BITS)];
}

/*
 * Returns the splice at live address @address, or NULL. Any context. It is on the trap's path,
 * where every instruction counts, so it is inline. It takes no lock (entries are added and removed
 * by RCU, and the trap runs with interrupts off), calls nothing, and must not be traced: an ftrace
 * int3 here would be met inside the trap.
 */
static __always_inline struct wk_splice *wk_splice_find(unsigned long address)
{
	struct wk_splice *splice;

	hlist_for_each_entry_rcu_notrace(splice, wk_splices_at(address), node)
		if (splice->address == address)
			return splice;
	return NULL;
}

/*
 * Returns the splice whose displaced range holds @address (live), or NULL. Under wk_mutex; or with
 * preemption off and text_mutex held (kprobe-hook.c): then the splice's state cannot change, and it
 * is freed only after an RCU grace period.
 */
struct wk_splice *wk_splice_covering(unsigned long address);

/*
 * Returns the splice that serves @shadow (live address), for which @planned was made; NULL if there
 * is none. Its displaced range holds the shadow or, if the advice is attached before, ends where
 * the shadow begins.
 */
static inline struct wk_splice *wk_splice_for_shadow(const struct weft_splice *planned,
						     unsigned long shadow)
{
	return wk_splice_covering(
		shadow - wk_text_attaches_before(planned->address, planned->length, shadow));
}

/* Does the displaced range of any splice overlap the @size bytes at @address? */
bool wk_splice_overlaps(unsigned long address, unsigned int size);

static inline void wk_splice_become(struct wk_splice *splice, enum wk_splice_state state)
{
	splice->state = wk_state_enter(splice->state, state, splice->address);
}

/* May some bytes of @splice in the text differ from the original ones? */
static inline bool wk_splice_in_text(const struct wk_splice *splice)
{
	return wk_state_is_trap(splice->state) || wk_state_is_jump(splice->state) || splice->next;
}

/*
 * Returns a number that changes whenever a splice is inserted or removed, and when
 * wk_splice_changed() is called.
 */
u64 wk_splice_generation(void);
void wk_splice_changed(void);

/*
 * wk_splice_insert() adds @splice to the table: it becomes LISTED. wk_splice_remove() takes @splice
 * out of the table when it is not in the text any more: it becomes OUT.
 */
void wk_splice_insert(struct wk_splice *splice);
void wk_splice_remove(struct wk_splice *splice);

/* Calls @visit for each splice that begins between @start and @end; it may remove the splice. */
void wk_splices_in(unsigned long start, unsigned long end,
		   void (*visit)(struct wk_splice *splice, void *data), void *data);

/*
 * True: no splice overlaps the @size bytes at @address. False: one may. Cheaper than a search. Any
 * context; without wk_mutex the result may be out of date at once.
 */
bool wk_splice_none(unsigned long address, unsigned int size);

/* Restores the original bytes under splices and slots, for readers of text (text.h). */
extern const struct wk_text_overlay wk_splice_overlay;

/* Decodes the original instructions under @splice; sets their number and the first's length. */
void wk_splice_decode(struct wk_splice *splice, struct wk_displaced *ret);

/* An upper bound, in bytes, for a trampoline with all of @splice's attachments. */
unsigned int wk_splice_trampoline_bound(const struct wk_splice *splice);

/*
 * Emits splice->next_trampoline, with all of its attachments, into @memory, which is not sealed
 * yet; takes a reference to @memory. @displaced: the splice's displaced instructions. Sets
 * ->next_block of each attachment. Returns 0, or one of these:
 * -ENOMEM: memory is short
 * -ERANGE: the trampoline would be too far from where it leads to
 * -ENOSPC: @memory has too little room left
 */
int wk_splice_emit(struct wk_splice *splice, const struct wk_displaced *displaced,
		   struct wk_exec_mem *memory);

/*
 * Makes ->next_trampoline the current trampoline, to which the trap goes from now on. Returns the
 * previous one, or NULL.
 */
struct wk_trampoline *wk_splice_commit(struct wk_splice *splice);

/*
 * Returns whether weft does not need @splice in the text any more: it has no attachment, and no
 * springboard's slot is in it.
 */
static inline bool wk_splice_is_idle(const struct wk_splice *splice)
{
	return list_empty(&splice->attachments) && !splice->donates;
}

/*
 * Sets the address that around-advice calls to run the original function. wk_splice_lead_out() is
 * called when @attachment is out of the text, and sets it to an exit that jumps to the function
 * itself, or to where the call leads. wk_splice_lead_new() is called for attachments that are not
 * in the text yet, and sets it to an address in the next trampoline.
 */
void wk_splice_lead_out(const struct wk_attachment *attachment);
void wk_splice_lead_new(const struct wk_splice *splice);

/* Fills those members of @call that describe around-advice. */
void wk_attachment_around(const struct wk_attachment *attachment, struct wr_call *call);

/* Frees a splice that is NEW, or OUT and past its grace periods, and releases its slot. */
void wk_splice_destroy(struct wk_splice *splice);

/*
 * Frees the trampoline and drops its reference to its executable memory. @trampoline may be NULL.
 */
void wk_trampoline_destroy(struct wk_trampoline *trampoline);

/* Fills @shadow, an element of the answer to WEFT_IOC_SHADOWS. */
void wk_attachment_describe(const struct wk_attachment *attachment,
			    struct weft_shadow_status *shadow);

#endif /* WK_SPLICE_H */
