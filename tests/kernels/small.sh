#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# small.sh WEFT PLUGIN: records.sh and `weft index --records` on a tree of three sources in seconds,
# where stock.sh takes a kernel. The tree answers to what records.sh asks of kbuild by a Makefile of
# its own. The image is linked from the same sources without the plugin, and once more with it:
# where labels are exact, records without labels have to lead to the same instructions.
set -uo pipefail
. "$(dirname "$0")/../oracle/names.sh"
weft=$(realpath "$1") plugin=$(realpath "$2")
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source=$work/source out=$work/records
passed=0 failed=0
flags=(-std=gnu11 -O2 -g -mcmodel=kernel -mno-red-zone -fno-pie -ffreestanding -D__KERNEL__
	-Iinclude)

check() { # check NAME COMMAND...
	local name=$1
	shift
	if "$@" >"$work/said" 2>&1; then echo "ok     $name"; passed=$((passed + 1))
	else echo "FAILED $name"; head -n 5 "$work/said"; failed=$((failed + 1)); fi
}
refuses() { # refuses NAME STATUS PATTERN COMMAND...: that exit code and one line that matches
	local name=$1 want=$2 pattern=$3 status=0
	shift 3
	"$@" >/dev/null 2>"$work/said" || status=$?
	check "$name" test "$status:$(wc -l <"$work/said"):$(grep -cE "$pattern" "$work/said")" = \
		"$want:1:1"
}
records() {
	"$top/scripts/records.sh" --source "$source" --config "$work/config" --out "$out" \
		--plugin "$plugin" --quiet "$@"
}

# The tree: a header with an inline, two parts, a Makefile with kbuild's targets.
make_tree() {
	mkdir -p "$source"/{include,scripts,kernel,drivers}
	touch "$source/Kbuild" "$source/scripts/Makefile.build"
	cat >"$source/include/parcel.h" <<-'END'
		struct parcel {
			long weight;
			int state;
			void (*deliver)(struct parcel *parcel);
			struct parcel *next;
		};
		static inline long heavier(const struct parcel *parcel, long than)
		{
			return parcel->weight > than;
		}
		long carry(struct parcel *parcel);
	END
	cat >"$source/kernel/carry.c" <<-'END'
		#include <parcel.h>

		long carry(struct parcel *parcel)
		{
			long n = 0;

			for (; parcel; parcel = parcel->next) {
				parcel->state = 3;
				n += heavier(parcel, 70);
			}
			return n;
		}

		int is_last(struct parcel *parcel)
		{
			return !parcel->next;
		}
	END
	cat >"$source/kernel/banner.c" <<-'END'
		const char linux_banner[] = "Linux version 6.1.7-small (nobody) #1";
	END
	cat >"$source/drivers/post.c" <<-'END'
		#include <parcel.h>

		long post(struct parcel *parcel)
		{
			if (!parcel->deliver)
				return carry(parcel);
			parcel->deliver(parcel);
			return parcel->weight;
		}
	END
	cat >"$source/Makefile" <<-'END'
		kernelversion: ; @echo 6.1.7
		olddefconfig prepare: ; @:
		.RECIPEPREFIX = >
		kernel/:
		>@$(MAKE) $(O)/kernel/carry.o $(O)/kernel/banner.o
		drivers/:
		>@$(MAKE) $(O)/drivers/post.o
		$(O)/%.o: %.c
		>@mkdir -p $(@D)
		>@echo '  CC      $*.o'
		>@cd $(O) && $(CC) FLAGS -c -o $*.o $(CURDIR)/$*.c
		.PHONY: kernel/ drivers/ kernelversion olddefconfig prepare
	END
	sed -i "s#FLAGS#${flags[*]/-Iinclude/-I\$(CURDIR)/include}#" "$source/Makefile"
	printf '# Linux/x86 6.1.7 Kernel Configuration\nCONFIG_SMALL=y\n' >"$work/config"
}

