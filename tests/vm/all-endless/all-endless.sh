#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# all-endless.sh FOLDER: a guest all of whose CPUs are in advice that never ends, or wait for a lock
# that it runs under, with interrupts off. None has a timer. QEMU's monitor sends NMIs, to CPU 0
# alone, as the kernel's watchdog for hard lockups makes them on a machine.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
out=$(realpath "$1")
monitor=$out/monitor
rm -f "$monitor".{in,out}
mkfifo "$monitor.in" "$monitor.out"
exec {in}<>"$monitor.in" {from}<>"$monitor.out"
guest=
trap 'kill $guest 2>/dev/null || true' EXIT
"$here/../vm.sh" --timeout 600 --out "$out" --monitor "$monitor" \
	--env "WEFT_KO=$O/kmod-debug/weft.ko" "$here/in-guest.sh" </dev/null &
guest=$!
# The monitor's answers would fill its pipe.
cat <&$from >/dev/null &
drain=$!
trap 'kill $guest $drain 2>/dev/null || true' EXIT
while kill -0 $guest 2>/dev/null; do
	sleep 1
	if grep -qs '^loops' "$out/output.log"; then echo nmi >&$in; fi
done
wait $guest
