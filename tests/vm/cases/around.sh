#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests around-advice: advice that runs instead of a function and may call it. The aspect's advices
# skip a function and give it a result, change an argument, change a result, and call a function
# twice. Another advice calls a function that sleeps, and the aspect is unwoven meanwhile. The
# sleeping task must have a complete stack, which the case proves by applying a live patch: the
# kernel applies one only if it can follow every task's stack to its end. The text must be restored
# without waiting for the task, but the aspect's module must stay until the task has left the
# advice.
. "$(dirname "$0")/lib.sh"
load_weft
work=$(mktemp -d)
records() { grep -c -e "$1" "$work/read"; }
is_inside() { [ "$(figure around inside)" = "$1" ]; }
parent() { perl -e '$0 = "skipper" if @ARGV; print getppid' "$@"; }
readable() { (printf %s "$1" >/proc/self/comm; [ -r /etc/passwd ] && echo yes || echo no); }
take() { perl -e '$0 = $ARGV[0]; open F, "<", "/etc/services"; print sysread(F, $b, 1000)' "$1"; }
mapped() { perl -e '$0 = $ARGV[0]; open F, "<", "/proc/self/maps"; print scalar(() = <F>)' "$1"; }
# Writes a mark to ftrace's buffer, and prints how many lines of the trace have it.
marked() {
	perl -e '$0 = $ARGV[0]; open M, ">", "$ARGV[1]/trace_marker"; syswrite(M, "weft was here");
		open F, "<", "$ARGV[1]/trace"; print scalar(grep /weft was here/, <F>)' \
		"$1" "$tracing"
	echo >"$tracing/trace"
}
# Makes pipes, each of which takes one kmalloc(); prints how many there are after ten attempts.
pipes() { perl -e '$0 = $ARGV[0]; for (1 .. 10) { pipe($r[$_], $w[$_]) and $n++ } print $n' "$1"; }

kernel-text /tmp/before >/dev/null
for how in --optimized --traps; do
	check "weave ($how)" weft weave $how "$aspects/around.ko"
	same "skipped: the result is the advice's ($how)" "$(parent skip)" 42
	same "for tasks of other names the function runs ($how)" "$(parent)" $$
	same "another argument: so much is read ($how)" "$(take reader)" 10
	same "and by others as much as they want ($how)" "$(take other)" 1000
	same "another result ($how)" "$(readable nobody)" no
	same "and for others as it is ($how)" "$(readable somebody)" yes
	same "another result of a function that begins with a call ($how)" "$(mapped mapless)" 0
	at_least "and for others as it is ($how)" "$(mapped other)" 5
	same "functions without ftrace's calls, whose callers know their registers ($how)" \
		"$(marked marker) $(marked other)" "1 1"
	same "a function that runs twice ($how)" "$(readable twice)" yes
	same "and a task that sleeps in it ($how)" \
		"$(perl -e '$0 = "sleeper"; sleep 1; print "awake"')" awake
	same "one whose own advice calls it ($how)" "$(pipes maker)" 10
	[[ $(listed around) =~ ,\"missed\":([0-9]*), ]]
	at_least "that call has no advice, and is missed ($how)" "${BASH_REMATCH[1]}" 10
	await is_inside 0
	same "nobody is inside ($how)" "$(figure around inside)" 0
	check "unweave ($how)" weft unweave --all
	await in_state around loaded
	weft read around >"$work/read"
	same "what the advice has seen of the argument ($how)" "$(records ': 1000 wanted')" 1
	same "both results ($how)" "$(records ': 0, then 0')" 1
	same "the sleep, from both sides ($how)" \
		"$(records ': falls asleep') $(records ': slept: 0')" "1 1"
	at_least "advice in interrupts ($how)" \
		"$(sed -n 's/.*: \([0-9]*\) ticks$/\1/p' "$work/read")" 10
	check "the text is restored ($how)" restored
done

# ---- fault injection -----------------------------------------------------------------------------

check "weave the fault injection" weft weave "$aspects/fail_allocations.ko"
same "every third pipe cannot be made" "$(pipes faulty)" 7
same "by the process of that name alone" "$(pipes sound)" 10
check "unweave it" weft unweave fail_allocations
same "then all can" "$(pipes faulty)" 10
weft read fail_allocations >"$work/read"
at_least "the failures are recorded" "$(records 'bytes wanted, none given')" 3

# ---- a task is inside while the aspect goes ------------------------------------------------------

check "weave once more" weft weave --optimized "$aspects/around.ko"
perl -e '$0 = "sleeper"; sleep 1000' &
sleeper=$!
await grep -q nanosleep "/proc/$sleeper/stack"
same "one is inside" "$(figure around inside)" 1
# /proc/PID/stack leaves out the functions of .sched.text, and so do_nanosleep() itself.
same "its stack leads through the advice to the caller" \
	"$(grep -o 'weft_around\|\[around\]\|hrtimer_nanosleep' "/proc/$sleeper/stack" |
		tr '\n' ' ')" \
	"weft_around [around] hrtimer_nanosleep "
patched "while a task is inside"
check "unweaving does not wait for it" timeout 60 weft unweave around
same "and says why the aspect is still there" \
	"$(weft unweave around | grep -c 'still retiring (1 execution in its around-advice')" 1
check "the text is restored while it sleeps" restored
same "the aspect is still there" "$(state around)" retiring
same "with one inside" "$(figure around inside)" 1
check "it cannot be woven meanwhile" sh -c '! weft weave "$1"' - "$aspects/around.ko"
check "the module cannot be unloaded" sh -c '! rmmod around'
sleep 2
same "the aspect waits" "$(state around)" retiring
kill -TERM $sleeper
wait $sleeper
await in_state around loaded
same "when the task has left, the aspect has, too" "$(state around)" loaded
check "and the module can be unloaded" rmmod around
finish
