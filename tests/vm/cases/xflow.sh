#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests xflow, which limits advice to objects that came through a point. What an aspect counts of the
# socket buffers of one program is compared with what ftrace has recorded in the same run: kprobes
# where buffers are allocated, destroyed and freed, whose lines a script goes through in their order.
# Meanwhile other programs allocate buffers at the addresses of those that were freed.
. "$(dirname "$0")/lib.sh"
load_weft
json=/tmp/json

metric() { grep -F "\"metric\":\"$1\"" $json; }
# total METRIC: the count of all its rows.
total() {
	metric "$1" | grep -o '"count":[0-9]*,"sum\|"count":[0-9]*' | sed 's/[^0-9]//g' |
		awk '{ n += $1 } END { print n + 0 }'
}
# tag TAG KEY: a number of the tag.
tag() {
	grep '"tags":' $json | grep -o "{\"tag\":\"$1\"[^}]*}" | sed -n "s/.*\"$2\":\([0-9]*\).*/\1/p"
}

{
	echo 'r:weft_test/allocated sock_alloc_send_pskb object=$retval:x64'
	echo 'p:weft_test/destroyed sock_wfree object=%di:x64'
	echo 'p:weft_test/read skb_consume_udp object=%si:x64'
	for function in kfree_skbmem kfree_skb_partial; do
		echo "p:weft_test/freed_$function $function object=%di:x64"
	done
} >$tracing/kprobe_events
echo mono >$tracing/trace_clock
echo 16384 >$tracing/buffer_size_kb

echo 1 >$tracing/events/weft_test/enable
# What the programs run through sets jump labels of the kernel, once.
active udp >/dev/null
traffic 20 >/dev/null
kernel-text /tmp/before
check "weave" weft weave "$aspects/xflow.ko"
echo >$tracing/trace
for _ in 1 2 3; do active udp >/dev/null; done &
tagger=$!
# Others send as well: they get addresses of buffers that were tagged.
while kill -0 $tagger 2>/dev/null; do traffic 1 >/dev/null 2>&1 || sleep 0.1; done
wait $tagger
sleep 0.5
weft report --json xflow >$json
cat $tracing/trace >/tmp/trace

# Goes through ftrace's lines in the order of their times, with a set of the tagged objects.
grep -v '^#' /tmp/trace | sed -E 's/^ *(.*)-[0-9]+ +\[[0-9]+\] +[^ ]+ +([0-9.]+): ([a-z_]+): .* object=(0x[0-9a-f]+).*/\2 \3 \4 \1/' |
	sort -n -s -k1,1 | awk '
	$2 == "allocated" { all++; if ($4 == "active-udp" && $3 != "0x0") { has[$3] = 1; tagged++ } }
	$2 == "destroyed" { if ($3 in has) destroyed++; else others++ }
	$2 == "read" && ($3 in has) { read++ }
	$2 ~ /^freed/ && ($3 in has) { delete has[$3]; freed++ }
	$2 == "allocated" && $4 != "active-udp" && ($3 in was) { reused++ }
	$2 ~ /^freed/ { was[$3] = 1 }
	END {
		print "tagged", tagged + 0; print "destroyed", destroyed + 0; print "read", read + 0
		print "freed", freed + 0; print "others", others + 0; print "reused", reused + 0
	}' >/tmp/wanted
cat /tmp/wanted; grep -v '^#' /tmp/trace | cut -c1-120 | awk '{print $4, $5}' | sort | uniq -c | sort -n | tail -5;  grep -v '^#' /tmp/trace | head -5
wanted() { awk -v key="$1" '$1 == key { print $2 }' /tmp/wanted; }

same "ftrace has lost nothing" "$(cat $tracing/per_cpu/cpu*/stats | awk '/overrun|dropped/ { n += $NF } END { print n }')" 0
at_least "others got addresses that were freed" "$(wanted reused)" 100
equal "tagged" "$(tag sent tagged)" "$(wanted tagged)"
equal "untagged" "$(tag sent untagged)" "$(wanted freed)"
same "none carries the tag for ever" "$(tag sent carried)" 0
same "there was room for all" "$(tag sent no_slot)" 0
equal "destructors of tagged buffers" "$(total 'of sent')" "$(wanted destroyed)"
equal "by a condition in C" "$(total condition)" "$(wanted destroyed)"
same "tagged or not are all" $(($(total 'of sent') + $(total 'of others'))) "$(total all)"
at_least "destructors of other buffers" "$(total 'of others')" 100
equal "a tag on tagged objects" "$(tag received tagged)" "$(wanted read)"
equal "where these are read" "$(total read)" "$(wanted read)"
equal "an object is tagged where it gets its tag" "$(total 'tagged where it is tagged')" \
	"$(wanted tagged)"
equal "and still where it is freed" "$(total 'tagged where it is freed')" "$(wanted freed)"
equal "elapsed time of tagged buffers only" "$(total life)" "$(wanted destroyed)"
same "a question is counted" "$(tag sent held)" $(($(wanted destroyed) * 4 + $(wanted tagged) +
	$(wanted freed) + $(wanted read)))
same "a tag without room: each object got it or was counted" \
	$(($(tag cramped tagged) + $(tag cramped again) + $(tag cramped no_slot))) \
	"$(wanted tagged)"
weft list
check "unweave" weft unweave xflow
weft report xflow | tail -12
same "the numbers stay" "$(weft report --json xflow | grep -c '"tag":"sent"')" 1
weft report --reset xflow >/dev/null
refuses "until they are reset" 11 "no aspect|not" weft report xflow
check "the text is restored" restored
echo 0 >$tracing/events/weft_test/enable
echo >$tracing/kprobe_events
check "weft.ko unloads" rmmod weft
finish
