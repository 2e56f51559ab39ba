#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests `weft index --objects` on a tree of six sources, in seconds. An image is linked of these
# sources without the plugin, as a distribution's kernel is, and objects are compiled with the
# plugin. The result is compared with an image that is linked of those objects, which has labels of
# its own. Then sources are changed: functions that have changed must not be proven, and all others
# must. Usage: objects.sh WEFT PLUGIN
set -uo pipefail
. "$(dirname "$0")/../oracle/names.sh"
weft=$(realpath "$1") plugin=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source=$work/source
passed=0 failed=0
flags=(-std=gnu11 -O2 -g -mcmodel=kernel -mno-red-zone -fno-pie -ffreestanding -D__KERNEL__
	-fno-inline -fno-ipa-icf -fno-ipa-ra -pg -mfentry -mrecord-mcount -Iinclude)
units=(carry post office toll table entry)

# check NAME COMMAND...: fails if COMMAND fails.
check() {
	local name=$1
	shift
	if "$@" >"$work/said" 2>&1; then echo "ok     $name"; passed=$((passed + 1))
	else echo "FAILED $name"; head -n 8 "$work/said"; failed=$((failed + 1)); fi
}

make_tree() {
	mkdir -p "$source/include"
	cat >"$source/include/parcel.h" <<-'END'
		struct parcel {
			long weight;
			int state;
			const char *address;
			void (*deliver)(struct parcel *parcel);
			struct parcel *next;
		};
		long carry(struct parcel *parcel);
		long heavy(struct parcel *parcel);
		long light(struct parcel *parcel);
		long fee(struct parcel *parcel);
		/* As the kernel's: a jump, and an entry in a table. */
		static inline __attribute__((always_inline)) int is_holiday(void)
		{
			asm goto("1: jmp %l[yes]\n\t"
				 ".pushsection __jump_table, \"aw\"\n\t"
				 ".balign 8\n\t.long 1b - .\n\t.long %l[yes] - .\n\t.quad 0\n\t"
				 ".popsection" : : : : yes);
			return 0;
		yes:
			return 1;
		}
	END
	cat >"$source/carry.c" <<-'END'
		#include <parcel.h>

		static long count;
		static const char *const names[] = { "first", "second" };

		static long total(struct parcel *parcel)
		{
			count += parcel->weight;
			return count;
		}
		long carry(struct parcel *parcel)
		{
			long n = 0;

			for (; parcel; parcel = parcel->next) {
				parcel->state = 3;
				n += heavy(parcel) + total(parcel);
			}
			return n;
		}
		long label(struct parcel *parcel)
		{
			parcel->address = "the carrier's";
			return parcel->weight > 70;
		}
		const char *name_of(struct parcel *parcel)
		{
			return names[parcel->state];
		}
		__attribute__((weak)) long fee(struct parcel *parcel)
		{
			return parcel->weight * 3;
		}
	END
	cat >"$source/post.c" <<-'END'
		#include <parcel.h>

		static __attribute__((used)) long count, lost;

		static long total(struct parcel *parcel)
		{
			count -= parcel->weight;
			return count + lost;
		}
		long heavy(struct parcel *parcel)
		{
			return parcel->weight + 5;
		}
		long light(struct parcel *parcel)
		{
			return parcel->weight - 5;
		}
		long post(struct parcel *parcel)
		{
			if (is_holiday()) {
				parcel->state = 7;
				lost++;
			}
			if (!parcel->deliver)
				return total(parcel) + fee(parcel);
			parcel->deliver(parcel);
			return heavy(parcel) * 2;
		}
	END
	cat >"$source/office.c" <<-'END'
		#include <parcel.h>

		long fee(struct parcel *parcel)
		{
			return parcel->weight * 3;
		}
		long toll(struct parcel *parcel)
		{
			return parcel->weight * 9;
		}
		static __attribute__((noinline, cold)) long closed(struct parcel *parcel)
		{
			parcel->state = 9;
			return carry(parcel);
		}
		long open(struct parcel *parcel)
		{
			if (parcel->state == 8)
				return closed(parcel);
			return parcel->next ? heavy(parcel->next) : light(parcel);
		}
	END
	# The linker takes office.c's toll() instead of this weak function, whose code stays in the
	# image without a symbol. The unit has no other function that shows where that code is.
	cat >"$source/toll.c" <<-'END'
		#include <parcel.h>

		__attribute__((weak)) long toll(struct parcel *parcel)
		{
			return parcel->weight * 9;
		}
	END
	# The source makes sections without symbols, as the compiler makes them for its own use.
	cat >"$source/table.c" <<-'END'
		#include <parcel.h>

		asm(".pushsection .data.alone, \"aw\"\n.Lalone: .quad 11, 22\n.popsection");
		asm(".pushsection .data.often, \"aw\"\n.Loften: .quad 33, 44\n.popsection");

		#define ADDRESS(label) \
			({ long *to; asm volatile("lea " label "(%%rip), %0" : "=r"(to)); to; })
		long alone(struct parcel *parcel)
		{
			return ADDRESS(".Lalone")[parcel->state];
		}
		long often(struct parcel *parcel)
		{
			return ADDRESS(".Loften")[parcel->state] + ADDRESS(".Loften + 8")[0] +
				ADDRESS(".Loften + 8")[parcel->weight];
		}
	END
	cat >"$source/entry.c" <<-'END'
		const char linux_banner[] = "Linux version 6.1.7-small (nobody) #1";
		void __attribute__((no_instrument_function, naked)) __fentry__(void)
		{
			asm("ret");
		}
	END
}

