#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The main use of weft: an aspect at calls through a function pointer is woven, real traffic makes
# records, and after the unweave the text is the original. What weft prints is compared with the
# kernel's own text (/proc/kcore) and the kernel's own counters.
. "$(dirname "$0")/lib.sh"
load_weft

traffic 20 >/dev/null # The first traffic switches jump labels of the kernel on, for good.
kernel-text /tmp/before >/dev/null

check "weave" weft weave "$aspects/log_skb_destructor.ko" 2>/tmp/warned
same "nothing is missing" "$(cat /tmp/warned)" ""
same "state" "$(state log_skb_destructor)" woven
same "text differs at the splices only, each as its kind asks" \
	"$(kernel-text --splices /tmp/before)" "$(figure log_skb_destructor splices) 0"
check "traffic" traffic 100
weft read log_skb_destructor >/tmp/records
check "records name sock_wfree, the target of a datagram's destructor" \
	grep -q 'sock_wfree' /tmp/records
check "records carry the traffic's command" grep -q 'traffic-[0-9]' /tmp/records
same "hits = records + lost" "$(figure log_skb_destructor hits)" \
	"$(($(figure log_skb_destructor records) + $(figure log_skb_destructor lost)))"
same "nothing was lost" "$(figure log_skb_destructor lost)" 0

traffic 10 >/dev/null
weft unweave log_skb_destructor >/tmp/unweave
check "unweave says that every byte is back" \
	grep -qE '^text restored: ([0-9]+) of \1 bytes identical$' /tmp/unweave
check "the kernel's text is the same to the byte" restored
same "the module is gone" "$(grep -c '^log_skb_destructor ' /proc/modules)" 0
same "unread records outlive it" "$(state log_skb_destructor)" gone
check "and can be read" bash -c 'weft read log_skb_destructor | grep -q "skb_.*+0x"'
same "then nothing is left" "$(weft list)" "no aspects"

warning='incomplete.xml:6:5: accesses are known in 1 of 3 units; 2 of the others mention sk_state: '
warning+='`weft prepare --for sock.sk_state` adds them'
weft weave "$aspects/incomplete.ko" 2>/tmp/warned >/dev/null
same "a module of an incomplete database says so when it is woven" "$(cat /tmp/warned)" \
	"weft: warning: $warning"
same "and in the list" "$(weft list | grep incomplete: )" "  incomplete: $warning"
check "also in JSON" grep -qF "\"incomplete\":[\"$warning\"]" <(weft list --json)
weft unweave incomplete >/dev/null
weft run "$aspects/incomplete.ko" -- true 2>/tmp/warned >/dev/null
same "and when it is run" "$(head -n 1 /tmp/warned)" "weft: warning: $warning"
check "weft.ko unloads" rmmod weft
finish
