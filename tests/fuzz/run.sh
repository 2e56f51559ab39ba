#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every target once, at the same time, each with inputs of its kind, its corpus first: run.sh FUZZ WEFT ROUNDS SEED VMLINUX MODULE VMLINUX
# MODULE ASPECT...
set -u
fuzz=$1 weft=$2 rounds=$3 seed=$4 vmlinux=$5 module=$6 other_vmlinux=$7 other_module=$8
shift 8
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 targets=''

# start TARGET INPUTS INPUT...: what takes longer gets fewer inputs
start() {
	target=$1 n=$(($2 * rounds))
	shift 2
	targets="$targets $target"
	mkdir "$work/$target"
	{
		"$fuzz" "$target" "$n" "$seed" "$work/$target" "$vmlinux" "$@" >"$work/$target/out" 2>&1
		echo $? >"$work/$target/status"
	} &
}

for image in vmlinux other_vmlinux; do
	eval "path=\$$image"
	objcopy --dump-section .debug_weaknames="$work/$image.table" "$path" /dev/null
	"$weft" index "$path" -o "$work/$image.weft" >/dev/null || exit 1
done
corpus=$(dirname "$0")/corpus
"$corpus/bytes.sh" "$corpus/records" "$work/corpus" || exit 1
start table 20000 "$work/vmlinux.table" "$work/other_vmlinux.table"
start vmlinux 800 "$vmlinux" "$other_vmlinux"
start module 300 "$module" "$other_module"
start aspect 5000 "$corpus"/aspect/*.xml "$@"
start records 800 "$work/corpus"/*
start database 250 "$work/vmlinux.weft" "$work/other_vmlinux.weft"
wait
for target in $targets; do
	if [ "$(cat "$work/$target/status")" = 0 ]; then
		passed=$((passed + 1))
		cat "$work/$target/out"
		continue
	fi
	failed=$((failed + 1))
	cp "$work/$target/crash" "$fuzz-$target"
	echo "FAILED $target with seed $seed; the input is $fuzz-$target:"
	head -n 30 "$work/$target/out"
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
