/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splices: what is written over a shadow, the trampoline it leads to and the advice calls in that
 * trampoline. A splice belongs to an address; several aspects may share it, each with its uses.
 *
 * A use is taken out of a trampoline by a jump over its block, which needs no memory and so cannot
 * fail; a use is put in by making a whole new trampoline and switching the splice to it. All but
 * wk_splice_find() under wk_mutex, process context, may sleep.
 */
#ifndef WK_SPLICE_H
#define WK_SPLICE_H

#include <linux/hash.h>
#include <linux/rculist.h>
#include <linux/types.h>

#include "runtime/advice.h"
#include "runtime/trampoline.h"
#include "text/insn.h"
#include "splice/slot.h"
#include "splice/splice-state.h"
#include "text/text-check.h"

struct wk_exec_mem;
struct wk_text_overlay;

/* Executable code that a splice leads to. */
struct wk_trampoline {
	unsigned long address; /* live */
	struct wk_exec_mem *area;
	struct list_head retired; /* while it waits for its last visitor to leave */
};

/*
 * Its life is ->state (splice-state.h). What else changes in it and is a field of its own, since
 * any of it goes with several states:
 *  - ->next: while its bytes are being written, the state that they are written for. NONE
 *    otherwise.
 *  - ->owns_int3: an int3 of ours is over its first byte, or may be, and leads to ->target; where
 *    it is not set an int3 there is somebody else's, a kprobe's over our jump. It is all that the
 *    trap asks, without a lock, so it is one load and not a question about states. It is also set
 *    while a jump is written or replaced, from before the int3 until no CPU can meet that any more.
 *  - ->hosting: a springboard's slot lies in its displaced range. That comes and goes with the
 *    springboard, not with the donor's own life; meanwhile the donor stays in the text without any
 *    use.
 */
struct wk_splice {
	struct hlist_node node; /* in the table by address, which the trap reads */
	unsigned long address;	/* live: where its displaced range begins */
	/* live: where the trap goes; trampoline->address once that is reachable */
	unsigned long target;
	u8 kind;		/* enum weft_splice_kind */
	u8 length;		/* bytes of its displaced range: whole instructions */
	u8 nr;			/* which are so many */
	u8 old[WEFT_DISPLACED_MAX]; /* their original bytes: what unweaving restores */
	bool sanitize;		/* WR_TRAMPOLINE_SANITIZE; a property of its function */
	struct wk_slot slot;	/* a springboard's */
	/* a springboard's whose slot lies in another splice's displaced range; NULL: in padding */
	struct wk_splice *donor;
	bool donates;		/* a springboard's slot is in its displaced range */
	/* live: where the jump in that slot goes; 0: there is none, nor was there */
	unsigned long attaches_before;
	struct wk_trampoline *trampoline;	/* NULL until the first is committed */
	struct wk_trampoline *next_trampoline; /* emitted, not committed */
	/*
	 * struct wk_attachment, in the order they were woven; enum weft_when says in which they run
	 */
	struct list_head attachments;
	struct list_head plan;	/* in a transaction's or a retirement's list of splices */
	struct list_head optimize; /* while its jump waits to be written */
	u8 state;		/* enum wk_splice_state; wk_splice_become() alone changes it */
	u8 next;		/* enum wk_splice_state */
	bool owns_int3;		/* WRITE_ONCE(), READ_ONCE() in the trap */
	u8 refusal;		/* what verifying it for a transaction found: enum weft_refusal */
};

/*
 * The code of one use in a trampoline; live addresses. Its first instruction is as long as the jump
 * that takes it out, or longer.
 */
struct wk_block {
	unsigned long start, end;
	u8 opening[WEFT_JUMP_SIZE]; /* the first bytes, without the jump */
};

struct wk_attachment {
	struct list_head in_splice, in_aspect;
	struct wk_splice *splice;
	struct weft_stats __percpu *stats; /* of its aspect: where its hits are counted */
	struct weft_shadow shadow; /* what the trampoline hands to advice */
	unsigned long entry;	   /* live address of the advice's entry; 0: counts only */
	/* the per-CPU variable of one that counts only, where it has its own */
	unsigned long count;
	u32 live, needs;
	/* its index in the plan that brought it; for the report of that */
	u32 element;
	u8 at;			    /* index of its instruction in the splice's displaced range */
	u8 when;		    /* enum weft_when */
	bool closed;		    /* jumped over: its advice's time has not come, or is over */
	struct wk_block block;	    /* in the splice's trampoline */
	struct wk_block next_block; /* in next_patch */
};

