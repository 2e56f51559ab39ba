#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests xflow, which limits advice to objects that came through a point. What an aspect counts of
# the socket buffers of one program is compared with what ftrace has recorded in the same run:
# kprobes where buffers are allocated, cloned, destroyed and freed, whose lines a script goes
# through in their order. Meanwhile other programs allocate buffers at the addresses of those that
# were freed. The ready aspect for TCP's buffers is tested in the same way.
. "$(dirname "$0")/lib.sh"
load_weft
json=/tmp/json

# total METRIC [KEY]: prints the sum of the counts of the metric's rows, or of those rows only whose
# key contains KEY.
total() {
	python3 -S - $json "$1" "${2-}" <<-'END'
	import json, sys
	for line in open(sys.argv[1]):
	    metric = json.loads(line)
	    if metric.get("metric") == sys.argv[2]:
	        rows = [row for row in metric["rows"] if sys.argv[3] in row.get("key", "")]
	        print(sum(row["count"] for row in rows))
	END
}
# tag TAG KEY: prints the number that KEY has for the tag TAG.
tag() {
	grep '"tags":' $json | grep -o "{\"tag\":\"$1\"[^}]*}" |
		sed -n "s/.*\"$2\":\([0-9]*\).*/\1/p"
}
# replay [PROGRAM]: goes through ftrace's lines in the order of their times. `has` is the set of
# objects that PROGRAM (or, without it, any program) has allocated; `clone` is the set of their
# clones.
replay() {
	local object='\(.*\) object=(0x[0-9a-f]+)( (of|by)="?([^"]+)"?)?'

	sed -nE "s/.* ([0-9.]+): ([a-z_]+): $object.*/\1 \2 \3 \6/p" $tracing/trace |
		sort -n -s -k1,1 | awk -v program="${1-}" '
	$2 == "allocated" && $4 != program && $3 in was { reused++ }
	$2 ~ /^allocated/ && (program == "" || $4 == program) && $3 != "0x0" {
		has[$3] = 1; tagged++
	}
	$2 == "cloned" && $4 in has { clone[$3] = 1; cloned++ }
	$2 ~ /^destroyed/ && $3 in has { destroyed++ }
	$2 ~ /^destroyed/ && $3 in clone { n[$2]++ }
	$2 == "read" && $3 in has { read++ }
	$2 ~ /^freed/ {
		was[$3] = 1
		freed += $3 in has; delete has[$3]
		freed_clones += $3 in clone; delete clone[$3]
	}
	END {
		print "tagged", tagged + 0; print "destroyed", destroyed + 0; print "read", read + 0
		print "freed", freed + 0; print "reused", reused + 0; print "cloned", cloned + 0
		print "freed_clones", freed_clones + 0
		for (which in n) print which, n[which]
	}' >/tmp/wanted
}
wanted() { awk -v key="$1" '$1 == key { n = $2 } END { print n + 0 }' /tmp/wanted; }
lost() { awk '/overrun|dropped/ { n += $NF } END { print n }' $tracing/per_cpu/cpu*/stats; }

{
	echo 'r:weft_test/allocated sock_alloc_send_pskb object=$retval:x64 by=$comm'
	echo 'r:weft_test/allocated_tcp tcp_stream_alloc_skb object=$retval:x64 by=$comm'
	echo 'p:weft_test/cloned __skb_clone object=%di:x64 of=%si:x64'
	for function in sock_wfree sock_rfree tcp_wfree; do
		echo "p:weft_test/destroyed_$function $function object=%di:x64"
	done
	echo 'p:weft_test/read skb_consume_udp object=%si:x64'
	for function in kfree_skbmem kfree_skb_partial; do
		echo "p:weft_test/freed_$function $function object=%di:x64"
	done
} >$tracing/kprobe_events
echo mono >$tracing/trace_clock
echo 16384 >$tracing/buffer_size_kb
echo 1 >$tracing/events/weft_test/enable
# The programs make the kernel switch jump labels on, for good.
active udp >/dev/null
active tcp >/dev/null
traffic 20 >/dev/null
kernel-text /tmp/before

# among_others COMMAND...: runs COMMAND while others send as well. These senders get buffers at
# addresses of COMMAND's freed buffers.
among_others() {
	local sender
	traffic 100000 1000 >/dev/null &
	sender=$!
	"$@" >/dev/null
	kill $sender
	wait $sender
	sleep 0.5
}
three_times() { for _ in 1 2 3; do "$@"; done; }

