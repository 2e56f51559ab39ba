#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# weft.ko must not accept a module that describes its metrics wrongly, because advice would write
# beyond the memory that weft.ko makes by the description. The case damages single members of a
# description and fails if such a module loads.
. "$(dirname "$0")/lib.sh"
load_weft
# damage MEMBER=VALUE...: makes /tmp/maps.ko, a copy of maps.ko. In the description of its first
# metric, a histogram, the given members have the given values.
damage() {
	python3 - "$aspects/maps.ko" /tmp/maps.ko "$@" <<'EOF'
import struct, subprocess, sys
# struct weft_metric of runtime/measure.h, up to its pointers at the end
layout = struct.Struct("<4Q5I4xqQ6I")
names = ("name unit value by type scale clock fine buckets least step row_bits nr_keys "
         "words words1 words2 words3").split()
module = bytearray(open(sys.argv[1], "rb").read())
def lines(option):
    text = subprocess.run(["readelf", "-W", option, sys.argv[1]], capture_output=True, text=True)
    return [line.replace("[", " ").replace("]", " ").split() for line in text.stdout.splitlines()]
symbol = next(line for line in lines("-s") if line[-1:] == ["weft_metrics"])
section = next(line for line in lines("-S") if line[:1] == [symbol[6]])
at = int(section[4], 16) + int(symbol[1], 16)
metric = dict(zip(names, layout.unpack_from(module, at)))
assert metric["type"] == 2 and metric["fine"] <= 5 and not metric["nr_keys"], metric
for change in sys.argv[3:]:
    name, value = change.split("=")
    metric[name] = int(value)
layout.pack_into(module, at, *metric.values())
open(sys.argv[2], "wb").write(module)
EOF
}
# refused NAME MEMBER=VALUE...: checks that weft.ko refuses a module that is damaged in this way.
refused() {
	local before after
	damage "${@:2}"
	before=$(dmesg | grep -c 'damaged description of a metric')
	check "$1" bash -c "! insmod /tmp/maps.ko 2>/dev/null"
	rmmod maps 2>/dev/null
	after=$(dmesg | grep -c 'damaged description of a metric')
	same "$1: which is said" $((after - before)) 1
}
refused "fewer buckets than a logarithm has" buckets=3
refused "a fineness that has no buckets" fine=6 buckets=65536
# A table of 2^16 rows of 65535 words, a row of all other keys, and a head of 6 words has 2^32 + 5
# words.
refused "more words than 32 bits count" scale=1 step=1 buckets=65528 row_bits=16 nr_keys=1
refused "a key without rows" nr_keys=1
refused "more keys than there may be" nr_keys=5 row_bits=4
damage
check "the same without damage" insmod /tmp/maps.ko
check "the end" rmmod maps
finish
