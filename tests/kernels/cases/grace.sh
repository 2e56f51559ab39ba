#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A trap may become a jump only when every CPU has switched tasks since the trap was written: else a
# CPU that is in an interrupt, an NMI or the idle loop could be in text that is about to be
# overwritten. synchronize_rcu_tasks_rude() of newer kernels does not wait for that, so weft.ko runs
# a work item on each CPU (kmod/splice/grace.c). The case checks by a kprobe that this work item
# runs.
#
# aspects: accesses
. "$(dirname "$0")/../../vm/cases/lib.sh"
load_weft
uname -r
tracing=/sys/kernel/tracing
traffic 20 >/dev/null
echo 'p:weft_switch weft:after_switch' >$tracing/kprobe_events
echo 1 >$tracing/events/kprobes/weft_switch/enable
check "weave" weft weave --optimized "$aspects/accesses.ko"
same "before it was optimized, each CPU has switched tasks" \
	"$(sed -n 's/.* \[\([0-9]*\)\] .*weft_switch: .*/\1/p' $tracing/trace | sort -u | wc -l)" \
	"$cpus"
echo 0 >$tracing/events/kprobes/weft_switch/enable
echo >$tracing/kprobe_events
check "traffic" traffic 30
check "unweave" weft unweave accesses
check "weft.ko unloads" rmmod weft
finish
