#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Weaves and unweaves $WEFT_ROUNDS times under traffic on all CPUs; make bench-parallel-N does 200
# rounds. The case fails if a byte of the text is not the original afterwards, or if the traffic
# reports an error. run-cases.sh checks that the kernel's log has no splat.
. "$(dirname "$0")/lib.sh"
rounds=$WEFT_ROUNDS
load_weft
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null

check "two CPUs or more" [ "$(nproc)" -ge 2 ]
# The traffic on each CPU pauses just long enough for grace periods to end.
traffic_on 2000
# Some rounds use the command weft, as a person would. The rest use a program that calls the
# weaver's functions, which saves the start of a process in each round.
commands=10
for ((round = 1; round <= commands; round++)); do
	weft weave "$aspects/log_skb_destructor.ko" >/tmp/said 2>&1 || {
		echo "round $round: $(cat /tmp/said)" >>/tmp/trouble
		break
	}
	weft read log_skb_destructor >/dev/null
	weft unweave log_skb_destructor >/tmp/said 2>&1 || {
		echo "round $round: $(cat /tmp/said)" >>/tmp/trouble
		break
	}
	grep -qE '^text restored: ([1-9][0-9]*) of \1 bytes' /tmp/said ||
		echo "round $round: $(cat /tmp/said)" >>/tmp/trouble
done
done_by_program=$(weave-rounds $((rounds - commands)) "$aspects/log_skb_destructor.ko" \
	2>>/tmp/trouble)
traffic_off $((rounds * 5 / 2))
same "$rounds rounds under traffic" "$(cat /tmp/trouble 2>/dev/null)" ""
same "rounds done" "$((round - 1 + ${done_by_program:-0}))" "$rounds"
check "text restored" restored
weft read >/dev/null
check "weft.ko unloads" rmmod weft
finish
