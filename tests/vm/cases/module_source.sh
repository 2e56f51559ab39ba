#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests an aspect over a module and the kernel that is compiled from its source: the weaver itself
# finds the module's functions, exits and variables (tests/vm/modules/shapes_source.xml). The case
# fails if a count differs from what the module says of itself.
. "$(dirname "$0")/lib.sh"
load_weft

# value METRIC KEY: prints that number of the metric's only row.
value() {
	weft report shapes_source --json |
		sed -nE "s/.*\"metric\":\"$1\".*\"$2\":([0-9]+).*/\1/p"
}
insmod "$O/vm/modules/shapes.ko"
check "weave into the module and the kernel" \
	bash -c "weft weave $aspects/shapes_source.ko >/tmp/said"
for n in 1 22 333; do
	echo $n >/dev/shapes
done
same "entries are the module's own count" "$(value tails count)" \
	"$(cat /sys/module/shapes/parameters/runs)"
same "and exits" "$(value exits count)" "$(value tails count)"
same "a variable of the module's DWARF: bytes written" "$(value sizes sum)" 9
at_least "in the kernel, too" "$(value kernel count)" 3
check "every byte is back" bash -c "weft unweave shapes_source"
check "weave again" bash -c "weft weave $aspects/shapes_source.ko >/tmp/said"
echo 1 >/dev/shapes
check "the module goes" rmmod shapes
same "what is gone with it is not counted; what has run once before was" \
	"$(value tails shadows_refused) $(value ever shadows_refused) $(value ever count)" "1 0 1"
weft unweave shapes_source >/tmp/said
finish
