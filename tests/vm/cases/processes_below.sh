#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests what a program's file may lie on. If a file cannot be opened because its server does not
# answer (tests/vm/probed/slow_file.c), only the process that weaves it waits. If a file is in an
# overlay (overlayfs), processes map the file in the layer below: the uprobes must be on that file,
# and nobody may write to it, neither directly nor through the overlay.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/../breakpoints.sh"
shop=$O/vm/shop/shop
load_weft

insmod "$O/vm/probed/slow_file.ko" || exit 1
mkdir /tmp/slow
mount -t slow_file none /tmp/slow
# with_slow COMMAND...: runs COMMAND in a mount namespace in which the slow file is mounted over the
# program.
with_slow() {
	unshare --mount bash -c 'mount --bind /tmp/slow/program "$0" && exec "$@"' "$shop" "$@"
}
insmod "$aspects/processes_many.ko" || exit 1
with_slow weft weave "$aspects/processes_oops.ko" >/tmp/weave.said 2>&1 &
slow=$!
with_slow weave-bare processes_many >/tmp/bare.said 2>&1 &
bare=$!
sleep 2
waits() { [ -d /proc/$slow ] && [ -d /proc/$bare ]; }
check "who asks for the program waits, and who weaves it" waits
# answered COMMAND...: fails if COMMAND does not succeed within 20 s. COMMAND runs in the
# background, since nothing ends a process that waits for weft.ko's lock.
answered() {
	"$@" >/dev/null 2>&1 &
	local command=$! end=$((SECONDS + 20))
	while [ -d /proc/$command ]; do
		[ $SECONDS -lt $end ] || return
		sleep 0.1
	done
	wait $command
}
check "others are answered" answered weft list
check "and can weave" answered weft weave "$aspects/entry_first.ko"
check "and unweave" answered weft unweave entry_first
check "they wait still" waits
echo 1 >/sys/module/slow_file/parameters/released
wait $slow $bare
check "then one is told why not" grep -q 'is no 64-bit program' /tmp/weave.said
same "and the other" "$(cat /tmp/bare.said)" 8 # ENOEXEC
weft unweave --all >/dev/null 2>&1
umount /tmp/slow
check "the file system goes" rmmod slow_file

# layers NAME LAYER: mounts an overlay on /tmp/NAME/all, whose file `shop` is in that layer, and
# mounts the file over the program.
layers() {
	mkdir -p /tmp/$1/{lower,upper,work,all}
	cp "$shop" /tmp/$1/$2/shop
	mount -t overlay overlay /tmp/$1/all \
		-o lowerdir=/tmp/$1/lower,upperdir=/tmp/$1/upper,workdir=/tmp/$1/work &&
		mount --bind /tmp/$1/all/shop "$shop"
}
writable() { (exec 4>>"$1") 2>/dev/null; }
unwritable() { ! writable "$1"; }
for layer in upper lower; do
	check "$layer: an overlay" layers over_$layer $layer
	check "$layer: weave" bash -c "weft weave '$aspects/processes_many.ko' >/tmp/said"
	"$shop" 1000 >/tmp/sold &
	wait $!
	weft report --json processes_many >"$json"
	at_least "$layer: it is counted" "$(metric blocks | value count)" 5000
	check "$layer: nobody writes to the file" unwritable "$shop"
	check "$layer: nor to the file below" unwritable /tmp/over_$layer/$layer/shop
	check "$layer: unweave" weft unweave processes_many
	weft report --reset processes_many >/dev/null
	check "$layer: it can be written to" writable /tmp/over_$layer/$layer/shop
	exec 4>>/tmp/over_$layer/$layer/shop
	refuses "$layer: somebody writes to the file below" 10 'open for writing' \
		weft weave "$aspects/processes_many.ko"
	exec 4>&-
	umount "$shop"
	umount /tmp/over_$layer/all
done
check "weft.ko unloads" bash -c 'weft report --reset processes_many; rmmod weft'
finish
