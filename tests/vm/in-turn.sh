#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs several cases one after the other in one guest: in-turn.sh CASE... Booting a guest, and
# translating what all cases run, costs the emulator more than many a case does. After each case
# comes a line `== CASE: status N`. A case that fails, or that leaves the guest otherwise than it
# found it, is the last one: run-cases.sh gives the others a new guest.
set -u

# What a case could leave: modules, mounts, kprobes, tracers and their events, CPUs, a lockdown. Not
# every kernel has all of it.
state() {
	exec 2>/dev/null
	cut -d ' ' -f 1 /proc/modules | sort
	cut -d ' ' -f 2 /proc/mounts
	cd /sys/kernel/tracing
	cat current_tracer kprobe_events uprobe_events set_event \
		set_ftrace_filter tracing_on function_profile_enabled
	cat /sys/kernel/debug/kprobes/list /sys/devices/system/cpu/online \
		/sys/module/module/parameters/sig_enforce /sys/kernel/security/lockdown
}

# Settings that cases change: file and value.
changed=(/proc/sys/kernel/{hung_task_timeout_secs,sched_rt_runtime_us,panic_on_oops})
declare -A setting
for file in "${changed[@]}"; do [ ! -e "$file" ] || setting[$file]=$(<"$file"); done

for case; do
	name=$(basename "$case" .sh)
	echo "weft-vm: case $name" >/dev/kmsg
	before=$(state)
	# A process group and mounts of its own: both end with it.
	setsid unshare --mount --propagation private bash "$case" &
	wait $!
	status=$?
	kill -KILL -- -$! 2>/dev/null
	echo "== $name: status $status"
	[ $status = 0 ] || exit 0
	for file in "${!setting[@]}"; do echo "${setting[$file]}" >"$file"; done
	# The newest come first.
	for module in $(cut -d ' ' -f 1 /proc/modules); do
		grep -qxF "$module" <<<"$before" || rmmod "$module"
	done
	# What a case looks for in the log is its own.
	dmesg --clear
	after=$(state)
	[ "$after" = "$before" ] || {
		echo "$name leaves the guest otherwise than it was:"
		diff <(echo "$before") <(echo "$after")
		exit 0
	}
done
