#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs the kernel's own selftests in two guests, one with nothing woven, the other with counters at
# every function and every basic block; then prints both results, test by test. These are failures:
# a difference that is not in differences.txt with its reason; an entry of that file that is no
# difference any more; a splat in either kernel's log; a suite of which nothing passes. FTRACE
# chooses some of ftrace's tests, as a pattern of their paths. Usage: run-selftests.sh [SUITE...]
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
vm=$here/../vm
work=$O/kselftest
known=$here/differences.txt
minutes=180 # The limit for all suites of one guest; a busy machine takes long.
suites=("$@")
[ $# -gt 0 ] || suites=(static_keys kprobes events livepatch bpf ftrace)
passed=0 failed=0

pass() { printf 'ok     %s\n' "$1"; passed=$((passed + 1)); }
fail() { printf 'FAILED %s\n' "$1"; failed=$((failed + 1)); }

# run_guest WAY: leaves results, logs, and the list of what is woven in $work/WAY.
run_guest() {
	local folder=$work/$1

	rm -rf "$folder"
	mkdir -p "$folder"
	: >"$folder/results"
	if "$vm/vm.sh" --memory 3G --timeout $((minutes * 60)) --out "$folder" \
		--env "WEFT_KO=$O/kmod-debug/weft.ko" --env "WEFT_DB=$O/vmlinux.weft" \
		--env "WEFT_FTRACE=${FTRACE:-}" \
		"$here/guest-selftests.sh" "$1" "${suites[@]}" 2>&1; then
		pass "$1: the guest ends well"
	else
		fail "$1: the guest: $(head -n 1 "$folder/verdict"); logs in $folder"
	fi
}

run_guest plain
run_guest woven
sed 's/^/       /' "$work/woven/woven" 2>/dev/null

# ---- prints both results, test by test -----------------------------------------------------------
# A test that was not reached in one of the guests has the result "absent" there.
awk -F '\t' -v known="$known" -v suites="${suites[*]}" -f "$here/compare.awk" \
	"$work/plain/results" "$work/woven/results" >"$work/table"
cat "$work/table"
read -r p _ f _ <<<"$(tail -n 1 "$work/table")"
printf '%d passed, %d failed, 0 skipped\n' $((passed + p)) $((failed + f))
[ $((failed + f)) = 0 ]
