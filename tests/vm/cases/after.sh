#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests advice that runs after a joinpoint. What functions and calls return, and how often they
# return, is compared with kprobes and kretprobes in the same run; the value of a member is compared
# with what GCC's own code reads. The case also fails if the advice of two aspects at one joinpoint
# runs in the wrong order, or if a register that is live after the joinpoint loses its value.
. "$(dirname "$0")/lib.sh"
load_weft
work=$(mktemp -d)

echo 'p:weft_test/enter udp_sendmsg len=%dx:u64' >>$tracing/kprobe_events
echo 'r:weft_test/left udp_sendmsg ret=$retval:s32' >>$tracing/kprobe_events
echo 'r:weft_test/read vfs_read ret=$retval:s64' >>$tracing/kprobe_events
echo 'r:weft_test/through unix_dgram_sendmsg ret=$retval:s32' >>$tracing/kprobe_events
echo 'p:weft_test/free sock_wfree' >>$tracing/kprobe_events
echo 1 >$tracing/events/weft_test/enable
check "weave" weft weave --optimized "$aspects/after.ko"
traffic 30 >/dev/null
# Too long for one datagram, so udp_sendmsg() returns an error.
head -c 70000 /dev/zero >/dev/udp/127.0.0.1/9 2>/dev/null
echo 0 >$tracing/events/enable
check "unweave" weft unweave --all
weft read after >"$work/read"
cp $tracing/trace "$work/trace"
echo >$tracing/kprobe_events

# records WORD [COMM]: prints what follows WORD in each record whose text begins with WORD. If COMM
# is given, only records of threads with that name count.
records() { sed -n "s/^.* ${2:-[^ ]*}-[0-9]* [^ ]*: $1 *\(.*\)\$/\1/p" "$work/read"; }
kprobe() { sed -n "s/^ *${3:-[^ ]*}-[0-9]* .* $1: .*$2=\(.*\)\$/\1/p" "$work/trace"; }
number() { records "$@" | wc -l; }

lines "before a function: its arguments" "$(records enter)" "$(kprobe enter len)"
lines "after it: what it returns" "$(records left)" "$(kprobe left ret)"
lines "after a call: what it returned" "$(records read traffic)" "$(kprobe read ret traffic)"
lines "after a call through a member" "$(records through)" "$(kprobe through ret)"
same "a function is left as often as it is entered, also by jumps" "$(number free) $(number gone)" \
	"$(grep -c ' free: ' "$work/trace") $(grep -c ' free: ' "$work/trace")"
same "\$value behind a read is what GCC reads" "$(records length | sort -u)" 1
same "\$value before a write is what it writes" \
	"$(records before | cut -d' ' -f1)" "$(records after | cut -d' ' -f1)"
same "and is there behind it" "$(records after | cut -d' ' -f2 | sort -u)" 1

# Weaves two aspects at one instruction, and at the exits of one function. Advice before the
# joinpoint must run in the order of weaving, advice after it in the reverse order.
check "weave one" weft weave --optimized "$aspects/order_one.ko"
check "weave two" weft weave --optimized "$aspects/order_two.ko"
traffic 1 >/dev/null
check "unweave one" weft unweave order_one
traffic 1 >/dev/null
check "unweave two" weft unweave order_two
{ weft read order_one; weft read order_two; } | sort -n | sed 's/^.*: //' >"$work/order"
here='before 1,before 2,' after='after 2,after 1,' leaves='leaves 1,leaves 2,' left='left 2,left 1,'
by() { tr ',' '\n' <<<"$2" | sed -n "s/./$1 &/p"; }
wanted=$(by one "$here"; by two "$here"; by two "$after"; by one "$after"
	by one "$leaves"; by two "$leaves"; by two "$left"; by one "$left"
	by two "$here$after$leaves$left")
lines "advices nest" "$(cat "$work/order")" "$wanted"

check "weave before blocks" weft weave "$aspects/blocks_before.ko"
check "weave after blocks" weft weave "$aspects/blocks_after.ko"
traffic 30 >/dev/null
same "blocks end as often as they begin" \
	"$(figure blocks_after hits)" "$(figure blocks_before hits)"
check "and they do" test "$(figure blocks_after hits)" -gt 100
check "unweave" weft unweave --all

check "weave where registers are lost" weft weave --optimized "$aspects/clobber.ko"
check "all arrives" traffic 60
check "and there were hits" test "$(figure clobber hits)" -gt 10000
check "unweave" weft unweave --all
rm -r "$work"
finish
