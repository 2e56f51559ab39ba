#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs cmocka programs and adds up the results. Prints each program's name with its count,
# everything that failed or was skipped, and at the end `N passed, N failed, N skipped`. A program
# that dies counts as a failure. With SHOW=1 the programs' output is shown as it comes. Usage:
# run.sh PROGRAM...
set -u
output=$(mktemp)
trap 'rm -f "$output" "$output.status"' EXIT
export UBSAN_OPTIONS="${UBSAN_OPTIONS:-halt_on_error=1:print_stacktrace=1}"
passed=0 failed=0 skipped=0

for program; do
	name=${program##*/}
	{
		CMOCKA_MESSAGE_OUTPUT=TAP "$program" 2>&1
		echo $? >"$output.status"
	} | if [ -n "${SHOW:-}" ]; then tee "$output"; else cat >"$output"; fi
	status=$(cat "$output.status")
	ok=$(grep -c '^ok ' "$output")
	skip=$(grep -c '^ok .*# SKIP' "$output")
	bad=$(grep -c '^not ok ' "$output")
	# No test failed, and yet the program ended with an error (it crashed, a sanitizer reported
	# something) or ran no test: count that as one failure.
	if [ "$bad" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$ok" -eq 0 ]; }; then
		bad=1
		echo "not ok: $name ended with status $status"
	fi
	if [ "$bad" -ne 0 ]; then
		sed "s/^/  $name: /" "$output"
	else
		grep '# SKIP' "$output" | sed "s/^/  $name: /"
	fi
	printf '%-28s %d passed, %d failed, %d skipped\n' "$name" $((ok - skip)) "$bad" "$skip"
	passed=$((passed + ok - skip)) failed=$((failed + bad)) skipped=$((skipped + skip))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
