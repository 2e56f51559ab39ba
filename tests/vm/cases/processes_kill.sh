#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kill -9 of `weft weave` or `weft unweave` while uprobes are registered or unregistered: whatever
# the moment, a process of the program has all breakpoints afterwards, or none. In a task that is
# being killed the kernel itself would leave breakpoints in the process.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/../breakpoints.sh"
shop=$O/vm/shop/shop
moments=6
load_weft
mkfifo /tmp/lines
SHOP_WAIT=1 "$shop" 30 </tmp/lines >/tmp/waited &
waiting=$!
exec 3>/tmp/lines
sleep 0.3

# took COMMAND...: prints how many milliseconds COMMAND took.
took() {
	local from=${EPOCHREALTIME/./}
	"$@" >/dev/null
	echo $(((${EPOCHREALTIME/./} - from) / 1000))
}
# kill_at MILLISECONDS COMMAND...: starts COMMAND and kills it after that time.
kill_at() {
	local after=$1
	shift
	"$@" >/dev/null 2>&1 &
	sleep "$((after / 1000)).$(printf '%03d' $((after % 1000)))"
	kill -9 $! 2>/dev/null
	wait $! 2>/dev/null
}
at_rest() { [[ $(state processes_many) = @(woven|loaded|none|gone) ]]; }
all=0
# whole MOMENT: checks that the process has all breakpoints or none, as `weft list` says.
whole() {
	local n now
	await at_rest
	now=$(state processes_many) n=$(breakpoints $waiting "$shop")
	case $now in
	woven) [ "$n" = $all ] ;;
	*) [ "$n" = 0 ] ;;
	esac || echo "$1: $now, with $n breakpoints" >>/tmp/trouble
	seen[$now]=$((${seen[$now]:-0} + 1))
}
weave_ms=$(took weft weave "$aspects/processes_many.ko")
all=$(breakpoints $waiting "$shop")
at_least "breakpoints" $all 20
unweave_ms=$(took weft unweave processes_many)
same "and none" "$(breakpoints $waiting "$shop")" 0
declare -A seen=()
for ((i = 1; i <= moments; i++)); do
	kill_at $((weave_ms * i / moments)) weft weave "$aspects/processes_many.ko"
	whole "weave killed at $i/$moments of $weave_ms ms"
	weft unweave --all >/dev/null 2>&1
done
same "weave killed at $moments moments" "$(cat /tmp/trouble 2>/dev/null)" ""
at_least "in different states" ${#seen[@]} 1
rm -f /tmp/trouble
for ((i = 1; i <= moments; i++)); do
	weft weave "$aspects/processes_many.ko" >/dev/null || echo "$i: no weave" >>/tmp/trouble
	kill_at $((unweave_ms * i / moments)) weft unweave processes_many
	whole "unweave killed at $i/$moments of $unweave_ms ms"
	weft unweave --all >/dev/null 2>&1
done
same "unweave killed at $moments moments" "$(cat /tmp/trouble 2>/dev/null)" ""
printf '\n\n\n' >&3
wait $waiting
same "the program is right" "$(cat /tmp/waited)" "$("$shop" 30)"
exec 3>&-
weft report --reset processes_many >/dev/null 2>&1
check "weft.ko unloads" rmmod weft
finish
