#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests those who read the kernel's text and expect certain bytes. Crash tools and integrity
# checkers compare it with the kernel's image: every byte that differs must have been changed by the
# kernel's own tables, or be listed by `weft list --bytes`. Jump labels and static calls compare
# their sites with what they wrote last before they write, and panic if it differs. The end of the
# case loads a module, and has a debugger disassemble /proc/kcore.
. "$(dirname "$0")/lib.sh"
work=$(mktemp -d)
mount -t debugfs none /sys/kernel/debug 2>/dev/null
traffic 20 >/dev/null

# text_of FILE: dumps the kernel's text. named: writes the ranges that weft lists in the form that
# the program text-owners reads.
text_of() { kernel-text "$work/$1" >/dev/null; }
named() {
	weft list --bytes --json |
		sed -nE 's/.*"address":"(0x[0-9a-f]+)","length":([0-9]+),.*/\1 \2/p' >"$work/named"
}
# of_image FILE [NAMED]: compares the dump $work/FILE with the image. Succeeds if each byte that
# differs is explained by the kernel's tables or lies in a range of the file NAMED (a path), and if
# bytes differ in each range of NAMED. of_boot FILE [NAMED]: compares with the dump from before
# weft.ko was loaded. There, only ranges of NAMED can explain a difference.
of_image() { text-owners "$WEFT_KERNEL/vmlinux" "$work/$1" "${@:2}"; }
of_boot() { text-owners "$work/boot" "$work/$1" "${@:2}"; }
events() { echo "$1" >$tracing/events/net/enable; }
preempt=/sys/kernel/debug/sched/preempt

text_of boot
check "the image and the kernel's tables explain the text" of_image boot
load_weft
text_of loaded
named
check "and what weft.ko says is its own" of_image loaded "$work/named"
same "that is one call" "$(wc -l <"$work/named")" 1

# ---- weft lists every byte that it has changed ---------------------------------------------------
for aspect in every_count donors_springboards; do
	weft weave --optimized "$aspects/$aspect.ko" >/dev/null 2>&1
done
# The parameter `kind` is not set, so this advice does nothing.
weft weave --traps "$aspects/fault_any.ko" >/dev/null
text_of woven
named
check "every changed byte is named ($(wc -l <"$work/named") ranges)" of_image woven "$work/named"
same "of all kinds" "$(weft list --bytes | awk 'NR > 1 { print $3 }' | sort -u | tr '\n' ' ')" \
	"call donor jump slot springboard trap "
# Compares the original bytes that weft lists for each range with the dump from before the weave.
# The dump begins with a header of 16 bytes, which has the address of the first byte after the
# header.
weft list --bytes --json | head -n 2000 >"$work/ranges"
same "with the bytes of before" "$(python3 -S -c '
import json, struct, sys
dump = open(sys.argv[1], "rb").read()
start = struct.unpack_from("<Q", dump)[0]
wrong = 0
for line in open(sys.argv[2]):
	range = json.loads(line)
	at = int(range["address"], 16) - start + 16
	wrong += dump[at:at + range["length"]].hex() != range["before"]
print(wrong)' "$work/boot" "$work/ranges")" 0

# ---- jump labels and static calls are switched in text that weft has changed ---------------------
before=$(figure every_count hits)
events 1
for model in none full voluntary; do
	echo $model >$preempt || fail "preempt model $model" "$?"
	taskset -c 1 traffic 20 >/dev/null
done
insmod "$WEFT_KERNEL/drivers/net/dummy.ko" || fail "a module" "$?"
text_of switched
named
check "jump labels and static calls are switched in woven functions" \
	bash -c "! cmp -s '$work/woven' '$work/switched'"
check "still every changed byte is named" of_image switched "$work/named"
events 0
taskset -c 1 traffic 20 >/dev/null
rmmod dummy
check "it is hit" test "$(($(figure every_count hits) - before))" -ge 10000

# ---- a debugger disassembles woven text ----------------------------------------------------------
# The debugger must show the present bytes: the splice's jump, and int3s up to the next instruction.
read -r address length <<<"$(weft list --bytes | awk '$3 == "jump" && $2 == 6 { print $1, $2 }' |
	head -n 1)"
gdb -nx -batch -ex 'core-file /proc/kcore' -ex "x/2i $address" >"$work/gdb" 2>"$work/said"
same "a debugger sees a jump and an int3" \
	"$(sed -nE 's/^.*:\s+(jmp|int3).*/\1/p' "$work/gdb" | tr '\n' ' ')" "jmp int3 "

# A trampoline has a symbol and so counts as kernel text. But kprobes, whose int3 would stay in it,
# require more and must be refused.
trampoline=0x$(awk '/ weft_trampolines/ { print $1; exit }' /proc/kallsyms)
check "no kprobe in a trampoline" \
	bash -c "! echo p:weft_test/in $trampoline >>$tracing/kprobe_events"

# ---- after the unweave the text is the original one ----------------------------------------------
check "unweave" weft unweave --all
retired every_count
retired donors_springboards
retired fault_any
weft read >/dev/null
text_of after
named
same "nothing but weft.ko's own is named" "$(wc -l <"$work/named")" 1
check "nor has changed" of_image after "$work/named"
check "weft.ko unloads" rmmod weft
text_of gone
check "the text is the kernel's own" of_image gone
same "byte by byte" "$(of_boot gone 2>&1)" ""
rm -r "$work"
finish
