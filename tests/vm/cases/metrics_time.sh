#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# vm.sh: --icount
#
# Measures elapsed times of code whose number of instructions is known, in a guest where an
# instruction takes a nanosecond. A pair of advices around two instructions of the kernel shows how
# much time the advices themselves add to an elapsed time. Loops of a program, whose lengths differ
# by known numbers of instructions, show whether differences between elapsed times are exact. The
# case fails if a time is outside of its limits.
. "$(dirname "$0")/lib.sh"
load_weft

# least METRIC: prints the lower end of the first bucket, for the pairs since the last reset: the
# shortest pair, since an interrupt can only make a pair longer.
least() {
	weft report --json metrics_time | grep -F "\"metric\":\"$1\"" |
		sed 's/.*"buckets":\[\[\([0-9]*\),.*/\1/'
}

check "weave" weft weave "$aspects/metrics_time.ko"
measured loop 1000
two=$(least "two instructions")
error=$((two - 2))
if [ "$error" -ge 0 ] && [ "$error" -lt 100 ]; then
	pass "two instructions take $two: an error of $error"
else
	fail "two instructions" "they take $two"
fi
echo "an elapsed time has $error instructions of weft's own in it"
# alone LOOP: prints how long one pair takes around a loop of LOOP instructions. The time is the
# metric's sum, which is exact, because a bucket would round it. It is the shortest of ten, because
# an interrupt can only make a pair longer.
alone() {
	for ((i = 0; i < 10; i++)); do
		weft report --reset metrics_time >/dev/null
		measured loop "$1" 1
		weft report --json metrics_time | grep -F '"metric":"loop"' | grep -F '"count":1,' |
			value sum
	done | sort -n | head -n 1
}
none=$(alone 2)
for loop in 1000 200000; do
	error=$(($(alone $loop) - none - (loop - 2)))
	between "a loop of $loop instructions: an error of $error" $error -99 99
done
check "unweave" weft unweave --all
finish
