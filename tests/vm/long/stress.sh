#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Weaves and unweaves every instruction of 2,000 functions, hot and cold, in random subsets, on CPUs
# that are busy with sockets, pipes, forks, files, timers, and stress-ng. A CPU goes offline and
# comes back now and then. The case fails if anything hangs or if the text is not the original
# afterwards; run-cases.sh checks that the kernel's log has no splat.
#
# vm.sh: --timeout 1500
. "$(dirname "$0")/../cases/lib.sh"
seconds=${WEFT_STRESS_SECONDS:-20}
everything=${WEFT_EVERYTHING:-$O/vm/everything}
seed=$(cat "$everything/seed")
load_weft
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null

# Loads the aspects, and makes weft.ko decode their functions, before the load on the CPUs begins.
weave-random 0 "$seed" "$everything"/*.ko >/dev/null

# busy NAME COMMAND: repeats COMMAND all the time; writes a line to /tmp/trouble if it fails.
busy() {
	local name=$1
	shift
	while [ ! -e /tmp/enough ]; do
		"$@" >/dev/null 2>/tmp/said-$name ||
			echo "$name: $(cat /tmp/said-$name)" >>/tmp/trouble
	done
}
traffic_on 2000
busy files bash -c 'mkdir -p /tmp/tree/a/b &&
	for i in 1 2 3; do dd if=/dev/zero of=/tmp/tree/a/b/$i bs=4k count=32 2>/dev/null; done
	ln -sf b /tmp/tree/a/c && mv /tmp/tree/a/b/1 /tmp/tree/one && sync && find /tmp/tree &&
		cat /proc/*/stat /proc/meminfo
	rm -r /tmp/tree' &
busy timers bash -c 'for i in 1 2 3 4; do timeout 1 sleep 0.05 & done; wait' &
busy pipes bash -c 'seq 2000 | sort -n | md5sum' &
mkdir -p /tmp/stress-ng
stress-ng --temp-path /tmp/stress-ng --timeout $((seconds + 600)) --oomable --fork 1 --futex 1 \
	--mmap 1 --dentry 1 --sockpair 1 --epoll 1 --timer 1 --sem 1 --splice 1 --getdent 1 \
	>/tmp/said-stress-ng 2>&1 &
stressor=$!
hotplug() {
	local rest=$((seconds < 60 ? seconds / 4 : 15))
	while [ ! -e /tmp/enough ]; do
		sleep $rest
		echo 0 >/sys/devices/system/cpu/cpu1/online && sleep 0.5
		echo 1 >/sys/devices/system/cpu/cpu1/online ||
			echo "CPU 1 stays away" >>/tmp/trouble
		taskset -p 2 "${sources[1]}" >/dev/null
		echo away >>/tmp/hotplugged
	done
}
hotplug &

check "weave and unweave for $seconds s, seed $seed" \
	nice -n -15 bash -c "weave-random $seconds $seed $everything/*.ko >/tmp/did"
sed 's/^/       /' /tmp/did
touch /tmp/enough
check "stress-ng runs all the time" kill -INT $stressor
wait $stressor || echo "stress-ng: exit $?: $(tail -n 3 /tmp/said-stress-ng)" >>/tmp/trouble
same "a CPU goes and comes back" "$(sort -u /tmp/hotplugged)" away
echo "       $(wc -l </tmp/hotplugged) times"
traffic_off 50
wait
same "all CPUs are there" "$(nproc)" $cpus
same "the load goes on all the time" \
	"$(grep -v 'No such process' /tmp/trouble 2>/dev/null | head -n 5)" ""
weft list | sed 's/^/       /'
check "nothing is left" weft unweave --all
check "text restored" restored
weft read >/dev/null
check "weft.ko unloads" rmmod weft
finish
