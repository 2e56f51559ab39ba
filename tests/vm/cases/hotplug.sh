#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests splices in the code that a starting CPU runs. Before the CPU has an interrupt table it
# cannot take a trap, so weft.ko must refuse every instruction that runs before. Then traps are
# woven at the rest of this code, and at every function whose entry ftrace does not own, while CPU 1
# goes offline and online. If weft.ko had missed an instruction, the guest would reboot.
. "$(dirname "$0")/lib.sh"
load_weft
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null
cycle() {
	local cpu1=/sys/devices/system/cpu/cpu1/online
	for round in 1 2 3; do
		echo 0 >$cpu1 && sleep 0.1 && echo 1 >$cpu1 && taskset -c 1 traffic 5 >/dev/null ||
			return
	done
	[ "$(nproc)" = 2 ]
}

# start_early has a joinpoint at each instruction of that early code. If any of them were woven, the
# next CPU that starts would reboot the machine.
for how in --traps --optimized; do
	weft weave --verbose $how "$aspects/start_early.ko" >/tmp/summary 2>&1
	status=$?
	check "CPU 1 goes and comes ($how)" cycle
	all='matched ([0-9]+) = call 0 [+] jump 0 [+] springboard 0 [+] trap 0 [+] refused \1 '
	same "what it runs without an interrupt table is refused ($how)" \
		"$status $(grep -cE "$all" /tmp/summary)" "11 1"
	# Alternatives have written a jump over the first instructions of __memset. There the live
	# text differs from the image, and weft.ko gives that as the reason of the refusal.
	blacklisted=$(sed -nE '1s/.*[( ]blacklisted ([0-9]+).*/\1/p' /tmp/summary)
	rewritten=$(grep -cE 'refused __memset[+]0x[0-9a-f]+.*: (undecodable|overlap|boundary): ' \
		/tmp/summary)
	same "as blacklisted, but where __memset was rewritten, and __fentry__ ($how)" \
		$((blacklisted + rewritten)) \
		"$(sed -nE 's/^start_early: .*[(]blacklisted ([0-9]+), ftrace 1[)].*/\1/p' \
			"$O/vm/plans")"
	weft unweave --all >/dev/null
	weft read >/dev/null
done
weft weave --traps "$aspects/start_late.ko" >/tmp/summary 2>&1
traps=$(sed -nE '1s/.* trap ([0-9]+) .*/\1/p' /tmp/summary)
at_least "traps in all the rest" "${traps:-0}" 4000 "$(head -n 2 /tmp/summary)"
check "CPU 1 goes and comes" cycle
at_least "hits" "$(figure start_late hits)" 10000
weft unweave start_late >/tmp/said 2>&1
check "restored" grep -qE '^text restored: ([1-9][0-9]*) of \1 bytes' /tmp/said
check "text restored" restored

# An NMI that weft.ko has sent to CPU 1 is lost: on_advice.ko skips the handler. When the CPU has
# gone and come back, weft.ko does not take that NMI for one that is still on its way.
insmod "$O/vm/nesting/nesting.ko" || exit 1
check "advice that takes long" weft weave --budget=10ms "$aspects/budget_loop.ko"
insmod "$O/vm/probed/on_advice.ko" on=weft:on_nmi skips=1 || fail "a kprobe on on_nmi()" $?
echo 2 >/sys/module/budget_loop/parameters/context
echo 7000 >/sys/module/budget_loop/parameters/us
echo 7 >/sys/module/budget_loop/parameters/kind
loses() {
	taskset -c 1 bash -c 'echo 10 >/dev/nesting'
	[ "$(cat /sys/module/on_advice/parameters/seen)" -gt 0 ]
}
check "in an interrupt, where an NMI comes and is lost" await loses
rmmod on_advice
weft unweave budget_loop >/dev/null
check "CPU 1 goes and comes" cycle
rmmod nesting
check "weft.ko unloads" rmmod weft
same "and waits for no NMI" "$(dmesg | grep -c 'has not handled an NMI')" 0
finish
