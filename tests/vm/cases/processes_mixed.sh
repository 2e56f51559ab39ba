#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests an aspect with joinpoints in a program and in the kernel: the time from a function of the
# program to vfs_read() in the kernel and back, which has to be within the time of the function; and
# records of both in one stream, in the order in which things happen. Then that both parts are woven
# or none: where the program cannot be woven, the kernel's text stays as it is.
#
# aspects: processes_mixed
. "$(dirname "$0")/lib.sh"
shop=$O/vm/shop/shop
load_weft
kernel-text /tmp/before >/dev/null
check "weave" bash -c "weft weave '$aspects/processes_mixed.ko' >/tmp/said"
at_least "shadows in the program" "$(summary /tmp/said uprobe)" 6
same "none is refused" "$(summary /tmp/said refused)" 0
same "the summary is what weft plan says" "$(sed -n '1s/^[a-z_]*: //p' /tmp/said)" \
	"$(weft plan --limit 0 "$aspects/processes_mixed.xml" | grep ^matched)"
"$shop" 300 /etc/hostname >/tmp/sold
reads=$(sed -nE 's/.* reads ([0-9]+) .*/\1/p' /tmp/sold)
same "the program reads" "$reads" 30
weft report --json processes_mixed >"$json"
same "from the program to the kernel" "$(metric to_the_kernel | value count)" "$reads"
same "and back" "$(metric and_back | value count)" "$reads"
same "all of the function" "$(metric in_all | value count)" "$reads"
there=$(sums to_the_kernel) back=$(sums and_back) all=$(sums in_all)
between "there and back are within the function" $((there + back)) 1 "$all"
weft read processes_mixed | sed -nE 's/.* shop-[0-9]+ .*: (asks|reads|gets)$/\1/p' >/tmp/order
same "one stream of records, in order" "$(tr '\n' ' ' </tmp/order)" \
	"$(for i in $(seq "$reads"); do echo -n "asks reads gets "; done)"
weft unweave processes_mixed >/tmp/unwoven
check "the kernel's text is restored" restored

# While somebody has the program open for writing, nothing is woven.
exec 4>>"$shop"
refuses "a program that may change" 10 'open for writing' weft weave "$aspects/processes_mixed.ko"
exec 4>&-
check "the kernel's text is as before" restored
same "and the aspect is gone" "$(state processes_mixed)" gone
check "it can be woven afterwards" bash -c "weft weave '$aspects/processes_mixed.ko' >/tmp/said"
"$shop" 10 /etc/hostname >/dev/null
weft report --json processes_mixed >"$json"
same "and counts" "$(metric in_all | value count)" 1
# A program of another build is refused by its build-id.
weft unweave processes_mixed >/dev/null
cp "$shop" /tmp/other
python3 - /tmp/other <<'END'
import subprocess, sys
path = sys.argv[1]
notes = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True).stdout
line = next(line for line in notes.splitlines() if ".note.gnu.build-id" in line)
offset = int(line.split("NOTE")[1].split()[1], 16)
with open(path, "r+b") as file:
    file.seek(offset + 16)
    file.write(b"\xff\xff")
END
mount --bind /tmp/other "$shop"
refuses "a program of another build" 7 'another build' weft weave "$aspects/processes_mixed.ko"
umount "$shop"
check "the kernel's text is as before" restored
mount --bind /etc/hostname "$shop"
refuses "a file that is no program" 6 'no 64-bit program' weft weave "$aspects/processes_mixed.ko"
umount "$shop"
check "nothing in the log" bash -c '! dmesg | grep -E "BUG:|WARNING:|Oops"'
check "weft.ko unloads" bash -c 'weft report --reset processes_mixed; rmmod weft'
finish
