/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The signals that end a session: SIGINT and SIGQUIT, which the terminal sends to weft and to the
 * command alike, and SIGTERM and SIGHUP, which others send to weft alone.
 */
#ifndef WV_SESSION_SIGNALS_H
#define WV_SESSION_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Sets @ret to the set of these signals. */
void wv_session_signals(sigset_t *ret);

/*
 * From here to wv_session_signals_release() none of these signals ends weft, so that a session that
 * is interrupted still unweaves the aspect, removes its module and shows what it has found. Sets
 * @usual_ret to the signal mask that the command gets.
 */
void wv_session_signals_hold(sigset_t *usual_ret);

/*
 * Returns whether one of these signals has come and has had no effect yet; sets *@ret to it. Only
 * so if the session's caller has held them before (wv_signals_hold()).
 */
bool wv_session_signals_pending(int *ret);

/*
 * Called when nothing is woven any more. Signals that have come before have had their effect, which
 * is that the session ends, and are forgotten. From here on a signal ends weft as usual, because
 * the report may wait for a reader for ever; but if the caller holds the signals, only after its
 * wv_signals_release(). @usual is what wv_session_signals_hold() has set.
 */
void wv_session_signals_release(const sigset_t *usual);

#endif /* WV_SESSION_SIGNALS_H */