# image FILE FLAG...: linked at a kernel's address
image() {
	local file=$1 unit objects=()
	shift
	for unit in kernel/carry kernel/banner drivers/post; do
		(cd "$source" && gcc "${flags[@]}" "$@" -c -o "$work/${unit//\//-}.o" $unit.c) ||
			return
		objects+=("$work/${unit//\//-}.o")
	done
	ld -static -e 0 -Ttext=0xffffffff81000000 --build-id=sha1 -o "$file" "${objects[@]}"
}
# instructions DATABASE: of each access, what was chosen
instructions() {
	sqlite3 "$1" "
		SELECT f.struct, f.member, j.kind, fn.name, fi.name, j.line, y.name,
			s.offset - y.offset
		FROM joinpoint j JOIN field f ON f.id = j.field
			JOIN function fn ON fn.id = j.function JOIN file fi ON fi.id = j.file
			JOIN shadow s ON s.joinpoint = j.id AND s.chosen
			JOIN symbol y ON y.id = s.symbol
		ORDER BY 1, 2, 3, 4, 5, 6, 7, 8"
}
same_instructions() {
	instructions "$work/exact.weft" >"$work/exact"
	instructions "$work/parsed.weft" >"$work/parsed"
	diff "$work/exact" "$work/parsed" && [ -s "$work/parsed" ]
}
no_labels() {
	[ "$(sqlite3 "$work/parsed.weft" \
		"SELECT count(*) FROM shadow WHERE precision = $WEFT_PRECISION_EXACT")" = 0 ]
}

make_tree
check "the image without the plugin is linked" image "$work/image"
check "records.sh makes records" records
check "of three units" test "$(find "$out" -name '*.o' | wc -l)" = 3
check "no code is in them" \
	test -z "$(find "$out" -name '*.o' -exec size -A {} + | awk '$1 == ".text" && $2 > 0')"
check "weft index --records" "$weft" index "$work/image" --records "$out" -o "$work/parsed.weft"
check "no shadow is exact" no_labels
check "the image with the plugin is linked" image "$work/labelled" "-fplugin=$plugin"
check "and indexed" "$weft" index "$work/labelled" -o "$work/exact.weft"
check "both lead to the same instructions" same_instructions
touch "$out/stamp"
check "a second run" records
check "parses nothing again" test -z "$(find "$out" -name '*.o' -newer "$out/stamp")"
sleep 0.01 && touch "$source/drivers/post.c"
check "a run after one source changed" records
check "parses that one" \
	test "$(find "$out" -name '*.o' -newer "$out/stamp")" = "$out/drivers/post.o"
rm -rf "$out/drivers"
check "one part alone" records kernel
check "has records of it alone" test ! -e "$out/drivers"
check "of the units that are there accesses are known" \
	"$weft" index "$work/image" --records "$out" -o "$work/part.weft"
check "and of the others none" test "$(sqlite3 "$work/part.weft" "SELECT count(*) FROM joinpoint j
	JOIN file f ON f.id = j.file WHERE f.name = 'drivers/post.c'")" = 0
refuses "a module with records" 2 'for one image' \
	"$weft" index "$work/image" "$work/kernel-carry.o" --records "$out" -o "$work/db"
sed -i 's/^version .*/version 6.1.70/' "$out/weft-records"
refuses "records of another version" 7 'of Linux 6.1.70' \
	"$weft" index "$work/image" --records "$out" -o "$work/db"
rm "$out/weft-records"
refuses "a folder without its stamp" 6 'no folder of records' \
	"$weft" index "$work/image" --records "$out" -o "$work/db"
records >/dev/null
sed -i 's/6\.1\.7 /6.1.8 /' "$work/config"
refuses "a configuration of another version" 7 'is of Linux 6.1.8' records
sed -i 's/6\.1\.8 /6.1.7 /' "$work/config"
{ printf '\n%.0s' {1..30}; cat "$source/kernel/carry.c"; } >"$work/carry.c" &&
	cp "$work/carry.c" "$source/kernel/carry.c"
check "a source that was edited is parsed" records
refuses "and is not the image's" 7 'another source than the image: kernel/carry.c, line' \
	"$weft" index "$work/image" --records "$out" -o "$work/db"
echo 'int broken(' >>"$source/drivers/post.c"
refuses "a unit that cannot be parsed" 1 '1 unit could not be parsed' records
refuses "no folder of that name" 1 'has no folder lost' records lost
check "no database is left behind by what failed" test ! -e "$work/db"
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
