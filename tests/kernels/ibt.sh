#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests weft on a shipped kernel whose processor tracks indirect branches (IBT): each indirect call
# or jump of the kernel has to land on an endbr64, or the kernel stops. QEMU's TCG emulates no such
# processor. Bochs emulates one, and boots Debian's kernel within a minute. Bochs is installed into
# the chroot of Debian 13 that shipped.sh keeps in the cache. weft.ko and the aspect `landing` are
# those that run.sh has made in $O/kernels/SUITE. Usage: ibt.sh SUITE
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
export O=${O:-$top/build}
suite=${1:?usage: ibt.sh SUITE}
packages='bochs bochs-term bochsbios vgabios isolinux syslinux-common xorriso busybox-static'
seconds=${WEFT_BOCHS_SECONDS:-600}

die() { printf 'ibt.sh: %s\n' "$*" >&2; exit 1; }
there() { "$here/shipped.sh" in trixie "$@"; }

kernel=$("$here/shipped.sh" path "$suite")
folder=$O/kernels/$suite
work=$folder/ibt
for made in "$folder/kmod/weft.ko" "$folder/aspects/landing.ko" "$O/kernels/trixie/weft"; do
	[ -e "$made" ] || die "$made does not exist: CASES=landing tests/kernels/run.sh $suite"
done
# shellcheck disable=SC2086 # a list of words
there sh -c 'command -v bochs xorriso >/dev/null && test -e /usr/lib/ISOLINUX/isolinux.bin' ||
	there apt-get -q install -y --no-install-recommends $packages >"$folder/bochs.log" 2>&1 ||
	die "Bochs cannot be installed into the chroot; the log is $folder/bochs.log"

rm -rf "$work"
mkdir -p "$work/root/bin" "$work/root/modules" "$work/cd/isolinux"
install -m 755 "$here/ibt-init" "$work/root/init"
for module in kmod/weft.ko aspects/landing.ko; do
	strip -g -o "$work/root/modules/$(basename $module)" "$folder/$module"
done
cp -L "$kernel/bzImage" "$work/cd/kernel"
cat >"$work/cd/isolinux/isolinux.cfg" <<X
DEFAULT weft
PROMPT 0
LABEL weft
KERNEL /kernel
INITRD /initrd
APPEND console=ttyS0,115200 panic=-1 oops=panic tsc=reliable no_timer_check loglevel=4
X
# With reset_on_triple_fault=0 a triple fault ends Bochs. With more than one CPU Bochs interleaves
# the CPUs, which is many times slower.
cat >"$work/bochsrc" <<X
megs: 768
cpu: model=tigerlake, count=1, ips=80000000, reset_on_triple_fault=0
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
display_library: term
log: $work/bochs.log
ata0: enabled=1, ioaddr1=0x1f0, ioaddr2=0x3f0, irq=14
ata0-master: type=cdrom, path=$work/cd.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=$work/serial
clock: sync=none, time0=local
X
# Copies weft and busybox into the guest's root, and the libraries that weft needs, under the same
# names.
# shellcheck disable=SC2016 # expanded there
there bash -euc '
	work=$0 weft=$1
	cp /bin/busybox "$work/root/bin/"
	cp "$weft" "$work/root/bin/weft"
	ldd "$weft" | grep -o "/[^ ]*" | while read -r library; do
		cp -L --parents "$library" "$work/root/"
	done
	cp /usr/lib/ISOLINUX/isolinux.bin /usr/lib/syslinux/modules/bios/ldlinux.c32 \
		"$work/cd/isolinux/"
' "$work" "$O/kernels/trixie/weft"
(cd "$work/root" && find . | cpio --quiet -o -H newc -R 0:0) >"$work/cd/initrd"
there xorriso -as mkisofs -quiet -o "$work/cd.iso" -b isolinux/isolinux.bin \
	-c isolinux/boot.cat -no-emul-boot -boot-load-size 4 -boot-info-table "$work/cd" \
	2>"$work/xorriso.log"

# Bochs draws on a terminal, whose output is dropped. It ends when the guest switches itself off.
there timeout --kill-after 5 "$seconds" script -qec \
	"TERM=xterm bochs -q -f $work/bochsrc" /dev/null >/dev/null 2>&1 </dev/null || true
tr -d '\r' <"$work/serial" >"$work/console"
grep -E '^(ok|FAILED) |weft:|ENDBR' "$work/console" || true
rm -rf "$work/root" "$work/cd" "$work/cd.iso"
if ! grep -qx 'the guest has ended' "$work/console"; then
	printf 'FAILED %s\n' "the guest did not end; the end of $work/console:"
	tail -n 5 "$work/console"
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
fi
grep -E '^[0-9]+ passed, [0-9]+ failed, 0 skipped$' "$work/console" | tail -n 1
grep -qE '^[0-9]+ passed, 0 failed' "$work/console"
