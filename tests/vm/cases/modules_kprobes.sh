#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Kprobes come and go in a module which comes and goes itself, most often at the same address, while
# aspects are woven and unwoven in it and wait for it. Whatever the order, the module's results must
# be the same, its text must be the original in the end, and the kernel must print nothing.
#
# One message comes from the kernel without weft as well. If a kprobe is removed a moment before its
# module goes, kill_optimized_kprobe() takes the kprobe from the optimizer's list, and the optimizer
# never frees it. The next kprobe at that address gets a warning from reuse_unused_kprobe(), and
# EINVAL until the machine is booted again. The case first shows this message without weft.
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

# ---- without weft: the kernel's warning about a kprobe that the optimizer never freed ----
has_jump() { grep -q 'probing.*OPTIMIZED' $list; }
# Makes the removal of a kprobe take less time than the optimizer's delay of 5 ticks.
echo 1 >/sys/kernel/rcu_expedited
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

# ---- with weft: kprobes, aspects and the module come and go in random order ----
load_weft
insmod $shapes
before=$(module-text shapes $shapes)
# The places are all instructions that come after the bytes of ftrace at the functions' entries.
mapfile -t places < <(objdump -d --no-show-raw-insn $shapes | perl -ne '
	($start, $name) = (hex $1, $2) if /^([0-9a-f]+) <(.*)>:$/;
	next if /nop|int3/ || $name !~ /^shapes_(switch|tail|sum|early|recursive|cold)$/;
	next unless /^ +([0-9a-f]+):\t/ && hex($1) - $start >= 5;
	printf "%s+%d\n", $name, hex($1) - $start')
at_least "instructions" ${#places[@]} 50

# If a kprobe was set on a splice's first byte before the unweave, the splice stays in the text,
# without advice, until the kprobe is removed; `weft unweave` then exits with 1 and says so.
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
# Removes the kprobes.
take_away() {
	echo >$tracing/kprobe_events
	# Writing 0 waits until the optimizer has nothing left to do.
	echo 0 >/proc/sys/debug/kprobes-optimization
	echo 1 >/proc/sys/debug/kprobes-optimization
}
# Sets some kprobes at a time. Half of them stay until they have become jumps, and the module may go
# while they are set. They are removed, and the optimizer frees them, while the module is loaded or
# while it is not.
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
