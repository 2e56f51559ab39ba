#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# stock-prepare.sh MEASURE DB SAMPLE COMMAND...: COMMAND is a `weft prepare` without units that
# makes DB from nothing, with two compilers at a time. Prints what `--all` takes, how many functions
# are identical, and which share of the labels is found in the image, with goals. All units are
# compiled with the plugin, so their labels are those that the same kernel would have if all of it
# had been built with the plugin.
#
# If SAMPLE is a number, only so many units are compiled, spread evenly over the list of all. The
# processor time of all units is then estimated from what the first unit took and what each further
# unit of the sample took. The time by the clock is estimated as half of the processor time, as two
# compilers that have a processor each would need it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../bench/goals.sh"
measure=$1 db=$2 sample=$3
shift 3
command=("$@")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# divide A B SCALE: prints A / B * SCALE, with two decimals.
divide() { awk -v a="$1" -v b="$2" -v scale="$3" 'BEGIN { printf "%.2f", a / b * scale }'; }

# prepare ARGUMENT...: prepares these units; sets wall and cpu (milliseconds) and memory (MB).
prepare() {
	local figures

	# shellcheck disable=SC2016 # expanded by the other shell
	if ! figures=$("$measure" 1 sh -c '"$@" >"$0/said" 2>"$0/errors"' "$work" \
		"${command[@]}" "$@"); then
		cat "$work/errors" >&2
		exit 1
	fi
	read -r wall cpu memory <<<"$figures"
}

# prepare_sample: prepares the sample, and sets all to the number of all units, and wall and cpu to
# the estimates for them.
prepare_sample() {
	local n first again each

	"${command[@]}" --all --dry-run >"$work/dry" 2>"$work/errors" ||
		{ cat "$work/errors" >&2; exit 1; }
	sed '1,/ chosen, .* to be compiled: /d' "$work/dry" >"$work/all"
	all=$(wc -l <"$work/all")
	awk -v n="$sample" -v all="$all" 'int(NR * n / all) > int((NR - 1) * n / all)' \
		"$work/all" >"$work/units"
	n=$(wc -l <"$work/units")
	prepare "$(head -n 1 "$work/units")"
	first=$cpu
	prepare "$(head -n 1 "$work/units")"
	again=$cpu
	# shellcheck disable=SC2046 # names of files without blanks
	prepare $(cat "$work/units")
	each=$(((cpu - again) / (n - 1)))
	row "weft prepare, $n of $all units: processor time of each" \
		"$(divide $each 1000 1)" s
	cpu=$((first + each * (all - 1))) wall=$((cpu / 2))
}

if [ -n "$sample" ]; then prepare_sample; else prepare --all; fi
# "N units: N of N functions identical, N % of the bytes, N of N labels: ..."
read -r units identical functions bytes found labels < <(sed -n '/ % of the bytes/p' "$work/said" |
	grep -oE '[0-9.]+' | head -n 6 | paste -sd ' ')
if [ -n "$sample" ]; then
	what="weft prepare --all, estimated for $all units"
else
	what="weft prepare --all: $units units"
	row "weft prepare --all: its largest process" "$memory" MB at-most 2048
	row "weft prepare --all: the database" "$(($(stat -c %s "$db") / 1048576))" MB
fi
row "$what" "$(divide "$wall" 60000 1)" min at-most 90
row "$what: processor time" "$(divide "$cpu" 60000 1)" min
row "functions that are identical, of $functions" "$identical" ''
row "bytes of functions that are identical" "$bytes" % at-least 99
row "labels that are found, of $labels" "$(divide "$found" "$labels" 100)" % at-least 99
sed 's/^weft: warning: /not compiled: /' "$work/errors"
end
