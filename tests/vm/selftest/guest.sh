#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The part of selftest.sh that runs in the guest: prints a line `ok NAME`, `not ok NAME` or `skip
# NAME: reason` for each check.
check() {
	local name=$1

	shift
	if "$@" >/dev/null 2>&1; then echo "ok $name"; else echo "not ok $name"; fi
}

# check_program NAME PROGRAM ARGUMENT...: checks a program that weft does not need, but that people
# want in the guest.
check_program() {
	local name=$1

	shift
	if command -v "$1" >/dev/null; then
		check "$name" "$@"
	else
		echo "skip $name: $1 is not installed"
	fi
}

module_works() {
	insmod "$1" && grep -q '^weft_selftest ' /proc/modules && rmmod weft_selftest &&
		dmesg | grep -q 'weft_selftest: gone'
}

lo_works() {
	exec 3<>/dev/udp/127.0.0.1/9999 && echo x >&3
}

cpu_goes_and_comes() {
	echo 0 >/sys/devices/system/cpu/cpu1/online && [ "$(nproc)" = 1 ] &&
		echo 1 >/sys/devices/system/cpu/cpu1/online
}

kprobe_fires() {
	local tracing=/sys/kernel/tracing status

	echo 'p:weft_selftest do_sys_openat2' >$tracing/kprobe_events &&
		echo 1 >$tracing/events/kprobes/weft_selftest/enable && cat /etc/hostname &&
		grep -q weft_selftest: $tracing/trace
	status=$?
	echo 0 >$tracing/events/kprobes/weft_selftest/enable
	echo >$tracing/kprobe_events
	return $status
}

retpolines_used() {
	grep -q Retpolines /sys/devices/system/cpu/vulnerabilities/spectre_v2
}

check "two CPUs are up" [ "$(nproc)" = 2 ]
check "arguments arrive whole" [ "$1" = "two words" -a "$2" = '$HOME *' ]
check "environment arrives whole" [ "$SELFTEST" = "a 'quoted' \"value\"" ]
check "the share is writable" cp /share/from-host /share/from-guest
check "anything else is writable here" \
	touch /etc/weft-selftest /usr/lib/weft-selftest /root/weft-selftest /tmp/weft-selftest
check "a host-built module is loaded and unloaded" module_works "$3"
check "a module of the kernel's own build is loaded" insmod "$WEFT_KERNEL/drivers/net/dummy.ko"
check "loopback is up" lo_works
check "kprobe events work" kprobe_fires
check "BTF is there" test -s /sys/kernel/btf/vmlinux
check_program "perf runs" perf stat -e task-clock true
check "objdump runs" objdump --version
check "sqlite3 runs" sqlite3 :memory: "select 1"
check_program "strace runs" strace -o /dev/null true
check "a CPU goes offline and comes back" cpu_goes_and_comes
check "indirect calls go through retpolines" retpolines_used
check "standard error can be opened again" sh -c 'echo >/dev/stderr'
sleep 1000 &
