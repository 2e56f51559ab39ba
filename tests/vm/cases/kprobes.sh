#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests weft together with kprobes, optimized ones too, at every instruction of woven functions. The
# kprobes are set before, while and after the functions are woven. Only the module tests/vm/probed
# calls these functions, the same way each time, so kprobes can count the executions of each
# instruction before weft.ko is loaded. Afterwards every kprobe and every counter of weft must count
# as many.
. "$(dirname "$0")/lib.sh"
seconds=${WEFT_KPROBES_SECONDS:-60}
work=$(mktemp -d)
places=$O/vm/probed.all
insmod "$O/vm/probed/probed.ko" || exit 1
mount -t debugfs none /sys/kernel/debug 2>/dev/null
list=/sys/kernel/debug/kprobes/list
optimizing=/proc/sys/debug/kprobes-optimization

# ---- functions for kprobes at many instructions, and for their counts ----
# probe_all FILE: sets and enables kprobes at the instructions that FILE lists. Those that the
# kernel refuses are written to $work/refused.
probe_all() {
	local definition
	sed 's/.*/p:weft_test\/& &/; s/+/_/' "$1" >"$work/definitions"
	: >"$work/refused"
	while read -r definition; do
		echo "$definition" >>$tracing/kprobe_events ||
			echo "${definition#* }" >>"$work/refused"
	done <"$work/definitions" 2>/dev/null
	[ ! -d $tracing/events/weft_test ] || echo 1 >$tracing/events/weft_test/enable
}
unprobe_all() {
	echo 0 >$tracing/events/weft_test/enable
	echo >$tracing/kprobe_events
} 2>/dev/null
# Prints how many kprobes are jumps by now. The kernel's optimizer makes them jumps in the
# background.
optimized_kprobes() { grep -c '\[OPTIMIZED\]' $list; }
await_optimizer() {
	local before=-1 now
	while now=$(optimized_kprobes) && [ "$now" != "$before" ]; do
		before=$now
		sleep 1
	done
}
# counts_of_kprobes, counts_of_weft: each prints "SYMBOL+OFFSET N" for each count above 0, sorted.
counts_of_kprobes() {
	awk '$2 + $3 { sub("_0x", "+0x", $1); print $1, $2 + $3 }' $tracing/kprobe_profile | sort
}
counts_of_weft() {
	weft report --json probed_all |
		grep -oE '"key":"[^"]*","key_number":"[^"]*","count":[0-9]+' |
		sed -E 's/"key":"([^"]*)".*:([0-9]+)$/\1 \2/' | sort
}
# in_rounds N: prints the executions of every instruction in N rounds.
in_rounds() { awk -v n="$1" '{ print $1, n * $2 }' "$work/once"; }
# kprobes_want N FILE, weft_wants N: each prints what must be counted in N rounds, by kprobes at the
# instructions that FILE lists, or by weft where it is woven.
kprobes_want() { in_rounds "$1" | awk 'NR == FNR { want[$1]; next } $1 in want' "$2" -; }
weft_wants() { in_rounds "$1" | awk -v skip="$work/not-woven" '
	BEGIN { while ((getline place <skip) > 0) skipped[place] }
	!($1 in skipped)'; }
# weave_all [OPTION...]: weaves probed_all. $work/summary gets the summary, $work/not-woven the
# instructions that weft refuses.
weave_all() {
	local status=0
	weft weave --verbose "$@" "$aspects/probed_all.ko" >"$work/summary" 2>&1 || status=$?
	sed -nE 's/^  refused ([^ :]*).*/\1/p' "$work/summary" | sort -u >"$work/not-woven"
	return $status
}
call() { taskset -c "${2:-0}" bash -c "echo $1 >/dev/probed"; }

# ---- executions of each instruction in one round, by kprobes that are int3s ----------------------
echo 0 >$optimizing
probe_all "$places"
same "a kprobe at every instruction" "$(wc -l <"$work/refused")" 0
call 1
counts_of_kprobes >"$work/once"
unprobe_all
at_least "instructions run, of $(wc -l <"$places")" "$(wc -l <"$work/once")" 600
echo 1 >$optimizing
load_weft
kernel-text /tmp/before >/dev/null

# ---- a displaced branch, and displaced instructions, that lead into a kprobe's jump --------------
weft weave "$aspects/probed_branch.ko" >/dev/null
echo "p:weft_test/behind __x64_sys_dup+0x4e" >>$tracing/kprobe_events
echo 1 >$tracing/events/weft_test/enable
sleep 2
same "no jump where a displaced branch leads" "$(optimized_kprobes)" 0
perl -e 'syscall(32, 9999) for 1..100' # dup() of a closed file, so the branch is taken.
at_least "the branch is taken" "$(figure probed_branch hits)" 100
unprobe_all
weft unweave probed_branch >/dev/null
stall
weft weave "$aspects/probed_entry.ko" >/dev/null
echo "p:weft_test/inside __x64_sys_getcpu+0x6" 2>"$work/said" >>$tracing/kprobe_events
same "a kprobe on a displaced instruction is refused before it optimizes" \
	"$(cat $tracing/kprobe_events)" ""
go_on
optimized probed_entry
weft doctor --db "$WEFT_DB" --kernel "$WEFT_KERNEL" >"$work/doctor"
check "weft doctor says so" grep -qE '^ok +kprobes +1 refused .*, 1 not optimized' "$work/doctor"
perl -e '$cpu = "12345678"; syscall(309, $cpu, $cpu, 0) for 1..100'
at_least "getcpu runs" "$(figure probed_entry hits)" 100
weft unweave probed_entry >/dev/null

# ---- kprobes first: weft refuses the bytes that they own, and both count everything --------------
awk 'NR % 7 == 1' "$places" >"$work/some"
probe_all "$work/some"
same "kprobes in functions that are not woven" "$(wc -l <"$work/refused")" 0
await_optimizer
at_least "optimised kprobes" "$(optimized_kprobes)" 20
weave_all --optimized
head -n 1 "$work/summary"
check "weft refuses what kprobes own" grep -q 'kprobe [1-9]' "$work/summary"
# weft reads the text without the kprobes' int3s, so it can decode the instructions between them.
check "and little more" [ "$(summary "$work/summary" refused)" -lt $(($(wc -l <"$places") / 2)) ]
call 10
same "each kprobe counts every execution" "$(counts_of_kprobes)" "$(kprobes_want 10 "$work/some")"
same "so does weft" "$(counts_of_weft)" "$(weft_wants 10)"
unprobe_all
weft unweave probed_all >/dev/null

# ---- weft first: kprobes only at instructions that are still there, and none becomes a jump ------
retired probed_all
weave_all --optimized
head -n 1 "$work/summary"
probe_all "$places"
sort "$work/refused" >"$work/no-kprobe"
await_optimizer
same "no kprobe becomes a jump in a woven function" "$(optimized_kprobes)" 0
sort "$places" | comm -23 - "$work/no-kprobe" >"$work/probed"
at_least "kprobes in woven functions" "$(wc -l <"$work/probed")" 100
weft report --reset probed_all >/dev/null
call 10
same "each kprobe counts every execution" "$(counts_of_kprobes)" "$(kprobes_want 10 "$work/probed")"
same "so does weft" "$(counts_of_weft)" "$(weft_wants 10)"
unprobe_all
weft unweave probed_all >/dev/null
check "text restored" restored

# ---- kprobes between traps: the kernel's decoder must find where instructions begin --------------
retired probed_all
weft weave --traps "$aspects/probed_fifth.ko" >"$work/summary" 2>&1
head -n 1 "$work/summary"
check "a trap at every fifth instruction" grep -q ' trap 1[0-9][0-9] ' "$work/summary"
sort "$O/vm/probed.fifth" >"$work/traps"
sort "$places" | comm -23 - "$work/traps" >"$work/between"
probe_all "$work/between"
same "a kprobe on every other instruction" "$(cat "$work/refused")" ""
sed -E 's/(.*)\+0x(.*)/\1 0x\2/' "$work/traps" | while read -r symbol offset; do
	printf '%s+0x%x\n' "$symbol" $((offset + 1))
done | sort | comm -23 - <(sort "$places") >"$work/within"
call 10
same "each counts every execution" "$(counts_of_kprobes)" "$(kprobes_want 10 "$work/between")"
unprobe_all
probe_all "$work/within"
same "none within an instruction under a trap" "$(sort "$work/refused")" "$(cat "$work/within")"
unprobe_all
weft unweave probed_fifth >/dev/null
check "text restored" restored

# ---- kprobes and weft come and go while the functions run ----------------------------------------
# The functions run so often that the kernel's optimizer and weft's optimizing have time to finish.
rounds=0 end=$((SECONDS + seconds))
while [ $SECONDS -lt $end ]; do
	rounds=$((rounds + 1))
	retired probed_all
	if [ $((rounds % 2)) = 1 ]; then
		# Kprobes stay while weft weaves and unweaves, here right after the kprobes are set.
		awk -v s=$rounds 'BEGIN { srand(s) } rand() < 0.2' "$places" >"$work/some"
		probe_all "$work/some"
		call 60 1 &
		weft weave "$aspects/probed_all.ko" >/dev/null 2>&1 ||
			echo "round $rounds: weave: $?" >>/tmp/trouble
		sleep 0.$((rounds % 5))
		weft unweave probed_all >/dev/null 2>&1
		wait $!
		wait
		diff <(counts_of_kprobes) <(kprobes_want 60 "$work/some") >"$work/diff" ||
			{ echo "round $rounds: kprobes"; cat "$work/diff"; } >>/tmp/trouble
		unprobe_all
	else
		# weft stays woven while kprobes come and go.
		weave_all ||
			echo "round $rounds: weave: $?" >>/tmp/trouble
		weft report --reset probed_all >/dev/null
		call 60 1 &
		awk -v s=$rounds 'BEGIN { srand(s) } rand() < 0.2' "$places" >"$work/some"
		probe_all "$work/some"
		sleep 0.$((rounds % 5))
		unprobe_all
		wait
		diff <(counts_of_weft) <(weft_wants 60) >"$work/diff" ||
			{ echo "round $rounds: weft"; cat "$work/diff"; } >>/tmp/trouble
		weft unweave probed_all >/dev/null
	fi
done
same "every execution is counted in all $rounds rounds" "$(head -n 20 /tmp/trouble 2>/dev/null)" ""
retired probed_all
check "text restored" restored
finish
