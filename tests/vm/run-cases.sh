#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Boots a guest for each case and sums up: run-cases.sh CASE.sh... A case that wants its guest
# otherwise has a line `# vm.sh: OPTION...`. A case that the harness fails (panic, splat in the
# kernel log, hang) counts as one failure more, whatever it printed.
#
# Environment, for another kernel than the demo one: WEFT_GUEST_KERNEL, as vm.sh's --kernel;
# WEFT_GUEST_OUT, a folder for the guests' logs; and WEFT_GUEST_DB, _KO, _ASPECTS, _MODULES (the
# module shapes) and _EVERYTHING, which a case finds without GUEST_.
set -uo pipefail
# For a case: the longest takes a ninth of it alone on a machine, a quarter beside other lanes.
limit_s=${WEFT_CASE_SECONDS:-900}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${WEFT_GUEST_OUT:-$O/vm}
passed=0 failed=0 skipped=0
output=$(mktemp)
trap 'rm -f "$output"' EXIT

for case; do
	name=$(basename "$case" .sh) status=0 start=$SECONDS
	read -ra options < <(sed -n 's/^# vm\.sh: //p' "$case"; echo)
	printf -- '-- %s\n' "$name"
	"$here/vm.sh" --timeout $limit_s --out "$out/$name" --env "O=$O" \
		${WEFT_GUEST_KERNEL:+--kernel "$WEFT_GUEST_KERNEL"} \
		--env "WEFT_DB=${WEFT_GUEST_DB:-$O/vmlinux.weft}" \
		--env "WEFT_KO=${WEFT_GUEST_KO:-$O/kmod-debug/weft.ko}" \
		--env "WEFT_ASPECTS=${WEFT_GUEST_ASPECTS:-$O/vm/aspects}" \
		--env "WEFT_MODULES=${WEFT_GUEST_MODULES:-$O/vm/modules}" \
		--env "WEFT_EVERYTHING=${WEFT_GUEST_EVERYTHING:-$O/vm/everything}" \
		--env "WEFT_SEED=${WEFT_SEED:-1}" --env "WEFT_FAULTS=${WEFT_FAULTS:-40}" \
		--env "WEFT_STRESS_SECONDS=${WEFT_STRESS_SECONDS:-60}" \
		--env "WEFT_REQUESTS=${WEFT_REQUESTS:-}" \
		--env "WEFT_MODULE_ROUNDS=${WEFT_MODULE_ROUNDS:-6}" \
		--env "WEFT_KPROBES_SECONDS=${WEFT_KPROBES_SECONDS:-60}" \
		${options[@]+"${options[@]}"} "$case" 2>&1 |
		tee "$output" || status=$?
	read -r p _ f _ s _ \
		< <(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$output" | tail -n 1)
	if [ $status != 0 ] && [ "${f:-0}" = 0 ]; then
		echo "FAILED $name: the guest ended with status $status (logs in $out/$name)"
		f=1
	fi
	printf -- '-- %s: %d s\n' "$name" $((SECONDS - start))
	passed=$((passed + ${p:-0})) failed=$((failed + ${f:-0})) skipped=$((skipped + ${s:-0}))
	unset p f s
done
printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
[ $failed = 0 ]
