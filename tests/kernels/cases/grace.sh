#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Traps become jumps only when every CPU has switched tasks since: who is in an interrupt, an NMI or
# the idle loop, in text that is about to be written over, is waited for in no other way. Newer
# kernels' synchronize_rcu_tasks_rude() does not wait for it.
#
# aspects: accesses
. "$(dirname "$0")/../../vm/cases/lib.sh"
load_weft
uname -r
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null
taskset -cp 0 $$ >/dev/null # all of this runs beside the spinner
give_way
stall
check "weave, while CPU 1 does not switch tasks" weft weave "$aspects/accesses.ko"
waiting=$(figure accesses optimizing)
at_least "there are traps that are to become jumps" "$waiting" 1
sleep 10
same "and they wait" "$(figure accesses optimizing)" "$waiting"
go_on
check "they become jumps when it has switched" optimized accesses
check "traffic" traffic 30
check "unweave" weft unweave accesses
check "the kernel's text is the same to the byte" restored
check "weft.ko unloads" rmmod weft
finish
