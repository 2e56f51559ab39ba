# SPDX-License-Identifier: GPL-2.0-or-later
#
# Functions that print what a hit costs, in guest instructions in addition to the bare function,
# getppid(). Benchmarks that run in the guest that counts instructions source this file after the
# cases' lib.sh and goals.sh.
rounds=500
unit=insns

# measure_bare: measures the bare function, before anything is woven. It switches address
# randomization off, so that all programs are at the same addresses in each run.
measure_bare() {
	echo 0 >/proc/sys/kernel/randomize_va_space
	hit-cost $rounds >/dev/null
	bare=$(hit-cost $rounds)
}
cost() { awk -v a="$(hit-cost $rounds)" -v b="$bare" 'BEGIN { printf "%.1f", a - b }'; }

# weft_row NAME ASPECT KIND HOW [GOAL]: weaves bench_ASPECT with the option HOW, and prints the cost
# of a hit. The splice must be of the kind KIND.
weft_row() {
	local name=$1 aspect=bench_$2 kind=$3 how=$4 summary figure
	summary=$(weft weave "$how" "$aspects/$aspect.ko" | sed -n 's/.* = //p')
	figure=$(cost)
	case $summary in
	*"$kind 1"*) ;;
	*)
		name="$name: NOT BY $kind ($summary)"
		missed=$((missed + 1))
		;;
	esac
	[ "$(figure $aspect hits)" -ge $((rounds * 20)) ] || { echo "no hits"; exit 1; }
	weft unweave $aspect >/dev/null
	weft read >/dev/null
	row "$name" "$figure" $unit ${5:+at-most $5}
}
