#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs libFuzzer on one target. ARGUMENTS are libFuzzer's, and limit the number of inputs or the
# time. Inputs that reach new code are written into the folder KEPT, unless KEPT is empty. An input
# that makes the target fail is written beside FUZZ as TARGET-crash-HASH, or TARGET-timeout-,
# TARGET-oom- or TARGET-leak-HASH. Usage: target.sh FUZZ WEFT TARGET ARGUMENTS KEPT VMLINUX MODULE
# VMLINUX MODULE ASPECT...
set -eu
fuzz=$1 weft=$2 target=$3 arguments=$4 kept=$5 vmlinux=$6 module=$7 other_vmlinux=$8 other_module=$9
shift 9
here=$(dirname "$0")/corpus
# The readers also handle the name of their input file. So the temporary folder's name always has
# the same length and depth, which does not change the code that is reached.
TMPDIR=$(mktemp -d /tmp/weft-fuzz.XXXXXX)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
corpus=$TMPDIR/corpus comparisons=''
mkdir "$corpus"
# The longest input of each target, in bytes. It is larger than every seed, so that seeds can grow.
case $target in
table) longest=4096
	objcopy --dump-section .debug_weaknames="$corpus/table" "$vmlinux" /dev/null
	objcopy --dump-section .debug_weaknames="$corpus/other" "$other_vmlinux" /dev/null ;;
vmlinux) longest=32768
	cp "$vmlinux" "$corpus/vmlinux"
	cp "$other_vmlinux" "$corpus/other" ;;
module | object) longest=32768
	cp "$module" "$corpus/module"
	cp "$other_module" "$corpus/other" ;;
database) longest=262144
	"$weft" index "$vmlinux" -o "$corpus/database" >/dev/null
	"$weft" index "$other_vmlinux" -o "$corpus/other" >/dev/null ;;
records) longest=4096
	"$here/bytes.sh" "$here/records" "$corpus" ;;
recording) longest=8192
	"$here/bytes.sh" "$here/recording" "$corpus" ;;
aspect) longest=8192
	# Two folders may have aspects of the same name, so the copy's name has the folder.
	for aspect in "$here"/aspect/*.xml "$@"; do
		cp "$aspect" "$corpus/$(echo "$aspect" | tr / -)"
	done ;;
esac
# With -use_cmp libFuzzer makes new inputs from the operands of comparisons. When images are read,
# some operands are addresses, which differ from run to run.
case $target in vmlinux | module | object) comparisons=-use_cmp=0 ;; esac
# The seeds are given as a list, whose order is always the same; the order in a folder is the file
# system's. The timeout of a minute per input is a thousand times what any input takes.
printf %s "$(find "$corpus" -type f | LC_ALL=C sort | paste -sd ,)" >"$TMPDIR/inputs"
# shellcheck disable=SC2086
"$fuzz-$target" $arguments $comparisons -max_len=$longest -timeout=60 -rss_limit_mb=1024 \
	-keep_seed=1 -reload=0 -artifact_prefix="$fuzz-$target-" -seed_inputs=@"$TMPDIR/inputs" \
	${kept:+"$kept"}
