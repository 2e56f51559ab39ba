#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Copies the named modules of ROOT/lib/modules/RELEASE, and those that they depend on, into FOLDER,
# uncompressed. Prints the files' names, in the order in which they are loaded. A module that is
# built in has no file and no line. Usage: module-files.sh ROOT RELEASE FOLDER NAME...
set -euo pipefail
root=$1 release=$2 folder=$3
shift 3
die() { printf 'module-files.sh: %s\n' "$*" >&2; exit 1; }

mkdir -p "$folder"
for module; do
	modprobe -d "$root" -S "$release" --show-depends "$module" ||
		die "$release has no module $module"
done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' | while read -r file; do
	name=${file##*/}
	name=${name%%.*}.ko
	case $file in
	*.xz) xz -dc "$file" ;;
	*.zst) zstd -qdc "$file" ;;
	*.gz) gzip -dc "$file" ;;
	*) cat "$file" ;;
	esac >"$folder/$name" || die "$file cannot be unpacked"
	echo "$name"
done
