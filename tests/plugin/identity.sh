#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks that code is the same with the plugin and without it. Everything that `strip -g` leaves of
# an object (every loaded section, their relocations, the symbols) must be equal byte for byte.
# Without KERNEL (or $KERNEL) the cases are compiled under many sets of options: each case under a
# third of the sets, chosen by $WEFT_SEED; with WEFT_LONG=1 each under all. With KERNEL, a kernel
# that was built with the plugin, some of its objects are built once more without the plugin, by the
# recorded commands, including those that follow the compiler (objtool). Nothing is written into the
# kernel's folder. Usage: identity.sh PLUGIN [KERNEL]
set -uo pipefail
plugin=$(realpath "$1")
kernel=${2:-${KERNEL:-}}
here=$(realpath "$(dirname "$0")")
CC=${CC:-gcc}
PER_FOLDER=${PER_FOLDER:-4}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

option_sets=(
	"-O0" "-O0 -g" "-O1" "-O2" "-O2 -g" "-O3" "-Os" "-Og -g"
	"-O2 -pg -mfentry"
	"-O2 -fsanitize=kernel-address"
	"-O2 -fsanitize=kernel-address --param asan-instrumentation-with-call-threshold=0"
	"-O2 -fsanitize=undefined"
	"-O2 -fprofile-arcs -ftest-coverage -frandom-seed=weft"
	"-O2 -freorder-blocks-and-partition -ffunction-sections"
	"-O2 -mindirect-branch=thunk-extern -mindirect-branch-register \
-mfunction-return=thunk-extern"
	"-O2 -mindirect-branch=thunk -mfunction-return=thunk"
	"-O2 -fcf-protection=branch -fpatchable-function-entry=16,16"
	"-O2 -fsanitize-coverage=trace-pc -fstack-protector-strong"
	"-O2 -fno-ipa-icf -fno-inline -fno-omit-frame-pointer"
	"-O3 -funroll-loops -ftree-vectorize -mavx2"
	"-O2 -g -gdwarf-4 -mcmodel=kernel -fno-pic -mno-red-zone"
	"-O2 -fpic" "-O2 -m32" "-O2 -fno-toplevel-reorder" "-O2 -pipe"
	"-O2 -fcommon -fno-strict-aliasing"
)

# verdict NAME: compares the object that was compiled with the plugin with the one without.
verdict() {
	strip -g -o "$work/without.stripped" "$work/without.o"
	strip -g -o "$work/with.stripped" "$work/with.o"
	if cmp -s "$work/without.stripped" "$work/with.stripped"; then
		passed=$((passed + 1))
		return
	fi
	failed=$((failed + 1))
	echo "FAILED $1: the objects differ"
	diff <(readelf -SW "$work/without.stripped") <(readelf -SW "$work/with.stripped") |
		head -n 10
	diff <(objdump -drw "$work/without.stripped") <(objdump -drw "$work/with.stripped") |
		sed -n 3,12p
}

# report NAME: reports a compilation that has failed or has printed something.
report() {
	failed=$((failed + 1))
	echo "FAILED $1: the compiler says:"
	head -n 10 "$work/errors"
}

compare_case() {
	local case=$1 options name
	options=$2 name="$(basename "$1") $2"
	# Data files of coverage are named after the output, so both outputs have the same name.
	# shellcheck disable=SC2086
	(cd "$work" &&
		$CC -std=gnu11 $options -c -o case.o "$case" 2>errors && mv case.o without.o &&
		$CC -fplugin="$plugin" -std=gnu11 $options -c -o case.o "$case" 2>errors &&
		mv case.o with.o) &&
		[ ! -s "$work/errors" ] || { report "$name"; return; }
	verdict "$name"
}

# command_of CMD-FILE OBJECT: prints the recorded commands, without the plugin and the dependency
# file, and with $OUTPUT as their output.
command_of() {
	sed -nE '1 {
		s/^(saved)?cmd_[^ ]* := //
		s/-Wp,-MMD,[^ ]*//; s/-fplugin=[^ ]*//g
		s/\$\(pound\)/#/g; s/\$\$/$/g
		p
	}' "$1" |
		awk -v object="$2" \
			'{ for (i = 1; i <= NF; i++) if ($i == object) $i = "\"$OUTPUT\""; print }'
}

# grep -q would end before readelf has written its last lines, and readelf would then fail.
has_table() {
	readelf -SW "$1" | grep -F .debug_weaknames >/dev/null
}

compare_kernel_file() {
	local object=${1#"$kernel"/}
	object=$(dirname "$object")/$(basename "$object" .cmd | cut -c 2-)
	(cd "$kernel" &&
		OUTPUT=$work/without.o bash -c "$(command_of "$1" "$object")" 2>"$work/errors") &&
		[ ! -s "$work/errors" ] || { report "$object"; return; }
	cp "$kernel/$object" "$work/with.o"
	has_table "$work/with.o" || echo "note   $object: no table"
	if has_table "$work/without.o"; then
		echo "a table without the plugin" >"$work/errors"
		report "$object"
		return
	fi
	verdict "$object"
}

# kernel_files: prints .cmd files of C objects, PER_FOLDER from each part of the tree, evenly
# spread.
kernel_files() {
	local folder
	for folder in fs net mm kernel drivers lib; do
		find "$kernel/$folder" -name '.*.o.cmd' 2>/dev/null | sort | while read -r file; do
			# shellcheck disable=SC2016
			head -n 1 "$file" | grep -qE ' -c .* [^ ]+\.c( |$)' && echo "$file"
		done | awk -v n="$PER_FOLDER" '{ line[NR] = $0 }
			END {
				step = NR > n ? NR / n : 1
				for (i = 1; i <= NR; i += step) print line[int(i)]
			}'
	done
}

if [ -n "$kernel" ]; then
	count=0
	while read -r file; do
		compare_kernel_file "$file"
		count=$((count + 1))
	done < <(kernel_files)
	if [ $count -lt 20 ]; then
		echo "FAILED $kernel: only $count recorded compilations found, 20 are wanted"
		failed=$((failed + 1))
	fi
else
	turn=$((${WEFT_SEED:-1}))
	for case in "$here"/cases/*.c; do
		turn=$((turn + 1))
		for i in "${!option_sets[@]}"; do
			[ -z "${WEFT_LONG:-}" ] && [ $(((turn + i) % 3)) != 0 ] ||
				compare_case "$case" "${option_sets[i]}"
		done
	done
fi
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
