#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# All of the manual's examples as modules, in one run of kbuild: manual.sh WEFT DB KERNEL KMOD
# FOLDER. What kbuild gets is the C that `weft compile --print-c` shows, and what the manual says
# that it needs.
set -eu
weft=$1 db=$2 kernel=$3 kmod=$4 folder=$5
rm -rf "$folder"
mkdir -p "$folder"
folder=$(realpath "$folder")
ln -s "$(realpath runtime)" "$folder/runtime"
tests/manual-examples.sh "$folder"
for xml in "$folder"/*.xml; do
	"$weft" compile "$xml" --db "$db" --kernel "$kernel" --print-c >"${xml%.xml}.c" 2>/dev/null
done
cd "$folder"
cat >Kbuild <<-EOF
	obj-m := $(basename -a -s .c ./*.c | sed 's/$/.o/' | tr '\n' ' ')
	ccflags-y := -I\$(src)/runtime -Wno-declaration-after-statement
	ccflags-remove-y := \$(CC_FLAGS_FTRACE)
EOF
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u O -u V make -s -j2 -C "$kernel" M="$folder" \
	KBUILD_EXTRA_SYMBOLS="$kmod/Module.symvers" KCFLAGS=-g0 CONFIG_DEBUG_INFO_BTF_MODULES= \
	PAHOLE_FLAGS= modules
