/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A module goes, and its text with it: nobody runs it any more, by its own word. Nothing that
 * happens here may fail, or wait for anything but wk_mutex and the locks for writing text. Process
 * context; under wk_mutex.
 */
#ifndef WK_DEPART_H
#define WK_DEPART_H

struct list_head;
struct module;
struct wk_aspect;
struct wk_retirement;

/*
 * First, for each aspect with splices in @module: takes its advice calls there from it, and puts
 * what is unused then on @departure, which is not started yet.
 */
void wk_depart_aspect(struct wk_aspect *aspect, const struct module *module,
		      struct wk_retirement *departure);

/*
 * Then, once: restores what can be restored of all splices in @module, also of those that retire
 * already, forgets all of them, and starts @departures (struct wk_retirement.waiter.list).
 */
void wk_depart(const struct module *module, struct list_head *departures);

#endif /* WK_DEPART_H */
