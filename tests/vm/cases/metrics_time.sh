#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# vm.sh: --icount
#
# Elapsed times of known numbers of instructions, where a nanosecond is one: two instructions of the
# kernel, which says what a pair adds; loops of a program whose lengths differ by known numbers,
# which says whether time runs as it should.
. "$(dirname "$0")/lib.sh"
load_weft

# least METRIC: of the pairs since the last reset, where the first bucket begins, since an interrupt
# can only add.
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
# alone LOOP: the time of one pair around a loop of so many instructions, which buckets do not
# round; an interrupt can only add.
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
