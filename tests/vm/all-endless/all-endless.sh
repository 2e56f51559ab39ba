#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests the worst case for weft's budgets: no CPU of the guest has a timer interrupt. With
# interrupts off, each CPU either is in advice that never ends or waits for the lock under which
# that advice runs. QEMU's monitor sends NMIs to CPU 0 only, as the kernel's watchdog for hard
# lockups would on a machine. The test fails if the guest does not go on. Usage: all-endless.sh
# FOLDER, where FOLDER gets the logs.
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
# Drops the monitor's answers, which would fill its pipe.
cat <&$from >/dev/null &
drain=$!
trap 'kill $guest $drain 2>/dev/null || true' EXIT
while kill -0 $guest 2>/dev/null; do
	sleep 1
	if grep -qs '^loops' "$out/output.log"; then echo nmi >&$in; fi
done
wait $guest
