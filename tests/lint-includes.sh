#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks the includes of the program, of weft.ko and of the files that both use against the order of
# rooms in docs/architecture.md. Prints each violation: an include against the order; a circle of
# files (a .c and its .h count as one) in one room or across rooms; a basename in two folders; a
# header whose name ends in "-internal". `lint-includes.sh --graph` prints the includes between
# rooms instead.
set -euo pipefail
cd "$(dirname "$0")/.."

# A room may include itself and the rooms above it. Rooms on one line may not include each other.
weaver_order='
runtime
base
x86
image
image/dwarf
prove
database
index splice
plan
aspect/xml
aspect/language
aspect/oneliner
aspect/resolve
aspect/generate
module
trace
live
prepare
report
cmds
.
'
kmod_order='
runtime
compat
base
text
splice
record
metrics
.
'

# includes TREE: prints "FILE INCLUDED", with paths from the top of the tree, for each #include
# "..." in the sources of TREE.
includes() {
	local file target

	git ls-files --cached --others --exclude-standard "$1/*.c" "$1/*.h" | while read -r file; do
		[ -e "$file" ] || continue
		sed -n 's/^#include "\([^"]*\)".*/\1/p' "$file" | while read -r target; do
			if [ -e "$1/$target" ]; then
				echo "$file $1/$target"
			elif [ -e "$target" ]; then
				echo "$file $target"
			else
				echo "$file: no such file: $target" >&2
			fi
		done
	done
}

# arrows TREE: prints the includes in TREE with the rooms of both files, as "ROOM ROOM FILE
# INCLUDED".
arrows() {
	includes "$1" | awk -v tree="$1" '
		function room(path) {
			if (!sub("^" tree "/", "", path))
				return "runtime"
			return sub(/\/[^\/]*$/, "", path) ? path : "."
		}
		{ print room($1), room($2), $1, $2 }'
}

# against_order TREE ORDER: prints the includes in TREE that are against ORDER.
against_order() {
	arrows "$1" | awk -v order="$2" '
		BEGIN {
			n = split(order, lines, "\n")
			for (i = 1; i <= n; i++) {
				m = split(lines[i], rooms, " ")
				for (k = 1; k <= m; k++)
					rank[rooms[k]] = i
			}
		}
		$1 == $2 { next }
		!($1 in rank) || !($2 in rank) {
			print $3 ": room " (($1 in rank) ? $2 : $1) " has no place in the order"
			next
		}
		rank[$2] >= rank[$1] { print $3 " includes " $4 ", against the order of rooms" }'
}

# circles TREE: prints the files of TREE that are in a circle of includes, which tsort finds.
circles() {
	includes "$1" | sed -E 's/\.[ch]( |$)/\1/g' | awk '$1 != $2' | sort -u |
		tsort 2>&1 >/dev/null |
		sed -n 's/^tsort: \([^ ]*\/[^ ]*\)$/\1 is in a circle of includes/p' | sort -u
}

shared_basenames() {
	git ls-files --cached --others --exclude-standard weaver kmod runtime gcc-plugin |
		grep -E '\.(c|h|cc)$' |
		while read -r file; do [ ! -e "$file" ] || echo "$file"; done |
		sed -E 's/\.(c|h|cc)$//' | sort -u | awk -F/ '{ n[$NF]++; at[$NF] = at[$NF] " " $0 }
			END {
				for (name in n)
					if (n[name] > 1)
						print "the basename " name \
							" is in several folders:" at[name]
			}'
}

internal_headers() {
	git ls-files 'weaver/*-internal.h' 'kmod/*-internal.h' 'runtime/*-internal.h' \
		'gcc-plugin/*-internal.h'
}

if [ "${1:-}" = --graph ]; then
	for tree in weaver kmod; do
		arrows $tree | awk -v tree=$tree '$1 != $2 { n[$1 " -> " $2]++ }
			END { for (a in n) print tree ": " a " (" n[a] ")" }' | sort
	done
	exit
fi
against_order weaver "$weaver_order"
against_order kmod "$kmod_order"
for tree in weaver kmod runtime; do
	circles $tree
done
shared_basenames
internal_headers
