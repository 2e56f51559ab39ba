#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# While a request waits for user memory (tests/vm/probed/slow_memory.c), everything else must go on:
# other requests are answered, weaves with a limited time end, aspects that fault are unwoven, and
# aspects that are bound to a process are unwoven when that process ends.
. "$(dirname "$0")/lib.sh"
load_weft
insmod "$O/vm/probed/probed.ko" || exit 1
insmod "$O/vm/probed/slow_memory.ko" || exit 1
insmod "$aspects/fault_witness.ko" || exit 1
for kind in weave text read; do
	slow-request $kind fault_witness >/tmp/$kind &
	slow+=($!)
done
sleep 0.5
waits() { [ -d /proc/${slow[0]} ] && [ -d /proc/${slow[1]} ] && [ -d /proc/${slow[2]} ]; }
check "three requests wait for memory" waits
check "others are answered" timeout 10 weft list
check "weaving goes on" timeout 30 weft weave --for 2s "$aspects/fault_witness.ko"
check "and ends in its time" await in_state fault_witness ended
check "an aspect that will fault" timeout 30 weft weave "$aspects/fault_any.ko"
echo 1 >/sys/module/fault_any/parameters/kind
taskset -c 0 bash -c 'echo 1 >/dev/probed'
check "is unwoven" await in_state fault_any faulted
check "they wait still" waits
echo 1 >/dev/slow_memory
wait
# The requests end at last with these errors: the content is that of another module (ESTALE),
# nothing is mapped at address 0 (EFAULT), there is no record (0).
same "then they are answered" "$(cat /tmp/weave /tmp/text /tmp/read | tr '\n' ' ')" "116 14 0 "
check "put away" weft unweave --all
finish
