#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests counts at the entries, the basic blocks and the exits of functions, all in one run. They
# must agree with each other: a block counts as many executions as flow into it and out of it
# (programs/flow.c checks this with the control flow graph that it makes from objdump's listing of
# the live text). They must also agree with ftrace's profile of the same functions, and with
# kprobes at the ends of blocks. Two aspects count at the same time: flow_pointcuts by pointcuts
# and C functions, flow_counters by a counter for each block that objdump shows. Only the traffic
# runs these functions, except those in the file flow.shared, and no traffic runs while the counts
# are read.
. "$(dirname "$0")/lib.sh"
load_weft
listing=$O/vm/flow.listing
work=$(mktemp -d)
traffic 20 >/dev/null
kernel-text "$work/live" >/dev/null
flow() { "$programs/flow" "$listing" "$WEFT_KERNEL/vmlinux" "$@"; }

# Runs more paths of the functions than the traffic takes: a datagram that is too long, and a port
# that nobody listens to.
load() {
	local cpu
	for cpu in 0 1; do taskset -c $cpu traffic 200 >/dev/null & done
	head -c 70000 /dev/zero >/dev/udp/127.0.0.1/9
	echo >/dev/udp/127.0.0.1/9
	: </dev/tcp/127.0.0.1/9
	wait
	sleep 0.3
} 2>/dev/null
# read_counts: writes the counts of both aspects to files in $work, as lines "SYMBOL+OFFSET N".
read_counts() {
	weft report --json flow_counters >"$work/report"
	sed -nE 's/.*"metric":"([^" ]*)".*"count":([0-9]+).*/\1 \2/p' "$work/report" \
		>"$work/counters"
	sed -nE 's/.*"metric":"again ([^"]*)".*"count":([0-9]+).*/\1 \2/p' "$work/report" \
		>"$work/again"
	weft report --json flow_pointcuts >"$work/report"
	for metric in entries blocks exits; do
		grep "\"metric\":\"$metric\"" "$work/report" |
			grep -oE '"key":"[^"]*","key_number":"[^"]*","count":[0-9]+' |
			sed -E 's/"key":"([^"]*)".*:([0-9]+)$/\1 \2/' | sort >"$work/$metric"
	done
}
reset() {
	for aspect in flow_counters flow_pointcuts; do weft report --reset $aspect >/dev/null; done
}
# by_function FILE: adds the counts in FILE up by function, without the functions in flow.shared.
by_function() {
	sed 's/+[^ ]*//; s/\.cold / /' "$1" |
		awk '{ n[$1] += $2 } END { for (f in n) print f, n[f] }' | unshared
}
unshared() { grep -vwFf "$O/vm/flow.shared" | grep -v ' 0$' | sort; }


for aspect in flow_counters flow_pointcuts; do
	weft weave --verbose --optimized "$aspects/$aspect.ko" >"$work/summary.$aspect" ||
		fail "weave $aspect" "$(cat "$work/summary.$aspect")"
	head -n 1 "$work/summary.$aspect"
	foretold $aspect "$work/summary.$aspect"
done
for kind in call jump springboard; do
	check "blocks that are spliced by $kind" \
		grep -qE ": matched .* $kind [1-9]" "$work/summary.flow_pointcuts"
done

sed -nE 's/^[0-9a-f]+ <([^>.]*)>:$/\1/p' "$listing" >$tracing/set_ftrace_filter
echo 1 >$tracing/function_profile_enabled
reset
load
read_counts
cat $tracing/trace_stat/function? >"$work/trace_stat"
awk '$2 ~ /^[0-9]+$/ { n[$1] += $2 } END { for (f in n) print f, n[f] }' "$work/trace_stat" |
	unshared >"$work/profile"
echo 0 >$tracing/function_profile_enabled
echo >$tracing/set_ftrace_filter

