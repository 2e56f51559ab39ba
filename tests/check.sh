#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs test suites and sums up: check.sh TARGET... Each is a make target that ends with `N passed, N failed, N skipped`; one that
# does not, or that fails without saying what, is a failure of its own. The last line is the sum. In CI nothing that needs
# the guest may be skipped.
set -uo pipefail
cd "$(dirname "$0")/.."
passed=0 failed=0 skipped=0
output=$(mktemp)
trap 'rm -f "$output"' EXIT

for suite; do
	printf '== %s\n' "$suite"
	start=$SECONDS status=0
	"${MAKE:-make}" -s --no-print-directory "$suite" 2>&1 | tee "$output" || status=$?
	sum=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$output" | tail -n 1)
	read -r p _ f _ s _ <<<"${sum:-0 passed, 0 failed, 0 skipped}"
	if [ -z "$sum" ] || { [ $status != 0 ] && [ "$f" = 0 ]; }; then
		echo "FAILED $suite: ended with status $status and without a count of failures"
		f=$((f + 1))
	fi
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	printf -- '-- %s: %d s\n' "$suite" $((SECONDS - start))
done
printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
[ $failed = 0 ]
