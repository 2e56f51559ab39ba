// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decides when a function is walked (capture.cc). A unit sees thousands of header functions and the
 * compiler needs few of them, so only the functions of the main source file are walked as soon as
 * they are parsed. The others are walked when the compiler lowers them, which it does only if they
 * are needed: gimplification calls lang_hooks.gimplify_expr for each expression, and the first call
 * for a function comes while its body is still complete. By then the front end has changed only the
 * loops, into jumps. A function that loses accesses by this is also walked as soon as it is parsed.
 */
#include "gcc-compat.h"
#include "joinpoints.h"

static int (*gimplify_before)(tree *expression, gimple_seq *before, gimple_seq *after);
static unsigned last_asked; /* DECL_UID of the function of the last gimplify_expr call */

static bool loses(tree statement);

static bool one_loses(tree list)
{
	for (tree_stmt_iterator i = tsi_start(list); !tsi_end_p(i); tsi_next(&i)) {
		if (loses(tsi_stmt(i)))
			return true;
	}
	return false;
}

static bool loop_loses(tree body)
{
	if (!body || TREE_SIDE_EFFECTS(body))
		return loses(body);
	return TREE_CODE(body) != STATEMENT_LIST || !tsi_end_p(tsi_start(body));
}

/*
 * Whether GCC, when it changes loops into jumps, removes a loop's body that has no side effects, as
 * in `do { (void)(p->lock); } while (0)`. The accesses in the body would be lost.
 */
static bool loses(tree statement)
{
	if (!statement)
		return false;
	switch (TREE_CODE(statement)) {
	case STATEMENT_LIST:
		return one_loses(statement);
	case BIND_EXPR:
		return loses(BIND_EXPR_BODY(statement));
	case COND_EXPR:
		return loses(COND_EXPR_THEN(statement)) || loses(COND_EXPR_ELSE(statement));
	case SWITCH_STMT:
		return loses(SWITCH_STMT_BODY(statement));
	case DO_STMT:
		return loop_loses(DO_BODY(statement));
	case WHILE_STMT:
		return loop_loses(WHILE_BODY(statement));
	case FOR_STMT:
		return loop_loses(FOR_BODY(statement));
	default:
		return false;
	}
}

static void parsed(void *tree_of_function, void *data)
{
	tree function = (tree)tree_of_function;

	if (function && TREE_CODE(function) == FUNCTION_DECL &&
	    (wp_in_main_file(function) || loses(DECL_SAVED_TREE(function))))
		wp_capture_function(function, data);
}

static int gimplify(tree *expression, gimple_seq *before, gimple_seq *after)
{
	tree function = current_function_decl;

	if (function && DECL_UID(function) != last_asked) {
		last_asked = DECL_UID(function);
		/* Functions made by the compiler have no source, so no accesses. */
		if (!DECL_ARTIFICIAL(function) && !wp_owner_known(function))
			wp_capture_function(function, NULL);
	}
	return gimplify_before(expression, before, after);
}

void wp_needed_init(const char *name)
{
	register_callback(name, PLUGIN_PRE_GENERICIZE, parsed, NULL);
	gimplify_before = lang_hooks.gimplify_expr;
	lang_hooks.gimplify_expr = gimplify;
}
