# SPDX-License-Identifier: GPL-2.0-or-later
#
# What happens to functions while aspects with around-advice of them come and go. The cases about
# this source this file. A case calls begin_beside, weaves and unweaves until it has had enough,
# makes the file /tmp/enough, and calls end_beside. /tmp/trouble gets what went wrong.

# keep_on COMMAND...: repeats COMMAND until /tmp/enough exists, whether it succeeds or not.
keep_on() { until [ -e /tmp/enough ]; do "$@"; done >/dev/null 2>&1; }
# probe_at DEFINITION...: makes these kprobe events, enables them for some time, and removes them.
probe_at() {
	local definition
	for definition; do echo "$definition" >>$tracing/kprobe_events; done
	echo 1 >$tracing/events/weft_test/enable
	sleep 0.6 # The kernel makes kprobes jumps some time after they were set.
	echo 0 >$tracing/events/weft_test/enable
	echo >$tracing/kprobe_events
}
trace_some() {
	for tracer in function function_graph nop; do
		echo $tracer >$tracing/current_tracer
		sleep 0.2
	done
}
# Applies and removes a live patch of in4_pton().
patch_some() {
	insmod "$O/vm/nesting/replaced.ko"
	sleep 0.3
	echo 0 >/sys/kernel/livepatch/replaced/enabled
	await rmmod replaced
}
hotplug_some() {
	echo 0 >/sys/devices/system/cpu/cpu1/online
	sleep 0.2
	echo 1 >/sys/devices/system/cpu/cpu1/online
	sleep 0.5
}

# begin_beside COMMAND...: starts traffic, and keeps on with each COMMAND (a command with its
# arguments in one word). $jobs gets their pids; the case may add pids that end_beside waits for.
begin_beside() {
	local command
	echo 'in4_pton vfs_read kernel_clone show_map' >$tracing/set_ftrace_filter
	traffic 100000000 2000 >/tmp/traffic 2>>/tmp/trouble &
	traffic=$!
	jobs=()
	for command; do
		keep_on $command &
		jobs+=($!)
	done
}
# end_beside: waits for $jobs, and checks that nothing went wrong.
end_beside() {
	wait "${jobs[@]}"
	check "traffic goes on" kill $traffic
	same "nothing went wrong meanwhile" "$(sort /tmp/trouble 2>/dev/null | uniq -c)" ""
	echo 1 >/sys/devices/system/cpu/cpu1/online 2>/dev/null
	echo nop >$tracing/current_tracer
	echo >$tracing/set_ftrace_filter
}

# note WEFT'S-STATUS FILE: adds weft's message, which is in FILE, to what went wrong, with three
# exceptions: a task was inside for too long (status 10); a kprobe or ftrace was writing the text of
# the aspect's splices at that moment; or its module was just being unloaded.
note() {
	case $1 in 0 | 10) return ;; esac
	grep -qE 'text changed while weaving|are not the original ones|resource busy' "$2" ||
		cat "$2" >>/tmp/trouble
}
