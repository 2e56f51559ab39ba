#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests `weft run --pending`, for an aspect whose module the command loads. The module calls the
# counted function seven times in its init function (tests/vm/modules/shapes.c), so the case fails
# unless there are seven hits.
. "$(dirname "$0")/lib.sh"
shapes=$O/vm/modules/shapes.ko early=$aspects/shapes_early.ko
load_weft

check "a command that loads it" bash -c "weft run --pending $early -- insmod $shapes 2>/tmp/said"
hits() { grep -o 'unwoven: [0-9]* hits' /tmp/said; }
same "has hits before its init runs" "$(hits)" "unwoven: 7 hits"
check "and what it was woven in" grep -qx '  shapes .text: woven, 1 splice' /tmp/said
rmmod shapes
weft run --pending "$early" -- sh -c 'exit 3' 2>/tmp/said
same "a command that does not: its status" $? 3
check "and where it would be woven" grep -qx '  shapes .text: pending, 0 splices' /tmp/said

weft run --pending "$early" 2>/tmp/said &
waiting=$!
await grep -q 'waiting for its modules' /tmp/said
check "woven while it waits" in_state shapes_early woven
insmod "$shapes"
wait $waiting
same "without a command it ends when the module is there" $? 0
same "and tells all of its hits" "$(hits)" "unwoven: 7 hits"
check "nothing is woven then" in_state shapes_early none
check "a module that is there ends it at once" weft run --pending "$early"
rmmod shapes

weft run --pending "$early" 2>/tmp/said &
waiting=$!
await grep -q 'waiting for its modules' /tmp/said
kill -TERM $waiting
wait $waiting
same "a signal ends the waiting" $? 143
check "and the report is there" grep -q 'unwoven: 0 hits' /tmp/said
insmod "$shapes"
check "nothing is woven then" in_state shapes_early none
rmmod shapes

refuses "without --pending it has to be there" 10 'module shapes is not loaded.*--pending' \
	weft run "$early" -- true
refuses "and a command, too" 2 'no command' weft run "$early"
refuses "--own is about a command's hits" 2 'no command' weft run --pending --own "$early"
finish
