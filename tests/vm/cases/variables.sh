#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests the variables that weft has to find at each shadow. Each is compared with another source for
# the same executions: kprobe events with arguments and registers, what the program sent, the
# tracepoint of socket states, /proc/kallsyms, the module's own table, GCC's layout of sk_buff. The
# end of the case compares KLAS's published aspect with kprobes at each shadow. The case fails if a
# value differs.
. "$(dirname "$0")/lib.sh"
load_weft
work=$(mktemp -d)

# Makes the kernel print unhashed addresses, in the trace and in kallsyms.
echo 0 >/proc/sys/kernel/kptr_restrict
echo 0 >$tracing/options/hash-ptr
arguments='len=%dx:u64 sk=%di:x64 msg=%si:x64 bp=%bp:x64 sp=%sp:x64 flags=%flags:x64'
echo "p:weft_test/send udp_sendmsg $arguments" >>$tracing/kprobe_events
for function in inet_sk_set_state inet_sk_state_store; do
	echo "p:weft_test/$function $function sk=%di:x64 state=%si:u8" >>$tracing/kprobe_events
done
for function in sock_wfree __sock_wfree tcp_wfree unix_wfree unix_destruct_scm sock_rfree \
	sock_edemux sock_efree netlink_skb_destructor; do
	grep -q " $function\$" /proc/kallsyms &&
		echo "p:weft_test/free_$function $function skb=%di:x64 back=+0(%sp):x64" \
			>>$tracing/kprobe_events
done
echo 1 >$tracing/events/weft_test/enable
echo 1 >$tracing/events/sock/inet_sock_set_state/enable

check "weave" weft weave "$aspects/variables.ko"
check "weave another" weft weave "$aspects/objects.ko"
traffic 20 >/dev/null
for size in 1 22 333 1400; do
	head -c $size /dev/zero >/dev/udp/127.0.0.1/9
done
echo 0 >$tracing/events/enable
same "all records of calls are there" "$(figure objects missed) $(figure objects lost)" "0 0"
check "unweave" weft unweave --all
weft read variables >"$work/read"
weft read objects | sed -n 's/^.*: object \(.*\)$/\1/p' >"$work/objects"
cp $tracing/trace "$work/trace"
echo >$tracing/kprobe_events

# records WORD: prints what follows WORD in each record whose text begins with WORD.
records() { sed -n "s/^.*[^a-z_]$1 \(.*\)\$/\1/p" "$work/read"; }

records send >"$work/send"
sed -n 's/.* send: .*len=\([0-9]*\) sk=0x\([0-9a-f]*\) msg=0x\([0-9a-f]*\).*/\1 \2 \3/p' \
	"$work/trace" >"$work/send.kprobe"
lines "\$(len) \$(sk) \$(msg) are the kprobe's arguments" \
	"$(cat "$work/send")" "$(cat "$work/send.kprobe")"
same "\$(len) is what was sent" \
	"$(cut -d' ' -f1 "$work/send" | tail -4 | tr '\n' ' ')" "1 22 333 1400 "

address() { printf '%x' $((0x$(symbol "$1") + $2)); }
symbol() { awk -v name="$1" '$3 == name { sub(/^0+/, "", $1); print $1 }' /proc/kallsyms; }
records registers | cut -d' ' -f2- >"$work/registers"
sed -n 's/.* send: .*bp=0x\([0-9a-f]*\) sp=0x\([0-9a-f]*\) flags=0x\([0-9a-f]*\)$/\1 \2 \3/p' \
	"$work/trace" >"$work/registers.kprobe"
lines "\$ebp, \$esp and \$rflags are the kprobe's registers" \
	"$(cat "$work/registers")" "$(cat "$work/registers.kprobe")"
same "\$eip is where the kernel has the shadow" \
	"$(records registers | cut -d' ' -f1 | sort -u)" "$(address udp_sendmsg 5)"
objcopy -O binary -j .weft.joinpoints --set-section-flags .weft.joinpoints=alloc \
	"$aspects/variables.ko" "$work/table"
records number | sort -u >"$work/numbers"
# An entry of the table has 64 bytes and begins with the joinpoint's distance from the symbol _text.
while read -r number at; do
	echo "$number $(address _text "$(od -An -t u8 -j $((number * 64)) -N 8 "$work/table")")"
done <"$work/numbers" >"$work/numbers.table"
lines "\$jp is the number in the module's table" \
	"$(cat "$work/numbers")" "$(cat "$work/numbers.table")"

same "\$sym is what kallsyms says" "$(records symbols | sort -u)" \
	"$(symbol udp_prot) $(symbol jiffies) $(symbol udp_v4_early_demux)"

