#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs cases in guests and adds up the results. Cases run one after the other in one guest
# (in-turn.sh). Some get a guest of their own: a case whose guest needs other options and that has a
# line `# vm.sh: OPTION...`; a case after which no other can run and that has a line `# alone: WHY`;
# and a case that is the only one. If the guest itself fails (panic, splat in the kernel log, hang),
# that counts as one more failure, whatever the case printed. Usage: run-cases.sh CASE.sh...
#
# Environment, for another kernel than the demo one: WEFT_GUEST_KERNEL, as vm.sh's --kernel;
# WEFT_GUEST_OUT, a folder for the guests' logs; and WEFT_GUEST_DB, _KO, _ASPECTS, _MODULES (the
# module shapes) and _EVERYTHING, which a case finds as WEFT_DB and so on.
set -uo pipefail
# The limit for a case, in seconds. The longest case takes a ninth of this on an idle machine, and a
# quarter if other suites run at the same time.
limit_s=${WEFT_CASE_SECONDS:-900}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${WEFT_GUEST_OUT:-$O/vm}
passed=0 failed=0 skipped=0
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# guest NAME SECONDS OPTION... SCRIPT ARGUMENT...: runs SCRIPT in a guest for at most SECONDS. Shows
# the output and keeps it in $output.
guest() {
	"$here/vm.sh" --timeout "$2" --out "$out/$1" --env "O=$O" \
		${WEFT_GUEST_KERNEL:+--kernel "$WEFT_GUEST_KERNEL"} \
		--env "WEFT_DB=${WEFT_GUEST_DB:-$O/vmlinux.weft}" \
		--env "WEFT_KO=${WEFT_GUEST_KO:-$O/kmod-debug/weft.ko}" \
		--env "WEFT_ASPECTS=${WEFT_GUEST_ASPECTS:-$O/vm/aspects}" \
		--env "WEFT_MODULES=${WEFT_GUEST_MODULES:-$O/vm/modules}" \
		--env "WEFT_EVERYTHING=${WEFT_GUEST_EVERYTHING:-$O/vm/everything}" \
		--env "WEFT_SEED=${WEFT_SEED:-1}" --env "WEFT_FAULTS=${WEFT_FAULTS:-40}" \
		--env "WEFT_STRESS_SECONDS=${WEFT_STRESS_SECONDS:-20}" \
		--env "WEFT_REQUESTS=${WEFT_REQUESTS:-}" \
		--env "WEFT_ROUNDS=${WEFT_ROUNDS:-60}" \
		--env "WEFT_MODULE_ROUNDS=${WEFT_MODULE_ROUNDS:-6}" \
		--env "WEFT_KPROBES_SECONDS=${WEFT_KPROBES_SECONDS:-15}" \
		--env "WEFT_STARVED_STEP=${WEFT_STARVED_STEP:-24}" \
		"${@:3}" 2>&1 | tee "$output"
}

# Adds the counts in $output up. A case's own counts are the last line of that form that it prints.
add_up() {
	local p f s
	read -r p f s < <(awk '/^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { last = $0 }
		/^== [a-z_0-9]+: status / { add() }
		function add(n) { split(last, n, " "); p += n[1]; f += n[3]; s += n[5]; last = "" }
		END { add(); print p + 0, f + 0, s + 0 }' "$output")
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

failure() {
	echo "FAILED $*"
	failed=$((failed + 1))
}

alone() {
	local name status=0 start=$SECONDS before=$failed
	local -a options

	name=$(basename "$1" .sh)
	read -ra options < <(sed -n 's/^# vm\.sh: //p' "$1"; echo)
	printf -- '-- %s\n' "$name"
	guest "$name" "$limit_s" ${options[@]+"${options[@]}"} "$1" || status=$?
	add_up
	if [ $status != 0 ] && [ $failed = "$before" ]; then
		failure "$name: the guest ended with status $status (logs in $out/$name)"
	fi
	printf -- '-- %s: %d s\n' "$name" $((SECONDS - start))
}

# Prints the name of the case that ran when the kernel logged an error: the last case in the log
# before the error.
blamed() {
	awk '/weft-vm: case / { name = $NF }
		/cut here|BUG|WARNING|Oops|blocked for more|stall/ { exit }
		END { print name }' "$1"
}

# in_turn CASE...: runs the cases in one guest, which may end before the last case. Sets `ended` to
# the number of cases that have run.
in_turn() {
	local name status=0 start=$SECONDS before=$failed
	name=$(basename "$1" .sh)
	printf -- '-- in turn:'; printf ' %s' "${@##*/}"; echo
	guest "$name" $((limit_s * $#)) "$here/in-turn.sh" "$@" || status=$?
	add_up
	ended=$(grep -c '^== [a-z_0-9]*: status ' "$output")
	if [ $status != 0 ]; then
		if [ "$ended" -lt $# ]; then ended=$((ended + 1)); fi
		failure "$(blamed "$out/$name/serial.log"):" \
			"the guest ended with status $status (logs in $out/$name)"
	elif [ "$ended" = 0 ]; then
		ended=1
		failure "$name: the guest ended before it (logs in $out/$name)"
	elif grep -q '^== [a-z_0-9]*: status [1-9]' "$output" && [ $failed = "$before" ]; then
		failure "$(grep '^== [a-z_0-9]*: status [1-9]' "$output"), and says of no failure"
	fi
	printf -- '-- %s, %d cases: %d s\n' "$name" "$ended" $((SECONDS - start))
}

turn=()
for case; do
	if [ $# = 1 ] || grep -qE '^# (vm\.sh|alone): ' "$case"; then
		alone "$case"
	else
		turn+=("$case")
	fi
done
while [ ${#turn[@]} -gt 0 ]; do
	in_turn "${turn[@]}"
	turn=("${turn[@]:ended}")
done
printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
[ $failed = 0 ]
