#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints which share of the instructions of a kernel as shipped, and of some of its modules, can be
# woven at jump speed, with goals. DB is the database of the kernel and the modules; FOLDER has the
# modules' files. The number of instructions is compared with objdump's. The goals leave out
# endbr64: on kernels with IBT one instruction in a hundred is an endbr64, which must stay where
# indirect branches land. Usage: stock-plan.sh WEFT VMLINUX DB FOLDER MODULE...
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../bench/goals.sh"
. "$here/../bench/plan-share.sh"
weft=$1 vmlinux=$2 db=$3 folder=$4
shift 4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# objdump_count FILE SECTION...: prints how many instructions these sections have, without int3.
objdump_count() {
	local file=$1
	shift
	objdump -d --no-show-raw-insn "${@/#/--section=}" "$file" | awk -F '\t' '
		/^ *[0-9a-f]+:\t/ && !/\(bad\)/ && $2 !~ /^int3/ { n++ } END { print n + 0 }'
}
# number FILE KEY: prints the number that KEY has in the JSON of FILE.
number() { sed -E "s/.*\"$2\":([0-9]+).*/\1/" "$1"; }

# plan MODULE FILE SECTION...: writes the plan of MODULE to $work/MODULE, which must have as many
# instructions as objdump prints. The decoders differ in a few places, such as the middle of a
# return thunk's instruction; and objdump also decodes tables in the text, which the weaver reports
# as no instructions.
plan() {
	local name=$1 file=$2 theirs ours unknown
	shift 2
	"$weft" plan --db "$db" --all "$name" --json >"$work/$name"
	theirs=$(objdump_count "$file" "$@")
	ours=$(($(number "$work/$name" instructions) + $(number "$work/$name" padding)))
	unknown=$(number "$work/$name" unknown)
	row "$name: instructions, less those of objdump" $((ours - theirs)) '' at-most 100
	row "$name: instructions of objdump, less these and $unknown bytes" \
		$((theirs - ours - unknown)) '' at-most 100
}
# speed NAME FILE GOAL: prints the share at jump speed, by the plan in FILE, with its goal.
speed() {
	local endbr
	endbr=$(sed -nE 's/.*"refusals":\{[^}]*"endbr":([0-9]+).*/\1/p' "$2")
	row "$1: at jump speed" "$(share "$2" call jump springboard)" %
	sed -E "s/(\"instructions\"):[0-9]+/\1:$(($(number "$2" instructions) - ${endbr:-0}))/" \
		"$2" >"$2.others"
	row "$1: at jump speed, of all but endbr64" \
		"$(share "$2.others" call jump springboard)" % at-least "$3"
	row "$1: with a trap" "$(share "$2" trap)" %
	row "$1: refused" "$(share "$2" refused)" %
}

plan vmlinux "$vmlinux" .text
speed vmlinux "$work/vmlinux" 97
for module; do
	mapfile -t sections < <(readelf -SW "$folder/$module.ko" | sed 's/^ *\[ *[0-9]*\] //' |
		awk '$7 ~ /X/ && $1 !~ /^\.(init\.text|altinstr_replacement|altinstr_aux)$/ {
			print $1 }')
	plan "$module" "$folder/$module.ko" "${sections[@]}"
	row "$module: at jump speed" "$(share "$work/$module" call jump springboard)" %
done
# Adds up the counts of all modules' plans. Of the refusals, only "endbr" is counted.
awk -F '[{:,}]' '{
	split("", seen)
	for (i = 2; i < NF; i++) {
		gsub(/"/, "", $i)
		if ($i ~ /^[a-z]/ && $(i + 1) ~ /^[0-9]/ && !($i in seen)) {
			seen[$i] = 1
			if (!seen["refusals"])
				n[$i] += $(i + 1)
			else if ($i == "endbr")
				endbr += $(i + 1)
		}
		if ($i == "refusals") { split("", seen); seen["refusals"] = 1 }
	}
} END {
	printf "{"
	for (key in n)
		printf "\"%s\":%d,", key, n[key]
	printf "\"refusals\":{\"endbr\":%d}}\n", endbr
}' "${@/#/$work/}" >"$work/all"
speed "these $# modules" "$work/all" 95
end
