#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Start and stop, --after and --for, against the guest's clock. A program prints the time before and
# after each of its reads, and kprobes record when weft.ko writes the text that starts or stops
# advice. Each read that is wholly between start and stop must have its record, and no read that is
# wholly outside may have one. The kernel is never early; it may be late, by SLACK on a machine that
# gives its guest little time.
. "$(dirname "$0")/lib.sh"
load_weft
slack=600000000
json=$(mktemp)

now() { sed -n 's/^now at \([0-9]*\) nsecs$/\1/p' /proc/timer_list | head -n 1; }
metric() { grep -F "\"metric\":\"$1\"" "$json"; }
value() { sed -n "s/.*\"$1\":\(-\?[0-9]*\).*/\1/p"; }
between() {
	if [ "$2" -ge "$3" ] && [ "$2" -le "$4" ]; then
		pass "$1"
	else
		fail "$1" "$2 is not between $3 and $4"
	fi
}
becomes() {
	for ((i = 0; i < 100; i++)); do
		in_state "$1" "$2" && break
		sleep 0.05
	done
	same "$3" "$(state "$1")" "$2"
}
has_begun() { state timing | grep -qxE 'optimizing|woven|ended'; }
# ticks FROM TO: prints how many of the program's reads lie wholly between these times. touched FROM
# TO: prints how many do at least in part.
ticks() {
	awk -v from="$1" -v to="$2" '$1 >= from && $2 <= to { n++ } END { print n + 0 }' /tmp/ticks
}
touched() {
	awk -v from="$1" -v to="$2" '$2 >= from && $1 <= to { n++ } END { print n + 0 }' /tmp/ticks
}
# From watch to unwatch, kprobes record what weft.ko writes. Then `moments` prints a line "WHAT FROM
# TO" for each time that weft.ko has opened advice, closed advice, or restored text: the first byte
# was not written before FROM, and the last one not after TO (nanoseconds). A line "begins FROM" has
# the time from which weft.ko counts.
watch() {
	echo mono >$tracing/trace_clock
	echo >$tracing/trace
	printf '%s\n' 'p:opens weft:wk_poke_open' 'p:closes weft:wk_poke_close' \
		'p:restores weft:wk_poke_disarm' 'r:written weft:wk_poke_finish' \
		'p:begins weft:wk_timing_begin' \
		>$tracing/kprobe_events
	echo 1 >$tracing/events/kprobes/enable
}
unwatch() {
	echo 0 >$tracing/events/kprobes/enable
	sed -nE 's/.* ([0-9]+)\.([0-9]{6}): (opens|closes|restores|written|begins): .*/\1\2 \3/p' \
		$tracing/trace | awk '$2 == "begins" { print $2, $1 "000"; next }
			$2 != "written" { if (!what) { what = $2; from = $1 } next }
			what { print what, from "000", $1 + 1 "000"; what = "" }' >/tmp/moments
	echo >$tracing/kprobe_events
	echo local >$tracing/trace_clock
}
# moment WHAT N: prints "FROM TO" of the Nth line of WHAT in /tmp/moments, or of the last such line
# if N is 0.
moment() {
	awk -v what="$1" -v n="$2" '$1 == what { line = $2 " " $3; if (++seen == n) exit }
		END { print line }' /tmp/moments
}
# window NAME FROM-LEAST FROM-MOST TO-LEAST TO-MOST START STOP: checks the advice whose records have
# the text NAME. It must start between the first two times and stop between the other two (in
# nanoseconds). START and STOP are the moments, such as "opens 1", at which it did.
window() {
	local outside inside start started stop stopped
	read -r start started < <(moment $6)
	read -r stop stopped < <(moment $7)
	between "$1: it starts in time" "${start:-0}" "$2" $(($3 + slack))
	between "$1: it stops in time" "${stop:-0}" "$4" $(($5 + slack))
	outside=$(grep "\"text\":\"$1\"" /tmp/records |
		awk -F '[:,]' -v from="$start" -v to="$stopped" \
			'$2 < from || $2 > to { n++ } END { print n + 0 }')
	same "$1: no record outside" "$outside" 0
	inside=$(grep -c "\"text\":\"$1\"" /tmp/records)
	between "$1: each read inside has its record" \
		"$inside" "$(ticks "$started" "$stop")" "$(touched "$start" "$stopped")"
	if [ "$inside" -gt 20 ]; then
		pass "and there are many ($inside)"
	else
		fail "too few" "$inside"
	fi
}

