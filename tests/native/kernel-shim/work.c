// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Work queues: each is a thread that runs one item after the other. Pending items are on the
 * queue's list in the order in which they are due.
 */
#include <err.h>
#include <stdlib.h>
#include <time.h>

struct workqueue_struct {
	pthread_t thread; /* The thread that runs the items. */
	pthread_cond_t changed; /* Signalled when .pending or .ending changes. */
	struct list_head pending; /* A list of struct work_struct, by .list. */
	bool ending; /* Tells the thread to end. */
};

/* All queues share one lock, since an item does not know which queue it is on. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static u64 now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000ull + time.tv_nsec / 1000000;
}

/*
 * Runs the first pending item. The caller holds the lock, which is given back while the item's
 * function runs: the function may free the item or queue it again.
 */
static void run_first(struct workqueue_struct *queue)
{
	struct work_struct *work = list_first_entry(&queue->pending, struct work_struct, list);

	list_del(&work->list);
	work->pending = false;
	pthread_mutex_unlock(&lock);
	work->function(work);
	pthread_mutex_lock(&lock);
}

static void wait_until(struct workqueue_struct *queue, u64 due)
{
	const struct timespec time = { .tv_sec = due / 1000, .tv_nsec = due % 1000 * 1000000 };

	pthread_cond_timedwait(&queue->changed, &lock, &time);
}

static void *serve(void *data)
{
	struct workqueue_struct *queue = data;
	const struct work_struct *first;

	pthread_mutex_lock(&lock);
	while (!list_empty(&queue->pending) || !queue->ending) {
		first = list_first_entry_or_null(&queue->pending, struct work_struct, list);
		if (!first)
			pthread_cond_wait(&queue->changed, &lock);
		else if (first->due <= now())
			run_first(queue);
		else if (queue->ending)
			shim_bug("work is delayed on a queue that ends\n");
		else
			wait_until(queue, first->due);
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

struct workqueue_struct *alloc_ordered_workqueue(const char *name, unsigned int flags)
{
	struct workqueue_struct *queue = calloc(1, sizeof(*queue));
	pthread_condattr_t monotonic;

	if (!queue)
		err(2, "%s", name);
	INIT_LIST_HEAD(&queue->pending);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&queue->changed, &monotonic);
	if (pthread_create(&queue->thread, NULL, serve, queue))
		errx(2, "%s", name);
	return queue;
}

void destroy_workqueue(struct workqueue_struct *queue)
{
	pthread_mutex_lock(&lock);
	queue->ending = true;
	pthread_cond_signal(&queue->changed);
	pthread_mutex_unlock(&lock);
	pthread_join(queue->thread, NULL);
	pthread_cond_destroy(&queue->changed);
	free(queue);
}

static void put(struct workqueue_struct *queue, struct work_struct *work, u64 due)
{
	struct work_struct *before;

	list_for_each_entry_reverse(before, &queue->pending, list)
		if (before->due <= due)
			break;
	work->due = due;
	work->pending = true;
	list_add(&work->list, &before->list);
	pthread_cond_signal(&queue->changed);
}

static bool take(struct work_struct *work)
{
	bool pending = work->pending;

	if (pending)
		list_del(&work->list);
	work->pending = false;
	return pending;
}

/*
 * Queues the item for time @due. Returns false, and changes nothing, if the item is pending
 * already.
 */
static bool queue_at(struct workqueue_struct *queue, struct work_struct *work, u64 due)
{
	bool queued;

	pthread_mutex_lock(&lock);
	queued = !work->pending;
	if (queued)
		put(queue, work, due);
	pthread_mutex_unlock(&lock);
	return queued;
}

bool queue_work(struct workqueue_struct *queue, struct work_struct *work)
{
	return queue_at(queue, work, now());
}

bool queue_delayed_work(struct workqueue_struct *queue, struct delayed_work *delayed,
			unsigned long ms)
{
	return queue_at(queue, &delayed->work, now() + ms);
}

bool mod_delayed_work(struct workqueue_struct *queue, struct delayed_work *delayed,
		      unsigned long ms)
{
	bool pending;

	pthread_mutex_lock(&lock);
	pending = take(&delayed->work);
	put(queue, &delayed->work, now() + ms);
	pthread_mutex_unlock(&lock);
	return pending;
}

bool cancel_delayed_work(struct delayed_work *delayed)
{
	bool pending;

	pthread_mutex_lock(&lock);
	pending = take(&delayed->work);
	pthread_mutex_unlock(&lock);
	return pending;
}
