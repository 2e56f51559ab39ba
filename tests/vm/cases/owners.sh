#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests weft together with others who write to the kernel's text: kprobes, ftrace, live patches.
# weft must refuse a splice in bytes that one of them owns, and name this owner. If one of them
# comes later, to a splice of any kind or to the function around it, the kernel must go on, both
# weft and the newcomer must see every execution, and it must be possible to undo all changes. Only
# the module tests/vm/nesting runs these functions, so there must be as many hits as calls.
. "$(dirname "$0")/lib.sh"
load_weft
work=$(mktemp -d)
kinds="call jump several trap springboard"
insmod "$O/vm/nesting/nesting.ko" || exit 1
kernel-text "$work/before" >/dev/null
restored() { kernel-text "$work/after" >/dev/null && kernel-text "$work/before" "$work/after"; }

refuses "all that others own is refused" 11 'every shadow was refused' \
	bash -c 'weft weave "$1" 2>&1 >/dev/null | tail -n 1 >&2; exit ${PIPESTATUS[0]}' - \
	"$aspects/owned.ko"
weft weave "$aspects/owned.ko" >"$work/summary" 2>&1
same "by the owners' names" "$(head -n 1 "$work/summary" | sed 's/.*(\(.*\))/\1/')" \
	"ftrace 1, jump-label 1, static-call 1"

# shadow KIND: prints "SYMBOL OFFSET" of the shadow of the aspect nest_KIND. slot: prints
# SYMBOL+OFFSET of the springboard's slot.
shadow() { sed -nE 's/.*symbol="([^"]*)" offset="([^"]*)".*/\1 \2/p' "$aspects/nest_$1.xml"; }
place() { shadow "$1" | tr ' ' +; }
slot() {
	local symbol start at
	symbol=$(shadow springboard | cut -d' ' -f1)
	start=$(awk -v s="$symbol" '$3 == s { print $1 }' "$WEFT_KERNEL/System.map")
	at=$(sed -nE 's/.*is at (0x[0-9a-f]+).*/\1/p' "$aspects/nest_springboard.xml")
	printf '%s+%#x\n' "$symbol" $((at - 0x$start))
}
probe() { echo "p:weft_test/$1 $2" >>$tracing/kprobe_events; } 2>/dev/null
listen() { echo 1 >$tracing/events/weft_test/enable; }
unprobe() { echo 0 >$tracing/events/weft_test/enable; echo >$tracing/kprobe_events; } 2>/dev/null
seen_by() { awk -v p="$1" '$1 == p { print $2 + $3 }' $tracing/kprobe_profile; }
weave_all() {
	for kind in call jump springboard; do weft weave "$aspects/nest_$kind.ko" || return; done
	weft weave --traps "$aspects/nest_trap.ko" || return
	weft weave --optimized "$aspects/nest_several.ko"
} >/dev/null
# await_state STATE N: waits until N aspects are in STATE.
await_state() { await are_in_state "$@" || { weft list; return 1; }; }
are_in_state() { [ "$(weft list --json | grep -c "\"state\":\"$1\"")" = "$2" ]; }
made() { awk '{ n += $2 + $3 + $4 + $5 } END { print n }' /dev/nesting; }
# calls_are_hits NAME [KIND...]: makes calls and checks that each is a hit, for splices of these
# kinds or of all kinds.
calls_are_hits() {
	local name=$1 before after kind wanted=""
	shift
	before=$(made)
	weft list --json >"$work/list.before"
	taskset -c 0 bash -c 'echo 100 >/dev/nesting'
	after=$(made)
	weft list --json >"$work/list"
	for kind in ${*:-$kinds}; do wanted="$wanted $((after - before))"; done
	same "$name" "$(for kind in ${*:-$kinds}; do
		for list in list.before list; do
			sed -nE "s/^\{\"aspect\":\"nest_$kind\",.*\"hits\":([0-9]+),.*/\1/p" \
				"$work/$list"
		done
	done | awk 'NR % 2 { n = $1; next } { printf " %d", $1 - n }')" "$wanted"
	calls=$((after - before))
}

# ---- a kprobe is set before the weave ------------------------------------------------------------
probe first "$(place jump)" && listen
weft weave "$aspects/nest_jump.ko" >"$work/summary" 2>&1
check "a kprobe's bytes are refused by name" grep -q 'refused 1 (kprobe 1)' "$work/summary"
unprobe

# ---- kprobes are set after the weave -------------------------------------------------------------
weave_all || fail "weave" "$?"
for kind in call jump several springboard; do
	check "a kprobe on a $kind" probe $kind "$(place $kind)"
done
check "none on a trap" bash -c "! echo p:weft_test/trap $(place trap) >>$tracing/kprobe_events"
for inside in several+2 several+4 jump+1 call+1; do
	read -r symbol offset <<<"$(shadow ${inside%+*})"
	probe inside "$symbol+$((offset + ${inside#*+}))" && echo "$inside"
