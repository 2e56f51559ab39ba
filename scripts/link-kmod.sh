#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# link-kmod.sh FOLDER: makes FOLDER the source folder of weft.ko for kbuild. Makes links in FOLDER
# to the files of kmod/, of its subfolders ("rooms"), and of runtime/. kbuild writes its objects
# beside these links, and so none into the tree. Removes links to files that no longer exist.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=$1

link_room() { # FROM TO
	mkdir -p "$2"
	find "$1" -maxdepth 1 -name '*.[ch]' -exec ln -sf -t "$2" {} +
	find "$2" -maxdepth 1 -xtype l -delete
}

link_room "$top/kmod" "$folder"
ln -sf "$top/kmod/Kbuild" "$folder/"
(cd "$top/kmod" && find . -mindepth 1 -type d -printf '%P\n') | while read -r room; do
	link_room "$top/kmod/$room" "$folder/$room"
done
link_room "$top/runtime" "$folder/runtime"