# compile FOLDER FLAG...: compiles all units.
compile() {
	local to=$1 unit
	shift
	mkdir -p "$to"
	for unit in "${units[@]}"; do
		(cd "$source" && gcc "${flags[@]}" "$@" -c -o "$to/$unit.o" $unit.c) || return
	done
}
# image FILE FOLDER: links an image at a kernel's address.
image() {
	(cd "$2" && ld -static -e 0 -Ttext=0xffffffff81000000 --build-id=sha1 -o "$1" \
		"${units[@]/%/.o}")
}
# prove OBJECTS DATABASE [IMAGE]: makes the database of an image and these objects.
prove() {
	"$weft" index "${3:-$work/image}" --objects "$1" --differences -o "$2" >"$work/proof"
}
# shadows DATABASE: prints the instructions that are the shadows of each access.
shadows() {
	sqlite3 "$1" "
		SELECT f.struct, f.member, j.kind, fn.name, fi.name, j.line, j.column, s.precision,
			y.name, s.offset
		FROM joinpoint j JOIN field f ON f.id = j.field
			JOIN function fn ON fn.id = j.function JOIN file fi ON fi.id = j.file
			JOIN shadow s ON s.joinpoint = j.id AND s.chosen
			JOIN symbol y ON y.id = s.symbol
		ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10"
}
same_shadows() {
	shadows "$work/truth.weft" >"$work/truth"
	shadows "$work/proven.weft" >"$work/proven"
	diff "$work/truth" "$work/proven" && [ "$(wc -l <"$work/proven")" -gt 15 ]
}
# exact_in DATABASE FUNCTION FILE: prints how many exact shadows of accesses in FILE the function
# has.
exact_in() {
	sqlite3 "$1" "SELECT count(*) FROM shadow s JOIN symbol y ON y.id = s.symbol
			JOIN joinpoint j ON j.id = s.joinpoint JOIN file fi ON fi.id = j.file
		WHERE y.name = '$2' AND fi.name = '$3' AND s.precision = $WEFT_PRECISION_EXACT"
}

# differs NAME FUNCTION PATTERN SED UNIT: changes the source of UNIT by the sed command SED and
# compiles it. Then FUNCTION, which may be several functions, must be unproven for the reason in
# PATTERN and have no exact shadow. Only fee() and toll(), which never are proven, may be unproven
# too, and other functions must keep their exact shadows.
differs() {
	local name=$1 functions=$2 pattern=$3 change=$4 unit=$5 function
	local objects=$work/changed wanted

	rm -rf "$objects"
	cp -r "$work/objects" "$objects"
	cp "$source/$unit.c" "$work/kept.c"
	sed -i -E "$change" "$source/$unit.c"
	if cmp -s "$source/$unit.c" "$work/kept.c"; then
		check "$name: the source is changed" false
		return
	fi
	(cd "$source" && gcc "${flags[@]}" "-fplugin=$plugin" -c -o "$objects/$unit.o" $unit.c)
	cp "$work/kept.c" "$source/$unit.c"
	check "$name: indexed" prove "$objects" "$work/changed.weft"
	wanted=$(printf '%s\n' fee toll $functions | sort)
	check "$name: $functions" test "$(sed -n -E 's/^[a-z]+\.c: ([^:]*): .*/\1/p' \
		"$work/proof" | sort)" = "$wanted"
	for function in $functions; do
		check "$name: $function: $pattern" \
			grep -qE "^$unit\.c: $function: .*$pattern" "$work/proof"
		check "$name: $function has no exact shadow" \
			test "$(exact_in "$work/changed.weft" "$function" $unit.c)" = 0
	done
	check "$name: others have theirs" \
		test "$(exact_in "$work/changed.weft" open office.c)" -gt 1
}

