#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests faults in around-advice of each form: around a function; around one that begins with a call;
# around two whose callers rely on registers that the functions do not change; around one in which
# the task sleeps; and around direct calls, tail calls, and calls through members. Whether the
# advice faults before or after it has called, the code that was hit must get the result that it
# gets without the advice.
. "$(dirname "$0")/lib.sh"
load_weft
work=$(mktemp -d)
parent() { perl -e '$0 = $ARGV[0]; print getppid == $ARGV[1] ? "parent" : "wrong"' "$1" $$; }
access() { (printf %s "$1" >/proc/self/comm; [ -r /etc/passwd ] && echo yes || echo no); }
slept() { perl -e '$0 = $ARGV[0]; sleep 1; print "awake"' "$1"; }
mapped() { perl -e 'open F, "<", "/proc/1/maps"; $0 = $ARGV[0]; print scalar(() = <F>)' "$1"; }
# Writes a mark to ftrace's buffer, and prints how many lines of the trace have it.
marked() {
	perl -e '$0 = $ARGV[0]; open M, ">", "$ARGV[1]/trace_marker"; syswrite(M, "weft was here");
		open F, "<", "$ARGV[1]/trace"; print scalar grep /weft was here/, <F>' \
		"$1" "$tracing"
	echo >"$tracing/trace"
}
# The next two functions use a file of tmpfs, because the operations of tmpfs call the operations of
# no other file system.
took() {
	perl -e 'open F, "<", $ARGV[1]; $0 = $ARGV[0]; print sysread(F, $b, 1000)' "$1" "$work/file"
}
sought() {
	perl -e 'open F, "<", $ARGV[1]; $0 = $ARGV[0]; print sysseek(F, 7, 0)' "$1" "$work/file"
}
fault() { fault_of fault_around_calls "$1"; }

head -c 5000 /dev/zero >"$work/file"
traffic 20 >/dev/null # The first packets make the kernel switch jump labels on, for good.
kernel-text /tmp/before >/dev/null
xml=$WEFT_TOP/tests/vm/aspects/fault_around_calls.xml
declare -A symbols=([parent]=__x64_sys_getppid [access]=__x64_sys_faccessat2 [slept]=do_nanosleep
	[mapped]=show_map [marked]='tracing_gen_ctx_irq_test\|rb_iter_reset' [took]=vfs_read
	[sought]=__x64_sys_lseek)
for how in --optimized --traps; do
	for when in 0 1; do
		for call in parent access slept mapped marked took sought; do
			name="$call, when $when ($how)"
			plain=$($call somebody)
			check "$name: weave" weft weave $how "$aspects/fault_around_calls.ko"
			echo $when >/sys/module/fault_around_calls/parameters/when
			same "$name: the result is as ever" "$($call faulty)" "$plain"
			check "$name: it is unwoven" await in_state fault_around_calls faulted
			same "$name: it was there" \
				"$(fault symbol | grep -xc "${symbols[$call]}")" 1
			same "$name: the line" "$(fault line)" "$(grep -n '= \*nothing' "$xml" |
				cut -d: -f1)"
			same "$name: nobody is inside" "$(figure fault_around_calls inside)" 0
			check "$name: it goes" weft unweave --all
		done
	done
done
check "text restored" restored
finish
