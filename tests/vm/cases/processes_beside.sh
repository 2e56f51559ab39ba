#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A task of a program dies of an oops below advice while another aspect is being woven at the same
# instruction, and then while one is being unwoven there. Until 6.11 a task that dies so holds the
# kernel's lock at that uprobe, for which a weave and an unweave wait, and behind them each process
# that runs the instruction. The case fails if any of these waits for ever. Before that: while
# aspects come and go at an instruction, what other aspects miss there is counted.
# vm.sh: --allow-splat
. "$(dirname "$0")/lib.sh"
shop=$O/vm/shop/shop
load_weft
echo 0 >/proc/sys/kernel/panic_on_oops

# goes_on NAME PID...: fails if one of the processes is still there after a minute. The case then
# ends, since nothing ends a process that waits for the kernel's lock.
goes_on() {
	local name=$1 end=$((SECONDS + 60)) pid
	shift
	for pid; do
		while [ -d /proc/$pid ] && [[ $(</proc/$pid/stat) != *") Z "* ]]; do
			if [ $SECONDS -ge $end ]; then
				fail "$name" "$(cat /proc/$pid/comm /proc/$pid/stack 2>&1)"
				finish
				exit 1
			fi
			sleep 0.1
		done
	done
	pass "$name"
}

executions() { echo $(($(figure processes_shop hits) + $(figure processes_shop missed))); }
check "weave" weft weave "$aspects/processes_shop.ko"
"$shop" 10 >/dev/null
ten=$(executions)
# sell: makes 1000 sales again and again, until /tmp/enough exists; prints how many times.
sell() {
	local n=0
	while [ ! -e /tmp/enough ]; do
		"$shop" 1000 >/dev/null || return
		n=$((n + 1))
	done
	echo $n
}
sell >/tmp/sold &
seller=$!
# Another aspect comes and goes at its instructions, until hits were missed meanwhile.
come_and_go() {
	local end=$((SECONDS + 60))
	while [ $SECONDS -lt $end ]; do
		weft weave "$aspects/processes_count.ko" && weft unweave processes_count || return
		[ "$(figure processes_shop missed)" = 0 ] || return 0
	done
}
check "others come and go at its instructions" come_and_go
: >/tmp/enough
wait $seller
same "the program is right meanwhile" $? 0
sales=$(($(cat /tmp/sold) * 1000))
weft report --json processes_shop >"$json"
same "a counter has missed nothing" "$(metric sales | value count)" $((10 + sales))
same "hits and misses are all executions" "$(executions)" $((ten + ten * sales / 10))
at_least "and some were missed" "$(figure processes_shop missed)" 1
check "it goes" weft unweave processes_shop
weft report --reset processes_shop >/dev/null

# round NAME COMMAND...: a task of a new file with the program is in advice that will die, when
# COMMAND begins.
round() {
	local name=$1
	shift
	touch /tmp/victim
	mount --bind "$shop" /tmp/victim
	/tmp/victim 20 >/dev/null 2>&1 &
	victim=$!
	check "$name: the task is in the advice" await is_inside
	"$@" >/tmp/told 2>&1 &
	command=$!
	goes_on "$name: the task dies, and the command ends" $victim $command
	wait $victim
	check "$name: of an oops" test $? -ge 128
	"$shop" 30 >/tmp/sold &
	goes_on "$name: the program goes on" $!
	same "$name: and is right" "$(cat /tmp/sold)" "sold 30 worth 435 reads 0 clerks 45"
	umount /tmp/victim
}
is_inside() { [ "$(figure processes_dies hits)" = 1 ]; }

cp "$shop" /tmp/first
cp "$shop" /tmp/second
mount --bind /tmp/first "$shop"
check "advice that will die" weft weave --budget 20s "$aspects/processes_dies.ko"
# To load a module waits until no task has preemption off, and so does the end of a registration. So
# the aspect's module is loaded before, and the aspect has one uprobe only.
insmod "$aspects/processes_count.ko" || exit 1
round weave weave-bare processes_count
same "weave: it is refused" "$(cat /tmp/told)" 8 # ENOEXEC
rmmod processes_count
check "the aspect goes" timeout 60 weft unweave processes_dies
check "weave: the log says what stays" grep -q \
	"processes_dies: a task has died in advice at byte 0x.* the uprobe there stays" <(dmesg)
weft report --reset processes_dies >/dev/null
refuses "weave: afterwards with the reason" 10 'a task has died in advice' \
	timeout 60 weft weave "$aspects/processes_shop.ko"

mount --bind /tmp/second "$shop"
check "another aspect" weft weave "$aspects/processes_shop.ko"
check "advice that will die" weft weave --budget 20s "$aspects/processes_dies.ko"
round unweave weft unweave processes_shop
wait $command
same "unweave: it is unwoven" "$?" 0
check "the other one goes" timeout 60 weft unweave processes_dies
same "the log says what stays of both" "$(dmesg | grep -c 'the uprobe there stays')" 3
finish
