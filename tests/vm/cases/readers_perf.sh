#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests programs that follow the kernel's text by perf's events, as decoders of processor traces do.
# The events must have every byte that weft writes, and all code that weft runs outside of the text.
# Also tests perf's own samples in splices, trampolines and advice: their callers must be right.
. "$(dirname "$0")/lib.sh"
work=$(mktemp -d)
export aspects weft_ko generous

# text_pokes ARGUMENT...: runs the test program text-pokes and adds its results to the case's. If
# one has failed, prints the program's errors too.
text_pokes() {
	local before=$failed
	verdicts text-pokes "$@" 2>"$work/said"
	[ "$failed" = "$before" ] || { cat "$work/said"; weft list; }
}

echo "weft.ko comes and is used:"
text_pokes 'insmod "$weft_ko" $generous && {
	weft weave --optimized "$aspects/every_clobber.ko"
	weft weave --optimized "$aspects/every_count.ko"
	weft weave "$aspects/once.ko"
	taskset -c 0 traffic 5
	[ $(weft list | grep -c woven) = 3 ]
} >/dev/null'
check "perf sees the code" grep -q ' weft_trampolines' /proc/kallsyms

# The awk program prints "IN-TRAMPOLINES OTHERS CUT". A sample in a trampoline has no callers, since
# the unwinder has no data for code that was made at run time. All other samples of the kernel must
# end where all stacks end. A slow machine takes fewer samples than asked for, so the traffic grows
# until there are enough.
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
for rounds in 100 400 1600; do
	perf record -a -g -e cpu-clock -F 2000 -o "$work/data" -- taskset -c 0 traffic $rounds \
		>/dev/null 2>"$work/said" || fail "perf record" "$(cat "$work/said")"
	perf script -i "$work/data" -F comm,ip,sym >"$work/samples" 2>/dev/null
	read -r in_trampolines others cut < <(awk '
		BEGIN { RS = ""; FS = "\n" }
		$2 !~ /^\tf/ { next }
		/weft_trampolines|\tffffffffc[^\n]*\[unknown\]/ { in_trampolines++; next }
		$2 ~ /__x86_|\tff[^\n]* (asm_|entry_)/ { next }
		{ others++ }
		!/(entry_SYSCALL|asm_|secondary_startup|ret_from_fork)/ { cut++ }
		END { print in_trampolines + 0, others + 0, cut + 0 }' "$work/samples")
	[ "$in_trampolines" -lt 20 ] || [ "$others" -lt 200 ] || break
done
at_least "samples in trampolines" "$in_trampolines" 20
at_least "samples elsewhere in the kernel" "$others" 200
same "all of those have their callers" "$cut" 0

echo "and goes:"
text_pokes --gone 'weft unweave --all >/dev/null && weft read >/dev/null && rmmod weft'

echo "comes and goes:"
text_pokes --gone 'insmod "$weft_ko" $generous && {
	weft weave "$aspects/every_clobber.ko"
	weft weave --traps "$aspects/every_count.ko"
	weft unweave every_clobber
	weft weave --optimized "$aspects/every_clobber.ko"
	weft unweave --all && weft read && rmmod weft
} >/dev/null'
rm -r "$work"
finish
