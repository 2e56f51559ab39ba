#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Advice that has a kprobe on its first byte faults. weft.ko closes faulted advice by an int3 on
# that byte, but must not write one over the kprobe's int3, since the removal of the kprobe would
# restore a byte from before. A second kprobe, on the splice, keeps the aspect retiring until that
# kprobe is removed. The case fails if the advice's first bytes are not the original ones in the
# end.
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
# A kprobe that was optimized to a jump is removed some time later.
check "the entry is as it was when the kprobe goes" await is_original
echo 0 >$tracing/events/weft_test/enable
echo >$tracing/kprobe_events
await in_state fault_any faulted
check "and when the aspect has retired" is_original
rmmod on_advice
check "text restored" restored

# A kprobe that is set after weft.ko has closed the entry would take weft.ko's int3 for the original
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
