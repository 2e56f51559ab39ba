#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# run.sh test|rebase FOLDER COMMAND...: runs COMMAND with the arguments of each FOLDER/NAME.in, in that folder, and compares all
# that it prints, errors and exit code included, with NAME.out; `rebase` shows the difference and takes the new output.
set -u
mode=$1 folder=$2
shift 2
cd "$folder" || exit 1
now=$(mktemp)
trap 'rm -f "$now"' EXIT
passed=0 failed=0

for in in *.in; do
	name=${in%.in}
	# The line is a shell's: it may quote.
	sh -c "$* $(cat "$in")" >"$now" 2>&1
	echo "exit code $?" >>"$now"
	if cmp -s "$now" "$name.out"; then
		passed=$((passed + 1))
		continue
	fi
	diff -u "$name.out" "$now" 2>/dev/null || [ -e "$name.out" ] || cat "$now"
	if [ "$mode" = rebase ]; then
		cp "$now" "$name.out"
		passed=$((passed + 1))
	else
		echo "FAILED $folder/$name: $* $(cat "$in")"
		failed=$((failed + 1))
	fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
