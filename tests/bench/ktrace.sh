#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs in a guest that counts instructions, with one CPU: measures what it adds to a system call to
# be traced at its entry and its exit, with registers, by `weft ktrace`, by strace and by the
# kernel's own tracing. The call is getppid(), which does next to nothing. `called` is the least
# time of one call. `in all` is the time of a loop of calls, divided by their number: it also has
# what other processes do meanwhile, such as weft's recorder or strace.
set -eu
. "$(dirname "$0")/../vm/cases/lib.sh"
. "$(dirname "$0")/goals.sh"
load_weft
take_cache
rounds=2000

# loop TRACER...: runs a loop of getppid() under the command TRACER, and prints "CALLED IN_ALL".
cat >/tmp/loop <<'END'
before=$(date +%s%N)
called=$(hit-cost $1)
after=$(date +%s%N)
echo "$called $(((after - before) / ($1 * 20)))" >/tmp/figures
END
loop() {
	"$@" bash /tmp/loop $rounds
	cat /tmp/figures
}
difference() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.0f", a - b }'; }
# cost WHAT CALLED IN_ALL [GOAL]: prints a row for each of the two figures of a traced loop, minus
# the figure of the untraced loop. GOAL is for IN_ALL.
cost() {
	row "$1: called" "$(difference "$2" "$bare")" instr
	row "$1: in all" "$(difference "$3" "$bare_all")" instr ${4:+at-most "$4"}
}
loop env >/dev/null # The first run reads the programs from the disk.
read -r bare bare_all < <(loop env)
row "getppid(), untraced" "$(difference "$bare" 0)" instr

read -r called all < <(loop weft ktrace --buffer 16M --record /tmp/recorded -- 2>/tmp/said)
same "nothing is lost" "$(sed -nE 's/.* records?, ([0-9]+) lost$/\1/p' /tmp/said)" 0 >&2
cost "weft ktrace, registers and pid" "$called" "$all" 3000
ours=$(difference "$all" "$bare_all")
bytes=$(stat -c %s /tmp/recorded/cpu0)
row "weft ktrace: bytes for each call, entry and exit" $((bytes / (rounds * 20))) B at-most 250
weft ktrace --read /tmp/recorded --ber -o /tmp/recorded.ber
row "the same with --ber" $(($(stat -c %s /tmp/recorded.ber) / (rounds * 20))) B

echo 1 >$tracing/events/raw_syscalls/enable
read -r called all < <(loop env)
echo 0 >$tracing/events/raw_syscalls/enable
cost "ftrace, arguments and result into its ring" "$called" "$all"

rounds=100
read -r bare bare_all < <(loop env)
read -r called all < <(loop strace -f -o /dev/null)
cost "strace -o /dev/null" "$called" "$all"
read -r called all < <(loop strace -f -e raw=all -o /dev/null)
cost "strace -e raw=all -o /dev/null" "$called" "$all"
row "strace, in all: times that of weft ktrace" \
	"$(awk -v a="$all" -v b="$bare_all" -v c="$ours" 'BEGIN { printf "%.1f", (a - b) / c }')" \
	'' at-least 8
end
