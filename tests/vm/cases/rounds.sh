#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Weave and unweave again and again under traffic on all CPUs: no splat (run-cases.sh looks at the
# log), no lost byte. $WEFT_ROUNDS: how often; make bench-parallel has 200.
. "$(dirname "$0")/lib.sh"
rounds=$WEFT_ROUNDS
load_weft
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null

check "two CPUs or more" [ "$(nproc)" -ge 2 ]
# Traffic on each CPU, all the time, with pauses so short that grace periods can still end.
traffic_on 2000
# Some rounds use the command, as a person would; the rest use a program that calls the weaver's own
# functions, without starting a process each time.
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
