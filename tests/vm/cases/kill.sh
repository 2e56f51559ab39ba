#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kill -9 of `weft weave` or `weft unweave` at any moment must leave an aspect either fully woven or
# not woven at all, and `weft list` must show which. The moments are spread over the whole time that
# a weave or an unweave takes.
. "$(dirname "$0")/lib.sh"
moments=${1:-14}
load_weft
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null
aspect=log_skb_destructor
module=$aspects/$aspect.ko
weft weave "$module" >/dev/null
all=$(figure $aspect splices)
at_least "it is woven at places" "${all:-0}" 10
weft unweave $aspect >/dev/null

# took COMMAND...: prints how many nanoseconds COMMAND took.
took() {
	local from=${EPOCHREALTIME/./}
	"$@" >/dev/null
	echo $(((${EPOCHREALTIME/./} - from) * 1000))
}
# Takes the shorter of two times, so that all moments lie within a weave or an unweave.
for try in 1 2; do
	ns=$(took weft weave "$module")
	if [ $try = 1 ] || [ "$ns" -lt "$weave_ns" ]; then weave_ns=$ns; fi
	ns=$(took weft unweave $aspect)
	if [ $try = 1 ] || [ "$ns" -lt "$unweave_ns" ]; then unweave_ns=$ns; fi
done

# kill_at NANOSECONDS COMMAND...: starts COMMAND and kills it after that time.
kill_at() {
	local after=$1
	shift
	"$@" >/dev/null 2>&1 &
	sleep "$(printf '%d.%09d' $((after / 1000000000)) $((after % 1000000000)))"
	kill -9 $! 2>/dev/null
	wait $! 2>/dev/null
}

# whole: checks, by `weft list` and by the kernel's text, that the aspect is either woven with all
# splices or not in the text at all. It starts few processes, which take long to start in the
# emulator.
whole() {
	local line now_state=none splices=0 changed
	line=$(weft list --json)
	if [[ $line =~ "\"aspect\":\"$aspect\",\"state\":\""([a-z]*) ]]; then
		now_state=${BASH_REMATCH[1]}
	fi
	if [[ $line =~ "\"splices\":"([0-9]+) ]]; then splices=${BASH_REMATCH[1]}; fi
	changed=$(kernel-text --splices /tmp/before)
	seen[$now_state]=$((${seen[$now_state]:-0} + 1))
	case $now_state in
	woven) [ "$changed" = "$all 0" ] && [ "$splices" = "$all" ] ;;
	loaded | retiring | gone | none) [ "$changed" = "0 0" ] && [ "$splices" = 0 ] ;;
	*) false ;;
	esac || echo "$1: $now_state, $splices splices, text changed: $changed" >>/tmp/trouble
}

# moment NANOSECONDS: prints when to kill a command that takes NANOSECONDS, for round $i, as
# nanoseconds after its start. $moments rounds cover this time. But the machine may have become
# slower since the time was measured, so more rounds follow, which kill ever later, until one kill
# comes after the command's end.
moment() {
	local late=$((i < moments ? 0 : i - moments))
	echo $(($1 * i / moments << (late < 4 ? late : 4)))
}
declare -A seen=()
for ((i = 0; i < moments || i < 2 * moments && ${seen[woven]:-0} == 0; i++)); do
	kill_at "$(moment $weave_ns)" weft weave "$module"
	whole "weave killed at $i/$moments"
	weft unweave --all >/dev/null 2>&1
done
same "weave killed at $i moments" "$(cat /tmp/trouble 2>/dev/null)" ""
if [ ${#seen[@]} -ge 2 ] && [ "${seen[woven]:-0}" -ge 1 ]; then
	pass "before and after the weave"
else
	fail "moments" "all alike"
fi
echo "       states seen: $(for s in "${!seen[@]}"; do printf '%s %d  ' "$s" "${seen[$s]}"; done)"

seen=()
for ((i = 0; i < moments || i < 2 * moments && ${#seen[@]} < 2; i++)); do
	weft weave "$module" >/dev/null || echo "$i: cannot weave again" >>/tmp/trouble
	kill_at "$(moment $unweave_ns)" weft unweave $aspect
	whole "unweave killed at $i/$moments"
	weft unweave --all >/dev/null 2>&1
done
same "unweave killed at $i moments" "$(cat /tmp/trouble 2>/dev/null)" ""
at_least "in different states" ${#seen[@]} 2
echo "       states seen: $(for s in "${!seen[@]}"; do printf '%s %d  ' "$s" "${seen[$s]}"; done)"

weft weave --bound "$module" >/dev/null &
await in_state $aspect woven
same "a bound aspect is woven while its process lives" "$(state $aspect)" woven
same "and says whose it is" "$(figure $aspect owner)" $!
kill -9 $!
wait $! 2>/dev/null
same "and goes with it" "$(state $aspect | sed 's/retiring\|loaded/out/')" out
check "text restored" restored
check "what is left loaded is cleared away" weft unweave --all
check "and it can be woven again" weft weave "$module"
weft unweave --all >/dev/null
weft read >/dev/null
check "weft.ko unloads" rmmod weft
finish
