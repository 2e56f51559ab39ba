/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Modules that come and go while aspects are woven.
 *
 * A module that is loaded is announced before its init function runs, when its text is final and no
 * task can be in it. Aspects that wait for the module are woven in it at that moment.
 *
 * A module that is unloaded is announced when its exit function has returned, or its init function
 * has failed: no task is in its text any more (the module guarantees that), but the text is still
 * there. All splices in it are taken out. That cannot fail, and it does not delay the unloading.
 */
#ifndef WK_PART_LIFE_H
#define WK_PART_LIFE_H

struct wk_aspect;

int wk_part_life_init(void);
void wk_part_life_deinit(void);

/*
 * Called when @aspect was woven just now. Weaves the parts that wait for modules which have been
 * loaded since the weave's plan was made. Process context, may sleep; under wk_mutex.
 */
void wk_part_life_catch_up(struct wk_aspect *aspect);

/* Counts the shadows of each metric of @aspect that are woven, and those that are refused. */
void wk_part_life_count_shadows(struct wk_aspect *aspect);

#endif /* WK_PART_LIFE_H */
