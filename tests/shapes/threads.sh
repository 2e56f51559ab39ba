#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests the threads that read modules, under ThreadSanitizer: WEFT is built with -fsanitize=thread.
# The modules are indexed under several names, so that threads have enough to do at the same time;
# and once with files that are damaged. `make check-threads` calls this script. Usage: threads.sh
# WEFT IMAGE MODULE...
set -uo pipefail
weft=$1 image=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
export TSAN_OPTIONS=exitcode=66

for number in {1..12}; do
	for module; do
		cp "$module" "$work/m${number}_${module##*/}"
	done
done
mkdir "$work/packed"
for module in "$work"/m*.ko; do
	xz -c "$module" >"$work/packed/packed_${module##*/}.xz"
done

# run WHAT STATUS ARGUMENT...: runs `weft index ARGUMENT...`, which must exit with STATUS and
# without a report of ThreadSanitizer.
run() {
	local status

	"$weft" index "$image" "${@:3}" -o "$work/out.weft" >"$work/said" 2>&1
	status=$?
	if [ $status = "$2" ] && ! grep -q ThreadSanitizer "$work/said"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED $1: ended with $status"
		cat "$work/said"
	fi
}

run "modules" 0 "$work"/m*.ko
run "modules that the database has, and others" 0 --update "$work"/m*.ko "$work"/packed/*.xz
for number in 3 7; do
	truncate -s 1000 "$work/m${number}_"*.ko
done
run "modules that are truncated" 6 "$work"/m*.ko
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
