#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs in a guest that counts instructions, with one CPU: measures what a record of three values
# costs its writer and its recorder. The recorder's own time is in /proc/PID/schedstat, in
# nanoseconds, which are instructions there; it includes the writes to a file in memory. Each step
# of a string instruction, of eight bytes, counts as one instruction.
set -eu
. "$(dirname "$0")/../vm/cases/lib.sh"
. "$(dirname "$0")/goals.sh"
load_weft
rounds=20000

# Makes no more records than the buffer holds, since a lost record costs less.
few=150
bare=$(hit-cost $few)
weft weave --optimized "$aspects/bench_log.ko" >/dev/null
woven=$(hit-cost $few)
same "all are written" "$(figure bench_log lost)" 0 >&2
weft read bench_log >/dev/null

# Measures the same while eight readers have the records open, which are published to users. The
# readers are stopped, so that only the writer's instructions count.
readers=()
weft publish bench_log
for _ in 1 2 3 4 5 6 7 8; do
	weft read --beside --follow bench_log >/dev/null 2>&1 &
	readers+=($!)
done
await bash -c 'weft list --json | grep -q "\"readers\":8,"'
kill -STOP "${readers[@]}"
read_by_many=$(hit-cost $few)
same "all are written" "$(figure bench_log lost)" 0 >&2
kill -KILL "${readers[@]}"
wait "${readers[@]}" 2>/dev/null || :
weft unweave bench_log >/dev/null
weft read bench_log >/dev/null

# shellcheck disable=SC2016
weft record --buffer 16M -o /tmp/recorded "$aspects/bench_log.ko" -- bash -c '
	hit-cost 2000 >/dev/null
	sleep 0.3 # By then the splice is optimized and all records are recorded.
	read -r before _ </proc/$PPID/schedstat
	hit-cost '$rounds' >/dev/null
	sleep 0.3
	read -r after _ </proc/$PPID/schedstat
	echo $((after - before)) >/tmp/recorder
	sleep 0.5
	read -r idle _ </proc/$PPID/schedstat
	echo $((idle - after)) >/tmp/idle' 2>/tmp/said
lost=$(sed -nE 's/.* records?, ([0-9]+) lost$/\1/p' /tmp/said)
row "record, three values: written" \
	"$(awk -v a="$woven" -v b="$bare" 'BEGIN { printf "%.0f", a - b }')" instr at-most 100
row "record, three values: written, published and with eight readers" \
	"$(awk -v a="$read_by_many" -v b="$bare" 'BEGIN { printf "%.0f", a - b }')" instr \
	at-most 100
row "record, three values: recorded" \
	"$(awk -v t="$(cat /tmp/recorder)" -v n=$((rounds * 20)) \
		'BEGIN { printf "%.1f", t / n }')" instr at-most 20
row "recorder, half a second without records" "$(cat /tmp/idle)" instr
row "lost" "${lost:-?}" '' at-most 0
end
