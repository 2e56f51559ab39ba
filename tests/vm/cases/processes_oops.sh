#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A task of a program dies of an oops below advice. The kernel's lock at that uprobe is then never
# released, and whoever registered or unregistered an uprobe there would wait for ever. The case
# fails if unweaving waits for ever, or any other request that takes weft.ko's lock; if the program
# stops; or if weft.ko lets the program be woven again.
# vm.sh: --allow-splat
. "$(dirname "$0")/lib.sh"
shop=$O/vm/shop/shop
load_weft
echo 0 >/proc/sys/kernel/panic_on_oops
check "weave" bash -c "weft weave '$aspects/processes_oops.ko' >/tmp/said"
check "another aspect at the same instruction" \
	bash -c "weft weave '$aspects/processes_shop.ko' >/tmp/said"
check "the program runs" "$shop" 20
# The advice is for a task of that name, which is the name of the file that it executes.
touch /tmp/victim
mount --bind "$shop" /tmp/victim
/tmp/victim 20 >/dev/null
check "the task died" test $? -ge 128
dmesg >/tmp/dmesg
same "one oops" "$(grep -c 'Oops:' /tmp/dmesg)" 1
check "the log says first whose" grep -q "processes_oops: its advice, at processes_oops.xml:" \
	<(grep -B 3 -m 1 'BUG: ' /tmp/dmesg)
check "the aspect is unwoven" await in_state processes_oops faulted
check "the log says what stays" grep -q \
	"processes_oops: a task has died in advice at byte 0x.* the uprobe there stays" <(dmesg)
check "requests are answered" timeout 20 weft list
same "the other one is still woven" "$(state processes_shop)" woven
same "the program goes on" "$(timeout 60 "$shop" 30)" "sold 30 worth 435 reads 0 clerks 45"
check "the aspect goes" timeout 60 weft unweave processes_oops
check "so does the other one" timeout 60 weft unweave processes_shop
weft report --json processes_shop >"$json"
# The kernel decides whose handler it calls first, so the sale in which the task died may be
# missing.
between "it has counted on" "$(metric sales | value count)" $((20 + 30)) $((20 + 1 + 30))
check "and the log says what stays of it" grep -q \
	"processes_shop: a task has died in advice at byte 0x.* the uprobe there stays" <(dmesg)
same "but no more than that" "$(dmesg | grep -c 'the uprobe there stays')" 2
weft report --reset processes_shop >/dev/null
refuses "the program cannot be woven any more" 10 'a task has died in advice' \
	timeout 60 weft weave "$aspects/processes_shop.ko"
refuses "nor written to" 1 'Text file busy' bash -c "exec 4>>'$shop'"
cp "$shop" /tmp/new
mount --bind /tmp/new "$shop"
check "a new file can be woven" bash -c "weft weave '$aspects/processes_shop.ko' >/tmp/said"
"$shop" 10 >/dev/null
weft report --json processes_shop >"$json"
same "and is counted" "$(metric sales | value count)" 10
check "the rest of the kernel is woven" weft weave "$aspects/entry_first.ko"
check "all goes" timeout 60 weft unweave --all
weft report --reset processes_shop >/dev/null
refuses "weft.ko stays" 1 'in use' rmmod weft
finish
