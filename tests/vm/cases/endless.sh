#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# vm.sh: --allow-splat
#
# Tests start and end blocks that take long, never return, or fault. `weft list` must show them,
# only their own aspect may be affected, and everything else must go on. The faults are oopses on
# purpose, so vm.sh ignores splats here and the case itself looks for other messages in the log.
. "$(dirname "$0")/lib.sh"
load_weft
echo 0 >/proc/sys/kernel/panic_on_oops
out=/tmp/records

# all_else NAME: checks that weft lists, weaves, reads and unweaves another aspect while a block of
# this one runs.
all_else() {
	check "$1: list" timeout 20 weft list
	check "$1: the device opens and closes" timeout 20 weft list --json
	check "$1: weave" timeout 60 weft weave "$aspects/entry_sock_wfree.ko"
	timeout 60 traffic 20 >/dev/null
	timeout 20 weft read entry_sock_wfree >$out
	between "$1: read" "$(wc -l <$out)" 20 1000000
	check "$1: unweave" timeout 60 weft unweave entry_sock_wfree
	same "$1: its module is gone" "$(lsmod | grep -c '^entry_sock_wfree ')" 0
}
# block_of ASPECT: prints the line after the aspect's own in `weft list`, which is about its block.
block_of() { weft list | grep -A 1 "^$1 " | tail -n 1; }

# The start block of the aspect slow_blocks waits until `go` is written.
go_on_slow() { echo 1 >/sys/module/slow_blocks/parameters/go; }

# ---- slow blocks: `weft list` shows them, and the weave succeeds in the end ----

weft weave "$aspects/slow_blocks.ko" >/tmp/slow 2>&1 &
weaver=$!
await in_state slow_blocks starting
running="its start block is still running \(pid $weaver, [0-9.]+ m?s\)$"
check "a slow start block is seen" grep -qE "^  $running" <<<"$(block_of slow_blocks)"
refuses "it cannot be unwoven now" 10 "slow_blocks: $running" weft unweave slow_blocks
refuses "nor woven once more" 10 "slow_blocks: $running" weft weave "$aspects/slow_blocks.ko"
all_else "meanwhile"
refuses "nor can its module be unloaded" 1 'slow_blocks is in use' rmmod slow_blocks
go_on_slow
wait $weaver
same "it is woven in the end" $? 0
check "and unwoven" weft unweave slow_blocks

# ---- a kprobe that is set while the start block runs is noticed ----

weft weave "$aspects/slow_blocks.ko" >/tmp/slow 2>&1 &
weaver=$!
await in_state slow_blocks starting
offset=$(weft points --db "$WEFT_DB" --json "$WEFT_TOP/tests/vm/aspects/slow_blocks.xml" |
	sed 's/.*"offset":\([0-9]*\).*/\1/')
echo "p:during/probe sock_wfree+$offset" >$tracing/kprobe_events
echo 1 >$tracing/events/during/probe/enable
go_on_slow
wait $weaver
same "a kprobe that came during the start block: not woven" $? 12
check "and that is said" grep 'kernel text changed while weaving' /tmp/slow
same "its end block has run, and nothing is left" "$(state slow_blocks)" none
echo 0 >$tracing/events/during/probe/enable
echo >$tracing/kprobe_events

# A process that is killed while its start block runs ends when the block ends.
weft weave --bound "$aspects/slow_blocks.ko" >/tmp/slow 2>&1 &
weaver=$!
await in_state slow_blocks starting
kill -9 $weaver
go_on_slow
wait $weaver 2>/dev/null
await in_state slow_blocks loaded
same "killed in the start block: nothing is woven" "$(figure slow_blocks splices)" 0
check "and it is put away" weft unweave slow_blocks

# ---- start and end blocks that never return do not hold others up ----

weft weave "$aspects/endless_start.ko" >/dev/null 2>&1 &
await in_state endless_start starting
all_else "a start block for ever"
check "weave a second" weft weave "$aspects/endless_end.ko"
unwoven=$SECONDS
weft unweave endless_end >/tmp/said 2>&1
same "an end block for ever" $? 10
check "is said" grep -qE \
	'weft: endless_end: its end block is still running \(pid [0-9]+, [0-9.]+ s\)$' /tmp/said
check "its text is restored nevertheless" grep -q '^text restored: ' /tmp/said
between "after a while" $((SECONDS - unwoven)) 1 40
same "it is listed" "$(state endless_end)" ending
pid=$(figure endless_end block_pid)
check "its thread has its name" grep -q '^weft-end/endless' "/proc/$pid/comm"
all_else "both for ever"

# ---- start and end blocks that fault are reported ----

weft weave "$aspects/fault_start.ko" >/dev/null 2>&1
await in_state fault_start starting
died="block, which began .* ago, has died in an oops"
check "a start block that has died is seen" \
	grep -q "^  its start $died" <<<"$(block_of fault_start)"
refuses "and kept" 10 "fault_start: its start $died" weft unweave fault_start
all_else "behind a dead start block"
check "weave" weft weave "$aspects/fault_end.ko"
refuses "an end block that dies" 10 "fault_end: its end $died" weft unweave fault_end
all_else "behind a dead end block"
refuses "its module stays" 1 'fault_end is in use' rmmod fault_end
in_blocks() { weft list --json | grep -cE '"state":"(starting|ending)"'; }
same "all four are listed" "$(in_blocks)" 4
same "two of them have died" "$(weft list --json | grep -c '"block_died":true')" 2

dmesg >/tmp/log
same "two oopses" "$(grep -c 'BUG: kernel NULL pointer dereference' /tmp/log)" 2
other='WARNING:|scheduling while atomic|blocked for more than|deadlock|refcount_t'
same "and nothing else" "$(grep -cE "$other" /tmp/log)" 0
finish
