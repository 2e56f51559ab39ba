#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Checks what `weft points --program` says of a program that was compiled with the plugin, against
# objdump, addr2line, readelf and the source. The program is compiled in four ways: as a program
# that can be loaded anywhere, as one that cannot, linked statically, and as a shared library. For
# each way and each access that weft knows, an instruction has to begin at the shadow's address, by
# objdump, in the function that weft names; addr2line has to print the access's line for that
# address; and if the instruction has a memory operand, its displacement has to be the member's
# offset. weft also has to have all functions that readelf prints, and all returns that objdump
# prints. Usage: program.sh WEFT PLUGIN SOURCE
set -eu
weft=$1 plugin=$2 source=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C XDG_CACHE_HOME=$work/cache
passed=0 failed=0
cp "$source" "$work/shop.c"
cd "$work"

pass() { passed=$((passed + 1)); echo "ok $1"; }
fail() { failed=$((failed + 1)); echo "FAILED $1: $2"; }
# nothing NAME FILE COUNT LEAST: passes if FILE, which lists errors, is empty, and if COUNT is at
# least LEAST.
nothing() {
	if [ -s "$2" ]; then
		fail "$1" "$(head -n 5 "$2")"
	elif [ "$3" -lt "$4" ]; then
		fail "$1" "only $3 compared, not $4"
	else
		pass "$1 ($3 compared)"
	fi
}

# Prints "MEMBER OFFSET" for each member, as the compiler has them.
cat >offsets.c <<'C'
#define main other_main
#include "shop.c"
#undef main
#include <stddef.h>
#define SHOW(type, member) printf(#type "." #member " %zu\n", offsetof(struct type, member))
int main(void)
{
	SHOW(item, price);
	SHOW(item, next);
	SHOW(shop, shelf);
	SHOW(shop, sold);
	SHOW(shop, worth);
	SHOW(shop, pay);
	return 0;
}
C
gcc -w -O2 -o offsets offsets.c
./offsets >members

# field KEY: prints what the lines of JSON on standard input have for KEY, "-" where they lack it.
rows() {
	python3 -c '
import json, sys
for line in sys.stdin:
    row = json.loads(line)
    print(*(row.get(key, "-") for key in sys.argv[1:]), sep="\t")' "$@"
}

check() {
	local way=$1 file=$2 n=0
	: >wrong
	objdump -d --no-show-raw-insn "$file" >listing
	awk '/^[0-9a-f]+ <.*>:$/ { name = substr($2, 2, length($2) - 3) }
		/^ *[0-9a-f]+:\t/ { sub(":", "", $1); print $1, name }' listing >instructions
	"$weft" points --program "$file" --in shop.c --json >points.json 2>said ||
		{ fail "$way: points" "$(cat said)"; return; }
	rows precision address symbol file line struct member kind instruction <points.json |
		grep -v ^optimized >points
	while IFS=$'\t' read -r precision address symbol file_ line structure member kind text; do
		n=$((n + 1))
		address=${address#0x}
		grep -qx "0*$address $symbol" instructions ||
			echo "$structure.$member $kind: $symbol has nothing at $address" >>wrong
		addr2line -i -e "$file" "0x$address" | sed 's/ (disc.*//' |
			grep -qE "shop\.c:$line\$" ||
			echo "$structure.$member $kind at $address: not line $line" >>wrong
		offset=$(awk -v m="$structure.$member" '$1 == m { printf "%x", $2 }' members)
		operand=$(grep -E "^ *$address:" listing | grep -oE '(0x[0-9a-f]+)?\([^)]*\)' || :)
		case $symbol$offset$operand in
		main*) ;; # the struct lies on the stack there
		*\(%rsp*) ;;
		*)
			[ -z "$offset" ] || [ -z "$operand" ] || [ "$kind" = call ] ||
				[[ $operand = ${offset/#0/}\(* || $operand = 0x$offset\(* ||
				   ( $offset = 0 && $operand = \(* ) ]] ||
				echo "$structure.$member $kind at $address: $operand" >>wrong
			;;
		esac
	done <points
	nothing "$way: accesses are those of objdump, addr2line and the source" wrong $n 20
	# Each member of the source that is accessed by name in sell() is known.
	: >wrong
	for access in 'shop.sold rmw' 'shop.worth get' 'shop.worth set' 'shop.pay call' \
		'journal.rush set' 'item.price get'; do
		awk -F'\t' -v a="$access" '$6 "." $7 " " $8 == a { found = 1 }
			END { exit !found }' <(rows precision address symbol file function struct \
			member kind <points.json) || echo "no $access" >>wrong
	done
	nothing "$way: the accesses that the source has" wrong 6 6
	: >wrong
	n=0
	while read -r address name; do
		n=$((n + 1))
		[ "$("$weft" points --program "$file" "$name%entry" --json | rows address)" = \
			"0x${address##+(0)}" ] || echo "$name is at $address" >>wrong
	done < <(nm "$file" | awk '$2 ~ /[tT]/ && $3 ~ /^(sell|take|put_back|restock)$/ \
		{ print $1, $3 }')
	nothing "$way: functions begin where nm has them" wrong $n 4
	: >wrong
	n=0
	for name in sell take put_back restock; do
		grep -E " $name\$" instructions | while read -r address _; do
			grep -E "^ *$address:" listing
		done | awk '$2 == "ret" || ($2 == "jmp" && $4 !~ /<'$name'[+>]/) { print $1 }' |
			tr -d : | sort >theirs
		"$weft" points --program "$file" "$name%exit" --json | rows address |
			sed 's/0x//' | sort >ours
		n=$((n + $(wc -l <ours)))
		diff theirs ours >>wrong || :
	done
	nothing "$way: functions end where objdump has it" wrong $n 4
}

shopt -s extglob
flags="-O2 -g -fplugin=$plugin shop.c"
gcc $flags -pie -fPIE -o pie && check "a program that can be loaded anywhere" pie
gcc $flags -no-pie -fno-pie -o fixed && check "one that cannot" fixed
gcc $flags -static -o static && check "one that is linked statically" static
gcc $flags -shared -fPIC -o libshop.so && check "a shared library" libshop.so

gcc -O2 -g shop.c -o plain
"$weft" points --program plain sell --json >points.json
nothing "a program without the plugin has functions" /dev/null "$(wc -l <points.json)" 1
if "$weft" index plain -o plain.weft 2>said >/dev/null && grep -q 'no joinpoint table' said; then
	pass "and weft says that it has no accesses"
else
	fail "and weft says that it has no accesses" "$(cat said)"
fi
cp pie changed && "$weft" index pie -o changed.weft >/dev/null && cp fixed changed
if "$weft" points --program changed sell >/dev/null 2>said; then
	fail "a database of another build is refused" "it is not"
elif grep -q 'do not belong together' said; then
	pass "a database of another build is refused"
else
	fail "a database of another build is refused" "$(cat said)"
fi
gcc -O2 -g -Wl,--build-id=none shop.c -o bare
if "$weft" points --program bare sell >/dev/null 2>said || ! grep -q 'build-id' said; then
	fail "a program without a build-id is refused" "$(cat said)"
else
	pass "a program without a build-id is refused"
fi
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