done >"$work/inside"
same "none behind a splice's first byte" "$(cat "$work/inside")" ""
check "none on a slot" bash -c "! echo p:weft_test/slot $(slot) >>$tracing/kprobe_events"
listen
calls_are_hits "with kprobes on splices: every call is a hit"
for kind in call jump several; do
	same "and the kprobe on the $kind sees it" "$(seen_by $kind)" $((5 * calls))
done
same "so does the one on the springboard" "$(seen_by springboard)" $((2 * calls))
weft unweave nest_trap >/dev/null
for kind in call jump several springboard; do weft unweave nest_$kind >/dev/null 2>&1 & done
check "splices under kprobes wait for them" await_state retiring 4
echo 100 >/dev/nesting
unprobe
wait
check "and go when they go" await_state retiring 0
check "text restored" restored

# ---- ftrace is switched on and off over spliced functions ----------------------------------------
weave_all || fail "weave" "$?"
printf '%s\n' in4_pton set_normalized_timespec64 >$tracing/set_ftrace_filter
echo function >$tracing/current_tracer
calls_are_hits "ftrace switched on over spliced functions: every call is a hit"
cp $tracing/trace "$work/trace"
traced() { grep -c ": $1 <-" "$work/trace"; }
same "and ftrace sees every execution" \
	"$(traced in4_pton) $(traced set_normalized_timespec64)" \
	"$((5 * calls)) $((2 * calls))"
weft unweave nest_jump >/dev/null
check "weaving goes on meanwhile" weft weave "$aspects/nest_jump.ko"
echo nop >$tracing/current_tracer
calls_are_hits "and switched off"
echo >$tracing/set_ftrace_filter

# ---- whoever writes text holds the hotplug lock, so that no CPU comes up meanwhile ---------------
printf '%s\n' cpus_read_lock cpus_read_unlock text_poke_sync >$tracing/set_ftrace_filter
echo function >$tracing/current_tracer
weft unweave nest_several >/dev/null
check "weave under a tracer" weft weave --optimized "$aspects/nest_several.ko"
weft unweave nest_springboard >/dev/null
check "a springboard, too" weft weave "$aspects/nest_springboard.ko"
cp $tracing/trace "$work/trace"
echo nop >$tracing/current_tracer
echo >$tracing/set_ftrace_filter
# The awk program prints "SYNCS UNLOCKED": how often weft's processes and the kernel's workers
# called text_poke_sync(), and how many of these calls were made without the hotplug lock.
same "whoever writes holds it" "$(awk '$1 !~ /^(weft|kworker)/ { next }
	/ cpus_read_lock / { held[$1]++ } / cpus_read_unlock / && held[$1] { held[$1]-- }
	/ text_poke_sync / { syncs++; if (held[$1] < 1) unlocked++ }
	END { print (syncs >= 10 ? "many" : syncs + 0), unlocked + 0 }' "$work/trace")" "many 0"

# ---- a live patch of a spliced function ----------------------------------------------------------
check "a live patch comes over a spliced function" insmod "$O/vm/nesting/replaced.ko"
check "for all tasks" await is_through
replaced=$(cat /sys/module/replaced/parameters/calls)
calls_are_hits "what it does not replace is hit" springboard
same "what it replaces is not, but runs" \
	"$(($(cat /sys/module/replaced/parameters/calls) - replaced))" "$calls"
weft unweave nest_several >/dev/null
check "weaving goes on meanwhile" weft weave --optimized "$aspects/nest_several.ko"
# Weaves the live patch's own function at every instruction. These splices disappear when the live
# patch's module is unloaded.
check "the patch's function is woven" weft weave --optimized "$aspects/replaced_every.ko"
at_least "at its instructions" "$(figure replaced_every splices)" 3
replaced=$(cat /sys/module/replaced/parameters/calls)
weft list --json >"$work/list.before"
calls_are_hits "what is not replaced is hit beside it" springboard
of_the_patch=$(($(cat /sys/module/replaced/parameters/calls) - replaced))
equal "the patch's function runs as often" "$of_the_patch" "$calls"
hits=$(figure replaced_every hits)
same "and each of its instructions" "$((hits % of_the_patch)) $((hits > 0))" "0 1"
# Around-advice of the live patch's function must be refused: the patch could be removed while a
# task is inside the advice, and the function would go with it.
same "around-advice of it is refused, by name" \
	"$(weft weave "$aspects/replaced_around.ko" 2>&1 |
		grep -c 'matched 1 = .* refused 1 (live-patch 1)')" 1
weft unweave replaced_around >/dev/null 2>&1
echo 0 >/sys/kernel/livepatch/replaced/enabled
check "it goes" await is_through
check "and its module, woven" await rmmod replaced
calls_are_hits "then all is hit again"

check "unweave" weft unweave --all
check "text restored" restored
weft read >/dev/null
check "the module goes" rmmod nesting
check "weft.ko unloads" rmmod weft
rm -r "$work"
finish
