#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A tag whose objects lose it in a module, too (tests/vm/modules/shapes_tags.xml). The module is
# unloaded and loaded again. An aspect that was not asked to wait for modules is not woven in it
# then, so it misses objects that the module frees: it must not believe any tag from then on, and
# say so. One that waits is woven in it, and its tags hold.
. "$(dirname "$0")/lib.sh"
load_weft
shapes=$WEFT_MODULES/shapes.ko
cp "$(command -v dd)" /tmp/tagged
count_reads() { weft report --json shapes_tags >"$json" && metric reads | value count; }
# tagged_reads: prints how many reads of files with the tag are counted, of a program that opens
# files and reads one 500 times.
tagged_reads() {
	local before
	before=$(count_reads)
	/tmp/tagged if=/dev/zero of=/dev/null bs=1 count=500 2>/dev/null
	echo $(($(count_reads) - before))
}
says() { weft list | grep -c 'no object carries it any more: a module that frees some'; }

insmod "$shapes" || exit 1
check "weave" bash -c "weft weave '$aspects/shapes_tags.ko' >/tmp/said"
at_least "files that it opens carry the tag" "$(tagged_reads)" 500
rmmod shapes
at_least "and when the module is gone" "$(tagged_reads)" 500
same "nothing is lost yet" "$(says)" 0
insmod "$shapes"
same "the module is back, and not woven: none does" "$(tagged_reads)" 0
same "weft list says so" "$(says)" 1
check "and the log" grep -q \
	'shapes_tags: no object carries a tag any more: the module shapes, ' <(dmesg)
check "unweave" weft unweave shapes_tags
weft report --reset shapes_tags >/dev/null

check "weave, and wait for modules" \
	bash -c "weft weave --pending '$aspects/shapes_tags.ko' >/tmp/said"
rmmod shapes
insmod "$shapes"
at_least "the module is back, and woven: files carry the tag" "$(tagged_reads)" 500
same "nothing is lost" "$(says)" 0
check "unweave that" weft unweave shapes_tags
weft report --reset shapes_tags >/dev/null
rmmod shapes
check "weft.ko unloads" rmmod weft
finish
