#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# guest-modules.sh ROOT RELEASE FOLDER: makes FOLDER one that tests/vm/vm.sh boots, as far as
# modules go: those without which the guest of ROOT/lib/modules/RELEASE finds no root, in
# FOLDER/modules, and the list guest-modules of them, in the order in which they load. They are
# uncompressed, since what loads them is busybox.
set -euo pipefail

root=$1 release=$2 folder=$3
rm -rf "$folder/modules"
"$(dirname "$0")/module-files.sh" "$root" "$release" "$folder/modules" \
	virtio_pci virtiofs overlay virtio_console | sed 's#^#modules/#' >"$folder/guest-modules"
