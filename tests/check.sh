#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs test suites and adds up their counts. A suite is a make target, or the files of cases for the
# guest with commas between them. It must end with a line `N passed, N failed, N skipped`. A suite
# counts as one more failure if it has no such line, or if it fails without counting a failure.
# LANES suites (default: 1) run at the same time: each lane takes the next suite in the order given,
# so the longest suites should come first. The output of the suites is shown in that order, each
# suite's in one piece. The last line is the sum. Usage: check.sh [-j LANES] SUITE...
set -uo pipefail
cd "$(dirname "$0")/.."
lanes=1
if [ "${1-}" = -j ]; then
	lanes=$2
	shift 2
fi
suites=("$@")
# The files of suite N: N.taken exists once a lane has taken the suite; N.pid has its process;
# N.shown its output; N.sum its counts.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run_suite() {
	case $1 in
	*.sh) tests/vm/run-cases.sh ${1//,/ } ;;
	*) "${MAKE:-make}" -s --no-print-directory "$1" ;;
	esac
}

# suite N: runs suite N in a separate process and writes "passed failed skipped" to N.sum.
suite() {
	local name=${suites[$1]//tests\/vm\/cases\//} status=0 start=$SECONDS sum p f s
	printf '== %s\n' "$name"
	run_suite "${suites[$1]}" 2>&1 | tee "$work/$1.output" || status=$?
	sum=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$work/$1.output" |
		tail -n 1)
	read -r p _ f _ s _ <<<"${sum:-0 passed, 0 failed, 0 skipped}"
	if [ -z "$sum" ] || { [ $status != 0 ] && [ "$f" = 0 ]; }; then
		echo "FAILED $name: ended with status $status and without a count of failures"
		f=$((f + 1))
	fi
	echo "$p $f $s" >"$work/$1.sum"
	times >"$work/$1.times"
	printf -- '-- %s: %d s, %s s of processor time\n' "$name" $((SECONDS - start)) \
		"$(processor_s "$work/$1.times")"
}

# processor_s FILE...: prints the seconds that child processes took, from what `times` has printed
# to FILE.
processor_s() {
	awk -F '[ms ]+' 'FNR == 2 { s += ($1 + $3) * 60 + $2 + $4 } END { printf "%.0f", s }' "$@"
}

lane() {
	local n
	for n in "${!suites[@]}"; do
		mkdir "$work/$n.taken" 2>/dev/null || continue
		suite "$n" >"$work/$n.shown" 2>&1 &
		echo $! >"$work/$n.pid.new"
		mv "$work/$n.pid.new" "$work/$n.pid"
		wait $!
	done
}

# A background process does not get ^C, so the whole process group of the terminal is ended.
trap 'trap "" TERM; kill -TERM 0; exit 130' INT

for ((i = 0; i < lanes; i++)); do lane & done
for n in "${!suites[@]}"; do
	until [ -e "$work/$n.pid" ] || [ -z "$(jobs -r)" ]; do sleep 0.1; done
	tail -n +1 -s 0.1 -f --pid="$(cat "$work/$n.pid")" "$work/$n.shown"
	[ -e "$work/$n.sum" ] && continue
	echo "FAILED ${suites[n]}: ended by a signal"
	echo 0 1 0 >"$work/$n.sum"
done
printf -- '-- %d suites: %d s, %s s of processor time\n' ${#suites[@]} $SECONDS \
	"$(processor_s "$work"/*.times)"
cat "$work"/*.sum | awk '{ p += $1; f += $2; s += $3 }
	END {
		printf "%d passed, %d failed, %d skipped\n", p, f, s
		exit f != 0 || !p
	}'
