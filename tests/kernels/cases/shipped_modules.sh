#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests an aspect in the distribution's own modules, whose files are as shipped. The aspect waits
# for five of them and is woven when they are loaded. It must count what kprobes on the same
# functions count, let the modules be unloaded, and count again when they are loaded again.
#
# vm.sh: --network
# module aspects: in_modules
. "$(dirname "$0")/../../vm/cases/lib.sh"
aspect=$(dirname "$0")/../aspects/in_modules.xml
tracing=/sys/kernel/tracing
others="act_ct cls_matchall sch_ingress"
mapfile -t modules < <(sed -n 's/.*<within module="\([^"]*\)".*/\1/p' "$aspect")
function_of() { sed -n "s/.*name=\"\([^\"]*\)\".*module=\"$1\".*/\1/p" "$aspect"; }
load_weft
uname -r

load() {
	local module

	for module in "${modules[@]}" $others; do
		modprobe -d "$WEFT_KERNEL/root" "$module" || return
	done
}
# Unloads act_ct before the aspect's modules, since it uses one of them.
unload() {
	local module

	for module in act_ct "${modules[@]}"; do modprobe -r "$module" || return; done
}

# Sends frames through veth and conntrack and through the guest's network card, writes blocks to a
# loop device with a file system, and tries a mount that xfs refuses, since the device has another
# file system.
use_modules() {
	local card disk

	ip link add v0 type veth peer name v1 && ip link set v0 up && ip link set v1 up &&
		ip route add 10.9.0.2/32 dev v0 &&
		ip neigh add 10.9.0.2 dev v0 lladdr "$(cat /sys/class/net/v1/address)" &&
		tc qdisc add dev v1 clsact &&
		tc filter add dev v1 ingress matchall action ct || return
	for i in {1..20}; do echo $i >/dev/udp/10.9.0.2/9; done
	card=$(basename /sys/bus/virtio/drivers/virtio_net/*/net/*)
	ip addr add 10.0.2.15/24 dev "$card" && ip link set "$card" up || return
	for i in {1..20}; do echo $i >/dev/udp/10.0.2.2/9; done
	disk=$(losetup -f --show /tmp/disk) && mkdir -p /tmp/mounted &&
		mount "$disk" /tmp/mounted && seq 10000 >/tmp/mounted/file && sync &&
		umount /tmp/mounted || return
	! mount -t xfs -o ro "$disk" /tmp/mounted 2>/dev/null || return
	losetup -d "$disk"
	ip link del v0 && ip link set "$card" down
}
counted() { weft report in_modules --json | grep "\"metric\":\"$1\"" | value count; }
probed() { awk -v name="weft_$1" '$1 == name { print $2 + $3 }' $tracing/kprobe_profile; }

truncate -s 16M /tmp/disk
mkfs.ext4 -q /tmp/disk
check "an aspect waits for ${#modules[@]} modules" weft weave "$aspects/in_modules.ko"
same "by the list" "$(figure in_modules pending)" ${#modules[@]}
for round in first second; do
	check "$round: modules load" load
	same "$round: all are woven" "$(figure in_modules pending) $(weft list --json |
		grep -o '"section":"[^"]*","state":"woven"' | wc -l)" "0 ${#modules[@]}"
	for module in "${modules[@]}"; do
		echo "p:weft_$module $module:$(function_of "$module")"
	done >$tracing/kprobe_events
	echo 1 >$tracing/events/kprobes/enable
	declare -A before=()
	for module in "${modules[@]}"; do before[$module]=$(counted "$module"); done
	check "$round: they work" use_modules
	for module in "${modules[@]}"; do
		hits=$(($(counted "$module") - ${before[$module]:-0}))
		same "$round: $module: $hits hits, as many as a kprobe's" \
			$hits "$(probed "$module")"
		at_least "$round: $module was run" $hits 1
	done
	echo 0 >$tracing/events/kprobes/enable
	: >$tracing/kprobe_events
	check "$round: they go with the splices in them" unload
	same "$round: it waits again" "$(figure in_modules pending)" ${#modules[@]}
done
check "modules load once more" load
weft unweave in_modules >/tmp/said
check "every byte is back" grep -qE '^text restored: ([1-9][0-9]*) of \1 bytes' /tmp/said
check "they work" use_modules
check "weft.ko unloads" rmmod weft
finish