# refused ASPECT: prints the instructions whose splice was refused. All other instructions that have
# no count did not run, and complete() gives them the count 0.
refused() { sed -nE 's/^  refused ([^ :]*).*/\1/p' "$work/summary.$1" | sort -u; }
# complete ASPECT COUNTS: prints the file COUNTS, and each name on standard input that was not
# refused and has no count, with 0.
complete() {
	{ sort -u | comm -23 - <(refused "$1") | sed 's/$/ 0/'; cat "$2"; } |
		awk '{ n[$1] += $2 } END { for (b in n) print b, n[b] }' | sort
}
sed -nE 's/^<counter name="([^" ]*)".*/\1/p' "$aspects/flow_counters.xml" |
	complete flow_counters "$work/counters" >"$work/each"
complete flow_pointcuts "$work/blocks" <"$O/vm/flow.blocks" >"$work/all"
for counts in each all; do
	flow check "$work/live" "$work/$counts" >"$work/flow.$counts" 2>"$work/said"
	status=$? functions=$(wc -l <"$work/flow.$counts")
	same "$counts: what flows in flows out, in all blocks of $functions functions" \
		"$status$(head -n 3 "$work/said")" 0
	awk '{ b += $4; r += $5; w += $6; d += $7 }
		END {
			print b " blocks have counts, " r " ran; " \
				d " of " w " ways have one number only"
		}' "$work/flow.$counts"
done
check "thousands of counters" test "$(grep -c '^<counter' "$aspects/flow_counters.xml")" -ge 3000
same "both kinds of counters agree" \
	"$(sort "$work/each" "$work/all" | uniq | cut -d' ' -f1 | uniq -d |
		grep -vwFf "$O/vm/flow.shared")" ""
same "and those that are functions" \
	"$(join <(sort "$work/again") <(sort "$work/counters") | awk '$2 != $3' |
		grep -vwFf "$O/vm/flow.shared")" ""
check "which many are" test "$(wc -l <"$work/again")" -ge 200
check "on many blocks" test "$(join "$work/each" "$work/all" | wc -l)" -ge 400
cut -d' ' -f1,2 "$work/flow.all" | unshared >"$work/entered"
cut -d' ' -f1,3 "$work/flow.all" | unshared >"$work/left"
same "entries are what flows in" "$(by_function "$work/entries")" "$(cat "$work/entered")"
same "exits are what flows out" "$(by_function "$work/exits")" "$(cat "$work/left")"
same "entries are ftrace's" "$(by_function "$work/entries")" "$(cat "$work/profile")"
check "of many functions ($(wc -l <"$work/profile"))" test "$(wc -l <"$work/profile")" -ge 20
same "no hit was missed" "$(figure flow_counters missed) $(figure flow_pointcuts missed)" "0 0"

# Runs the same load once more, with kprobes at the last instructions of blocks that ran and of some
# blocks that did not, as far as the kernel accepts them. A block that ran in the first load may not
# run in this one, so a block without a count counts as 0.
grep -v ' 0$' "$work/all" | cut -d' ' -f1 >"$work/ran"
flow ends "$work/live" | sort | grep -vwFf "$O/vm/flow.shared" >"$work/every_end"
{
	join "$work/every_end" "$work/ran" | shuf -n 120 --random-source="$listing"
	join -v 1 "$work/every_end" "$work/ran" | shuf -n 30 --random-source="$listing"
} >"$work/ends"
n=0
while read -r block end; do
	echo "p:weft_test/end$((++n)) $end" >>$tracing/kprobe_events && echo "end$n $block"
done <"$work/ends" >"$work/probes" 2>/dev/null
echo 1 >$tracing/events/weft_test/enable
reset
load
read_counts
awk '{ print $1, $2 + $3 }' $tracing/kprobe_profile | sort | join - <(sort "$work/probes") |
	awk '{ print $3, $2 }' | sort >"$work/probed"
echo 0 >$tracing/events/weft_test/enable
echo >$tracing/kprobe_events
same "blocks are run as often as kprobes at their ends" \
	"$(join -a 1 -e 0 -o 0,2.2 "$work/probed" "$work/blocks")" "$(cat "$work/probed")"
check "of many blocks ($(wc -l <"$work/probed"))" test "$(grep -cv ' 0$' "$work/probed")" -ge 60
check "and of some that do not run" grep -q ' 0$' "$work/probed"

check "unweave" weft unweave --all
kernel-text "$work/after" >/dev/null
check "text restored" kernel-text "$work/live" "$work/after"
rm -r "$work"
finish
