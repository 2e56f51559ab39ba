#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes modules of all of the manual's examples: manual.sh WEFT DB KERNEL KMOD FOLDER.
set -eu
weft=$1 db=$2 kernel=$3 kmod=$4 folder=$5
rm -rf "$folder"
mkdir -p "$folder"
tests/manual-examples.sh "$folder"
"$weft" compile "$folder"/*.xml --db "$db" --kernel "$kernel" --kmod "$kmod" -o "$folder"
