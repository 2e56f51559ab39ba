#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests weft together with tracers that replace a function's entry or its return address: BPF's
# fentry and fexit, the function graph tracer, kretprobes. They are attached before, while and after
# the functions are woven at every instruction. Only the module tests/vm/probed calls these
# functions, the same way each time, so the case fails if a tracer or weft misses a call. The end of
# the case has kretprobes on advice itself.
. "$(dirname "$0")/lib.sh"
work=$(mktemp -d)
insmod "$O/vm/probed/probed.ko" || exit 1
functions="in4_pton in6_pton inet_pton_with_scope dev_valid_name mktime64 rtc_valid_tm"
call() { taskset -c 0 bash -c "echo $1 >/dev/probed"; }
# times N: multiplies the counts in the lines "WHAT COUNT" on standard input by N.
times() { awk -v n="$1" '{ print $1, n * $2 }'; }
# since BEFORE: subtracts the counts in the file BEFORE from the lines "WHAT COUNT" on standard
# input.
since() { awk 'FILENAME == ARGV[1] { old[$1] = $2; next } { print $1, $2 - old[$1] }' "$1" -; }

# ---- the three kinds of tracers, each with functions TRACER_on, TRACER_off and TRACER_counts -----
bpf_on() {
	coproc fentry { fentry $functions $(printf '%s%%exit ' $functions) 2>"$work/said"; }
	exec 7>&"${fentry[1]}" 8<&"${fentry[0]}" {fentry[0]}<&- {fentry[1]}>&-
	bpf_program=$fentry_PID
	read -r line <&8 && [ "$line" = attached ] || { cat "$work/said"; return 1; }
}
bpf_off() {
	exec 7>&-
	wait "$bpf_program"
}
bpf_counts() {
	echo >&7
	while read -r line <&8 && [ "$line" ]; do echo "$line"; done
}

graph_on() {
	printf '%s\n' $functions >$tracing/set_ftrace_filter
	echo 1 >$tracing/function_profile_enabled
}
graph_off() {
	echo 0 >$tracing/function_profile_enabled
	echo >$tracing/set_ftrace_filter
}
graph_counts() {
	local function n _
	for function in $functions; do
		read -r n _ <<<"$(profile "$function")"
		echo "$function $n"
	done
}

returns_on() {
	local function
	for function in $functions; do
		echo "r512:weft_test/$function $function" >>$tracing/kprobe_events || return
	done
	echo 1 >$tracing/events/weft_test/enable
}
returns_off() { echo 0 >$tracing/events/weft_test/enable; echo >$tracing/kprobe_events; }
returns_counts() { awk '{ print $1, $2 + $3 }' $tracing/kprobe_profile | sort; }

weft_counts() {
	weft report --json probed_all |
		grep -oE '"key":"[^"]*","key_number":"[^"]*","count":[0-9]+' |
		sed -E 's/"key":"([^"]*)".*:([0-9]+)$/\1 \2/' | sort
}
# all_see NAME TRACER...: makes ten rounds of calls, all of which each of these tracers must see.
all_see() {
	local seer
	for seer in "${@:2}"; do "${seer}_counts" >"$work/before.$seer"; done
	call 10
	for seer in "${@:2}"; do
		same "$1: $seer sees every call" \
			"$("${seer}_counts" | since "$work/before.$seer")" \
			"$(times 10 <"$work/$seer")"
	done
}
tracers_on() { for tracer in bpf graph returns; do ${tracer}_on || fail "$tracer" "$?"; done; }
tracers_off() { for tracer in bpf graph returns; do ${tracer}_off; done; }

# ---- what each tracer counts in one round, without the others ------------------------------------
echo 1 >/proc/sys/kernel/bpf_stats_enabled
traffic 5 >/dev/null
for tracer in bpf graph returns; do
	${tracer}_on || fail "$tracer" "$?"
	call 1
	${tracer}_counts >"$work/$tracer"
	same "$tracer: all functions are called" "$(awk '$2 > 0' "$work/$tracer" | wc -l)" \
		"$(wc -l <"$work/$tracer")"
	${tracer}_off
done
load_weft
kernel-text /tmp/before >/dev/null
weft weave --optimized "$aspects/probed_all.ko" >"$work/summary" 2>&1
call 1
weft_counts >"$work/weft"
check "many instructions are counted" test "$(wc -l <"$work/weft")" -ge 600
# If the bytes that ftrace owns were spliced, no tracer could attach.
weft weave "$aspects/entries_owned.ko" >"$work/said" 2>&1
check "but none of ftrace's bytes" grep -qF '+ refused 3 (ftrace 3)' "$work/said"

# ---- tracers that are attached after the weave, before it, and until after it --------------------
tracers_on
all_see "tracers come to woven functions" bpf graph returns weft
tracers_off
all_see "they go" weft
weft unweave probed_all >/dev/null
tracers_on
retired probed_all
weft weave --optimized "$aspects/probed_all.ko" >"$work/now" 2>&1
same "as much is woven beside tracers" "$(head -n 1 "$work/now")" "$(head -n 1 "$work/summary")"
all_see "weft comes to traced functions" bpf graph returns weft
weft unweave probed_all >/dev/null
all_see "it goes" bpf graph returns
tracers_off
check "text restored" restored

# ---- a kretprobe on advice does not change its stack traces --------------------------------------
# The advice takes stack traces while its own return address is replaced.
chains() {
	traffic 2 >/dev/null
	weft read every_chain | sed -nE 's/.*: (chain [0-9]+ .* unix_dgram_sendmsg.*)/\1/p' |
		sort -u
}
check "advice that takes stack traces" weft weave --optimized "$aspects/every_chain.ko"
chains >"$work/chains"
insmod "$O/vm/probed/on_advice.ko" on=every_chain:weft_entry_0 returns=1 ||
	fail "a kretprobe on advice" "$?"
on_advice=/sys/module/on_advice/parameters
before=$(figure every_chain hits)
chains >"$work/chains.probed"
equal "a kretprobe on advice sees each hit" "$(cat $on_advice/seen)" \
	"$(($(figure every_chain hits) - before))"
lines "and the advice the same callers" "$(cat "$work/chains.probed")" "$(cat "$work/chains")"
check "unweave under it" weft unweave every_chain
check "it ends" retired every_chain
rmmod on_advice
check "text restored" restored
weft read >/dev/null
check "weft.ko unloads" rmmod weft
rm -r "$work"
finish
