/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's linked lists, as far as the files of kmod/ that are compiled here use them. */
#ifndef SHIM_LIST_H
#define SHIM_LIST_H

struct list_head {
	struct list_head *next, *prev;
};

#define LIST_HEAD_INIT(name) { &(name), &(name) }
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)

static inline void INIT_LIST_HEAD(struct list_head *list)
{
	list->next = list->prev = list;
}

static inline bool list_empty(const struct list_head *head)
{
	return head->next == head;
}

static inline bool list_is_singular(const struct list_head *head)
{
	return !list_empty(head) && head->next == head->prev;
}

static inline void shim_list_insert(struct list_head *entry, struct list_head *prev,
				    struct list_head *next)
{
	next->prev = prev->next = entry;
	entry->next = next;
	entry->prev = prev;
}

static inline void list_add(struct list_head *entry, struct list_head *head)
{
	shim_list_insert(entry, head, head->next);
}

static inline void list_add_tail(struct list_head *entry, struct list_head *head)
{
	shim_list_insert(entry, head->prev, head);
}

static inline void shim_list_unlink(struct list_head *entry)
{
	entry->next->prev = entry->prev;
	entry->prev->next = entry->next;
}

/* Clears the entry's pointers, so that code which still follows them crashes. */
static inline void list_del(struct list_head *entry)
{
	shim_list_unlink(entry);
	entry->next = entry->prev = NULL;
}

static inline void list_del_init(struct list_head *entry)
{
	shim_list_unlink(entry);
	INIT_LIST_HEAD(entry);
}

static inline void list_move_tail(struct list_head *entry, struct list_head *head)
{
	shim_list_unlink(entry);
	list_add_tail(entry, head);
}

static inline void list_splice_init(struct list_head *from, struct list_head *to)
{
	if (list_empty(from))
		return;
	from->prev->next = to->next;
	to->next->prev = from->prev;
	to->next = from->next;
	from->next->prev = to;
	INIT_LIST_HEAD(from);
}

static inline void list_splice(struct list_head *from, struct list_head *to)
{
	list_splice_init(from, to);
}

static inline void list_splice_tail(struct list_head *from, struct list_head *to)
{
	list_splice_init(from, to->prev);
}

#define list_entry(pointer, type, member) container_of(pointer, type, member)
#define list_first_entry(head, type, member) list_entry((head)->next, type, member)
#define list_last_entry(head, type, member) list_entry((head)->prev, type, member)
#define list_first_entry_or_null(head, type, member) \
	(list_empty(head) ? NULL : list_first_entry(head, type, member))
#define list_next_entry(at, member) list_entry((at)->member.next, typeof(*(at)), member)
#define list_prev_entry(at, member) list_entry((at)->member.prev, typeof(*(at)), member)

#define list_for_each_entry(at, head, member)                         \
	for (at = list_first_entry(head, typeof(*at), member);        \
	     &at->member != (head); at = list_next_entry(at, member))
#define list_for_each_entry_reverse(at, head, member)                 \
	for (at = list_last_entry(head, typeof(*at), member);         \
	     &at->member != (head); at = list_prev_entry(at, member))
#define list_for_each_entry_safe(at, n, head, member)                 \
	for (at = list_first_entry(head, typeof(*at), member),        \
	    n = list_next_entry(at, member);                          \
	     &at->member != (head); at = n, n = list_next_entry(n, member))

/* ---- lists with one pointer in the head, for hash tables ------------------------------------- */

struct hlist_node {
	struct hlist_node *next, **pprev;
};

struct hlist_head {
	struct hlist_node *first;
};

static inline bool hlist_empty(const struct hlist_head *head)
{
	return !READ_ONCE(head->first);
}

/* Readers without a lock find the new node as soon as the head points at it. */
static inline void hlist_add_head_rcu(struct hlist_node *node, struct hlist_head *head)
{
	node->next = head->first;
	node->pprev = &head->first;
	if (node->next)
		node->next->pprev = &node->next;
	__atomic_store_n(&head->first, node, __ATOMIC_RELEASE);
}

static inline void hlist_add_head(struct hlist_node *node, struct hlist_head *head)
{
	hlist_add_head_rcu(node, head);
}

/*
 * Takes the node out of the list. The node keeps its next pointer, so that a reader who is at the
 * node can go on.
 */
static inline void hlist_del_rcu(struct hlist_node *node)
{
	WRITE_ONCE(*node->pprev, node->next);
	if (node->next)
		node->next->pprev = node->pprev;
	node->pprev = NULL;
}

static inline void hlist_del(struct hlist_node *node)
{
	hlist_del_rcu(node);
}

#define hlist_entry_or_null(pointer, type, member)                             \
	({                                                                     \
		struct hlist_node *shim_node = READ_ONCE(pointer);             \
		shim_node ? container_of(shim_node, type, member) : NULL;      \
	})
#define hlist_for_each_entry(at, head, member)                                 \
	for (at = hlist_entry_or_null((head)->first, typeof(*at), member); at; \
	     at = hlist_entry_or_null(at->member.next, typeof(*at), member))
/* @next is the node after @at; it is read before the body, which may remove @at. */
#define hlist_for_each_entry_safe(at, next, head, member)                       \
	for (at = hlist_entry_or_null((head)->first, typeof(*at), member);      \
	     at && ((next = at->member.next), true);                            \
	     at = hlist_entry_or_null(next, typeof(*at), member))
#define hlist_for_each_entry_rcu hlist_for_each_entry
#define list_for_each_entry_rcu list_for_each_entry
#define list_add_rcu list_add
#define list_del_rcu list_del
#define hlist_for_each_entry_rcu_notrace hlist_for_each_entry

#endif /* SHIM_LIST_H */
