#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests faults in advice in unusual situations: after a tail call, under a kprobe, within a task
# switch, on a CPU that goes offline. Each time the kernel must go on and the aspect must be
# unwoven.
. "$(dirname "$0")/lib.sh"
load_weft
insmod "$O/vm/probed/probed.ko" || exit 1
traffic 20 >/dev/null # The first traffic switches jump labels of the kernel on, for good.
kernel-text /tmp/before >/dev/null

parameters=/sys/module/fault_odd/parameters
fault() { fault_of fault_odd "$1"; }
weave() { weft weave --optimized "$aspects/fault_odd.ko" >/dev/null; }
# faulted NAME WHERE COMMAND...: the advice with the number WHERE faults while COMMAND runs.
faulted() {
	local name=$1 where=$2
	shift 2
	echo $where >$parameters/where
	"$@"
	check "$name: the kernel lives, the aspect is unwoven" await in_state fault_odd faulted
	echo 0 >$parameters/where 2>/dev/null
}
call() { taskset -c 0 bash -c 'echo 1 >/dev/probed'; }

check "weave" weave
faulted "a jump to nowhere" 1 call
same "it names the file" "$(fault file)" fault_odd.xml
check "it goes" weft unweave fault_odd

# under_kprobe NAME WHERE OPTION...: lets the advice fault once to find the instruction that faults,
# and then once more with a kprobe on that instruction.
probed=/sys/module/on_advice/parameters
under_kprobe() {
	local name=$1 where=$2 at
	shift 2
	check "$name: weave" weave
	faulted "$name, unprobed" $where call
	at=$(weft list | sed -n 's/.*\(weft_entry_[0-9]*\)+0x\([0-9a-f]*\).*/\1 \2/p' | head -n 1)
	check "$name: it goes" weft unweave fault_odd
	check "$name: weave anew" weave
	check "$name: a kprobe there ($at)" insmod "$O/vm/probed/on_advice.ko" \
		"on=fault_odd:${at% *}" "offset=0x${at#* }" "$@"
	faulted "$name" $where call
	check "$name: the kprobe has seen it" test "$(cat $probed/seen)" -gt 0
	rmmod on_advice
	check "$name: it goes" weft unweave fault_odd
}
under_kprobe "a division under a kprobe" 2
under_kprobe "a division that is single-stepped" 2 stepped=1
under_kprobe "a read under a kprobe" 3
under_kprobe "a read that is single-stepped" 3 stepped=1

check "weave for a task switch" weave
faulted "in a task switch" 4 sleep 0.1
check "it goes" weft unweave fault_odd

check "weave for a CPU that goes offline" weave
offline() { echo 0 >/sys/devices/system/cpu/cpu1/online; }
faulted "on a CPU that goes offline" 5 offline
check "it goes" weft unweave fault_odd
check "weave while it is offline" weave
faulted "while another CPU is offline" 1 call
echo 1 >/sys/devices/system/cpu/cpu1/online
check "it goes" weft unweave fault_odd

check "it goes" weft unweave --all
check "text restored" restored
finish
