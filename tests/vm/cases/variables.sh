#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Variables that are found per shadow, each against somebody else's knowledge of the same executions: kprobe events with
# arguments and what the program sent, the tracepoint of state changes, /proc/kallsyms, and GCC's own layout of sk_buff.
. "$(dirname "$0")/lib.sh"
load_weft
work=$(mktemp -d)

# Addresses as they are, in the trace and in kallsyms.
echo 0 >/proc/sys/kernel/kptr_restrict
echo 0 >$tracing/options/hash-ptr
echo 'p:weft_test/send udp_sendmsg len=%dx:u64 sk=%di:x64 msg=%si:x64' >>$tracing/kprobe_events
for function in inet_sk_set_state inet_sk_state_store; do
	echo "p:weft_test/$function $function sk=%di:x64 state=%si:u8" >>$tracing/kprobe_events
done
echo 1 >$tracing/events/weft_test/enable
echo 1 >$tracing/events/sock/inet_sock_set_state/enable

check "weave" weft weave "$aspects/variables.ko"
traffic 20 >/dev/null
for size in 1 22 333 1400; do
	head -c $size /dev/zero >/dev/udp/127.0.0.1/9
done
echo 0 >$tracing/events/enable
check "unweave" weft unweave --all
weft read variables >"$work/read"
cp $tracing/trace "$work/trace"
echo >$tracing/kprobe_events

# The text of the records that begin with a word, without that word.
records() { sed -n "s/^.*[^a-z_]$1 \(.*\)\$/\1/p" "$work/read"; }

records send >"$work/send"
sed -n 's/.* send: .*len=\([0-9]*\) sk=0x\([0-9a-f]*\) msg=0x\([0-9a-f]*\).*/\1 \2 \3/p' "$work/trace" >"$work/send.kprobe"
lines "\$(len) \$(sk) \$(msg) are the kprobe's arguments" "$(cat "$work/send")" "$(cat "$work/send.kprobe")"
same "\$(len) is what was sent" "$(cut -d' ' -f1 "$work/send" | tail -4 | tr '\n' ' ')" "1 22 333 1400 "

symbol() { awk -v name="$1" '$3 == name { sub(/^0+/, "", $1); print $1 }' /proc/kallsyms; }
same "\$sym is what kallsyms says" "$(records symbols | sort -u)" \
	"$(symbol udp_prot) $(symbol jiffies) $(symbol udp_v4_early_demux)"

same "\$(skb) in inlined copies is the destructor's argument" "$(records local | sort -u)" 1
same "\$value and \$field of reads are what GCC reads" "$(records read | sort -u)" 1
same "\$value of a bit field is what GCC reads" "$(records bits | cut -d' ' -f1 | sort -u)" 1

# TCP's own changes, in the two functions that the tracepoint stands in; it tells the new state but not whose.
records state | sed -n 's/^inet_sk_set_state \|^inet_sk_state_store //p' | sort >"$work/state"
sed -n 's/.* inet_sk_[a-z_]*: .*sk=0x\([0-9a-f]*\) state=\([0-9]*\).*/\1 \2/p' "$work/trace" | sort >"$work/state.kprobe"
lines "\$obj and \$value of writes are the kprobes' arguments" "$(cat "$work/state")" "$(cat "$work/state.kprobe")"
states="ESTABLISHED SYN_SENT SYN_RECV FIN_WAIT1 FIN_WAIT2 TIME_WAIT CLOSE CLOSE_WAIT LAST_ACK LISTEN CLOSING NEW_SYN_RECV"
cut -d' ' -f2 "$work/state" | while read -r number; do
	echo "$states" | cut -d' ' -f"$number"
done | sort >"$work/values"
sed -n 's/.* inet_sock_set_state: .*newstate=TCP_\([A-Z_0-9]*\).*/\1/p' "$work/trace" | sort >"$work/values.trace"
lines "\$value of writes is the tracepoint's" "$(cat "$work/values")" "$(cat "$work/values.trace")"
rm -r "$work"
finish