/* All splices by address. 128 KiB of heads: 10,000 splices make chains of less than one. */
enum { WK_SPLICES_BITS = 14 };
extern struct hlist_head wk_splices[];

static inline struct hlist_head *wk_splices_at(unsigned long address)
{
	return &wk_splices[hash_long(address, WK_SPLICES_BITS)];
}

/*
 * The splice at @address, or NULL. Any context: it is the trap's path, where every instruction
 * counts, so it is inline. No lock (entries come and go by RCU, and the trap runs with interrupts
 * off), no call out, and none of ftrace's: its int3 here would be one in the trap.
 */
static __always_inline struct wk_splice *wk_splice_find(unsigned long address)
{
	struct wk_splice *splice;

	hlist_for_each_entry_rcu_notrace(splice, wk_splices_at(address), node)
		if (splice->address == address)
			return splice;
	return NULL;
}

/* The splice whose displaced range holds the instruction at @address, or NULL. */
struct wk_splice *wk_splice_covering(unsigned long address);

/*
 * The splice in whose displaced range the shadow is that @planned is for, or that leads up to it;
 * NULL: none is there.
 */
static inline struct wk_splice *wk_splice_for_shadow(const struct weft_splice *planned,
						     unsigned long shadow)
{
	return wk_splice_covering(
		shadow - wk_splice_attaches_before(planned->address, planned->length, shadow));
}

/* Has any splice a byte of the @size bytes at @address in its displaced range? */
bool wk_splice_overlaps(unsigned long address, unsigned int size);

static inline void wk_splice_become(struct wk_splice *splice, enum wk_splice_state state)
{
	splice->state = wk_state_enter(splice->state, state, splice->address);
}

/* May bytes in the text be others than the original ones? */
static inline bool wk_splice_in_text(const struct wk_splice *splice)
{
	return wk_state_is_trap(splice->state) || wk_state_is_jump(splice->state) || splice->next;
}

/* Another number each time that a splice has come or gone, or was said to have changed. */
u64 wk_splice_generation(void);
void wk_splice_changed(void);

/* Into the table: it is LISTED. Out of it, when it is not in the text any more: OUT. */
void wk_splice_insert(struct wk_splice *splice);
void wk_splice_remove(struct wk_splice *splice);

/*
 * Is it certain that no splice has a byte of the @size bytes at @address? Cheaper than to look for
 * one.
 */
bool wk_splice_none(unsigned long address, unsigned int size);

/* What weft has written over the text: splices and their slots. */
extern const struct wk_text_overlay wk_splice_overlay;

/* The original instructions under @splice. */
void wk_splice_decode(const struct wk_splice *splice, struct wk_displaced *ret);

/* The most bytes a trampoline for all of @splice's uses may have. */
unsigned int wk_splice_trampoline_bound(const struct wk_splice *splice);

/*
 * Emits splice->next_patch, a trampoline for all of its uses, into @area, which is not sealed yet;
 * it refers to the area. @displaced range: its instructions. Sets the uses' next_block. -ENOMEM,
 * -ERANGE, -ENOSPC.
 */
int wk_splice_emit(struct wk_splice *splice, const struct wk_displaced *displaced,
		   struct wk_exec_mem *area);

/*
 * Makes next_patch the trampoline and returns the one before, or NULL. From now on the trap goes to
 * the new one.
 */
struct wk_trampoline *wk_splice_commit(struct wk_splice *splice);

/* Nothing keeps it in the text. */
static inline bool wk_splice_is_idle(const struct wk_splice *splice)
{
	return list_empty(&splice->attachments) && !splice->donates;
}

/* Frees what is NEW, or OUT for long enough, and its slot. */
void wk_splice_destroy(struct wk_splice *splice);

/* Frees the trampoline and drops its reference to the area. NULL is fine. */
void wk_trampoline_destroy(struct wk_trampoline *trampoline);

#endif /* WK_SPLICE_H */
