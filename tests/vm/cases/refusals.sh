#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Gives bad input to weft in the guest. Each time weft must print one clear line and exit with the
# documented status, and nothing may be changed in the kernel.
. "$(dirname "$0")/lib.sh"
aspect=log_skb_destructor
module=$aspects/$aspect.ko

refuses "weft.ko not loaded: list" 9 'weft.ko is not loaded' weft list
refuses "weft.ko not loaded: weave" 9 'weft.ko is not loaded' weft weave "$module"
refuses "weft.ko not loaded: read" 9 'weft.ko is not loaded' weft read
load_weft
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null

# setpriv drops every capability, and with them the right to open the device.
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all "$@"; }
cp "$module" /tmp/readable.ko
refuses "no privilege: weave" 8 'needs root' as_nobody weft weave /tmp/readable.ko
refuses "no privilege: list" 8 'needs root' as_nobody weft list

refuses "a module that is not ours" 6 'not a weft aspect' weft weave "$O/kmod/weft.ko"
refuses "a file that is no module" 6 "$programs|cases" weft weave "$0"
refuses "a module that is not there" 1 'No such file' weft weave /tmp/nothing.ko
head -c 3000 "$module" >/tmp/cut.ko
refuses "a truncated module" 6 'cut.ko' weft weave /tmp/cut.ko
refuses "an aspect for another kernel" 7 'made for the kernel with build-id' \
	weft weave "$aspects/other_kernel.ko"
refuses "every shadow refused (ftrace's own bytes)" 11 'every shadow was refused' \
	bash -c 'weft weave "$1" 2>&1 >/dev/null | tail -n 1 >&2; exit ${PIPESTATUS[0]}' - \
	"$aspects/ftrace_owned.ko"
weft weave "$aspects/ftrace_owned.ko" 2>&1 | grep -q 'refused ftrace\|: ftrace:' &&
	pass "and says who owns them" ||
	fail "ftrace_owned" "no reason"
weft weave "$aspects/refused.ko" >/tmp/summary
same "the summary adds up, by reason" "$(head -n 1 /tmp/summary)" \
	"refused: matched 4 = call 0 + jump 1 + springboard 0 + trap 0 + refused 3 \
(not-text 1, blacklisted 1, ftrace 1)"
refused='^  refused (start_kernel|do_syscall_64|vfs_read)\+0.*: (not-text|blacklisted|ftrace): '
same "and names what was refused" "$(grep -cE "$refused" /tmp/summary)" 3
same "the good one is woven" "$(figure refused splices)" 1
weft unweave refused >/dev/null
weft read >/dev/null
refuses "unweaving what is not woven" 10 'is not woven' weft unweave $aspect
refuses "unweaving what does not exist" 10 'is not woven' weft unweave nobody
refuses "reading what does not exist" 10 'no aspect nobody' weft read nobody
check "no refusal changed the text" restored
same "or left a module" "$(weft list)" "no aspects"

weft weave "$module" >/dev/null
refuses "weaving twice" 10 'woven already: unweave it first' \
	weft weave "$module"
same "the first weave stands" "$(state $aspect)" woven
refuses "a module in use cannot be removed" 1 'in use' rmmod $aspect
weft unweave $aspect >/dev/null
weft read >/dev/null

insmod "$module"
verdicts forged-plan $aspect
verdicts mutated-plan $aspect 10000
insmod "$aspects/arounds.ko" || fail "around-advice" "insmod"
verdicts forged-plan arounds
verdicts mutated-plan arounds 2000
rmmod arounds
insmod "$aspects/probed_all.ko" || fail "counters of instructions" "insmod"
verdicts forged-plan probed_all --twice
rmmod probed_all
check "no lie changed the text" restored
same "still loaded, as it was" "$(state $aspect)" loaded

# weft.ko must take the live registers from the aspect's own table only, never from a plan.
insmod "$aspects/registers.ko"
check "a plan that says of no register that it is live" forged-plan registers --weave
check "costs none" traffic 30
check "where advice has changed them all" test "$(figure registers hits)" -ge 30
weft unweave registers >/dev/null

# A kprobe sits on the instruction that the aspect is woven at. The refusal must name the kprobe,
# and without the kprobe the weave must succeed.
place=$(weft points --db "$WEFT_DB" --json sk_buff.destructor --kind call |
	sed -n 's/.*"symbol":"\([^"]*\)","offset":\([0-9]*\).*/\1+\2/p' | head -n 1)
echo "p:weft_test/owner $place" >/sys/kernel/tracing/kprobe_events &&
	echo 1 >/sys/kernel/tracing/events/weft_test/enable
weft weave "$module" >/tmp/said 2>&1
check "a kprobe's bytes are refused by name" grep -q 'kprobe 1' /tmp/said
weft unweave --all >/dev/null
echo 0 >/sys/kernel/tracing/events/weft_test/enable; echo >/sys/kernel/tracing/kprobe_events

weft weave "$module" >/dev/null
# Sets a kprobe on a splice. The kernel takes weft's jump for an instruction of its own and writes
# the kprobe's int3 over it. Traffic must go on, and an unweave must leave the splice in the text
# until the kprobe is removed.
echo "p:weft_test/late $place" >/sys/kernel/tracing/kprobe_events &&
	echo 1 >/sys/kernel/tracing/events/weft_test/enable
check "a kprobe on a splice: the kernel goes on" traffic 30
weft unweave $aspect >/tmp/said 2>&1 &
await in_state $aspect retiring
same "and the unweave waits for it" "$(state $aspect)" retiring
check "while the kernel goes on" traffic 30
echo 0 >/sys/kernel/tracing/events/weft_test/enable; echo >/sys/kernel/tracing/kprobe_events
wait $!
retired $aspect
check "then it can be woven again" weft weave "$module"
check "and unwoven" weft unweave --all
check "text restored" restored

refuses "doctor without a database of this kernel" 1 'missing for weaving' \
	weft doctor --db "$O/vm/aspects/other.weft"
check "doctor finds this guest well" weft doctor --db "$WEFT_DB" --kernel "$WEFT_KERNEL"
finish
