#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Shows why vm.sh gives the emulator one thread: with a thread for each CPU a guest hangs, though no
# module is loaded in it, neither weft.ko nor another. Usage: stale.sh FOLDER [SECONDS]. The script
# waits until the guest hangs, and then asks QEMU's monitor three things:
#   1. Which traps does the guest take?  (log int)     int3, again and again at one address
#   2. What is in memory there?          (x)           no int3
#   3. Does it help to translate anew?   (singlestep)  the guest goes on
# The third changes nothing in the guest. If the guest then goes on, it was running a translation of
# bytes that are not there any more. On two cores it took half a minute, with QEMU 7.2:
#
#	it hangs: 0 modules loaded, rewritten 590 times
#	21570 traps by int3 at ffffffffae097903, where memory has
#	ffffffffae097903: 0xeb 0x3a 0x4c 0x8d 0x6d 0x30 0x4c 0x8d
#	0xffffffffae097903:  eb 3a                    jmp      0xffffffffae09793f
#	translated anew: rewritten 630 times
#
# QEMU reads the bytes of a new translation before it watches their page for writes: a write of
# another CPU between the two goes unnoticed. Others found this in 2023, when the kernel's own jump
# labels hung ("qemu-x86_64 booting with 8.0.0 still see int3", linux-kernel). It was mended in QEMU
# 8.1 ("accel/tcg: Always lock pages before translation", deba78709ae8). With one thread for all
# CPUs no other CPU runs between the two.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=$(realpath "$1") seconds=${2:-900}
monitor=$out/monitor
mkdir -p "$out"
rm -f "$monitor".{in,out}
mkfifo "$monitor.in" "$monitor.out"
exec {in}<>"$monitor.in" {from}<>"$monitor.out"

# ask COMMAND: prints those lines of the monitor's answer that begin with an address.
ask() {
	local line
	while read -r -t 0.2 -u $from line; do :; done
	echo "$1" >&$in
	while read -r -t 1 -u $from line; do
		printf '%s\n' "${line%$'\r'}"
	done | grep -E '^(0x)?f' || true
}
# Waits until the guest, which prints something each second, is silent.
await_silence() {
	local i quiet=0 size before=0
	for ((i = 0; i < seconds; i++)); do
		sleep 1
		size=$(stat -c %s "$out/output.log" 2>/dev/null || echo 0)
		quiet=$((size > before || size == 0 ? 0 : quiet + 1)) before=$size
		[ $quiet -lt 15 ] || return 0
		kill -0 $guest 2>/dev/null || return 1
	done
	return 1
}

"$here/../vm.sh" --accel tcg,thread=multi --allow-splat --timeout $((seconds + 180)) --out "$out" \
	--monitor "$monitor" "$here/guest.sh" </dev/null >"$out/said" 2>&1 &
guest=$!
status=0
if await_silence; then
	echo "it hangs: $(grep 'modules loaded' "$out/output.log"), $(tail -n 1 "$out/output.log")"
	ask "log int" >/dev/null
	sleep 0.2
	ask "log none" >/dev/null
	read -r traps pc < <(grep -oE 'v=03 .* pc=[0-9a-f]+' "$out/qemu.err" | sed 's/.*pc=//' |
		sort | uniq -c | sort -rn | head -n 1)
	echo "$traps traps by int3 at $pc, where memory has"
	ask "x/8xb 0x$pc"
	ask "x/2i 0x$pc"
	ask "singlestep on" >/dev/null
	lines=$(wc -l <"$out/output.log")
	sleep 20
	tail -n +$((lines + 1)) "$out/output.log" | sed 's/^/translated anew: /' | tail -n 1
	[ "$(wc -l <"$out/output.log")" -gt "$lines" ] || {
		echo "translated anew, it hangs as well"
		status=1
	}
	ask "quit" >/dev/null
else
	echo "no hang in $seconds s: $(tail -n 1 "$out/output.log")"
	status=1
fi
kill $guest 2>/dev/null || true
wait $guest 2>/dev/null || true
exit $status
