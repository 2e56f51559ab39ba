/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Modules that come and go while aspects are woven.
 *
 * One that comes is announced before its init function runs, when its text is final and nobody can
 * be in it. Aspects that wait for it are woven there and then.
 *
 * One that goes is announced when its exit function has returned, or its init function has failed:
 * nobody is in its text any more, by its own word, but the text is still there. All splices in it
 * are taken out. Nothing is held up, and nothing can fail.
 */
#ifndef WK_PART_LIFE_H
#define WK_PART_LIFE_H

struct wk_aspect;

int wk_part_life_init(void);
void wk_part_life_deinit(void);

/*
 * @aspect was woven just now: weaves the parts that wait for modules which have been loaded since
 * the weave's plan was made. Process context, may sleep; under wk_mutex.
 */
void wk_part_life_catch_up(struct wk_aspect *aspect);

#endif /* WK_PART_LIFE_H */
