#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# In the guest: what a batch on one CPU does to a thread on the other that only looks at the clock.
# Each CPU has to be a thread of the emulator's: where CPUs take turns, everybody stalls for a turn.
set -eu
. "$(dirname "$0")/../vm/cases/lib.sh"
. "$(dirname "$0")/goals.sh"
load_weft
rivals=$O/bench/rivals/rivals.ko
said() { dmesg | sed -n "s/.*rivals: $1 //p" | tail -n 1; }

# longest_stall COMMAND...: in milliseconds, while that runs on CPU 1
longest_stall() {
	insmod "$rivals" kind=stall
	taskset -c 1 "$@" >/dev/null
	rmmod rivals
	said stall | awk '{ print $1 / 1e6 }'
}

# The functions are decoded by it.
read -r shadows _ <<<"$(weave-rate 1 "$O/vm/aspects/bench_many.ko")"
row "shadows" "$shadows" '' at-least 9000
row "longest stall of a spinning thread: nothing woven" "$(longest_stall sleep 2)" ms
row "longest stall of a spinning thread: all woven and unwoven" \
	"$(longest_stall weave-rate 1 "$O/vm/aspects/bench_many.ko")" ms
end
