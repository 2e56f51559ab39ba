#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The part of run-selftests.sh that runs in the guest: writes the results of these suites to
# /share/results. With `plain` nothing is woven, and weft.ko is not loaded. With `woven` there are
# counters at every function and every basic block that weft accepts; /share/woven lists what was
# woven, and afterwards unweaving must succeed, and weft.ko must go. Usage: guest-selftests.sh
# plain|woven SUITE...
set -u
way=$1
logs=/share/logs
shift
. "$(dirname "$0")/suites.sh"
prepare_guest

run_suites() {
	local suite

	for suite; do
		printf -- '-- %s: %s\n' "$way" "$suite" >&2
		suite_"$suite"
	done >/share/results
}

if [ "$way" = plain ]; then
	run_suites "$@"
	exit
fi
insmod "$WEFT_KO" || exit 1
weft weave --optimized "$O/vm/aspects/everywhere.ko" >/share/summary 2>&1 || exit 1
run_suites "$@"
{
	head -n 1 /share/summary
	weft list
	weft report everywhere
} >/share/woven
weft unweave everywhere >>/share/woven || exit 1
rmmod weft
