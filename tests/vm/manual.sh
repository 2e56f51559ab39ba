#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compiles each example of the aspect language's manual to a module. Usage: manual.sh WEFT DB KERNEL
# KMOD FOLDER
set -eu
weft=$1 db=$2 kernel=$3 kmod=$4 folder=$5
rm -rf "$folder"
mkdir -p "$folder"
tests/manual-examples.sh "$folder"
"$weft" compile "$folder"/*.xml --db "$db" --kernel "$kernel" --kmod "$kmod" -o "$folder"
