#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs several cases one after the other in one guest, because the emulator takes longer to boot a
# guest and to translate the code that all cases run than to run most cases. Prints a line `== CASE:
# status N` after each case. Stops after a case that fails or that leaves the guest changed;
# run-cases.sh runs the remaining cases in a new guest. Usage: in-turn.sh CASE...
set -u

# Prints everything that a case could leave changed: modules, mounts, kprobes, tracers and their
# events, CPUs, a lockdown. Some kernels lack some of these files.
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

# Cases change these settings, which are restored after each case.
changed=(/proc/sys/kernel/{hung_task_timeout_secs,sched_rt_runtime_us,panic_on_oops})
declare -A setting
for file in "${changed[@]}"; do [ ! -e "$file" ] || setting[$file]=$(<"$file"); done

for case; do
	name=$(basename "$case" .sh)
	echo "weft-vm: case $name" >/dev/kmsg
	before=$(state)
	# The case runs with its own mounts and in its own process group, which is killed when the
	# case has ended.
	setsid unshare --mount --propagation private bash "$case" &
	wait $!
	status=$?
	kill -KILL -- -$! 2>/dev/null
	echo "== $name: status $status"
	[ $status = 0 ] || exit 0
	for file in "${!setting[@]}"; do echo "${setting[$file]}" >"$file"; done
	# /proc/modules lists the newest module first, so users of a module are removed before it.
	for module in $(cut -d ' ' -f 1 /proc/modules); do
		grep -qxF "$module" <<<"$before" || rmmod "$module"
	done
	# The next case must not find this one's messages in the kernel's log.
	dmesg --clear
	after=$(state)
	[ "$after" = "$before" ] || {
		echo "$name leaves the guest otherwise than it was:"
		diff <(echo "$before") <(echo "$after")
		exit 0
	}
done
