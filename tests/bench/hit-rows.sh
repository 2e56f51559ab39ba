# SPDX-License-Identifier: GPL-2.0-or-later
#
# Sourced, after the cases' lib.sh and goals.sh, by benchmarks that measure a hit in the guest under
# icount. Prints rows of guest instructions per hit, in addition to those of the bare function,
# getppid().
rounds=500
unit=insns

# Measures the bare function, before anything is woven. The programs' addresses must not differ from
# run to run.
measure_bare() {
	echo 0 >/proc/sys/kernel/randomize_va_space
	hit-cost $rounds >/dev/null
	bare=$(hit-cost $rounds)
}
cost() { awk -v a="$(hit-cost $rounds)" -v b="$bare" 'BEGIN { printf "%.1f", a - b }'; }

# weft_row NAME ASPECT KIND HOW [GOAL]: prints the cost of a hit; the splice has to be of that KIND
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