same "\$(skb) in inlined instances is the destructor's argument" "$(records local | sort -u)" 1
# Compares calls of destructors through a thunk. A record of weft belongs to the kprobe's record of
# the same return address, which is five bytes after the call. One shadow is a jump, which pushes no
# return address, so its records are left out. A unix socket's destructor ends with a jump to
# sock_wfree(), where a kprobe sees the same return address a second time; the awk program drops
# this second record.
while read -r at target object; do
	printf '%x %s %s\n' $((0x$at + 5)) "$target" "$object"
done <"$work/objects" | sort >"$work/object"
cut -d' ' -f1 "$work/object" | sort -u >"$work/backs"
sed -n 's/.* free_\([a-z_]*\): .*skb=0x\([0-9a-f]*\) back=0x\([0-9a-f]*\)$/\3 \1 \2/p' \
	"$work/trace" |
	awk '!($2 == "sock_wfree" && last[$1] == $3); { last[$1] = $2 ~ /^unix_/ ? $3 : "" }' |
	sort >"$work/freed"
grep -F -f "$work/backs" "$work/freed" >"$work/object.kprobe"
jump=$(address skb_release_head_state $((0x1f + 5)))
grep -v "^$jump " "$work/object" >"$work/object.calls"
lines "\$obj of calls through thunks is the destructor's argument" \
	"$(cat "$work/object.calls")" "$(cat "$work/object.kprobe")"
check "... at more than one shadow" [ "$(wc -l <"$work/backs")" -gt 1 ]
same "\$value and \$field of reads are what GCC reads" "$(records read | sort -u)" 1
same "\$value of a bit field is what GCC reads" "$(records bits | cut -d' ' -f1 | sort -u)" 1

# Compares state changes of TCP in the two functions that have the tracepoint. The tracepoint shows
# the new states, but only hashed addresses of the sockets. So sockets are compared with the
# arguments that kprobes see, and states with the tracepoint.
records state | sed -n 's/^inet_sk_set_state \|^inet_sk_state_store //p' | sort >"$work/state"
sed -n 's/.* inet_sk_[a-z_]*: .*sk=0x\([0-9a-f]*\) state=\([0-9]*\).*/\1 \2/p' "$work/trace" |
	sort >"$work/state.kprobe"
lines "\$obj and \$value of writes are the kprobes' arguments" \
	"$(cat "$work/state")" "$(cat "$work/state.kprobe")"
states="ESTABLISHED SYN_SENT SYN_RECV FIN_WAIT1 FIN_WAIT2 TIME_WAIT CLOSE CLOSE_WAIT"
states+=" LAST_ACK LISTEN CLOSING NEW_SYN_RECV"
cut -d' ' -f2 "$work/state" | while read -r number; do
	echo "$states" | cut -d' ' -f"$number"
done | sort >"$work/values"
sed -n 's/.* inet_sock_set_state: .*newstate=TCP_\([A-Z_0-9]*\).*/\1/p' "$work/trace" |
	sort >"$work/values.trace"
lines "\$value of writes is the tracepoint's" "$(cat "$work/values")" "$(cat "$work/values.trace")"

# KLAS's aspect logs every read, write and call. The same packets are sent once more, with kprobes
# at the shadows instead of splices.
weft points --json tests/golden/compile/klas_form.xml |
	sed -nE 's/.*"symbol":"([^"]*)","offset":([0-9]*),.*/\1+\2/p' | sort -u >"$work/shadows"
while read -r shadow; do
	echo "p:weft_test/at_${shadow//[+.]/_} $shadow" >>$tracing/kprobe_events
done <"$work/shadows"
equal "KLAS's form: a kprobe at each shadow" \
	"$(wc -l <$tracing/kprobe_events)" "$(wc -l <"$work/shadows")"
active udp >/dev/null
echo 1 >$tracing/events/weft_test/enable
active udp >/dev/null
echo 0 >$tracing/events/weft_test/enable
awk '$2 + $3 > 0 { print $1, $2 + $3 }' $tracing/kprobe_profile | sort >"$work/kprobes"
echo >$tracing/kprobe_events
check "KLAS's form: weave" weft weave "$O/vm/aspects/klas_form.ko"
active udp >/dev/null
check "KLAS's form: unweave" weft unweave --all
weft read --json log_mbuf_clean >"$work/read"
said='mbuf_clean[0-9]*,[0-9]*, arg:0x[0-9a-f]*,0x[0-9a-f]*[^0-9a-f"]u000a'
sed -nE 's/.*"symbol":"([^"]*)","offset":([0-9]*),.*"text":"'"$said"'".*/\1+\2/p' "$work/read" |
	sort | uniq -c | while read -r n shadow; do echo "at_${shadow//[+.]/_} $n"; done |
	sort >"$work/klas"
lines "KLAS's form: each shadow as often as a kprobe there" \
	"$(cat "$work/klas")" "$(cat "$work/kprobes")"
rm -r "$work"
finish