second=1000000000
kernel-text /tmp/before >/dev/null
windows_of_time() {
	ticker 1 >/tmp/ticks &
	ticker=$!
	sleep 0.3
	watch
	before=$(now)
	check "weave" weft weave --after 3s --for 2500ms "$aspects/timing.ko"
	after=$(now)
	check "another aspect in the same place meanwhile" weft weave "$aspects/reads.ko"
	check "its time begins" await has_begun
	check "the other one goes" weft unweave reads
	becomes timing ended "and ends"
	unwatch
	sleep 0.2
	kill $ticker
	wait $ticker
	weft read --json timing >/tmp/records
	weft report --json timing >"$json"
	read -r begun _ < <(moment begins 1)
	between "it counts from the weave" "${begun:-0}" "$before" "$after"
	least=$((begun + 3 * second)) most=$((after + 3 * second))
	window early $least $most $((least + second / 2)) $((most + second / 2)) \
		"opens 1" "closes 1"
	window middle $((least + second)) $((most + second)) $((least + 2 * second)) \
		$((most + 2 * second)) "opens 2" "closes 2"
	window late $((least + 3 * second / 2)) $((most + 3 * second / 2)) \
		$((least + 5 * second / 2)) $((most + 5 * second / 2)) "opens 3" "restores 0"
	middle=$(grep -c '"text":"middle"' /tmp/records)
	between "a counter in the same window" \
		"$(metric 'in the middle' | value count)" $((middle - 1)) $((middle + 1))
	between "pairs, too" \
		"$(metric 'pairs in the middle' | value count)" $((middle - 2)) $((middle + 2))
	between "an inline counter has seen others' reads as well" \
		"$(metric 'inline, in the middle' | value count)" \
		$((middle - 1)) $((middle + 20000))
	between "time that a metric ran for" \
		"$(metric 'in the middle' | value woven_ns)" $((second - slack)) $((second + slack))
	between "time that the others ran for" "$(metric all | value woven_ns)" \
		$((5 * second / 2 - slack)) $((5 * second / 2 + slack))
}
# Tries failed checks again if the guest stood still meanwhile, since everything in the guest is
# then late. The times of the program's reads show whether it stood still.
for ((try = 1; ; try++)); do
	counts=($passed $failed)
	windows_of_time >/tmp/windows
	still=$(awk 'NR > 1 && $1 - last > most { most = $1 - last }
		{ last = $1 }
		END { printf "%d", most / 1000000 }' /tmp/ticks)
	if [ $failed = ${counts[1]} ] || [ $still -lt $((slack / 3000000)) ] || [ $try = 5 ]; then
		break
	fi
	echo "       the guest has stood still for $still ms: once more"
	passed=${counts[0]} failed=${counts[1]}
	weft unweave --all >/dev/null 2>&1
	weft read >/dev/null
done
cat /tmp/windows
check "its end has restored the text" restored
same "nothing is spliced" "$(figure timing splices)" 0
check "it can be woven again" weft weave --for 10s "$aspects/timing.ko"
weft report --json timing >"$json"
same "and begins at nothing" "$(metric 'in the middle' | value count | grep . || echo 0)" 0
check "unwoven before its time is over" weft unweave timing

check "a wait" weft weave --after 300ms "$aspects/timing.ko"
check "that is unwoven" weft unweave timing
sleep 0.3
check "the moment comes, and nobody is there" restored
weft weave --bound --after 1min --for 1s "$aspects/timing.ko" >/dev/null &
becomes timing waiting "a bound one waits"
between "until when" "$(figure timing next_ns)" 1 $((60 * second))
check "another aspect in the same place" weft weave "$aspects/reads.ko"
same "does not wake it" \
	"$(weft list --json | grep '"timing","state":"waiting"' | grep -o '"hits":[0-9]*')" \
	'"hits":0'
check "and goes" weft unweave reads
kill -9 $!
wait $! 2>/dev/null
becomes timing loaded "and goes with its process"
check "with all that it had in the text" restored
refuses "no unit" 2 "'2' is not a time" weft weave --after 2 "$aspects/timing.ko"
refuses "a time too long" 2 "is not a time" weft weave --for 99999999999s "$aspects/timing.ko"
weft unweave --all >/dev/null

# Advice that runs for a few milliseconds starts, stops and is unwoven under traffic.
ticker 0 >/tmp/ticks &
ticker=$!
# The program on CPU 1 sleeps between its reads: without the sleep, grace periods would take too
# long on a slow machine.
ticker 1 >/tmp/other-ticks &
traffic=$!
for ((round = 0; round < 10; round++)); do
	weft weave --after $((round * 3))ms --for $((round * 7 + 1))ms "$aspects/timing.ko" \
		>/dev/null ||
		fail "round $round" weave
	sleep "0.0$((round * 5 + 10))"
	weft unweave timing >/dev/null || fail "round $round" unweave
done
kill $ticker $traffic
wait $ticker
wait $traffic 2>/dev/null
check "text after $round short windows" restored
check "weft.ko unloads" rmmod weft
finish
