#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests the limit to the memory that all aspects together may have. Most of this memory is for
# record buffers: the limit of this case lets one aspect have a buffer of the largest size, but not
# a second one. The case fails if weft.ko takes more than its share, or if anything else in the
# guest runs out of memory.
. "$(dirname "$0")/lib.sh"
early=$aspects/shapes_early.ko exact=$aspects/shapes_exact.ko
share=/sys/module/weft/parameters/memory_percent
buffer=$((65536 * cpus))
one_and_a_half=$((150 * buffer / $(awk '/^MemTotal/ { print $2 }' /proc/meminfo) + 1))
load_weft buffer_kb=65536 memory_percent=$one_and_a_half

for percent in 0 101 many; do
	check "$percent % of the memory is refused" bash -c "! echo $percent 2>/dev/null >$share"
done
check "one aspect" weft weave --pending "$early"
refuses "another one" 13 'no memory for its tables and buffers.*memory_percent' \
	weft weave --pending "$exact"
check "the log has whose it was, and how much there may be" bash -c \
	"dmesg | grep -q 'shapes_exact: there is no memory .* may have $one_and_a_half %'"
same "there is memory for others" "$(head -c 50M /dev/zero | tail -c 50M | wc -c)" $((50 << 20))
weft unweave shapes_early >/dev/null
check "what an aspect had is given back" weft weave --pending "$exact"
weft unweave shapes_exact >/dev/null

# The memory of splices counts as well.
check "loaded" insmod "$aspects/every_second.ko"
echo 1 >$share
weft weave "$aspects/every_second.ko" >/tmp/said 2>&1
same "splices beyond the share" \
	"$? $(grep -c 'no memory for its splices; .*memory_percent' /tmp/said)" "13 1"
echo $one_and_a_half >$share
check "within it" weft weave "$aspects/every_second.ko"
weft unweave every_second >/dev/null

# Checks the allocation flags. Memory for a request's input and answer must be charged to the
# control group of the requesting task: the flag __GFP_ACCOUNT, 0x400000, is set even in a kernel
# without control groups. If memory is short, the allocations for a plan's splices must fail instead
# of starting the OOM killer: the flag __GFP_RETRY_MAYFAIL, 0x4000.
echo 'p:asks kvmalloc_node flags=%si:x32 caller=$stack0:symbol' >$tracing/kprobe_events
echo 'p:makes kmalloc_trace flags=%si:x32 caller=$stack0:symbol' >>$tracing/kprobe_events
# The kernel's allocator of code ends processes if memory is short, whatever its caller wants. So
# weft.ko allocates as much before, by flags with which it would fail.
echo 'p:looks __vmalloc size=%di:u64 flags=%si:x32 caller=$stack0:symbol' >>$tracing/kprobe_events
echo 'p:takes module_alloc size=%di:u64 caller=$stack0:symbol' >>$tracing/kprobe_events
echo 'comm == "weft"' >$tracing/events/kprobes/filter
echo 1 >$tracing/events/kprobes/enable
weft weave --traps "$aspects/every_second.ko" >/dev/null
weft list >/dev/null
weft unweave every_second >/dev/null
echo 0 >$tracing/events/kprobes/enable
# flagged EVENT BIT CALLERS: prints a line for each allocation that EVENT has recorded from one of
# CALLERS: "CALLER 1" if bit BIT of its flags is set, else "CALLER 0".
flagged() {
	sed -nE "s/.* $1: .* flags=(0x[0-9a-f]+) caller=\"?($3)\+.*/\2 \1/p" $tracing/trace |
		while read -r caller flags; do echo "$caller $((flags >> $2 & 1))"; done
}
flagged asks 22 'wk_plan_init|prepare_text|do_[a-z]+' >/tmp/asked
flagged makes 14 'create_splice|wk_splice_emit' >/tmp/made
# Prints "SIZE seen" or "SIZE unseen" for each allocation of memory for code.
fields='(looks|takes): .* size=([0-9]+)( flags=(0x[0-9a-f]+))? caller="?wk_exec_mem'
sed -nE "s/.* $fields.*/\1 \2 \4/p" $tracing/trace | while read -r event size flags; do
	case $event in
	looks) looked="$size $((flags >> 14 & 1))" ;;
	takes) [ "${looked-}" = "$size 1" ] && echo "$size seen" || echo "$size unseen"; looked= ;;
	esac
done >/tmp/code
: >$tracing/kprobe_events
same "memory for requests is charged to who asks" "$(grep ' 0$' /tmp/asked)" ""
at_least "so it was" "$(grep -c ' 1$' /tmp/asked)" 3
same "memory for splices ends nobody" "$(grep ' 0$' /tmp/made | sort -u)" ""
at_least "so it was" "$(grep -c ' 1$' /tmp/made)" 3
same "nor does memory for code" "$(grep ' unseen$' /tmp/code)" ""
at_least "so it was" "$(grep -c ' seen$' /tmp/code)" 1

# Unread records are kept when their aspect is removed, if there is memory for them.
weft weave "$aspects/sequence.ko" >/dev/null
traffic 20 >/dev/null
at_least "records" "$(figure sequence records)" 10
echo 1 >$share
weft unweave sequence >/dev/null
check "what cannot be kept is told" bash -c \
	"dmesg | grep -q 'sequence: there is no memory to keep [1-9][0-9]* unread records'"
finish
