#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# stock-prepare.sh MEASURE DB COMMAND...: COMMAND is a `weft prepare --all` that makes DB from
# nothing, with two compilers at a time. Prints what it takes, how many functions are identical, and
# which share of the labels is found in the image, with goals. All units are compiled with the
# plugin, so their labels are those that the same kernel would have had if it had been built so.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../bench/goals.sh"
measure=$1 db=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# divide A B SCALE: prints A / B * SCALE
divide() { awk -v a="$1" -v b="$2" -v scale="$3" 'BEGIN { printf "%.2f", a / b * scale }'; }

# shellcheck disable=SC2016 # expanded by the other shell
if ! figures=$("$measure" 1 sh -c '"$@" >"$0/said" 2>"$0/errors"' "$work" "$@"); then
	cat "$work/errors" >&2
	exit 1
fi
read -r wall cpu memory <<<"$figures"
# "N units: N of N functions identical, N % of the bytes, N of N labels: ..."
read -r units identical functions bytes found labels < <(sed -n '/ % of the bytes/p' "$work/said" |
	grep -oE '[0-9.]+' | head -n 6 | paste -sd ' ')
row "weft prepare --all: $units units" "$(divide "$wall" 60000 1)" min at-most 90
row "weft prepare --all: processor time" "$(divide "$cpu" 60000 1)" min
row "weft prepare --all: its largest process" "$memory" MB at-most 2048
row "weft prepare --all: the database" "$(($(stat -c %s "$db") / 1048576))" MB
row "functions that are identical, of $functions" "$identical" ''
row "bytes of functions that are identical" "$bytes" % at-least 99
row "labels that are found, of $labels" "$(divide "$found" "$labels" 100)" % at-least 99
sed 's/^weft: warning: /not compiled: /' "$work/errors"
end
