/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Views: readers of an aspect's records, beside the one reader that consumes records
 * (wk_records_read() or a recorder). A view has a cursor in the ring of each CPU, chooses records,
 * and takes none from the other readers.
 *
 * While there are views, each read moves on the readers that are more than half a ring behind the
 * newest record. So a reader that is too slow, or never reads, loses its own records, but no new
 * record is lost because of it. Only a recorder is never moved on, since it reads the memory
 * itself. Without views a full ring keeps its records and drops new ones.
 *
 * A view, and all that readers share, is under wk_readers_lock. The functions here take that lock,
 * unless they say that the caller has it.
 */
#ifndef WK_VIEW_H
#define WK_VIEW_H

#include <linux/list.h>
#include <linux/types.h>
#include <linux/uidgid.h>

#include "runtime/abi.h"
#include "runtime/record-ring.h"

struct wk_records;

/* A view in the ring of one CPU. */
struct wk_view_cursor {
	struct wr_cursor cursor;
	u64 from; /* the view shows no records before this position (wr_cursor.at) */
	u64 from_records; /* how many records were written before that position */
	struct wr_moment until; /* if the view is ending: where it ends */
	u64 began; /* wr_ring.lost when the view began */
	u32 lost;  /* records lost or missed since the last one that was read here */
};

struct wk_view {
	struct list_head in_records; /* in wk_records.views */
	struct list_head in_views;   /* in the list of all views */
	struct wk_records *records;  /* NULL: the view has ended */
	struct wk_view_cursor *cursors; /* an array, by CPU */
	kuid_t user;	 /* the user who has opened it */
	bool everything; /* shows all records, not only those of tasks that ->user may look into */
	bool privileged; /* opened with CAP_SYS_ADMIN: ->everything, and goes on if unpublished */
	/* which records the view chooses: all of these must hold */
	u32 pid; /* of this process, in the initial pid namespace; 0: of all */
	u32 nr_joinpoints;
	unsigned long *joinpoints; /* at these joinpoints, a bit for each index; NULL: at all */
	char words[WEFT_VIEW_WORDS]; /* the format contains this text; "": any format */
	char fields[WEFT_VIEW_FIELDS]; /* has one of these values (wk_values_any()); "": any */
	/*
	 * What ->words and ->fields choose of each statement, by its index in
	 * wk_records.statements: bits of view.c, 0 until the statement's first record. NULL: the
	 * view chooses by neither.
	 */
	u8 *answers;
	bool ending;
	u64 missed; /* number of records that it chooses and that it was moved over */
	/*
	 * number of records of which nobody knows whether it has lost them: they were not looked at
	 * when it ended, or found a ring full just before or just after it began or ended
	 * (wr_moment.unsure)
	 */
	u64 unknown;
	/* once the view has ended: number of records that found the rings full since it began */
	u64 ring_lost;
};

/* What a request for records returns about its view. */
struct wk_view_state {
	u64 lost, uncounted; /* as in struct weft_view_read */
	bool ended;
};

/*
 * Allocates what belongs to @view, of which the caller has set ->user up to ->fields: its cursors,
 * its ->answers and, if @nr_joinpoints is not 0, ->joinpoints of so many bits. Nobody else knows
 * the view yet.
 * -ENOMEM. May sleep.
 */
int wk_view_create(struct wk_view *view, u32 nr_joinpoints);

/*
 * Begins @view at the oldest record in the rings of @records or, if @newest, at the next record
 * that is written. The caller has wk_readers_lock, and has seen that @records are not closed.
 * Returns 0, or -EDQUOT: the user has as many views as they may have.
 */
int wk_view_begin(struct wk_view *view, struct wk_records *records, bool newest);

/*
 * Ends @view, if it has begun and not ended, and frees what wk_view_create() has allocated. The
 * caller frees *@view itself.
 */
void wk_view_destroy(struct wk_view *view);

/*
 * Copies whole records, the oldest of all CPUs first, to @buffer. Looks at a limited number of
 * records; *@more_ret: there may be others. Returns the number of bytes used; 0 also if the view
 * has ended; or -EMSGSIZE: @size is too small for the next record. -ENOMEM. May sleep.
 */
long wk_view_read(struct wk_view *view, void *buffer, u32 size, bool *more_ret);

/* Counts the records in the @used bytes that wk_view_read() has copied to @buffer as missed. */
void wk_view_miss(struct wk_view *view, const void *buffer, u32 used);

struct wk_view_state wk_view_state(const struct wk_view *view);

/*
 * Ends the views of @records, and lets no other begin until wk_views_open(). Under wk_mutex, as are
 * the functions below. May sleep.
 */
void wk_views_close(struct wk_records *records);
void wk_views_open(struct wk_records *records);

/* Ends the views of @records without privilege. The caller lets no other begin. May sleep. */
void wk_views_end_users(struct wk_records *records);

/*
 * To be called when a reader's cursor in the ring of @cpu was moved: moves on the readers that are
 * too slow, and gives the writers the memory that no reader needs any more. May sleep.
 */
void wk_views_release(struct wk_records *records, int cpu);

/*
 * Makes the rings of @records readable for users, from now on, or unreadable. No user has a view,
 * and the caller lets none begin. May sleep.
 */
void wk_views_publish(struct wk_records *records, bool for_users);

unsigned int wk_views_count(const struct wk_records *records);

#endif /* WK_VIEW_H */
