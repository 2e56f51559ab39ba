#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Measures what it costs to compile an aspect from XML to a module: a small aspect, and one with
# hundreds of shadows, whose variables are in other registers or stack slots at nearly each shadow.
# Each aspect is compiled anew (into a file, which uses no cache) and then taken from the cache. The
# goals are for processor time, since the time by the clock also depends on who else uses the
# machine. Processor time may exceed the time by the clock if kbuild has a second processor. Usage:
# aspects.sh WEFT MEASURE KERNEL DB
set -euo pipefail
. "$(dirname "$0")/goals.sh"
tree=$(realpath "$(dirname "$0")/../..")
weft=$1 measure=$2 kernel=$3
export WEFT_DB=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache

# cost WHAT GOAL ROUNDS ARGUMENT...: prints a row with the time of `weft compile ARGUMENT...`, and a
# row with its processor time, whose goal is GOAL milliseconds.
cost() {
	local what=$1 goal=$2 rounds=$3 figures wall cpu
	shift 3
	figures=$("$measure" "$rounds" "$weft" compile --kernel "$kernel" "$@" 2>"$work/said") || {
		cat "$work/said"
		exit 1
	}
	read -r wall cpu _ <<<"$figures"
	row "$what: time" "$wall" ms
	row "$what: processor time" "$cpu" ms at-most "$goal"
}

for aspect in aspects/sock_state.xml tests/vm/aspects/variables.xml; do
	shadows=$("$weft" compile --kernel "$kernel" "$tree/$aspect" 2>/dev/null |
		sed -n 's/.*: \([0-9]*\) shadows*$/\1/p')
	cost "$(basename "$aspect") ($shadows shadows), anew" 2500 3 "$tree/$aspect" \
		-o "$work/module.ko"
	cost "$(basename "$aspect") ($shadows shadows), cached" 50 20 "$tree/$aspect"
done
end
