#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Parses the files of a built kernel, and writes the accesses of their syntax trees, for each file
# to FOLDER/FILE.c.ast. By default these are all units of C in vmlinux. They are parsed by the
# commands that the kernel's build has recorded. Output files that are newer than AST are kept.
# Prints the files that could not be parsed; fails if there are any.
# Usage: read.sh KERNEL AST CODE FOLDER [FILE.c...]
set -uo pipefail
kernel=$(realpath "$1") ast=$(realpath "$2") code=$(realpath "$3") folder=$(realpath -m "$4")
shift 4

# recorded FILE.c: prints the .cmd file in which kbuild has recorded the compilation of FILE.c. It
# is beside the object, which some units have in another folder.
recorded() {
	local name
	name=.$(basename "$1" .c).o.cmd

	if [ -e "$kernel/$(dirname "$1")/$name" ]; then
		echo "$kernel/$(dirname "$1")/$name"
	else
		find "$kernel" -name "$name" -exec grep -lx "source_.* := $1" '{}' +
	fi
}

# command_of FILE.c: prints the compiler's command that kbuild has recorded for FILE.c, without the
# options for the plugin and the dependency file.
command_of() {
	sed -nE '1 {
		s/^(saved)?cmd_[^ ]* := //; s/ ; .*//
		s/-Wp,-MMD,[^ ]*//; s/-fplugin=[^ ]*//g
		s/\$\(pound\)/#/g; s/\$\$/$/g
		p
	}' "$(recorded "$1" | head -n 1)"
}

# source_flags WORD...: prints those words that change what the source means
source_flags() {
	printf '%s\n' -w -ferror-limit=0 -fgnuc-version=12.2.0
	while [ $# -gt 0 ]; do
		case $1 in
		-D | -U | -I | -include | -isystem) printf '%s\n' "$1" "$2"; shift ;;
		-D* | -U* | -I* | -std=* | -nostdinc | -O? | -m32 | -m64 | -mno-sse* | -mno-mmx | \
			-mno-80387 | -fshort-wchar | -fno-builtin* | -ffreestanding | \
			-funsigned-char | *.c)
			printf '%s\n' "$1"
			;;
		esac
		shift
	done
}

# read_one FILE.c: several processes may read one file at the same time, so each has temporary files
# of its own, and an output file appears when it is whole.
read_one() {
	local file=$1 to=$folder/$1.ast new=$folder/$1.ast.$$ flags
	[ ! "$to" -nt "$ast" ] || return 0
	mkdir -p "$(dirname "$to")"
	eval "set -- $(command_of "$file")"
	mapfile -t flags < <(source_flags "${@:2}")
	awk -v file="$file" '$1 == "unit" { on = $2 == file }
			     on && $1 == "function" { print $2 }' "$folder/code.txt" >"$new.code"
	if (cd "$kernel" && "$ast" "$new.code" "${flags[@]}") >"$new" 2>"$new.errors"; then
		sort -u -o "$new" "$new" && mv "$new" "$to"
	else
		echo "$file: $(head -n 1 "$new.errors")"
	fi
	rm -f "$new" "$new.code" "$new.errors"
}

if [ "${1:-}" = --one ]; then
	read_one "$2"
	exit 0
fi
mkdir -p "$folder"
"$code" "$kernel/vmlinux" >"$folder/code.txt.$$" || exit 2
mv "$folder/code.txt.$$" "$folder/code.txt"
[ $# -gt 0 ] || mapfile -t files < <(sed -n 's/^unit //p' "$folder/code.txt" | sort -u)
[ $# = 0 ] || files=("$@")
bad=$(printf '%s\n' "${files[@]}" | while read -r file; do
	[ "$folder/$file.ast" -nt "$ast" ] ||
		[ -z "$(recorded "$file")" ] || echo "$file"
done | xargs -P "$(nproc)" -I '{}' "$0" "$kernel" "$ast" "$code" "$folder" --one '{}')
[ -z "$bad" ] || printf '%s\n' "$bad"
[ -z "$bad" ]
