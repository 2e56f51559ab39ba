#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks three things that could become worse on another kernel without an error: that shadows get
# jumps over several instructions; that an int3 reaches weft.ko straight from the entry code and not
# through the notifiers; and that splices in the thunks of returns and indirect branches are
# refused.
. "$(dirname "$0")/../../vm/cases/lib.sh"
returns=$(dirname "$0")/../aspects/returns.xml
parameters=/sys/module/weft/parameters
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null
load_weft
uname -r

if grep -qw fred /proc/cpuinfo; then
	same "int3s come through the notifiers, since FRED is on" "$(cat $parameters/hook)" N
else
	same "int3s come straight from the entry code" "$(cat $parameters/hook)" Y
	same "and return as the kernel does" "$(stub_returns 2>&1)" "like the kernel"
fi
same "weft.ko says nothing of jump tables" "$(dmesg | grep -c 'weft: .*jump tables')" 0

# A kernel that is compiled without jump tables has nearly all of its shadows at jump speed.
weft weave "$aspects/accesses.ko" >/tmp/weave
cat /tmp/weave
slow=$(($(summary /tmp/weave trap) + $(summary /tmp/weave refused)))
at_least "hundredths that are no traps and not refused" \
	$((100 - slow * 100 / $(summary /tmp/weave matched))) 90
at_least "some are jumps over several instructions" "$(several_instructions)" 10
check "optimized" optimized accesses
check "traffic through jumps" traffic 30
at_least "hits by jumps" "$(figure accesses hits)" 30
weft unweave accesses >/dev/null

# Weaves the same aspect by traps, whose handler emulates calls and jumps.
check "weave by traps" weft weave --traps "$aspects/log_skb_destructor.ko"
check "traffic through traps" traffic 30
at_least "hits by traps" "$(figure log_skb_destructor hits)" 30
weft unweave log_skb_destructor >/dev/null
weft read log_skb_destructor >/dev/null

weft weave "$aspects/returns.ko" >/tmp/returns 2>&1
places=$(grep -c '<instruction' "$returns")
same "what returns run through is refused" \
	"$(head -n 1 /tmp/returns | sed 's/.*refused/refused/')" \
	"refused $places (blacklisted $places)"
check "the rest is woven, and lives" traffic 30
weft unweave returns >/dev/null

check "weft.ko unloads" rmmod weft
check "the kernel's text is the same to the byte" restored
finish
