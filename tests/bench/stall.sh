#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs in the guest: measures how long weaves on CPU 1 stall a thread on CPU 0 that only looks at
# the clock. The emulator needs a thread for each CPU, since a CPU that takes turns with another
# stalls for a turn.
set -eu
. "$(dirname "$0")/../vm/cases/lib.sh"
. "$(dirname "$0")/goals.sh"
load_weft
rivals=$O/bench/rivals/rivals.ko
said() { dmesg | sed -n "s/.*rivals: $1 //p" | tail -n 1; }

# longest_stall COMMAND...: prints the longest stall, in milliseconds, while COMMAND runs on CPU 1.
longest_stall() {
	insmod "$rivals" kind=stall
	taskset -c 1 "$@" >/dev/null
	rmmod rivals
	said stall | awk '{ print $1 / 1e6 }'
}

# The first weave is not measured, since weft.ko decodes the functions in it.
read -r shadows _ <<<"$(weave-rate 1 "$O/vm/aspects/bench_many.ko")"
row "shadows" "$shadows" '' at-least 9000
row "longest stall of a spinning thread: nothing woven" "$(longest_stall sleep 2)" ms
row "longest stall of a spinning thread: all woven and unwoven" \
	"$(longest_stall weave-rate 1 "$O/vm/aspects/bench_many.ko")" ms
end
