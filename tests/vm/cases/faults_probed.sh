#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Advice faults that has a kprobe on its first byte. weft.ko does not write its own int3 over such a
# byte, because the kprobe would put the old byte back when it is removed. A second kprobe, on the
# splice, keeps the aspect retiring until it is removed.
. "$(dirname "$0")/lib.sh"
load_weft
insmod "$O/vm/nesting/nesting.ko" || exit 1
kernel-text /tmp/before >/dev/null
check "weave" weft weave --optimized "$aspects/fault_any.ko"
insmod "$O/vm/probed/on_advice.ko" on=fault_any:weft_entry_0 || fail "a kprobe on advice" "$?"
advice=/sys/module/on_advice/parameters
echo 0 >$advice/armed
original=$(cat $advice/bytes)
echo 1 >$advice/armed
is_original() { [ "$(cat $advice/bytes)" = "$original" ]; }
check "it is armed" bash -c "[ '$(cat $advice/bytes)' != '$original' ]"
echo 'p:weft_test/splice in4_pton+0x5' >$tracing/kprobe_events
echo 1 >$tracing/events/weft_test/enable

echo 1 >/sys/module/fault_any/parameters/kind
taskset -c 0 bash -c 'echo 50 >/dev/nesting'
check "the fault is left" in_state fault_any retiring
echo 0 >$advice/armed
check "the entry is as it was when the kprobe goes" await is_original # an optimized one goes late
echo 0 >$tracing/events/weft_test/enable
echo >$tracing/kprobe_events
await in_state fault_any faulted
check "and when the aspect has retired" is_original
rmmod on_advice
check "text restored" restored

# A kprobe that is set after the entry is closed would take weft.ko's int3 for the advice's first
# byte.
check "put away" weft unweave --all
check "weave anew" weft weave --optimized "$aspects/fault_any.ko"
echo 'p:weft_test/splice in4_pton+0x5' >$tracing/kprobe_events
echo 1 >$tracing/events/weft_test/enable
echo 1 >/sys/module/fault_any/parameters/kind
taskset -c 0 bash -c 'echo 50 >/dev/nesting'
check "the fault closes the advice" in_state fault_any retiring
same "one fault was enough" "$(figure fault_any faults)" 1
insmod "$O/vm/probed/on_advice.ko" on=fault_any:weft_entry_0 2>/dev/null
check "a kprobe there is refused" test $? != 0
echo 0 >$tracing/events/weft_test/enable
echo >$tracing/kprobe_events
await in_state fault_any faulted
check "put away" weft unweave --all
finish
