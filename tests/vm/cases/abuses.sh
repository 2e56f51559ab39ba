#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Each row of tests/refuse/abuses.sh is a mistake in advice that no compiler reports, with an aspect
# that makes it. The case weaves these aspects and hits their advice. It fails if the task that was
# hit does not go on, if `weft list` does not name the aspect and the author's line, if the aspect
# stays woven, or if the kernel's log has a splat.
. "$(dirname "$0")/lib.sh"
load_weft
insmod "$O/vm/nesting/nesting.ko" || exit 1

# try NAME HOW PATTERN: weaves the aspect abuse_NAME, with --check if HOW is `check`, and hits its
# advice. The line of `weft list` about the fault must match PATTERN.
try() {
	local name=$1 options=()

	[ "$2" != check ] || options=(--check)
	check "$name: woven" weft weave "${options[@]}" "$aspects/abuse_$name.ko"
	check "$name: the task that is hit goes on" \
		taskset -c 0 bash -c 'echo 1 >/dev/nesting && exit 0'
	check "$name: the aspect is unwoven" await in_state "abuse_$name" faulted
	check "$name: it is told" grep -qE "$3" <(weft list)
	check "$name: with the author's line" grep -q "abuse_$name.xml:[0-9]" <(weft list)
	check "$name: it goes" weft unweave "abuse_$name"
}
while read -r row; do
	read -r name told pattern <<<"$row"
	try "$name" "$told" "$pattern"
done < <("$WEFT_TOP/tests/refuse/abuses.sh" rows run check)
rmmod nesting
check "weft.ko unloads" rmmod weft
finish