# file_offset IMAGE SYMBOL OFFSET: prints where SYMBOL+OFFSET is in the file of the image.
# bytes_at IMAGE SYMBOL OFFSET N: prints N bytes from there on, in hexadecimal.
# write_at IMAGE SYMBOL OFFSET BYTES: writes BYTES there, which are given in hexadecimal.
file_offset() {
	local address text
	address=$((0x$(nm "$1" | awk -v s="$2" '$3 == s { print $1; exit }') + $3))
	text=$(readelf -SW "$1" | sed -n 's/^ *\[ *[0-9]*\] \.text  *PROGBITS  *//p')
	echo $((address - 0x${text%% *} + 0x$(awk '{ print $2 }' <<<"$text")))
}
bytes_at() {
	od -An -v -tx1 -j "$(file_offset "$1" "$2" "$3")" -N "$4" "$1" | tr -d ' \n'
}
write_at() {
	printf "$(sed 's/../\\x&/g' <<<"$4")" |
		dd of="$1" bs=1 seek="$(file_offset "$1" "$2" "$3")" conv=notrunc status=none
}
# Prints the offset of a jump label of a function that is a jump of two bytes.
label_offset() {
	local start at

	start=$(nm "$work/image" | awk '$3 == "post" { print $1 }')
	at=$(objdump -d --no-show-raw-insn --disassemble=post "$work/image" |
		awk '$2 == "jmp" { sub(":", "", $1); print $1; exit }')
	echo $((0x$at - 0x$start))
}

# patched NAME OFFSET BYTES STATUS: overwrites one function of the image. STATUS is `proven` if the
# function must still be proven, else the reason that must be reported.
patched() {
	cp "$work/image" "$work/patched"
	write_at "$work/patched" post "$2" "$3"
	check "$1: indexed" prove "$work/objects" "$work/patched.weft" "$work/patched"
	if [ "$4" = proven ]; then
		check "$1: proven" test -z "$(grep '^post.c: post:' "$work/proof")"
	else
		check "$1: $4" grep -q "^post.c: post: .*$4" "$work/proof"
		check "$1: no exact shadow" test "$(exact_in "$work/patched.weft" post post.c)" = 0
	fi
}

make_tree
check "the image's objects are compiled" compile "$work/plain"
check "the image is linked" image "$work/image" "$work/plain"
check "objects are compiled with the plugin" compile "$work/objects" "-fplugin=$plugin"
check "and an image linked of them" image "$work/labelled" "$work/objects"
check "weft index --objects" prove "$work/objects" "$work/proven.weft"
check "all is proven but the weak functions" \
	test "$(grep -c '^[a-z]*\.c: ' "$work/proof")" = 2
check "which another unit has replaced" test "$(grep -cE \
	'^(carry.c: fee|toll.c: toll): .*not of this unit' "$work/proof")" = 2
check "the image with labels is indexed" "$weft" index "$work/labelled" -o "$work/truth.weft"
check "both databases have the same shadows" same_shadows
for function in carry label name_of heavy light post open closed; do
	object=$(grep -lE "^[a-z_(), ]*(long |\*)$function\(" "$source"/*.c | head -n 1)
	object=$work/objects/$(basename "$object" .c).o
	check "objdump says the same of $function in the object and in the image" diff \
		<("$here/instructions.sh" "$object" $function) \
		<("$here/instructions.sh" "$work/image" $function)
done

differs "a statement more" carry 'bytes instead of|byte 0x' \
	's/(parcel->state = 3;)/\1 n += 7;/' carry
differs "another constant" label 'byte 0x[0-9a-f]+ is 46 instead of 47' 's/> 70/> 71/' carry
differs "a call of another function of that size" post \
	'refers to heavy instead of light' \
	's/return heavy\(parcel\) \* 2/return light(parcel) * 2/' post
differs "a variable for another" post 'refers to lost instead of count' \
	's/lost\+\+/count++/' post
differs "another string" label 'refers to' "s/the carrier's/the porters's/" carry
differs "other contents, which one reference alone is of" alone 'refers to' \
	's/quad 11/quad 12/; s/quad 33/quad 34/' table
differs "two functions have changed places" "heavy light" 'byte 0x' \
	's/weight \+ 5/weight @ 5/; s/weight - 5/weight + 5/; s/weight @ 5/weight - 5/' post

at=$(label_offset)
jump=$(bytes_at "$work/image" post "$at" 2)
check "the jump label is a short jump" test "${jump:0:2}" = eb
patched "a jump label that is a nop" "$at" 6690 proven
patched "a jump label that leads elsewhere" "$at" eb00 'leads elsewhere'
patched "a jump label that is another instruction" "$at" 9090 'byte'
check "ftrace's call is there" test "$(bytes_at "$work/image" post 0 1)" = e8
patched "a nop for ftrace's call" 0 0f1f440000 proven
patched "another call for ftrace's" 0 e800000000 'byte 0x0'
check "an unchanged copy: indexed" prove "$work/objects" "$work/proven.weft"
check "and has the same shadows again" same_shadows

mkdir "$work/empty"
ln -s objects "$work/link"
check "a folder that is a symbolic link: indexed" prove "$work/link" "$work/linked.weft"
check "a folder that is a symbolic link: functions are proven" \
	grep -qE '^[1-9][0-9]* units?: [1-9]' "$work/proof"
check "a folder without objects is refused" \
	test "$("$weft" index "$work/image" --objects "$work/empty" -o "$work/db" 2>&1 |
		grep -c 'none of its 0 units')" = 1
check "no database is left behind by what failed" test ! -e "$work/db"
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
