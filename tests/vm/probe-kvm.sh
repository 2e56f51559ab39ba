#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints `kvm` if KVM really runs the given kernel on this machine, else `tcg`. That /dev/kvm can be
# opened proves nothing: in a virtual machine it may be there, and then the guest hangs or crashes.
# So the kernel is booted up to user space, for five seconds at most. The answer is kept in the
# cache until the host boots again. Usage: probe-kvm.sh KERNEL-FOLDER WORK-FOLDER
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# The guest has ended well if QEMU exits with 2 * 127 + 1 (see guest-run).
kernel=$1 work=$2 limit_s=5 success=255
answer_file=${XDG_CACHE_HOME:-$HOME/.cache}/weft/kvm-$(cat /proc/sys/kernel/random/boot_id)

if [ ! -w /dev/kvm ]; then echo tcg; exit; fi
if [ -s "$answer_file" ]; then cat "$answer_file"; exit; fi

"$here/initramfs.sh" "$work/initramfs.cpio" "$here/guest-init"
status=0
timeout -k 1 "$limit_s" qemu-system-x86_64 -no-user-config -nodefaults -display none -no-reboot \
	-machine pc -accel kvm -cpu host -smp 2 -m 512M -kernel "$kernel/bzImage" \
	-initrd "$work/initramfs.cpio" -append "quiet panic=-1 weft.probe" \
	-device isa-debug-exit,iobase=0xf4,iosize=1 </dev/null >/dev/null 2>&1 || status=$?
answer=tcg
if [ $status = $success ]; then answer=kvm; fi
mkdir -p "$(dirname "$answer_file")"
rm -f "${answer_file%/*}"/kvm-*
echo "$answer" >"$answer_file.$$"
mv "$answer_file.$$" "$answer_file"
echo "$answer"
