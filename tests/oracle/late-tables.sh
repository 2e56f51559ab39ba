#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks the tables that are written to an aspect's module after it was compiled. One table has the
# line in the author's XML for each instruction; it is compared with addr2line. The other has the
# kernel functions which weft.ko may leave if advice has called them and faults in them; objdump
# shows whether these functions do anything that forbids leaving them. Usage: late-tables.sh WEFT
# VMLINUX O XML...
set -euo pipefail
. "$(dirname "$0")/lib.sh"
O=$3
shift 3
kernel=$(dirname "$vmlinux")

# words MODULE SECTION: prints the section's 32-bit numbers, a pair per line. The first pair has the
# number of pairs.
words() {
	objcopy -O binary --only-section="$2" --set-section-flags "$2=alloc" "$1" "$work/section"
	od -An -v -t u4 -w8 "$work/section"
}

# lines NAME XML: compiles the kept C once more, with debug information, and compares the table's
# lines with addr2line. For an instruction that was inlined, addr2line prints several locations, the
# innermost first; of these the first one in the author's XML must be in the table, since the others
# are in headers. For some tables of DWARF 5, addr2line of binutils 2.40 prints the C file where
# readelf prints the XML file; then the table may have the line number of either location.
lines() {
	local built=$work/$1
	make -s -C "$kernel" "M=$built" "KBUILD_EXTRA_SYMBOLS=$built/weft.symvers" KCFLAGS=-g1 \
		CONFIG_DEBUG_INFO_BTF_MODULES= modules >"$work/log" 2>&1
	for module in "$built/$1.ko" "$work/$1.ko"; do
		objcopy -O binary --only-section=.text "$module" "$module.text"
	done
	cmp "$built/$1.ko.text" "$work/$1.ko.text"
	objdump -d -j .text "$built/$1.ko" | sed -nE 's/^ *([0-9a-f]+):\t.*/\1/p' >"$work/addresses"
	addr2line -a -i -j .text -e "$built/$1.ko" <"$work/addresses" |
		awk -v xml="/$2:" -v c="/$1/$1.c:" '
			/^0x/ { if (n++) print line, either; line = either = 0; next }
			!line && (at = index($0, c)) { either = substr($0, at + length(c)) + 0 }
			!line && (at = index($0, xml)) {
				line = substr($0, at + length(xml)) + 0 }
			END { print line, either }' >"$work/wanted"
	words "$work/$1.ko" .weft.lines >"$work/table"
	while read -r address; do echo $((0x$address)); done <"$work/addresses" |
		awk 'NR == FNR { if (FNR > 1) { offset[++n] = $1; line[n] = $2 } next }
			{ while (i < n && offset[i + 1] <= $1) i++; print line[i] + 0 }' \
			"$work/table" - >"$work/found"
	paste "$work/addresses" "$work/found" "$work/wanted" |
		awk -v name="$1" '$2 != $3 && ($3 || $2 != $4) {
			print name, $1 ": line " $2 " instead of " $3 }' >>"$work/wrong"
	wc -l <"$work/addresses" >>"$work/compared"
}

# leavable NAME: checks that no instruction of a function in the table, in which advice may be left,
# touches callee-saved registers, locks or the interrupt flag, or branches through a pointer.
leavable() {
	local text
	text=$(nm "$vmlinux" | awk '$3 == "_text" { print $1 }')
	words "$work/$1.ko" .weft.leavable | tail -n +2 | while read -r offset size; do
		objdump -d --no-show-raw-insn --start-address=$((0x$text + offset)) \
			--stop-address=$((0x$text + offset + size)) "$vmlinux" |
			sed -n '/xchg *%ax,%ax/d; s/^ffffffff/&/p' | tee -a "$work/left" |
			grep -E '%[re]?bx|%b[lh]\b|%r1[2-5]|\b(lock|cli|sti|popf|cmpxchg)|\*%' \
				>>"$work/harmful" || true
	done
}

for xml; do
	name=$(basename "$xml" .xml)
	mkdir "$work/$name"
	"$weft" compile "$xml" --kernel "$kernel" --db "$O/vmlinux.weft" \
		--keep-c="$work/$name" -o "$work/$name.ko" >/dev/null 2>"$work/log" ||
		{ cat "$work/log"; exit 1; }
	lines "$name" "$(basename "$xml")"
	leavable "$name"
done
touch "$work/wrong" "$work/harmful"
result "lines of instructions" "$work/wrong" \
	"$(awk '{ n += $1 } END { print n }' "$work/compared")" 500
result "functions that advice may be left in" "$work/harmful" "$(wc -l <"$work/left")" 100
finish
