#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Judges what a database has of accesses, against syntax trees and instructions. KERNEL is the
# folder in which the database's kernel was built. TOOLS has ast, code and machine, and keeps the
# accesses of the syntax trees. DETAILS=1 prints each difference. WEFT_SEED=N and SAMPLE=N print a
# sample of the memory instructions that nothing explains, for reading, with their locations by
# addr2line. With `sample`, FILES files drawn by WEFT_SEED are judged, and compared with no floors.
# Usage: run.sh KERNEL DATABASE TOOLS few|all|sample
set -uo pipefail
here=$(realpath "$(dirname "$0")")
kernel=$(realpath "$1") database=$(realpath "$2") tools=$(realpath "$3") which=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

files='' column=3
case $which in
few)
	files=$(grep -v '^#' "$here/few.txt" | tr '\n' ' ')
	column=4
	;;
sample)
	files=$("$tools/code" "$kernel/vmlinux" | sed -n 's/^unit //p' | sort -u |
		awk -v seed="${WEFT_SEED:?}" 'BEGIN { srand(seed) } { print rand(), $0 }' |
		sort -g | head -n "${FILES:-200}" | cut -d' ' -f 2 | tr '\n' ' ')
	column=0
	echo "seed $WEFT_SEED, ${FILES:-200} files"
	;;
esac

# Stops if the database was made of another kernel.
id=$(sqlite3 "$database" "SELECT lower(hex(value)) FROM meta WHERE key = 'build_id'")
if ! readelf -n "$kernel/vmlinux" 2>/dev/null | grep -q "Build ID: $id"; then
	echo "FAILED $database is no database of $kernel/vmlinux"
	echo '0 passed, 1 failed, 0 skipped'
	exit 1
fi

# The syntax trees depend on the sources, on the configuration, and on which functions have code.
trees=$tools/trees-$(cat "$kernel/.config" "$kernel/Makefile" | sha256sum | cut -c 1-12)
# shellcheck disable=SC2086
if ! unread=$("$here/read.sh" "$kernel" "$tools/ast" "$tools/code" "$trees" $files); then
	printf '%s\n' "$unread" | sed 's/^/not read: /'
fi
# A header that is included as FOLDER/../NAME gets its plain name.
if [ "$which" != all ]; then
	for file in $files; do [ ! -e "$trees/$file.ast" ] || cat "$trees/$file.ast"; done
else
	sed -n 's/^unit //p' "$trees/code.txt" | sort -u | while read -r file; do
		[ ! -e "$trees/$file.ast" ] || cat "$trees/$file.ast"
	done
fi | sed 's,[^ /]*/\.\./,,g' | sort -u >"$work/trees"

for what in joinpoints shadows fates; do
	"$here/dump.sh" "$database" $what >"$work/$what"
done
# Each line of errors.txt quotes the source that proves the oracle's error; that text must be in
# that line.
grep '^[a-z]' "$here/errors.txt" | while read -r _ place _ proof; do
	text=$(sed -n 's/^"\(.*\)" .*/\1/p' <<<"$proof")
	[ -n "$text" ] && sed -n "${place##*:}p" "$kernel/${place%:*}" | grep -qF -- "$text" ||
		echo "difference proof $place"
done >"$work/proofs"
all=1
[ "$which" = all ] || all=''
awk -v FILES="$files" -v ALL=$all -v DETAILS=1 -f "$here/judge.awk" "$here/errors.txt" \
	"$work/joinpoints" "$work/trees" >"$work/judged"
awk -f "$here/facts.awk" "$work/judged" "$work/joinpoints" "$work/trees" "$work/shadows" \
	"$work/fates" >"$work/facts"
# shellcheck disable=SC2086
"$tools/machine" "$kernel/vmlinux" "$work/facts" $files >"$work/machine"
awk -f "$here/pointcuts.awk" -v FILES="$files" "$here/pointcuts.txt" "$work/joinpoints" \
	"$work/shadows" "$work/machine" >"$work/pointcuts"

[ "${DETAILS:-0}" != 1 ] || grep -h '^difference' "$work/judged" "$work/machine" "$work/pointcuts"
cat "$work/proofs"
grep -h '^pointcut' "$work/pointcuts"
if [ -n "${WEFT_SEED:-}" ] && [ "${SAMPLE:-0}" != 0 ]; then
	echo "memory instructions that nothing explains, seed $WEFT_SEED:"
	grep '^memory' "$work/machine" | awk '$7 == 0' |
		awk -v seed="$WEFT_SEED" 'BEGIN { srand(seed) } { print rand(), $0 }' |
		sort -g | head -n "$SAMPLE" | while read -r _ _ at rest; do
		echo "  $at $rest"
		addr2line -i -f -e "$kernel/vmlinux" "$at" | paste - - | sed 's/^/    /'
	done
fi
awk -v COLUMN=$column -v UNREAD="$(grep -c . <<<"$unread")" -f "$here/report.awk" \
	"$here/floors.txt" "$work/judged" "$work/machine" "$work/pointcuts" "$work/proofs"
