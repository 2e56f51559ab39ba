// SPDX-License-Identifier: GPL-2.0-or-later
/* Holds the signals that end a session; see session-signals.h. */
#include <stddef.h>
#include <time.h>

#include "base/child.h"
#include "cmds/session-signals.h"

static const int all[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };

void wv_session_signals(sigset_t *ret)
{
	sigemptyset(ret);
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		sigaddset(ret, all[i]);
}

void wv_session_signals_hold(sigset_t *usual_ret)
{
	const sigset_t *before = wv_signals_before_hold();
	sigset_t signals;

	wv_session_signals(&signals);
	sigprocmask(SIG_BLOCK, &signals, usual_ret);
	if (before)
		*usual_ret = *before;
}

bool wv_session_signals_pending(int *ret)
{
	sigset_t pending;

	sigpending(&pending);
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		*ret = all[i];
		if (sigismember(&pending, all[i]))
			return true;
	}
	return false;
}

void wv_session_signals_release(const sigset_t *usual)
{
	const struct timespec none = { 0 };
	sigset_t signals;

	wv_session_signals(&signals);
	while (sigtimedwait(&signals, NULL, &none) > 0)
		;
	if (!wv_signals_before_hold())
		sigprocmask(SIG_SETMASK, usual, NULL);
}
