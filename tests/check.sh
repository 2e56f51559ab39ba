#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs test suites and sums up: check.sh TARGET... [-- TARGET...]... Each is a make target that ends
# with `N passed, N failed, N skipped`; one that does not, or that fails without saying what, is a
# failure of its own. `--` begins another lane: lanes run at the same time, and are shown one after
# the other. The last line is the sum.
set -uo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# lane SUM-FILE TARGET...: one suite after the other; adds "passed failed skipped" of each to the
# file
lane() {
	local sums=$1 suite sum status start p f s
	shift
	for suite; do
		printf '== %s\n' "$suite"
		start=$SECONDS status=0
		"${MAKE:-make}" -s --no-print-directory "$suite" 2>&1 | tee "$sums.output" ||
			status=$?
		sum=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$sums.output" |
			tail -n 1)
		read -r p _ f _ s _ <<<"${sum:-0 passed, 0 failed, 0 skipped}"
		if [ -z "$sum" ] || { [ $status != 0 ] && [ "$f" = 0 ]; }; then
			echo "FAILED $suite: ended with status $status" \
				"and without a count of failures"
			f=$((f + 1))
		fi
		echo "$p $f $s" >>"$sums"
		printf -- '-- %s: %d s\n' "$suite" $((SECONDS - start))
	done
}

# A lane in the background does not hear ^C; everybody in the terminal's group is meant.
trap 'trap "" TERM; kill -TERM 0; exit 130' INT

# The first lane is shown while it runs, the others when those before them are done.
pids=() suites=()
start_lane() {
	local n=${#pids[@]}
	: >"$work/shown$n" # there before anybody looks for it
	lane "$work/sums$n" "${suites[@]}" >"$work/shown$n" 2>&1 &
	pids+=($!)
	suites=()
}
for target; do
	if [ "$target" = -- ]; then start_lane; else suites+=("$target"); fi
done
start_lane
for n in "${!pids[@]}"; do
	tail -n +1 -s 0.2 -f --pid="${pids[n]}" "$work/shown$n"
	wait "${pids[n]}"
done
awk '{ p += $1; f += $2; s += $3 }
	END {
		printf "%d passed, %d failed, %d skipped\n", p, f, s
		exit f != 0 || !p
	}' "$work"/sums?
