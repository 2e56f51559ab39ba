// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests kmod/splice/splice-state.c and aspect-state.c: all steps of all possible lives of a splice
 * and of an aspect must be legal, and no other transition may be. Each other transition must be
 * caught in the way in which debug builds of weft.ko catch it.
 */
#include <stdbool.h>

#include "cmocka-all.h"

/* Takes the place of kmod/base/self-check.h and counts the warnings. */
#define WK_SELF_CHECK_H
#define WK_DEBUG_BUILD 1
static unsigned int warnings;
#define WK_BUG(condition, ...) ((void)((condition) && warnings++))

#include "kmod/aspect-state.c"
/* Both files have a table `states`. */
#define states splice_states
#include "kmod/splice/splice-state.c"
#undef states

enum { STEPS_MAX = 12, ASPECT_STATES = WEFT_STATES };

/*
 * One life of a splice: what happens in it, and the splice's states one after the other, from NONE
 * to NONE.
 */
struct life {
	const char *what;
	enum wk_splice_state states[STEPS_MAX];
};

#define S(state) WK_STATE_##state

static const struct life lives[] = {
	{ "a weave that cannot be built", { S(NONE), S(NEW) } },
	{ "a weave that verification refuses", { S(NONE), S(NEW), S(LISTED), S(OUT) } },
	{ "a trap that a second aspect joins",
	  { S(NONE), S(NEW), S(LISTED), S(TRAP), S(TRAP), S(LISTED), S(OUT) } },
	{ "a jump over one instruction",
	  { S(NONE), S(NEW), S(LISTED), S(JUMP), S(JUMP), S(LISTED), S(OUT) } },
	{ "a jump over several instructions",
	  { S(NONE), S(NEW), S(LISTED), S(OPTIMIZING), S(OPTIMIZING), S(JUMP), S(LISTED),
	    S(OUT) } },
	{ "one that is unwoven before it has its jump",
	  { S(NONE), S(NEW), S(LISTED), S(OPTIMIZING), S(LISTED), S(OUT) } },
	{ "a trap with somebody's probe on it",
	  { S(NONE), S(NEW), S(LISTED), S(TRAP), S(BLOCKED_TRAP), S(LISTED), S(OUT) } },
	{ "the same before it has its jump",
	  { S(NONE), S(NEW), S(LISTED), S(OPTIMIZING), S(BLOCKED_TRAP), S(LISTED), S(OUT) } },
	{ "a jump with somebody's probe on it, and then on its slot",
	  { S(NONE), S(NEW), S(LISTED), S(JUMP), S(BLOCKED_JUMP), S(LISTED), S(OUT),
	    S(BLOCKED_SLOT), S(OUT) } },
};

static void test_lives(void **state)
{
	bool walked[WK_STATES][WK_STATES] = { 0 };

	for (unsigned int i = 0; i < sizeof(lives) / sizeof(*lives); i++) {
		const enum wk_splice_state *step = lives[i].states;

		do {
			if (!wk_state_may_follow(step[0], step[1]))
				fail_msg("%s: step %td", lives[i].what, step - lives[i].states);
			walked[step[0]][step[1]] = true;
			step++;
		} while (*step != WK_STATE_NONE);
	}
	/*
	 * Each legal transition must occur in some life: a legal transition that no splice makes
	 * would hide errors.
	 */
	for (int from = 0; from < WK_STATES; from++)
		for (int to = 0; to < WK_STATES; to++)
			if (walked[from][to] != wk_state_may_follow(from, to))
				fail_msg("%s to %s", splice_states[from].name,
					 splice_states[to].name);
}

static void test_illegal(void **state)
{
	unsigned int illegal = 0;

	for (int from = 0; from < WK_STATES; from++) {
		for (int to = 0; to < WK_STATES; to++) {
			unsigned int before = warnings;

			assert_int_equal(wk_state_enter(from, to, 0), to);
			assert_int_equal(warnings - before, !wk_state_may_follow(from, to));
			illegal += warnings - before;
		}
	}
	assert_true(illegal > 0);
	/*
	 * The worst transitions are refused: a splice that is freed while it is in the text or in
	 * the table, or written before it is in the table.
	 */
	assert_false(wk_state_may_follow(WK_STATE_JUMP, WK_STATE_NONE));
	assert_false(wk_state_may_follow(WK_STATE_LISTED, WK_STATE_NONE));
	assert_false(wk_state_may_follow(WK_STATE_BLOCKED_JUMP, WK_STATE_OUT));
	assert_false(wk_state_may_follow(WK_STATE_NEW, WK_STATE_TRAP));
	assert_false(wk_state_may_follow(WK_STATE_OUT, WK_STATE_JUMP));
}

/*
 * No state is both trap and jump. A splice that becomes blocked keeps its bytes: a trap stays a
 * trap, a jump stays a jump.
 */
static void test_bytes(void **state)
{
	for (int i = 0; i < WK_STATES; i++)
		assert_false(wk_state_is_trap(i) && wk_state_is_jump(i));
	for (int from = 0; from < WK_STATES; from++) {
		for (int to = 0; to < WK_STATES; to++) {
			if (!wk_state_may_follow(from, to) || !wk_state_is_blocked(to))
				continue;
			assert_int_equal(wk_state_is_trap(from), wk_state_is_trap(to));
			assert_int_equal(wk_state_is_jump(from), wk_state_is_jump(to));
		}
	}
}

static void test_aspects(void **state)
{
	static const bool legal[ASPECT_STATES][ASPECT_STATES] = {
		[WEFT_STATE_LOADED][WEFT_STATE_STARTING] = true,
		[WEFT_STATE_LOADED][WEFT_STATE_GONE] = true,
		/*
		 * STARTING ends in one of three ways. The aspect is woven; or it is as before,
		 * because it was refused or its start block returned an error; or weft.ko refused
		 * it after the start block, so its end block runs.
		 */
		[WEFT_STATE_STARTING][WEFT_STATE_WOVEN] = true,
		[WEFT_STATE_STARTING][WEFT_STATE_LOADED] = true,
		[WEFT_STATE_STARTING][WEFT_STATE_ENDING] = true,
		[WEFT_STATE_WOVEN][WEFT_STATE_RETIRING] = true,
		/* With an end block, and without one. */
		[WEFT_STATE_RETIRING][WEFT_STATE_ENDING] = true,
		[WEFT_STATE_RETIRING][WEFT_STATE_LOADED] = true,
		[WEFT_STATE_ENDING][WEFT_STATE_LOADED] = true,
	};

	for (int from = 0; from < ASPECT_STATES; from++) {
		for (int to = 0; to < ASPECT_STATES; to++) {
			unsigned int before = warnings;

			assert_int_equal(wk_aspect_may_become(from, to), legal[from][to]);
			assert_int_equal(wk_aspect_state_enter(from, to, "aspect"), to);
			assert_int_equal(warnings - before, !legal[from][to]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lives),
		cmocka_unit_test(test_illegal),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_aspects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
