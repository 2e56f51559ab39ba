#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs in the guest, on two CPUs: measures how records of three values get from weft_log() to a
# file. One CPU writes as fast as it can, the other reads. The guest is emulated, so the rates are
# those of this machine; but on every machine each record must be read or counted as lost.
set -eu
. "$(dirname "$0")/../vm/cases/lib.sh"
. "$(dirname "$0")/goals.sh"
load_weft
rounds=2500 calls=$((2500 * 20)) # hit-cost makes twenty runs.
: >/tmp/records

micros() { echo "${EPOCHREALTIME/./}"; }
rate() { awk -v n="$1" -v us="$2" 'BEGIN { printf "%.0f", us ? n * 1e6 / us : 0 }'; }

taskset -c 1 hit-cost $rounds >/dev/null
from=$(micros)
taskset -c 1 hit-cost $rounds >/dev/null
bare=$(($(micros) - from))

weft weave --optimized "$aspects/bench_log.ko" >/dev/null
# Without a reader, the records that fill the buffer are kept, and are then read in one go.
taskset -c 1 hit-cost $rounds >/dev/null
from=$(micros)
weft read bench_log 2>/dev/null | grep -c '' >/tmp/held
reading=$(($(micros) - from))
held=$(cat /tmp/held)
row "records that the buffer of one CPU (256 KiB) holds" "$held" ''
row "read as text, of a full buffer" "$(rate "$held" "$reading")" /s

before=$(figure bench_log records) lost_before=$(figure bench_log lost)
hits_before=$(figure bench_log hits)
taskset -c 0 weft read --follow bench_log >/tmp/records 2>/dev/null &
reader=$!
from=$(micros)
taskset -c 1 hit-cost $rounds >/dev/null
writing=$(($(micros) - from))
hits=$(($(figure bench_log hits) - hits_before))
records=$(($(figure bench_log records) - before)) lost=$(($(figure bench_log lost) - lost_before))
until [ "$(figure bench_log unread)" = 0 ]; do sleep 0.1; done
kill $reader
wait $reader || true
read=$(grep -vc '^(' /tmp/records)
row "offered by one CPU, another reads" "$(rate $hits $writing)" /s
row "  the calls without it" "$(rate $calls $bare)" /s
row "written" "$(rate $records $writing)" /s
row "lost: the buffer was full" \
	"$(awk -v l=$lost -v h=$hits 'BEGIN { printf "%.1f", l * 100 / h }')" %
row "calls that are neither written nor counted as lost" $((calls - records - lost)) '' at-most 0
row "written and not read" $((records - read)) '' at-most 0
weft unweave bench_log >/dev/null
weft read bench_log >/dev/null 2>&1 || true # there may be none left

# Measures the same with `weft record`, which makes no text, and with a buffer of 4 MiB.
rounds=30000
taskset -c 0 weft record --buffer 4M -o /tmp/recorded "$aspects/bench_log.ko" -- \
	taskset -c 1 bash -c 'from=${EPOCHREALTIME/./}; hit-cost '$rounds' >/dev/null
		echo $((${EPOCHREALTIME/./} - from)) >/tmp/writing' 2>/tmp/said
read -r hits records lost < <(sed -nE \
	's/^bench_log unwoven: ([0-9]+) .*, ([0-9]+) records?, ([0-9]+) lost$/\1 \2 \3/p' /tmp/said)
row "recorded: offered by one CPU, another writes them to a file" \
	"$(rate "$hits" "$(cat /tmp/writing)")" /s
row "  lost, with a buffer of 4 MiB" \
	"$(awk -v l="$lost" -v h="$hits" 'BEGIN { printf "%.1f", l * 100 / h }')" % at-most 0
row "  bytes of a record in the file" "$(awk -v n="$records" \
	-v bytes="$(stat -c %s /tmp/recorded/cpu1)" 'BEGIN { printf "%.1f", bytes / n }')" B
row "  hits that are neither recorded nor counted as lost" $((hits - records - lost)) '' at-most 0
read=$(weft read /tmp/recorded 2>/dev/null | grep -c '')
row "  recorded and not read" $((records - read)) '' at-most 0
end