check "weave" weft weave "$aspects/xflow.ko"
echo >$tracing/trace
among_others three_times active udp
weft report --json xflow >$json
replay active-udp
same "ftrace has lost nothing" "$(lost)" 0
at_least "others got addresses that were freed" "$(wanted reused)" 50
equal "tagged" "$(tag sent tagged)" "$(wanted tagged)"
equal "untagged" "$(tag sent untagged)" "$(wanted freed)"
same "none carries the tag for ever" "$(tag sent carried)" 0
same "there was room for all" "$(tag sent no_slot)" 0
same "none came twice" "$(tag sent again)" 0
equal "destructors of tagged buffers" "$(total 'of sent')" "$(wanted destroyed)"
equal "by a condition in C" "$(total condition)" "$(wanted destroyed)"
same "tagged or not are all" $(($(total 'of sent') + $(total 'of others'))) "$(total all)"
at_least "destructors of other buffers" "$(total 'of others')" 50
equal "a tag on tagged objects" "$(tag received tagged)" "$(wanted read)"
equal "where these are read" "$(total read)" "$(wanted read)"
equal "an object is tagged where it gets its tag" "$(total 'tagged where it is tagged')" \
	"$(wanted tagged)"
equal "and still where it is freed" "$(total 'tagged where it is freed')" "$(wanted freed)"
equal "elapsed time of tagged buffers only" "$(total life)" "$(wanted destroyed)"
# At each destructor four advices ask whether the buffer is tagged; one advice asks where a buffer
# is tagged, one where it is read, and one where it is freed.
same "each question is counted" "$(tag sent held)" \
	$(($(wanted destroyed) * 4 + $(wanted tagged) + $(wanted freed) + $(wanted read)))

# 40 datagrams wait in a queue; the table has 16 slots.
python3 -S - <<'END'
import socket
receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
receiver.bind(("127.0.0.1", 0))
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for _ in range(40):
    sender.sendto(b"x", receiver.getsockname())
for _ in range(40):
    receiver.recv(1)
END
weft report --json xflow >$json
same "without room: each object got the tag or was counted" \
	$(($(tag cramped tagged) + $(tag cramped no_slot))) 40
between "those without" "$(tag cramped no_slot)" 24 32
same "and what was tagged is untagged" "$(tag cramped untagged)" "$(tag cramped tagged)"
check "weft list says so" grep -q "$(tag cramped no_slot) objects got no tag" <(weft list)
same "nothing was missed" "$(figure xflow missed)" 0
check "unweave" weft unweave xflow
same "the numbers stay" "$(weft report --json xflow | grep -c '"tag":"sent"')" 1
weft report --reset xflow >/dev/null
refuses "until they are reset" 10 "no aspect" weft report xflow
check "the text is restored" restored

# One location where objects are freed is owned by ftrace, so weft cannot see all of them go.
weft weave "$aspects/xflow_unseen.ko" >/dev/null 2>/tmp/err
same "until has to see every object" \
	"$? $(grep -c 'a <cflow> or <tag> cannot work' /tmp/err)" "11 1"
same "and nothing is woven" "$(weft list --json | grep -c '"state":"woven"')" 0

check "tcp_buffers" weft weave "$aspects/tcp_buffers.ko"
echo >$tracing/trace
echo 0 >$tracing/events/weft_test/allocated/enable
among_others active tcp
weft report --json tcp_buffers >$json
replay
same "ftrace has lost nothing" "$(lost)" 0
echo 0 >$tracing/events/weft_test/enable
equal "tcp_buffers: buffers" "$(tag buffer tagged)" "$(wanted tagged)"
equal "their ends" "$(tag buffer untagged)" "$(wanted freed)"
equal "times that TCP kept them" "$(total kept)" "$(wanted freed)"
equal "clones" "$(tag clone tagged)" "$(wanted cloned)"
equal "their ends" "$(tag clone untagged)" "$(wanted freed_clones)"
equal "times that they were on the way" "$(total 'on the way')" "$(wanted freed_clones)"
equal "clones that tcp_wfree ends" "$(total destructor tcp_wfree)" "$(wanted destroyed_tcp_wfree)"
check "unweave" weft unweave tcp_buffers
weft report --reset tcp_buffers >/dev/null
check "weave for later" weft weave --after 2s "$aspects/tcp_buffers.ko"
active tcp >/dev/null
weft report --json tcp_buffers >$json
same "nothing is tagged before the start time" "$(tag buffer tagged)" 0
sleep 2.5
active tcp >/dev/null
weft report --json tcp_buffers >$json
at_least "and after it" "$(tag buffer tagged)" 10
check "unweave again" weft unweave tcp_buffers
echo >$tracing/kprobe_events
check "weft.ko unloads" rmmod weft
finish
