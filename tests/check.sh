#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs test suites and sums up: check.sh TARGET... [-- TARGET...]. Each is a make target that ends with
# `N passed, N failed, N skipped`; one that does not, or that fails without saying what, is a failure of its own. What stands
# behind `--` runs at the same time and is shown afterwards. The last line is the sum.
set -uo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# lane SUM-FILE TARGET...: one suite after the other; adds "passed failed skipped" of each to the file
lane() {
	local sums=$1 suite sum status start p f s
	shift
	for suite; do
		printf '== %s\n' "$suite"
		start=$SECONDS status=0
		"${MAKE:-make}" -s --no-print-directory "$suite" 2>&1 | tee "$sums.output" || status=$?
		sum=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$sums.output" | tail -n 1)
		read -r p _ f _ s _ <<<"${sum:-0 passed, 0 failed, 0 skipped}"
		if [ -z "$sum" ] || { [ $status != 0 ] && [ "$f" = 0 ]; }; then
			echo "FAILED $suite: ended with status $status and without a count of failures"
			f=$((f + 1))
		fi
		echo "$p $f $s" >>"$sums"
		printf -- '-- %s: %d s\n' "$suite" $((SECONDS - start))
	done
}

lanes=0 beside=()
for ((i = 1; i <= $#; i++)); do
	if [ "${!i}" = -- ]; then beside=("${@:i + 1}"); set -- "${@:1:i-1}"; break; fi
done
if [ ${#beside[@]} -gt 0 ]; then lane "$work/beside" "${beside[@]}" >"$work/beside.shown" & lanes=$!; fi
lane "$work/first" "$@"
if [ $lanes != 0 ]; then
	tail -n +1 -f --pid=$lanes "$work/beside.shown"
	wait $lanes
fi
awk '{ p += $1; f += $2; s += $3 } END { printf "%d passed, %d failed, %d skipped\n", p, f, s; exit f != 0 || !p }' \
	$(ls "$work"/first "$work"/beside 2>/dev/null)
