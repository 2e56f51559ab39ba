#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# In the guest: guest-selftests.sh plain|woven SUITE...: the results of these suites in
# /share/results, with nothing woven, not even weft.ko loaded; or with every function and every
# basic block counted that weft accepts. Then /share/woven says what was woven, and the text has to
# be the same when all is over.
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
