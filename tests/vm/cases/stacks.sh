#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests stacks as keys of metrics. weft.ko walks a stack by itself, and the debug build that cases
# load has the kernel's unwinder take each stack as well, and warns at the first difference. Here
# this is done a hundred thousand times: in tasks, softirqs and interrupts, through a module's
# functions, while kretprobes and the function graph tracer replace return addresses on the stacks,
# and while modules come and go.
#
# aspects: stacks
. "$(dirname "$0")/lib.sh"
load_weft
stacks=/sys/module/weft/parameters
shapes=$WEFT_MODULES/shapes.ko other=$WEFT_MODULES/other/shapes.ko
json=/tmp/json
compared() { cat $stacks/stacks_compared; }
by_kernel() { cat $stacks/stacks_by_kernel; }
# differing: prints how many warnings about a difference the kernel's log has.
differing() { dmesg | grep -c 'weft: frame [0-9]* .*for the kernel'; }

check "weave" weft weave --optimized "$aspects/stacks.ko"
check "the load" traffic 400
at_least "stacks are taken both ways" "$(compared)" 10000
weft report --json stacks >$json
for name in read send receive tick wake allocate free returns; do
	at_least "$name" "$(metric $name | value count)" 1
done
same "a stack of a system call ends where it begins" "$(metric returns |
	python3 -c 'import json, sys
print(*{row["key"].split("\n")[-1].split("+")[0]
        for row in json.loads(sys.stdin.read())["rows"]})')" entry_SYSCALL_64_after_hwframe
at_least "an interrupt's stack goes on to what was interrupted" "$(metric tick |
	python3 -c 'import json, sys
print(sum("asm_sysvec_apic_timer_interrupt" in row["key"] and
          not row["key"].split("\n")[-1].startswith("asm_sysvec")
          for row in json.loads(sys.stdin.read())["rows"]))')" 1

# ---- a module's functions are on the stack, and modules come and go ----
insmod "$shapes"
check "calls of the module's functions" bash -c 'echo 300 >/dev/shapes'
weft report --json stacks >$json
at_least "the module's function is in a stack" \
	"$(metric free | grep -c 'shapes_allocates[^"]*\[shapes\]')" 1
# Two builds of the module in turn: a row of the table that was made for one build must not be used
# for the other.
for ((i = 0; i < 5; i++)); do
	for build in "$other" "$shapes"; do
		rmmod shapes
		insmod "$build"
		echo 20 >/dev/shapes
	done
done
rmmod shapes
same "none of their stacks differs" "$(differing)" 0

# ---- return addresses are replaced ----
before=$(by_kernel)
echo 'r:weft_test/read ksys_read' >$tracing/kprobe_events
echo 'r:weft_test/write ksys_write' >>$tracing/kprobe_events
echo 'p:weft_test/sent unix_dgram_sendmsg' >>$tracing/kprobe_events
echo 1 >$tracing/events/weft_test/enable
check "beside kretprobes" traffic 200
at_least "whose stacks the kernel's unwinder takes" "$(($(by_kernel) - before))" 200
echo 0 >$tracing/events/weft_test/enable
echo >$tracing/kprobe_events
printf '%s\n' ksys_read __sys_sendto ip_local_deliver handle_softirqs __do_softirq \
	>$tracing/set_ftrace_filter 2>/dev/null
printf '%s\n' ksys_read __sys_sendto ip_local_deliver >$tracing/set_graph_function 2>/dev/null
echo function_graph >$tracing/current_tracer
before=$(by_kernel)
check "beside the function graph tracer" traffic 200
at_least "the same" "$(($(by_kernel) - before))" 200
echo nop >$tracing/current_tracer
echo >$tracing/set_graph_function
echo >$tracing/set_ftrace_filter

for ((i = 0; i < 40 && $(compared) < 100000; i++)); do traffic 300 >/dev/null; done
at_least "in all" "$(compared)" 100000
same "none differs" "$(differing)" 0
weft unweave stacks >/dev/null
check "weft.ko unloads" rmmod weft

# ---- how many stacks are left to the kernel's unwinder, and how many are not known as a whole ----
# This is measured with the weft.ko that is shipped. In a debug build advice takes so long that many
# interrupts come during advice, and for a stack with a trampoline on it weft.ko asks the kernel's
# unwinder.
# left NAME MOST WALKED COMMAND...: runs COMMAND. Of a hundred stacks, MOST may be left to the
# kernel's unwinder, and WALKED may have no path.
left() {
	local name=$1 most=$2 most_walked=$3 hits=$(figure stacks hits) other=$(by_kernel)
	local walked=$(cat $stacks/stacks_walked)
	shift 3
	"$@" >/dev/null
	hits=$(($(figure stacks hits) - hits)) other=$(($(by_kernel) - other))
	walked=$(($(cat $stacks/stacks_walked) - walked))
	check "$name: $other of $hits are left" [ "$hits" -ge 100 -a $((other * 100)) -le \
		$((hits * most)) ]
	check "$name: $walked of $hits are walked" [ $((walked * 100)) -le \
		$((hits * most_walked)) ]
}
weft_ko=${weft_ko/kmod-debug/kmod}
load_weft
check "weave again" weft weave --optimized "$aspects/stacks.ko"
left "tasks, softirqs and interrupts" 3 40 traffic 400
insmod "$shapes"
left "a module" 3 40 bash -c 'echo 1000 >/dev/shapes'
rmmod shapes
left "idle" 5 60 sleep 3
weft unweave stacks >/dev/null
check "and unloads" rmmod weft
finish
