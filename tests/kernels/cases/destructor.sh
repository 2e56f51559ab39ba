#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs in the guest, on the distribution's kernel as shipped. An aspect from a database without
# labels is woven at calls through sk_buff.destructor. The case fails if its records differ from
# kprobes on the functions that are called.
#
# aspects: log_skb_destructor
. "$(dirname "$0")/../../vm/cases/lib.sh"
load_weft
uname -r
tracing=/sys/kernel/tracing
targets=(sock_wfree tcp_wfree sock_edemux unix_wfree)

# probe_hits TARGET: prints how often the kprobe was hit, including the hits that it missed.
probe_hits() { awk -v name="weft_$1" '$1 == name { print $2 + $3 }' $tracing/kprobe_profile; }

traffic 20 >/dev/null # The first traffic switches jump labels of the kernel on, for good.
for target in "${targets[@]}"; do echo "p:weft_$target $target" >>$tracing/kprobe_events; done
kernel-text /tmp/before >/dev/null
check "weave" weft weave "$aspects/log_skb_destructor.ko"
same "state" "$(state log_skb_destructor)" woven
echo 1 >$tracing/events/kprobes/enable
traffic 100 >/dev/null
sleep 0.5 # Waits for the last acknowledgements of TCP.
echo 0 >$tracing/events/kprobes/enable
weft read log_skb_destructor >/tmp/records
grep -o 'destructor [a-z0-9_]*' /tmp/records | sort | uniq -c
head -n 3 /tmp/records
for target in "${targets[@]}"; do
	wanted=$(probe_hits "$target")
	# unix_wfree() calls sock_wfree() directly, so those calls are not made through the member.
	if [ "$target" = sock_wfree ]; then wanted=$((wanted - $(probe_hits unix_wfree))); fi
	same "$target: $wanted hits of a kprobe on it, as many records" \
		"$(grep -c " destructor $target " /tmp/records)" "$wanted"
done
check "sock_wfree was called at all" grep -q ' destructor sock_wfree ' /tmp/records
same "nothing was lost" "$(figure log_skb_destructor lost)" 0
weft list
weft unweave log_skb_destructor | tee /tmp/unweave
check "unweave says that every byte is back" \
	grep -qE '^text restored: ([0-9]+) of \1 bytes identical$' /tmp/unweave
: >$tracing/kprobe_events
kernel-text /tmp/after >/dev/null
check "the kernel's text is the same to the byte" kernel-text /tmp/before /tmp/after
check "weft.ko unloads" bash -c 'weft read log_skb_destructor >/dev/null; rmmod weft'
finish
