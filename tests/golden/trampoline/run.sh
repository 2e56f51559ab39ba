#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compares or writes the listings in a document. LISTING is the program made from listing.c. In the
# document a line `<!-- make docs: NAME -->` stands before the fenced block of listing NAME. `test`
# compares each listing with its block. `rebase` writes the block, and shows the difference. Usage:
# run.sh test|rebase LISTING DOCUMENT
set -u
mode=$1 listing=$2 document=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

fail() {
	echo "FAILED $document: $1"
	failed=$((failed + 1))
}

# in_document NAME: prints the block of listing NAME, without the fences.
in_document() {
	awk -v mark="<!-- make docs: $1 -->" '
		on == 2 && /^```$/ { exit }
		on == 2
		on == 1 && /^```$/ { on = 2 }
		$0 == mark { on = 1 }' "$document"
}

# replace NAME FILE: prints the document with FILE as the block of NAME.
replace() {
	awk -v mark="<!-- make docs: $1 -->" -v file="$2" '
		on == 2 && /^```$/ { on = 0 }
		on != 2
		on == 1 && /^```$/ { while ((getline line <file) > 0) print line; on = 2 }
		$0 == mark { on = 1 }' "$document"
}

names=$("$listing") || fail "no listings"
for name in $names; do
	"$listing" "$name" >"$work/now" || { fail "no listing '$name'"; continue; }
	in_document "$name" >"$work/then"
	if diff -u --label "$document" --label "$name" "$work/then" "$work/now"; then
		passed=$((passed + 1))
	elif [ "$mode" = rebase ]; then
		replace "$name" "$work/now" >"$work/document" && cp "$work/document" "$document"
		passed=$((passed + 1))
	else
		fail "'$name' is not what the emitter makes; \`make docs\` writes it anew"
	fi
done
for name in $(sed -n 's/^<!-- make docs: \(.*\) -->$/\1/p' "$document"); do
	grep -qx "$name" <<<"$names" || fail "there is no listing '$name'"
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
