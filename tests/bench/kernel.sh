#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks and measures the effect of the plugin on a whole kernel, which is built twice, with the
# plugin and without it. Every object that was compiled with the plugin, and the vmlinux, must have
# the same loaded sections in both. Then prints what the plugin costs to compile, and how much of
# the objects the table is. Both kernels are built at the same time, with half of the processors
# each, so that other work on the machine affects both alike. MOST=N compares only N objects, evenly
# spread. Usage: kernel.sh CACHE, where CACHE gets the kernels.
#
# The build-id of the vdso, which the kernel carries as data, is left out, since it covers the
# vdso's debug information.
set -uo pipefail
here=$(realpath "$(dirname "$0")")
. "$here/goals.sh"
build=$here/../vm/kernel.sh
section=.debug_weaknames

# build_both CACHE: builds both kernels and prints their folders.
build_both() {
	local jobs=$(($(nproc) / 2)) status=0 pid
	export XDG_CACHE_HOME=$1 JOBS=$((jobs ? jobs : 1))

	WEFT_KERNEL_PLUGIN=0 "$build" build >"$1/without.log" 2>&1 &
	pid=$!
	"$build" build >&2 || status=1
	wait $pid || status=1
	[ $status = 0 ] || { tail -n 5 "$1/without.log" >&2; return 1; }
	"$build" path
	WEFT_KERNEL_PLUGIN=0 "$build" path
}

build_id() { readelf -n "$1/arch/x86/entry/vdso/vdso64.so.dbg" | sed -n 's/ *Build ID: //p'; }

# without_id ID FILE: zeroes the build-id ID in the file.
without_id() {
	perl -0777 -i -pe 'BEGIN { $id = pack "H*", shift } s/\Q$id\E/"\0" x length $id/e' "$1" "$2"
}

# compare WITH WITHOUT OBJECT: prints "same" or "differs", the name, the size of the table and the
# size of the object. xargs runs it for each object.
compare() {
	local with=$1/$3 without=$2/$3 work verdict=differs sizes
	work=$(mktemp -d)
	if strip -g -o "$work/with" "$with" && strip -g -o "$work/without" "$without"; then
		case $3 in
		*/vdso-image-64.o)
			without_id "$(build_id "$1")" "$work/with"
			without_id "$(build_id "$2")" "$work/without" ;;
		esac
		if cmp -s "$work/with" "$work/without"; then verdict=same; fi
	fi
	sizes=$(readelf -SW "$with" |
		sed -n "s/.* $section *[A-Z]* *[0-9a-f]* [0-9a-f]* \([0-9a-f]*\) .*/\1/p")
	rm -r "$work"
	echo "$verdict $3 $((16#${sizes:-0})) $(stat -c %s "$with")"
}

# objects FOLDER: prints the names of the objects that were compiled with the plugin.
objects() {
	find "$1" -name '.*.o.cmd' -exec grep -lE -m 1 -e '-fplugin=.* -c ' {} + |
		while read -r file; do
			file=${file#"$1"/}
			object=$(dirname "$file")/$(basename "$file" .cmd | cut -c 2-)
			if [ -e "$1/$object" ]; then echo "${object#./}"; fi
		done | LC_ALL=C sort
}

# progress TOTAL: copies its input, and prints on stderr how many of TOTAL lines have been copied.
progress() {
	awk -v total="$1" '{ print }
		{ differs += $1 != "same" }
		NR % 100 == 0 {
			printf "%d of %d objects, %d differ\n", NR, total, differs >"/dev/stderr"
		}'
}

# image FOLDER OUTPUT: writes name and hash of every loaded section of the vmlinux in FOLDER, except
# the notes: these have the build-id, which is a hash over unloaded sections too.
image() {
	local name
	readelf -SW "$1/vmlinux" | sed -n 's/^ *\[ *[0-9]*\] \([^ ]*\) .* [A-Z]*A[A-Z]* .*/\1/p' |
		grep -vxF .notes |
		while read -r name; do
			objcopy -O binary --only-section="$name" "$1/vmlinux" "$2.section" \
				2>/dev/null
			if [ "$name" = .rodata ]; then
				without_id "$(build_id "$1")" "$2.section"
			fi
			printf '%s %s\n' "$name" "$(sha256sum <"$2.section")"
		done >"$2"
}

# stamp FOLDER KEY: prints, in seconds, a time of the build of the kernel in FOLDER: the line "KEY
# 1m2.5s" of the file that tests/vm/kernel.sh has written last.
stamp() {
	sed -n "s/^$2 //p" "$1/weft-kernel-ok" | sed 's/m/ /; s/s$//' | awk '{ print $1 * 60 + $2 }'
}

main() {
	local cache with without work total
	mkdir -p "$1"
	cache=$(realpath "$1")
	{ read -r with && read -r without; } < <(build_both "$cache") || {
		echo "no kernels to compare"
		exit 1
	}
	work=$(mktemp -d)
	# shellcheck disable=SC2064
	trap "rm -rf '$work'" EXIT
	objects "$with" | awk -v most="${MOST:-1000000}" '{ line[NR] = $0 }
		END {
			step = NR > most ? NR / most : 1
			for (i = 1; i <= NR; i += step) print line[int(i)]
		}' >"$work/objects"
	total=$(wc -l <"$work/objects")
	xargs -P "$(nproc)" -I {} "$0" --compare "$with" "$without" {} \
		<"$work/objects" 2>/dev/null | progress "$total" >"$work/compared"
	sed -n 's/^differs \([^ ]*\) .*/differs: \1/p' "$work/compared"
	row "objects that were compiled with the plugin" "$total" '' at-least 30
	row "the same sections, relocations and symbols (strip -g)" \
		"$(awk '{ n += $1 == "same" }
			END { printf "%.2f", 100 * n / NR }' "$work/compared")" % at-least 100
	image "$with" "$work/with"
	image "$without" "$work/without"
	diff "$work/with" "$work/without" | sed -n 's/^< \([^ ]*\) .*/differs: vmlinux \1/p'
	row "loaded sections of vmlinux that differ, of $(wc -l <"$work/with")" \
		"$(diff "$work/with" "$work/without" | grep -c '^<')" '' at-most 0
	row "the table, of the objects' bytes with debug information" \
		"$(awk '{ a += $3; b += $4 }
			END { printf "%.2f", 100 * a / b }' "$work/compared")" % at-most 1
	row "processor time of the build, with the plugin" "$(stamp "$with" user)" s
	row "without it" "$(stamp "$without" user)" s
	row "more" "$(awk -v a="$(stamp "$with" user)" -v b="$(stamp "$without" user)" \
		'BEGIN { printf "%.1f", 100 * a / b - 100 }')" \
		% at-most 3
	end
}

if [ "$1" = --compare ]; then compare "${@:2}"; else main "$@"; fi
