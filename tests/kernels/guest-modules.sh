#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prepares a folder for tests/vm/vm.sh: FOLDER/modules gets the modules of ROOT/lib/modules/RELEASE
# without which the guest cannot mount its root, and FOLDER/guest-modules lists them in the order in
# which they are loaded. They are uncompressed, since busybox loads them. Usage: guest-modules.sh
# ROOT RELEASE FOLDER
set -euo pipefail

root=$1 release=$2 folder=$3
rm -rf "$folder/modules"
"$(dirname "$0")/module-files.sh" "$root" "$release" "$folder/modules" \
	virtio_pci virtiofs overlay virtio_console | sed 's#^#modules/#' >"$folder/guest-modules"
