#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The memory that all aspects together may have; here record buffers take most of it. Two buffers of
# the largest size do not fit, and nothing else in the guest runs out of memory.
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

# Unread records of an aspect that goes are kept, if there is memory for them.
weft weave "$aspects/sequence.ko" >/dev/null
traffic 20 >/dev/null
at_least "records" "$(figure sequence records)" 10
echo 1 >$share
weft unweave sequence >/dev/null
check "what cannot be kept is told" bash -c \
	"dmesg | grep -q 'sequence: there is no memory to keep [1-9][0-9]* unread records'"
finish
