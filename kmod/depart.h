/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes all splices out of a module that is being unloaded. The kernel guarantees that no task runs
 * the module's text any more, and is about to free it. So the functions here must not fail, and may
 * wait only for wk_mutex and the locks for writing text. Process context; under wk_mutex.
 */
#ifndef WK_DEPART_H
#define WK_DEPART_H

struct list_head;
struct module;
struct wk_aspect;
struct wk_retirement;

/*
 * The first step, for each aspect with splices in @module: removes the aspect's attachments in
 * @module from the aspect. Moves them, and the splices that are unused then, to @departure, a
 * retirement that is not started yet.
 */
void wk_depart_aspect(struct wk_aspect *aspect, const struct module *module,
		      struct wk_retirement *departure);

/*
 * The second step, once for @module: restores the text of all splices in it as far as possible,
 * also of splices that are already retiring. Forgets all these splices, and starts the retirements
 * in the list @departures (linked by struct wk_retirement.waiter.list).
 */
void wk_depart(const struct module *module, struct list_head *departures);

#endif /* WK_DEPART_H */
