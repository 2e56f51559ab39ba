#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests the readers of a sleeping task's stack. A task that sleeps in a call which a trampoline made
# has the same stack as without weft, so /proc/PID/stack must show the same callers. Live patching,
# which accepts only a stack that it can follow to its end, must not have to wait for the task. The
# same must hold for tasks that slept already when the functions were woven, and for tasks that
# still sleep after the unweave.
. "$(dirname "$0")/lib.sh"
load_weft
work=$(mktemp -d)
insmod "$O/vm/nesting/nesting.ko" || exit 1
kernel-text /tmp/before >/dev/null

# sleeper NAME: starts two tasks that sleep: one reads from a pipe that never has data, one waits
# for a datagram.
declare -A sleepers
sleeper() {
	sleep 1000 | cat >/dev/null &
	sleepers[$1-pipe]=$!
	perl -MSocket -e 'socketpair A, B, AF_UNIX, SOCK_DGRAM, 0; recv A, $b, 9, 0' &
	sleepers[$1-socket]=$!
}
asleep() { grep -q "$2" "/proc/${sleepers[$1]}/stack"; }
await_asleep() {
	await asleep "$1-pipe" pipe_read || fail "$1 sleeps" "$(stack "$1-pipe")"
	await asleep "$1-socket" unix_dgram || fail "$1 sleeps" "$(stack "$1-socket")"
}
stack() { cat "/proc/${sleepers[$1]}/stack"; }

sleeper before
await_asleep before
for kind in pipe socket; do stack before-$kind >"$work/$kind"; done
for how in --optimized --traps; do
	for aspect in every_count donors_springboards; do
		weft weave $how "$aspects/$aspect.ko" >/dev/null 2>&1
	done
	hits=$(figure every_count hits)
	sleeper while$how
	await_asleep while$how
	check "it sleeps in woven functions ($how)" test "$(figure every_count hits)" -gt "$hits"
	for kind in pipe socket; do
		same "the stack of who came before ($kind, $how)" \
			"$(stack before-$kind)" "$(cat "$work/$kind")"
		same "the stack of who came through trampolines ($kind, $how)" \
			"$(stack "while$how-$kind")" "$(cat "$work/$kind")"
	done
	patched "woven $how"
	weft unweave --all >/dev/null
	check "unweaving waits for no sleeper ($how)" retired every_count
	retired donors_springboards
done
for name in "${!sleepers[@]}"; do
	same "the stack when weft has gone ($name)" "$(stack "$name")" "$(cat "$work/${name##*-}")"
done
weft read >/dev/null
check "text restored" restored
check "weft.ko unloads" rmmod weft
kill "${sleepers[@]}"
rm -r "$work"
finish
