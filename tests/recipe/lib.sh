# SPDX-License-Identifier: GPL-2.0-or-later
#
# Counts results. The tests of recipes and templates source this file in the top folder of the tree.

passed=0 failed=0
# check WHAT COMMAND...: fails if COMMAND fails.
check() {
	if "${@:2}"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'FAILED %s\n' "$1"
	fi
}
