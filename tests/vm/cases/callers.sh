#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests stack traces that advice takes: from every instruction of some functions, with splices of
# all kinds, and from advice after a joinpoint. The callers and their number must be those that a
# kprobe at the function's entry finds in the same run. One of the functions runs in softirqs, which
# have a stack of their own.
. "$(dirname "$0")/lib.sh"
load_weft
work=$(mktemp -d)
functions="unix_dgram_sendmsg sock_wfree udp_queue_rcv_one_skb"
traffic 5 >/dev/null
echo 1 >$tracing/options/stacktrace
echo 1 >$tracing/options/sym-offset
for function in $functions; do echo "p:weft_test/$function $function" >>$tracing/kprobe_events; done

# by_kprobe, by_advice FILE: print "FUNCTION HOW-MANY CALLER..." for each stack trace, in the
# kernel's trace or in the records in FILE: the function, how many callers there are in all, and the
# first seven of them. A trace of the kernel begins with the function; a trace of advice begins with
# the advice, the trampoline and the function.
by_kprobe() {
	awk '/<stack trace>/ { if (n) print f, n - 1, l; n = 0; l = ""; next }
		/^ => / {
			n++
			if (n == 1) { f = $2; sub(/\+.*/, "", f) } else if (n <= 8) l = l " " $2
		}
		END { if (n) print f, n - 1, l }' $tracing/trace | tr -s ' ' | sort -u
}
by_advice() {
	sed -nE 's/.*: chain ([0-9]+) (.*)/\1 \2/p' "$1" | sed 's/ \[[a-z_]*\]//g' |
		awk '{
			f = $4; sub(/\+.*/, "", f)
			l = ""
			for (i = 5; i <= 11; i++) if (i - 1 <= $1) l = l " " $i
			print f, $1 - 3, l
		}' |
		tr -s ' ' | sort -u
}
# seen ASPECT [OPTION]: weaves the aspect while traffic runs, and checks that the kprobes and the
# advice saw the same callers.
seen() {
	weft weave --optimized ${2:-} "$aspects/$1.ko" >"$work/summary" 2>&1 ||
		fail "weave $1" "$(cat "$work/summary")"
	head -n 1 "$work/summary"
	[ $# -gt 1 ] || foretold "$1" "$work/summary"
	echo >$tracing/trace
	echo 1 >$tracing/events/weft_test/enable
	traffic 2 >/dev/null
	echo 0 >$tracing/events/weft_test/enable
	by_kprobe >"$work/kprobe"
	weft unweave --all >/dev/null
	weft read "$1" >"$work/read"
	by_advice "$work/read" >"$work/advice"
	same "$1 ${2:-}: the callers are the kernel's" \
		"$(cat "$work/advice")" "$(cat "$work/kprobe")"
	same "$1 ${2:-}: of all three functions" \
		"$(cut -d' ' -f1 "$work/kprobe" | sort -u | wc -l)" 3
}
places() { sed -nE 's/^.* ([a-z_]+\+0x[0-9a-f]+): chain .*/\1/p' "$work/read" | sort -u; }

seen every_chain
for kind in call jump springboard; do
	check "spliced by $kind" grep -qE ": matched .* $kind [1-9]" "$work/summary"
done
places >"$work/places"
n=$(wc -l <"$work/places")
check "from many places ($n)" test "$n" -ge 300
same "and they go to the very entry of the system call" \
	"$(grep -c '^unix_dgram_sendmsg 6 .* entry_SYSCALL_64_after_hwframe' "$work/advice")" 1
seen every_chain --traps
check "by traps alone" grep -q 'call 0 + jump 0 + springboard 0 + trap' "$work/summary"
# At a patch site, advice can be attached before it, but a trap on it is refused. So the
# instructions that were refused here are left out of the comparison.
sed -nE 's/^ *refused ([^ :]+).*/\1/p' "$work/summary" >"$work/refused"
same "from the same, but for what is refused a trap" "$(places)" \
	"$(grep -vxFf "$work/refused" "$work/places")"
seen chain_after
n=$(places | wc -l)
check "after-advice from many places ($n)" test "$n" -ge 20
echo >$tracing/kprobe_events
rm -r "$work"
finish
