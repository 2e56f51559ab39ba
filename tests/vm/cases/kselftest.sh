#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs some of the kernel's own selftests of ftrace twice: with nothing woven, and with counters at
# every function and basic block of ftrace, kprobes, jump labels and the code that writes text. Each
# selftest must have the same result both times. make bench-selftests runs all of them, with all of
# the kernel woven.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/../../kselftest/suites.sh"
tests="dynevent/add_remove_kprobe ftrace/func-filter-stacktrace kprobe/busy_check
	kprobe/kretprobe_args"
results() {
	local test
	for test in $tests; do ftrace_case "$selftests/ftrace/test.d/$test.tc"; done
}

prepare_guest
results >/tmp/plain
load_weft
check "weave what they run" weft weave --optimized "$aspects/kselftest.ko"
results >/tmp/woven
weft list | sed 's/^/       /'
if [ "$(figure kselftest hits)" -gt 100000 ]; then pass "they run over it"
else fail "hits" "$(figure kselftest hits)"; fi
lines "the same results" "$(cat /tmp/woven)" "$(cat /tmp/plain)"
same "all of them pass" "$(grep -v PASS /tmp/plain)" ""
check "unweave" weft unweave kselftest
check "weft.ko unloads" rmmod weft
finish
