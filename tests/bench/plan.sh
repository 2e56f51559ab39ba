#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Measures what planning costs on the demo kernel, on one core, and the share of its instructions
# that get each kind of splice. The goals are for processor time, since the time by the clock also
# depends on who else uses the machine. Usage: plan.sh WEFT MEASURE DB
set -euo pipefail
. "$(dirname "$0")/goals.sh"
. "$(dirname "$0")/plan-share.sh"
weft=$1 measure=$2
export WEFT_DB=$3

# cost ROUNDS COMMAND...: measures COMMAND and sets wall, cpu (both in milliseconds) and memory (in
# MB).
cost() {
	local figures
	figures=$(taskset -c 0 "$measure" "$@")
	read -r wall cpu memory <<<"$figures"
}

cost 3 "$weft" plan --all
row "weft plan --all: time, on one core" \
	"$(awk -v ms="$wall" 'BEGIN { printf "%.1f", ms / 1000 }')" s
row "weft plan --all: processor time" \
	"$(awk -v ms="$cpu" 'BEGIN { printf "%.1f", ms / 1000 }')" s at-most 15
row "weft plan --all: memory" "$memory" MB at-most 2048
for what in 'plan vfs_read+0x5' 'explain vfs_read+0x5'; do
	# shellcheck disable=SC2086
	cost 20 "$weft" $what
	row "weft $what" "$cpu" ms at-most 50
done
cost 5 "$weft" plan sk_buff.destructor
row "weft plan sk_buff.destructor ($("$weft" plan --json sk_buff.destructor | wc -l) shadows)" \
	"$cpu" ms

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$weft" plan --all --json >"$work/plain"
row "instructions with a call" "$(share "$work/plain" call)" %
row "with a jump over one instruction or several" "$(share "$work/plain" jump)" %
row "with a springboard" "$(share "$work/plain" springboard)" %
row "at jump speed" "$(share "$work/plain" call jump springboard)" % at-least 97
row "with a trap" "$(share "$work/plain" trap)" % at-most 2
row "refused" "$(share "$work/plain" refused)" %
end
