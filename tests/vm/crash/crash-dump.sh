#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests how a woven guest looks from outside. QEMU's monitor stops the guest in the middle of its
# work and writes its memory to a crash dump, which gdb reads with the kernel's vmlinux. The text in
# the dump must be what the kernel has read of itself, and every byte in which it differs from the
# image must have been changed by the kernel itself or be listed by weft. In QEMU's list of
# mappings, no memory of the kernel may be both writable and executable. Usage: crash-dump.sh
# FOLDER, where FOLDER gets the dump.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
out=$(realpath "$1")
monitor=$out/monitor
kernel=$("$here/../kernel.sh" path)
passed=0 failed=0
# check NAME COMMAND...: fails if COMMAND fails, and then shows its output.
check() {
	local name=$1 said
	shift
	if said=$("$@" 2>&1); then
		printf 'ok     %s\n' "$name"
		passed=$((passed + 1))
	else
		printf 'FAILED %s: %s\n' "$name" "$said"
		failed=$((failed + 1))
	fi
}
rm -f "$monitor".{in,out} "$out"/{memory,output.log}
mkfifo "$monitor.in" "$monitor.out"
exec {in}<>"$monitor.in" {from}<>"$monitor.out"
guest=
trap 'kill $guest 2>/dev/null || true; rm -f "$out/memory"' EXIT

# ask COMMAND: prints the monitor's answer to COMMAND. To find the end of the answer it also sends
# the word "enough", which is no command: the answer ends where the monitor reports this word as
# unknown.
ask() {
	local line
	printf '%s\nenough\n' "$1" >&$in
	while read -r -t 120 -u $from line; do
		[[ $line != unknown\ command:*enough* ]] || return 0
		printf '%s\n' "${line%$'\r'}"
	done
	echo "the monitor does not answer to: $1" >&2
	return 1
}

"$here/../vm.sh" --timeout 600 --memory 512M --out "$out" --monitor "$monitor" --append nokaslr \
	--env "WEFT_DB=$O/vmlinux.weft" --env "WEFT_KO=$O/kmod-debug/weft.ko" "$here/woven.sh" \
	</dev/null >"$out/said" 2>&1 &
guest=$!
until grep -q '^woven' "$out/output.log" 2>/dev/null; do
	kill -0 $guest 2>/dev/null || { cat "$out/said"; exit 1; }
	sleep 0.2
done
sleep 1
ask stop >/dev/null
ask "dump-guest-memory -p $out/memory" >"$out/dumped"
ask "info tlb" >"$out/mappings"
echo quit >&$in
wait $guest || true

# ---- the text in the dump is the text that the kernel has read of itself -------------------------
# kernel-text's file begins with the start and end addresses of the text.
read -r start end <<<"$(od -A n -t x8 -N 16 "$out/text")"
gdb -nx -batch -ex "dump binary memory $out/bytes 0x$start 0x$end" \
	-ex 'thread apply all backtrace' "$kernel/vmlinux" "$out/memory" >"$out/gdb" 2>&1
{ head -c 16 "$out/text"; cat "$out/bytes"; } >"$out/dump"
check "the dump's text is what the kernel reads" cmp "$out/text" "$out/dump"
check "and has splices ($(wc -l <"$out/named") ranges)" test "$(wc -l <"$out/named")" -ge 1000
check "all that differs from the image has an owner" \
	"$O/vm/programs/text-owners" "$kernel/vmlinux" "$out/dump" "$out/named"
check "both CPUs are there, with their registers" \
	test "$(grep -c '^#0 ' "$out/gdb")" -ge 2

# ---- no memory of the kernel is writable and executable ------------------------------------------
# The lines are "ADDRESS: PHYSICAL FLAGS". The flag X stands for not executable, W for writable.
kernel_mappings() { grep -E '^ffff[0-9a-f]{12}: ' "$out/mappings"; }
check "the kernel's mappings are listed" test "$(kernel_mappings | wc -l)" -ge 1000
trampolines=$(sed -nE '1s/^([0-9a-f]+) .*/\1/p' "$out/trampolines")
check "trampolines are executable, and read-only" \
	bash -c "grep -E '^$trampolines: [0-9a-f]+ -[^X]*-\$' '$out/mappings'"
check "nothing is writable and executable" \
	bash -c "! grep -E '^ffff[0-9a-f]{12}: [0-9a-f]+ -.*W\$' '$out/mappings'"
printf '%d passed, %d failed, 0 skipped\n' $passed $failed
[ $failed = 0 ]
