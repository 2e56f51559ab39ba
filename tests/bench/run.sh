#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs benchmarks of `make bench-hit`, `make bench-weave`, `make bench-oneliners` and
# `make bench-records` in the guest, each of them even if one before it misses a goal; the last line
# is the sum. The benchmark of a hit, and parts of the others, run in a guest that counts
# instructions, so that the figures are the same on every machine. Usage: run.sh BENCHMARK...
set -uo pipefail
cd "$(dirname "$0")/../.."
passed=0 failed=0
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# options_of BENCHMARK: sets options to those of vm.sh, and the script with its arguments.
options_of() {
	case $1 in
	hit) options=(--icount tests/bench/guest.sh) ;;
	records) options=(tests/bench/records.sh) ;;
	# The guest counts each step of a string instruction (such as rep movs) as an instruction.
	# On a processor without erms and fsrm, the kernel's steps are of eight bytes.
	records-count)
		options=(--icount --cpu max,la57=off,erms=off,fsrm=off tests/bench/records-count.sh)
		;;
	ktrace)
		options=(--icount --cpu max,la57=off,erms=off,fsrm=off tests/bench/ktrace.sh)
		;;
	weave) options=(--memory 2G tests/bench/weave.sh) ;;
	oneliners) options=(--memory 2G tests/bench/oneliners.sh 3) ;;
	oneliners-count) options=(--memory 2G --icount tests/bench/oneliners.sh 3 1) ;;
	stall) options=(--memory 2G --accel parallel tests/bench/stall.sh) ;;
	weave-count) options=(--memory 2G --icount tests/bench/weave-count.sh) ;;
	*) echo "run.sh: there is no benchmark $1" >&2; exit 2 ;;
	esac
}

for name; do
	options_of "$name"
	status=0
	tests/vm/vm.sh --quiet --timeout 900 --env "O=$O" --env "WEFT_DB=$O/vmlinux.weft" \
		"${options[@]}" 2>&1 | tee "$output" || status=$?
	read -r p _ f _ < <(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$output" |
		tail -n 1)
	passed=$((passed + ${p:-0})) failed=$((failed + ${f:-0}))
	if [ -z "${p:-}" ] || { [ $status != 0 ] && [ "$f" = 0 ]; }; then
		echo "FAILED $name: the guest ended with status $status"
		failed=$((failed + 1))
	fi
done
printf '%d passed, %d failed, 0 skipped\n' $passed $failed
[ $failed = 0 ]
