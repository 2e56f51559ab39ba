# SPDX-License-Identifier: GPL-2.0-or-later
#
# What every case in the guest starts with: the programs' folders, weft.ko loaded, results counted. A case is a bash script that
# calls these and ends with `finish`.
set -u

programs=$O/vm/programs
aspects=$O/vm/aspects
PATH=$O:$programs:$PATH
passed=0 failed=0 skipped=0

pass() { printf 'ok     %s\n' "$1"; passed=$((passed + 1)); }
fail() { printf 'FAILED %s: %s\n' "$1" "$2"; failed=$((failed + 1)); }

# check NAME COMMAND...: the command has to succeed; what it printed is shown when it does not.
check() {
	local name=$1 output
	shift
	if output=$("$@" 2>&1); then pass "$name"; else fail "$name" "exit $?: $output"; fi
}

# same NAME FOUND WANTED
same() {
	if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "'$2' instead of '$3'"; fi
}

# refuses NAME STATUS PATTERN COMMAND...: exits with that status and says one line, on stderr, that matches the pattern.
refuses() {
	local name=$1 want=$2 pattern=$3 status=0 said
	shift 3
	said=$("$@" 2>&1 >/dev/null) || status=$?
	if [ "$status" != "$want" ]; then fail "$name" "exit $status instead of $want: $said"
	elif [ "$(printf '%s\n' "$said" | wc -l)" != 1 ]; then fail "$name" "more than one line: $said"
	elif ! printf '%s\n' "$said" | grep -qE "$pattern"; then fail "$name" "no '$pattern' in: $said"
	else pass "$name"; fi
}

load_weft() { insmod "$O/kmod/weft.ko" || { echo "cannot load weft.ko"; exit 1; }; }

# state NAME: as `weft list` has it, or "none".
state() { weft list --json | sed -n "s/^{\"aspect\":\"$1\",\"state\":\"\([a-z]*\)\".*/\1/p" | grep . || echo none; }

# figure NAME KEY: a number of `weft list --json`.
figure() { weft list --json | grep "^{\"aspect\":\"$1\"," | sed "s/.*\"$2\":\([0-9]*\).*/\1/"; }

# Of `weft report --json` in the file $json. metric NAME: its object. row NAME KEY: the row's object. value KEY: a number of the
# object on standard input.
json=$(mktemp) said=$(mktemp)
metric() { grep -F "\"metric\":\"$1\"" "$json"; }
row() { metric "$1" | grep -oP "\{\"key\":\"\Q$2\E\".*?\}"; }
value() { sed -n "s/.*\"$1\":\(-\?[0-9]*\).*/\1/p"; }
# between NAME FOUND LEAST MOST
between() {
	if [ "$2" -ge "$3" ] && [ "$2" -le "$4" ]; then pass "$1"; else fail "$1" "$2 is not between $3 and $4"; fi
}

tracing=/sys/kernel/tracing
# counting EVENT KEYS [FILTER]: tracefs counts the event by the keys from now on. counted EVENT [PATTERN]: how often, of keys that
# match. Of a fourth argument, a field, the sums as well.
counting() { echo "hist:keys=$2${4:+:vals=$4}:size=1024${3:+ if $3}" >"$tracing/events/$1/trigger"; }
counted() { sed 's/  */ /g' "$tracing/events/$1/hist" | awk -v p="${2-}" '/hitcount:/ && $0 ~ p { n += $NF } END { print n + 0 }'; }
told() { awk -v key="$1" '$1 == key { print $2 }' "$said"; }

# count METRIC KEY, sum METRIC KEY: of the row, 0 where there is none.
count() { row "$@" | value count | grep . || echo 0; }
sum() { row "$@" | value sum | grep . || echo 0; }

# observe ASPECT COMMAND...: woven for the time of the command, whose output is kept for told(), the report for metric().
observe() {
	local aspect=$1
	shift
	check "$aspect" weft weave "$aspects/$aspect.ko"
	"$@" >"$said" || fail "$aspect: $*" "exit $?"
	weft report --json "$aspect" >"$json" 2>/dev/null
	weft unweave "$aspect" >/dev/null || fail "$aspect: unweave" "exit $?"
}

# equal NAME FOUND WANTED: the same number, and not nothing.
equal() {
	if [ "${3:-0}" -gt 0 ]; then same "$1 ($3)" "$2" "$3"; else fail "$1" "nothing to compare with"; fi
}

finish() {
	printf '%d passed, %d failed, %d skipped\n' $passed $failed $skipped
	[ $failed = 0 ]
}
