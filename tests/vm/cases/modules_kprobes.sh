#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Kprobes come and go in a module which comes and goes itself, most often at the same address, while
# aspects are woven and unwoven in it and wait for it. In whatever order it happens, the module's
# results are the same, its text is the original in the end, and the kernel prints nothing.
#
# There is one message that the kernel prints without weft as well. If a kprobe is removed a moment
# before its module goes, the optimizer forgets it: kill_optimized_kprobe() takes it from the list
# on which it would be found. The next kprobe at that address gets a warning from
# reuse_unused_kprobe(), and EINVAL until the machine is booted again. That is shown first.
# Afterwards no module goes before the optimizer has done its work.
# vm.sh: --allow-splat
. "$(dirname "$0")/lib.sh"
seconds=$((${WEFT_KPROBES_SECONDS:-60} / 4))
modules=$O/vm/modules
shapes=$modules/shapes.ko
mount -t tracefs tracefs $tracing 2>/dev/null
mount -t debugfs none /sys/kernel/debug 2>/dev/null
list=/sys/kernel/debug/kprobes/list
splats() { dmesg | grep -cE 'BUG:|WARNING:|Oops|weft: splice at'; }

# ---- without weft ----
has_jump() { grep -q 'probing.*OPTIMIZED' $list; }
echo 1 >/sys/kernel/rcu_expedited # the kprobe goes in less than the optimizer's 5 ticks
for ((attempt = 0; attempt < 5 && $(splats) == 0; attempt++)); do
	insmod $modules/probing.ko || break
	await has_jump || break
	rmmod probing
	insmod $modules/probing.ko 2>/dev/null || break
	rmmod probing
done
echo 0 >/sys/kernel/rcu_expedited
if [ "$(splats)" = 0 ]; then
	echo "skip   this kernel has not lost a kprobe"; skipped=$((skipped + 1))
else
	check "without weft, the kernel loses a kprobe whose module goes" \
		bash -c 'dmesg | grep -q "WARNING: .* at kernel/kprobes.c:.* register_kprobe"'
fi
rmmod probing 2>/dev/null
dmesg -C
echo 1 >/sys/kernel/debug/clear_warn_once

# ---- in no order ----
load_weft
insmod $shapes
before=$(module-text shapes $shapes)
# Instructions after the functions' entries, which ftrace owns.
mapfile -t places < <(objdump -d --no-show-raw-insn $shapes | perl -ne '
	($start, $name) = (hex $1, $2) if /^([0-9a-f]+) <(.*)>:$/;
	next if /nop|int3/ || $name !~ /^shapes_(switch|tail|sum|early|recursive|cold)$/;
	next unless /^ +([0-9a-f]+):\t/ && hex($1) - $start >= 5;
	printf "%s+%d\n", $name, hex($1) - $start')
at_least "instructions" ${#places[@]} 50

# If a kprobe was set on a splice's first byte meanwhile, the splice stays, without advice, until
# the kprobe goes.
unweave() {
	local said status=0
	said=$(weft unweave "$1" 2>&1) || status=$?
	echo "$said"
	[[ $status = 1 && $said = *"of text are not the original ones"* ]] || return $status
}
waits() { weft weave --pending "$aspects/shapes_early.ko" && unweave shapes_early; }
every() { weft weave "$aspects/shapes_every.ko" && unweave shapes_every; }
runs() {
	echo 20 2>/dev/null | dd of=/dev/shapes conv=nocreat,notrunc status=none 2>/tmp/dd
	! grep -q 'Input/output' /tmp/dd
}
# Sets some kprobes at a time. Half of them stay for a while, so that they become jumps, and the
# module may go under them. They are removed, and forgotten by the optimizer, while the module stays
# or while it is not loaded.
take_away() {
	echo >$tracing/kprobe_events
	# Switching the optimization off waits until the optimizer has nothing left to do.
	echo 0 >/proc/sys/debug/kprobes-optimization
	echo 1 >/proc/sys/debug/kprobes-optimization
}
probes() {
	local place
	for place in 1 2 3 4 5 6; do
		place=${places[RANDOM % ${#places[@]}]}
		echo "p:loop/${place/+/_} shapes:$place" >>$tracing/kprobe_events &&
			echo 1 >>/tmp/accepted
	done 2>/tmp/refused
	echo 1 >$tracing/events/loop/enable
	((RANDOM % 2)) && sleep 0.3
	grep -c OPTIMIZED $list >>/tmp/jumps
	echo 0 >$tracing/events/loop/enable
	flock /tmp/leaving -c "$(declare -f take_away); tracing=$tracing; take_away"
} 2>/tmp/probes

RANDOM=${WEFT_SEED:-1}
for work in waits every runs probes; do
	again $work &
	working+=($!)
done
end=$((SECONDS + seconds)) rounds=0
while [ $SECONDS -lt $end ] || [ $rounds -lt 3 ]; do
	sleep 0.$((rounds % 7))
	await flock /tmp/leaving rmmod shapes
	await insmod $shapes
	rounds=$((rounds + 1))
done 2>/tmp/rounds
: >/tmp/enough
wait "${working[@]}"
same "a module that comes and goes $rounds times, with kprobes" "$(cat /tmp/trouble 2>/dev/null)" ""
at_least "kprobes set" "$(wc -l </tmp/accepted)" 3
echo "jumps of kprobes seen: $(awk '{ n += $1 } END { print n + 0 }' /tmp/jumps)"
weft doctor | grep kprobes
weft unweave --all >/tmp/said 2>&1
check "it computes" bash -c 'echo 3 >/dev/shapes'
same "its text is its own" "$(module-text shapes $shapes)" "$before"
same "no splat" "$(splats)" 0
rmmod shapes
weft read >/dev/null 2>&1
check "weft.ko unloads" await rmmod weft
finish
