#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# alone: locks the guest down until the guest ends
#
# Tests who may make requests to weft.ko, and what happens to requests with random content: weft.ko
# must refuse them or do what they say, and the kernel must go on. The lockdown comes last, since it
# stays until the guest ends and then no module can be loaded any more.
. "$(dirname "$0")/lib.sh"
aspect=log_skb_destructor
module=$aspects/$aspect.ko
load_weft
insmod "$module"
insmod "$aspects/registers.ko"
traffic 20 >/dev/null
kernel-text /tmp/before >/dev/null

# without CAPABILITY COMMAND..., only CAPABILITY COMMAND...: run COMMAND with all capabilities but
# this one, and with this one alone. Below, unshare gives a command all capabilities, but only in a
# new user namespace, so weft must not accept them.
without() { setpriv --bounding-set="-$1" --inh-caps="-$1" "${@:2}"; }
only() { setpriv --bounding-set="-all,+$1" --inh-caps="-all,+$1" "${@:2}"; }
chmod 666 /dev/weft # Anybody may open the device now, so that only the capability decides.
refuses "root without CAP_SYS_ADMIN" 8 'needs root \(CAP_SYS_ADMIN\): run' \
	without sys_admin weft list
refuses "a user without any capability" 8 'needs root \(CAP_SYS_ADMIN\): run' \
	setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all weft list
refuses "root of a user namespace" 8 'of the machine, not of a user namespace: run' \
	unshare -Ur weft list
refuses "and a user who has made one" 8 'of the machine, not of a user namespace: run' \
	setpriv --reuid 65534 --regid 65534 --clear-groups unshare -Ur weft list
check "the doctor says so" bash -c 'unshare -Ur weft doctor | grep -q namespace'
check "CAP_SYS_ADMIN alone opens the device" only sys_admin weft list
refuses "but loads no aspect" 8 'does not load it: this needs root' \
	only sys_admin weft weave "$aspects/clobber.ko"
check "it weaves what is loaded, by what the aspect's table says" \
	only sys_admin forged-plan registers --weave
check "which costs no register" traffic 30
refuses "it unweaves, and removes no module" 8 'removing module' \
	only sys_admin weft unweave registers
same "what is loaded stays so" "$(state registers)" loaded
check "text restored" restored
chmod 600 /dev/weft

# Makes requests of all kinds with random changes, while the aspects that they weave are hit.
insmod "$aspects/once.ko"
insmod "$aspects/metrics_seven.ko"
insmod "$aspects/arounds.ko"
insmod "$O/vm/modules/shapes.ko"
insmod "$aspects/shapes_both.ko"
insmod "$aspects/shapes_exact.ko"
insmod "$aspects/shapes_jump.ko"
insmod "$aspects/processes_mixed.ko"
traffic 1000000 20000 >/dev/null &
traffic=$!
# Meanwhile the module is unloaded and loaded, usually at the same address.
while [ ! -e /tmp/enough ]; do
	echo 5 >/dev/shapes
	sleep 0.3
	rmmod shapes
	insmod "$O/vm/modules/shapes.ko"
done 2>>/tmp/coming &
coming=$!
# A program that is woven, too, runs again and again.
while [ ! -e /tmp/enough ]; do
	"$O/vm/shop/shop" 50 /etc/hostname
done >/tmp/shops 2>&1 &
shops=$!
names="$aspect registers once metrics_seven arounds shapes_both shapes_exact shapes_jump \
	processes_mixed"
verdicts mutated-requests --parts "${WEFT_REQUESTS:-100000}" "${WEFT_SEED:-1}" $names
: >/tmp/enough
wait $coming
same "a module came and went all the while" "$(cat /tmp/coming)" ""
wait $shops
same "and a program was right all the while" "$(sort -u /tmp/shops)" \
	"sold 50 worth 1225 reads 5 clerks 75"
check "while the kernel went on" kill $traffic
for name in $names; do
	weft unweave $name >/dev/null 2>&1
	insmod "$aspects/$name.ko" 2>/dev/null
	retired $name
done
weft read >/dev/null
check "text restored" restored

# Lockdown has two levels. Integrity, the weaker one, permits kprobes, and therefore weft.
# Confidentiality permits neither.
weft weave "$module" >/dev/null
echo integrity >/sys/kernel/security/lockdown
check "locked down for integrity" weft list
echo confidentiality >/sys/kernel/security/lockdown
refuses "locked down for confidentiality" 8 \
	'locked down \(confidentiality\): boot with lockdown=integrity' weft list
weft doctor >/tmp/doctor 2>/dev/null
check "the doctor says so, too" grep -q 'lockdown.*confidentiality' /tmp/doctor
check "what was woven before goes on" traffic 30
finish
