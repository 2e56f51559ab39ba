#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks that each indirect branch in the given modules is listed in branches.txt, or is one that
# the kernel makes direct when the module is loaded (paravirt). --ibt says that the modules are for
# a kernel with CONFIG_X86_KERNEL_IBT: then each function whose address is taken must begin with an
# endbr64 that is not on the list of those that the module loader removes ("sealed"). Uses readelf
# and objdump, and no code of weft or of objtool. Usage: branches.sh [--ibt] MODULE.ko...
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
ibt=0
if [ "${1:-}" = --ibt ]; then ibt=1; shift; fi

# result NAME FILE: passes if FILE, which lists errors, is empty.
result() {
	if [ -s "$2" ]; then
		failed=$((failed + 1))
		printf 'FAILED %s:\n' "$1"
		head -n 5 "$2" | sed 's/^/  /'
		awk 'NR > 5 { n++ } END { if (n) print "  and " n " more" }' "$2"
	else
		passed=$((passed + 1))
		printf 'ok     %s\n' "$1"
	fi
}

# functions_of MODULE.ko: prints FUNCTION FILE:LINE of each indirect branch in the source. A branch
# in an inlined function is listed by that function's name, not by the one that it was inlined into.
functions_of() {
	local section

	awk -F '\t' '$1 == "branch" { print $2 }' "$work/found" | sort -u |
		while read -r section; do
		awk -F '\t' -v section="$section" '
			$1 == "branch" && $2 == section && $5 != "paravirt" { print $3 }
		' "$work/found" </dev/null | addr2line -j "$section" -afie "$1" |
			awk '/^0x/ { n = 0; next } ++n == 1 { name = $0 } n == 2 { print name, $1 }'
		done
}

all_branches=0 all_taken=0 all_modules=0
touch "$work/unknown" "$work/not-landing"
for module; do
	name=$(basename "$module" .ko)
	{
		readelf -SW "$module"
		readelf -sW "$module"
		readelf -rW "$module"
		objdump -d --no-show-raw-insn "$module"
	} | awk -f "$here/branches.awk" >"$work/found"
	functions_of "$module" >"$work/functions"
	awk -v module="$name" '
		FNR == NR && !/^#/ { known[$1, $2] = 1 }
		FNR != NR && !((module, $1) in known) && !((module, "*") in known) {
			print module ".ko: " $1 "() at " $2 " branches through a pointer;" \
				" branches.txt does not know why that may be"
		}
	' "$here/branches.txt" "$work/functions" >>"$work/unknown"
	# Trampolines of static calls need no endbr64, since only direct branches lead to them.
	awk -F '\t' -v module="$name" '
		$1 == "taken" && $2 !~ /^__SCT__/ && $3 != "endbr" {
			print module ".ko: " $2 "(), whose address " $4 " has: " \
				($3 == "sealed" ? "its endbr64 is sealed" : "no endbr64")
		}
	' "$work/found" >>"$work/not-landing"
	all_modules=$((all_modules + 1))
	all_branches=$((all_branches + $(grep -c '^branch' "$work/found" || true)))
	all_taken=$((all_taken + $(grep -c '^taken' "$work/found" || true)))
done
[ $all_taken -gt 0 ] || { echo "branches.sh: nothing found in $all_modules modules"; exit 1; }
result "each of $all_branches indirect branches in $all_modules modules has a known target" \
	"$work/unknown"
if [ $ibt = 1 ]; then
	result "each of $all_taken functions whose address is taken begins with an endbr64" \
		"$work/not-landing"
fi
printf '%d passed, %d failed, 0 skipped\n' $passed $failed
[ $failed = 0 ]
