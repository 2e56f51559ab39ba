/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data of an aspect's records (record.h), its recorder and its views. */
#ifndef WK_RECORD_STATE_H
#define WK_RECORD_STATE_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/types.h>

#include "base/table-memory.h"
#include "record/ring.h"

struct file;
struct weft_aspect;
struct weft_statement;

/*
 * The recorder of one aspect. All zero: the aspect has no recorder. Changed under wk_mutex and
 * wk_readers_lock.
 */
struct wk_recorder {
	struct file *file;
	struct wr_ring __percpu *rings;
};

/*
 * How the arguments of a weft_log() statement are stored: values of weft_statement.kind, which is 0
 * until the statement's first record.
 */
enum {
	WK_ARGUMENTS_UNKNOWN,
	WK_ARGUMENTS_PLAIN,    /* none of them is dereferenced: WEFT_CONTENT_WORDS */
	WK_ARGUMENTS_BINARY,   /* WEFT_CONTENT_PACKED */
	WK_ARGUMENTS_UNLISTED, /* too many statements: the records of this one are lost */
};

/* The most arguments of a statement that is WK_ARGUMENTS_PLAIN. */
enum { WK_ARGUMENTS_MAX = 12 };

/* How many weft_log() statements an aspect may have; the records of further ones are lost. */
enum { WK_STATEMENTS_MAX = 2048 };

/*
 * The records of one aspect. Under wk_mutex, except that readers use ->rings under wk_readers_lock.
 * The rings are not freed while there is a view.
 */
struct wk_records {
	struct wr_ring __percpu *rings; /* the ring of each CPU; NULL: freed */
	/* the aspect in its module; NULL: the module is gone, and ->rings are freed */
	const struct weft_aspect *module;
	/*
	 * the statements that have written a record, in the order of their first records. One may
	 * be listed several times, if several CPUs ran it for the first time at once.
	 */
	struct weft_statement *statements[WK_STATEMENTS_MAX];
	atomic_t nr_statements; /* statements listed, and those that found the list full */
	struct wk_recorder recorder;
	/* under wk_readers_lock: */
	struct list_head views; /* of struct wk_view, by ->in_records (view.h) */
	bool closed;	 /* no view may begin: the rings are about to be freed */
	/* records that wk_records_read() never gets: it was slow, and views needed the room */
	u64 overtaken;
	/* list of struct kept_record: records that were formatted when the module was unloaded */
	struct list_head kept;
	u64 nr_kept;
	struct wk_account of_rings, of_kept;
	/*
	 * numbers of records written and lost in rings that were freed since; wk_records_totals()
	 * adds the numbers in ->rings
	 */
	u64 written, lost;
};

#endif /* WK_RECORD_STATE_H */
