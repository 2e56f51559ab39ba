#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs the case mitigations (tests/vm/cases) on each processor, and with each kernel parameter, for
# which returns or indirect calls run through other thunks. `make bench-mitigations` calls this
# script.
set -uo pipefail
cd "$(dirname "$0")/../.."
passed=0 failed=0

# with PATTERN CPU WORDS: runs the case on the emulated processor CPU with the kernel parameters
# WORDS. A file of /sys/devices/system/cpu/vulnerabilities must match PATTERN.
with() {
	printf -- '-- %s %s\n' "$2" "$3"
	if tests/vm/vm.sh --quiet --timeout 300 --env "O=$O" --env "WEFT_DB=$O/vmlinux.weft" \
		--env "WEFT_MITIGATION=$1" --cpu "$2" --append "$3" \
		tests/vm/cases/mitigations.sh; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
	fi
}

with 'safe RET' EPYC-Milan ''
with 'IBPB' EPYC-Milan 'spec_rstack_overflow=ibpb'
with 'untrained return thunk' EPYC-Rome 'retbleed=unret'
with 'Retpolines' EPYC-Rome 'retbleed=off spec_rstack_overflow=off'
with 'Aligned branch/return thunks' Icelake-Server ''
with 'Retpolines' Icelake-Server 'spectre_v2=retpoline indirect_target_selection=off'
with 'Aligned branch/return thunks' Skylake-Server ''
with 'Vulnerable' EPYC-Milan 'mitigations=off'
printf '%d passed, %d failed, 0 skipped\n' $passed $failed
[ $failed = 0 ]
