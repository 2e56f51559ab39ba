#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# same-code.sh OLD NEW [PATTERN]: finds out whether two build folders hold the same machine code,
# even if files and symbols have other names. For each object, compares the bytes of its code
# sections, and the places and types of the relocations in them. Does not compare the targets of
# relocations, because names and the offsets of strings may differ. So code that was only moved or
# renamed, or whose messages were reworded, counts as the same; a changed instruction does not.
# PATTERN (an extended regular expression) chooses objects by their path below the folder.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: same-code.sh OLD NEW [PATTERN]" >&2; exit 2; }
pattern=${3:-.}

# contents OBJECT: prints the bytes of its code, and the places and types of its relocations
contents() {
	local section

	objdump -h -w "$1" | awk '/ CODE/ { print $2 }' | sort | while read -r section; do
		objcopy -O binary --only-section="$section" \
			--set-section-flags "$section=alloc" "$1" /dev/stdout 2>/dev/null | cat
	done
	readelf -rW "$1" | awk '/^Relocation section/ { on = $3 ~ /\.text/ }
		on && /^[0-9a-f]+ / { print $1, $3 }'
}

# codes FOLDER: prints one line per object: a hash of its code, and its path
codes() {
	local object

	(cd "$1" && find . -name '*.o') | grep -E "$pattern" | LC_ALL=C sort |
		while read -r object; do
			contents "$1/$object" | sha256sum | cut -c 1-24 | tr '\n' ' '
			echo "$object"
		done
}

old=$(codes "$1") new=$(codes "$2")
differ=$(diff <(cut -d' ' -f1 <<<"$old" | sort) <(cut -d' ' -f1 <<<"$new" | sort) |
	sed -n 's/^[<>] //p' || true)
if [ -z "$differ" ]; then
	printf '%d objects, the same code\n' "$(wc -l <<<"$new")"
	exit 0
fi
printf 'only in %s:\n' "$1"; grep -F "$differ" <<<"$old" || true
printf 'only in %s:\n' "$2"; grep -F "$differ" <<<"$new" || true
exit 1
