#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# libFuzzer on one target: target.sh FUZZ WEFT TARGET ARGUMENTS KEPT VMLINUX MODULE VMLINUX MODULE
# ASPECT... ARGUMENTS are libFuzzer's own, for how long it goes on; into the folder KEPT goes what
# went new ways, unless it is empty. What ends badly lies beside FUZZ as TARGET-crash-HASH, or
# timeout or oom or leak.
set -eu
fuzz=$1 weft=$2 target=$3 arguments=$4 kept=$5 vmlinux=$6 module=$7 other_vmlinux=$8 other_module=$9
shift 9
here=$(dirname "$0")/corpus
# What a file is called goes through the readers as well: always as long and as deep, so that it is
# no other way.
TMPDIR=$(mktemp -d /tmp/weft-fuzz.XXXXXX)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
corpus=$TMPDIR/corpus comparisons=''
mkdir "$corpus"
# No input is longer than so many bytes, which leaves all of the corpus room to grow.
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
aspect) longest=8192
	# Names repeat between folders.
	for aspect in "$here"/aspect/*.xml "$@"; do
		cp "$aspect" "$corpus/$(echo "$aspect" | tr / -)"
	done ;;
esac
# libFuzzer takes up what is compared; among that are addresses where images are read, and those
# differ from run to run.
case $target in vmlinux | module | object) comparisons=-use_cmp=0 ;; esac
# The order in a folder is the file system's, that in a list is ours. A minute for an input is a
# thousand times what any takes.
printf %s "$(find "$corpus" -type f | LC_ALL=C sort | paste -sd ,)" >"$TMPDIR/inputs"
# shellcheck disable=SC2086
"$fuzz-$target" $arguments $comparisons -max_len=$longest -timeout=60 -rss_limit_mb=1024 \
	-keep_seed=1 -reload=0 -artifact_prefix="$fuzz-$target-" -seed_inputs=@"$TMPDIR/inputs" \
	${kept:+"$kept"}
