#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# vm.sh: --icount
#
# Elapsed times of known numbers of instructions, where a nanosecond is one: two instructions of the kernel, which says what a pair
# adds; loops of a program whose lengths differ by known numbers, which says whether time runs as it should.
. "$(dirname "$0")/lib.sh"
load_weft

# least METRIC, median METRIC: of the pairs since the last reset; the least begins the first bucket, since an interrupt can only add.
least() { weft report --json metrics_time | grep -F "\"metric\":\"$1\"" | sed 's/.*"buckets":\[\[\([0-9]*\),.*/\1/'; }
median() { weft report --json metrics_time | grep -F "\"metric\":\"$1\"" | sed 's/.*"p50":\([0-9]*\).*/\1/'; }

check "weave" weft weave "$aspects/metrics_time.ko"
measured loop 1000
two=$(least "two instructions")
error=$((two - 2))
if [ "$error" -ge 0 ] && [ "$error" -lt 100 ]; then pass "two instructions take $two: an error of $error"
else fail "two instructions" "they take $two"; fi
echo "an elapsed time has $error instructions of weft's own in it"
weft report --reset metrics_time >/dev/null
measured loop 100000
long=$(median loop)
weft report --reset metrics_time >/dev/null
measured loop 200000
longer=$(median loop)
# Both are middles of buckets: within 1/16.
ratio=$((1000 * (longer - long) / 100000))
if [ $ratio -ge 870 ] && [ $ratio -le 1130 ]; then pass "100000 instructions more take $((longer - long))"
else fail "100000 instructions more" "take $((longer - long))"; fi
check "unweave" weft unweave --all
finish
