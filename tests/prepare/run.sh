#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests `weft prepare` on a kernel of five sources (tree.sh), in seconds. The image is linked from
# these sources without the plugin, and once more with it: the prepared database must lead to the
# same instructions as the second image. Then tests what must be refused: each refusal must have one
# line and its exit code, and must leave nothing half-made. Usage: run.sh WEFT PLUGIN
set -uo pipefail
umask 022
. "$(dirname "$0")/../oracle/names.sh"
. "$(dirname "$0")/tree.sh"
unset WEFT_DB WEFT_KERNEL
weft=$(realpath "$1") plugin=$(realpath "$2")
work=$(mktemp -d)
[ -n "${KEEP:-}" ] || trap 'rm -rf "$work"' EXIT
export WEFT_PREPARED=$work/prepared
source=$work/source image=$work/image config=$work/config
kept=$WEFT_PREPARED/$release
passed=0 failed=0 skipped=0

# check NAME COMMAND...: fails if COMMAND fails.
check() {
	local name=$1
	shift
	if "$@" >"$work/said" 2>&1; then echo "ok     $name"; passed=$((passed + 1))
	else echo "FAILED $name"; head -n 5 "$work/said"; failed=$((failed + 1)); fi
}
# refuses NAME STATUS PATTERN COMMAND...: fails unless COMMAND exits with STATUS and prints one line
# that matches PATTERN.
refuses() {
	local name=$1 want=$2 pattern=$3 status=0
	shift 3
	"$@" >/dev/null 2>"$work/said" || status=$?
	cp "$work/said" "$work/refusal"
	check "$name" test "$status:$(wc -l <"$work/refusal"):$(grep -cE "$pattern" \
		"$work/refusal")" = "$want:1:1"
	[ "$status:$(wc -l <"$work/refusal")" = "$want:1" ] || cat "$work/refusal"
}
# named ARGUMENT...: runs `weft prepare` with all parts of the kernel named.
named() {
	"$weft" prepare --source "$source" --vmlinux "$image" --config "$config" \
		--plugin "$plugin" "$@"
}
# fetched ARGUMENT...: runs `weft prepare` with packages.
fetched() {
	PATH=$work/packages/bin:$PATH "$weft" prepare --kernel "$release" --plugin "$plugin" "$@"
}
# instructions DATABASE: prints which instructions were chosen for each access.
instructions() {
	sqlite3 "$1" "
		SELECT f.struct, f.member, j.kind, fn.name, fi.name, j.line, y.name,
			s.offset - y.offset, s.precision
		FROM joinpoint j JOIN field f ON f.id = j.field
			JOIN function fn ON fn.id = j.function JOIN file fi ON fi.id = j.file
			JOIN shadow s ON s.joinpoint = j.id AND s.chosen
			JOIN symbol y ON y.id = s.symbol
		ORDER BY 1, 2, 3, 4, 5, 6, 7, 8"
}
# same_instructions [DATABASE]: the kept database must lead to the same instructions as DATABASE.
same_instructions() {
	instructions "${1:-$work/labelled.weft}" >"$work/wanted"
	instructions "$kept/vmlinux.weft" >"$work/got"
	diff "$work/wanted" "$work/got" && [ -s "$work/got" ]
}
with_modules() { named --modules "$work/modules" "$@"; }
images() { sqlite3 "$kept/vmlinux.weft" "SELECT group_concat(name) FROM image ORDER BY id"; }
# compiled_now N ARGUMENT...: runs `weft prepare`, which must compile N units.
compiled_now() {
	local n=$1
	shift
	named "$@" >"$work/out" 2>&1 && grep -q ", $n compiled now" "$work/out" || {
		cat "$work/out"
		return 1
	}
}
# chosen POINTCUT UNIT...: `--for POINTCUT` must choose these units.
chosen() {
	local pointcut=$1
	shift
	named --dry-run --for "$pointcut" | grep '\.c$' | sort >"$work/got"
	diff <(printf '%s\n' "$@" | sort) "$work/got"
}
# says PATTERN ARGUMENT...: runs weft with the prepared database, which must warn of accesses that
# the database may lack.
says() {
	local pattern=$1
	shift
	env WEFT_DB="$kept/vmlinux.weft" "$weft" "$@" >"$work/out" 2>"$work/warned"
	cat "$work/warned"
	[ "$(grep -c 'accesses are known in' "$work/warned")" = 1 ] &&
		grep -qE "accesses are known in $pattern" "$work/warned"
}
# complete ARGUMENT...: runs weft with the prepared database, which must not warn.
complete() {
	env WEFT_DB="$kept/vmlinux.weft" "$weft" "$@" >"$work/out" 2>"$work/warned" &&
		[ ! -s "$work/warned" ] || { cat "$work/warned"; return 1; }
}
# prints PATTERN COMMAND...: COMMAND must print a line that matches; waits until it has ended.
prints() {
	local pattern=$1
	shift
	"$@" >"$work/out" 2>/dev/null
	grep -qE -- "$pattern" "$work/out"
}
# with_config SED COMMAND...: runs COMMAND with a configuration that was changed by SED.
with_config() {
	local edit=$1 status=0
	shift
	cp "$config" "$work/config.kept"
	sed -i "$edit" "$config"
	"$@" || status=$?
	mv "$work/config.kept" "$config"
	return $status
}

make_tree "$source"
make_config "$config"
mkdir "$work/modules" "$work/labelled-modules"
check "the image without the plugin is linked" make_image "$source" "$image" \
	"-fdebug-prefix-map=$source/="
check "the image with the plugin is linked" make_image "$source" "$work/labelled" \
	"-fplugin=$plugin"
check "and indexed" "$weft" index "$work/labelled" -o "$work/labelled.weft"

# ---- databases that `weft prepare` makes ----

check "all units" named --all
check "lead to the same instructions" same_instructions
check "nothing is missing then" complete points parcel.next
check "a second run compiles nothing" compiled_now 0 --all
sleep 0.01 && touch "$source/drivers/post.c"
check "a source that changed is compiled again" compiled_now 1 --all
mkdir -p "$work/headers/include/generated"
echo "#define UTS_RELEASE \"$release\"" >"$work/headers/include/generated/utsrelease.h"
check "the database is found by the kernel's headers" \
	env WEFT_KERNEL="$work/headers" "$weft" points parcel.deliver
rm -rf "$kept"
cat >"$work/cc" <<-END
	#!/bin/sh
	[ "\$1" = --version ] || for name; do
		case \$name in *.o) echo "\$name" >>"$work/objects.log" ;; esac
	done
	exec gcc "\$@"
END
chmod +x "$work/cc"
check "all units, two at a time" compiled_now 5 --all --jobs 2 --compiler "$work/cc"
check "each object is written once" test \
	"$(sort "$work/objects.log" | uniq -c | awk '{ printf "%d ", $1 }')" = "1 1 1 1 1 "
check "by the makefile of its folder" grep -qx kernel/lib "$kept/objects/kernel/lib/banner.o.by"
check "and is as it was made" same_instructions
rm -rf "$kept"
check "a folder" compiled_now 2 drivers
cat >"$work/parcel.xml" <<-'END'
	<aspect name="parcel">
	  <pointcut name="weighed">
	    <member-access struct="parcel" name="weight" kind="get"/>
	  </pointcut>
	  <pointcut name="here">
	    <and>
	      <member-access struct="parcel" name="weight"/>
	      <within file="drivers/post.c"/>
	    </and>
	  </pointcut>
	  <pointcut name="posted"><function name="post"/></pointcut>
	  <before-advice pointcut="weighed">;</before-advice>
	  <before-advice pointcut="here">;</before-advice>
	  <before-advice pointcut="posted">;</before-advice>
	</aspect>
END
check "what no other unit mentions is complete" complete points parcel.deliver
check "so is a function" complete points carry
check "and its calls" complete points post%calls
check "a line" complete points post.c:8
check "a file that is prepared" complete points --in drivers/post.c
check "a member in it" complete points --within drivers/post.c parcel.weight
check "a member that a unit mentions which is missing" says \
	'2 of 5 units; 1 of the others mentions weight: `weft prepare --for parcel.weight` adds' \
	points parcel.weight
check "one that no unit here has: two name it, or a macro with it" says \
	'2 of 5 units; 2 of the others mention next: .*parcel.next. adds them' points parcel.next
check "kinds that are not there" says '2 of 5 units; 1 of' points --kind set parcel.weight
check "a pattern" says '2 of 5 units only: others may have more' points 'parcel.*'
check "a file that is missing" says \
	'2 of 5 units; kernel/carry.c is not among them: `weft prepare kernel/carry.c` adds it' \
	points --in carry.c
check "JSON" says '2 of 5 units' points --json parcel.weight
check "has it in its last line" grep -q \
	'^{"incomplete":"accesses .*","units":5,"known":2,"missing":1}$' <(tail -n 1 "$work/out")
check "weft plan" says '2 of 5 units; 1 of' plan parcel.weight
check "weft plan --json" says '2 of 5 units; 1 of' plan --json parcel.weight
check "has it, too" grep -q '^{"incomplete":.*"missing":1}$' <(tail -n 1 "$work/out")
check "an aspect: of its pointcuts one" says '2 of 5 units; 1 of' points "$work/parcel.xml"
check "by its place" grep -q 'parcel.xml:3:[0-9]*: accesses' "$work/warned"
check "weft compile" says '2 of 5 units; 1 of' compile --print-c "$work/parcel.xml"
check "and its module says it" grep -q \
	'^ELFNOTE32(WEFT_NOTE_OWNER, WEFT_NOTE_INCOMPLETE, "parcel.xml:3:[0-9]*: accesses' \
	"$work/out"
check "weft diff: which database" says '2 of 5 units; 1 of' \
	diff "$work/labelled.weft" "$kept/vmlinux.weft" parcel.weight
check "is named" grep -q "^weft: warning: $kept/vmlinux.weft: accesses" "$work/warned"
"$weft" index "$image" --objects "$kept/objects" -o "$work/objects.weft" >/dev/null
check "weft index --objects: how many, and not which" grep -q \
	'2 of 5 units only: others may have more' \
	<("$weft" points -d "$work/objects.weft" parcel.deliver 2>&1)
check "and then another: what is compiled is kept" compiled_now 3 kernel/
check "all together" same_instructions
check "nothing is missing then" complete points 'parcel.*'
check "a file" compiled_now 0 kernel/carry.c
check "by a member: who names it" chosen parcel.deliver drivers/post.c
check "by a member: who names an inline function with it" \
	chosen parcel.weight drivers/post.c drivers/scale.c kernel/carry.c
check "by a member: who names a macro with it, and no comment" \
	chosen parcel.next kernel/carry.c kernel/chain.c
check "by a function" chosen carry drivers/post.c kernel/carry.c
check "by a file" chosen post.c:8 drivers/post.c

cat >"$work/two.xml" <<-'END'
	<aspect name="two">
	  <pointcut name="delivered">
	    <member-access struct="parcel" name="deliver" kind="call"/>
	  </pointcut>
	  <pointcut name="counted">
	    <or>
	      <member-access struct="parcel" name="next"/>
	      <member-access struct="parcel" name="lost" kernel="..5.19"/>
	    </or>
	  </pointcut>
	  <pointcut name="carried"><function name="is_heavy"/></pointcut>
	  <before-advice pointcut="delivered">;</before-advice>
	  <before-advice pointcut="counted">;</before-advice>
	  <before-advice pointcut="carried">;</before-advice>
	</aspect>
END
check "by an aspect: its members, those of this kernel" chosen "$work/two.xml" drivers/post.c \
	kernel/carry.c kernel/chain.c

# ---- `weft prepare` also prepares modules ----

rm -rf "$kept"
check "a module without the plugin is linked" make_module "$source" "$work/modules/van.ko" \
	"-fdebug-prefix-map=$source/="
check "and one with it, which is indexed with its kernel" make_module "$source" \
	"$work/labelled-modules/van.ko" "-fplugin=$plugin"
check "indexed" "$weft" index "$work/labelled" "$work/labelled-modules/van.ko" \
	-o "$work/labelled-modules.weft"
check "a member in a module: its unit is compiled" \
	with_modules --for van:parcel.state
check "that one alone" test "$(cd "$kept/objects" && echo */*.o */*/*.o)" = \
	"*/*.o drivers/van/van.o"
check "the module is in the database" test "$(images)" = vmlinux,van
check "with an exact label" grep -qE 'van.c:7:7 +van:van_drive\+0x9 +exact' \
	<("$weft" points -d "$kept/vmlinux.weft" van:parcel.state)
check "what the module has of others is known" says \
	'1 of 2 units; 1 of the others mentions weight: `weft prepare --for van:parcel.weight` ' \
	points van:parcel.weight
check "and no more is said than that" complete points van:parcel.state
check "of the kernel and the module" says '1 of 7 units; 4 of the others mention weight: `weft' \
	points parcel.weight
check "a member: how to have it in modules, too" \
	prints "--for '\*:parcel.deliver' all that mention it" \
	with_modules --dry-run --for parcel.deliver
check "where none are known nothing is said" test "$(named --dry-run --for parcel.deliver 2>&1 |
	grep -c "modules are left out")" = 0
check "another run, for the kernel" with_modules --all
check "keeps the module" test "$(images)" = vmlinux,van
check "a pointcut without a module is for those in the database, too" \
	prints '^drivers/van/load.c$' with_modules --dry-run --for parcel.weight
check "all of a module" with_modules --module 'v?n'
check "all together" same_instructions "$work/labelled-modules.weft"
check "nothing is missing then" complete points 'parcel.*'
refuses "a module in the database whose file is gone" 1 'has the module van, and its file' \
	named --all
check "the database is as it was" test "$(images)" = vmlinux,van
refuses "no such module" 5 "has no module 'wan'; did you mean van" \
	with_modules --for wan:parcel.state
refuses "a module that does not mention it" 5 'no unit of van mentions deliver' \
	with_modules --for van:parcel.deliver
mkdir "$work/stripped" "$work/cut-modules" "$work/rebuilt-modules"
objcopy --strip-debug "$work/modules/van.ko" "$work/stripped/van.ko"
from_modules() { # from_modules FOLDER: a member of a module that lies there
	WEFT_DEBUG=$work/debug named --modules "$work/$1" --for van:parcel.state
}
refuses "a stripped module without its debug file" 6 \
	'stripped/van.ko: has no debug .*, and there is no .*/debug/.build-id/.*: install the' \
	from_modules stripped
id=$(readelf -n "$work/modules/van.ko" | sed -n 's/.*Build ID: //p')
mkdir -p "$work/debug/.build-id/${id:0:2}"
objcopy --only-keep-debug "$work/modules/van.ko" "$work/debug/.build-id/${id:0:2}/${id:2}.debug"
check "and with it" from_modules stripped
check "leads to the same" grep -qE 'van.c:7:7 +van:van_drive\+0x9 +exact' \
	<("$weft" points -d "$kept/vmlinux.weft" van:parcel.state)
head -c 3000 "$work/modules/van.ko" >"$work/cut-modules/van.ko"
refuses "a truncated module" 6 'van.ko: truncated: .* the file at 3000$' from_modules cut-modules
cp -r "$source" "$work/rebuilt"
{ printf '\n%.0s' {1..30}; cat "$source/drivers/van/van.c"; } >"$work/rebuilt/drivers/van/van.c"
make_module "$work/rebuilt" "$work/rebuilt-modules/van.ko" "-fdebug-prefix-map=$work/rebuilt/="
refuses "a module that was built again from another source" 7 \
	'van.c, line 7, is in van_drive .* take the source that the image was built from$' \
	from_modules rebuilt-modules
check "the database is as it was" grep -qE 'van.c:7:7 +van:van_drive\+0x9 +exact' \
	<("$weft" points -d "$kept/vmlinux.weft" van:parcel.state)
rm -rf "$kept"
check "in all that mention it: a module that does not is left out" \
	with_modules --for '*:parcel.deliver'
check "of the database" test "$(images)" = vmlinux
cat >"$work/van.xml" <<-'END'
	<aspect name="van">
	  <pointcut>
	    <and>
	      <member-access struct="parcel" name="state"/>
	      <within module="van"/>
	    </and>
	  </pointcut>
	  <before-advice>;</before-advice>
	</aspect>
END
check "by an aspect that names a module" with_modules --for "$work/van.xml"
check "which is in the database then" test "$(images)" = vmlinux,van
rm -rf "$kept"
check "and without modules again" named --all

rm -rf "$kept"
tar -C "$work" --owner=4321 --group=4321 --mode=a+rw -cf "$work/source.tar" source
check "a tar file" "$weft" prepare --source "$work/source.tar" --vmlinux "$image" \
	--config "$config" --plugin "$plugin" --all
check "becomes a source that only this user can change" test -z "$(find "$kept/source" \
	! -type l \( ! -user "$(id -u)" -o -perm /022 \) -print -quit)"
check "and leads to the same" same_instructions

# ---- what `weft prepare` refuses ----

chmod g+w "$kept"
refuses "a folder that others can write to" 1 'since others can write there; .*WEFT_PREPARED' \
	named --all
# Nor does another command believe what is in such a folder, or in one that others can replace.
mkdir -p "$work/named/include/generated"
echo "#define UTS_RELEASE \"$release\"" >"$work/named/include/generated/utsrelease.h"
asks() { WEFT_KERNEL=$work/named "$weft" points parcel.weight; }
refuses_it() {
	! asks >/dev/null 2>"$work/refusal" && grep -q "^weft: note: $kept: not used for prepared \
kernels, since others can write .*WEFT_PREPARED$" "$work/refusal" &&
		grep -q '^weft: which database' "$work/refusal"
}
check "other commands refuse such a folder" refuses_it
refuses "nor is it exported" 1 'since others can write there; .*WEFT_PREPARED' \
	"$weft" prepare --kernel "$release" --export "$work/exported"
chmod g-w "$kept"
check "but use one that is this user's alone" asks
chmod o+w "$WEFT_PREPARED"
check "and refuse one that others can replace" refuses_it
chmod o-w "$WEFT_PREPARED"

refuses "no units" 2 'which units' named
refuses "folders and --all" 2 'give one of' named --all kernel
refuses "a folder that the image has nothing of" 5 'nothing of net is' named net
refuses "a member that nobody mentions" 5 'no unit of .* mentions lost' named --for parcel.lost
refuses "a pattern" 2 "'\*' is a pattern" named --for 'parcel.*'
sed 's/ kernel=".*"//' "$work/two.xml" >"$work/lost.xml"
refuses "an aspect with a member that nobody mentions" 5 \
	'lost.xml:8:.*no unit of .* mentions lost' named --for "$work/lost.xml"
cat >"$work/functions.xml" <<-'END'
	<aspect name="functions">
	  <pointcut><function name="carry"/></pointcut>
	  <before-advice>;</before-advice>
	</aspect>
END
refuses "an aspect without members" 5 'no pointcut of a member' named --for "$work/functions.xml"
refuses "a release that is a path" 2 'not a kernel' "$weft" prepare --kernel ../x --all
refuses "no such image" 1 'No such file' "$weft" prepare --vmlinux "$work/none" --all
refuses "an image of another release" 7 'is the image of Linux' named --kernel 6.1.8 --all
head -c $(($(stat -c %s "$image") / 2)) "$image" >"$work/cut"
refuses "a truncated image" 6 'cut' "$weft" prepare --source "$source" --vmlinux "$work/cut" \
	--config "$config" --all
refuses "a configuration of another version" 7 'is of Linux 6.1.8' \
	with_config 's/ 6\.1\.7 / 6.1.8 /' named --all
refuses "options that the source does not know" 7 'the first is CONFIG_NO_SUCH=y' \
	with_config '$aCONFIG_NO_SUCH=y' named --all
refuses "another compiler" 7 'apt-get install gcc-12=12\.9-1$' with_config \
	's/^CONFIG_CC_V.*/CONFIG_CC_VERSION_TEXT="gcc-12 (Debian 12.9-1) 12.9.0"/' named --all
refuses "another kind of compiler" 7 'not compiled by GCC' \
	with_config '/CC_IS_GCC/d' named --all
refuses "a kernel without an option" 1 'a kernel with CONFIG_KPROBES: take' \
	with_config '/CONFIG_KPROBES/d' named --all
refuses "a plugin that is none" 1 'the plugin does not work in' \
	"$weft" prepare --source "$source" --vmlinux "$image" --config "$config" \
	--plugin "$image" --all
mkdir "$work/built" && cp -r "$source/." "$work/built" && touch "$work/built/.config"
refuses "a source in which a kernel was built" 1 'mrproper' "$weft" prepare --all \
	--source "$work/built" --vmlinux "$image" --config "$config" --plugin "$plugin"
refuses "a source tree that is none" 1 "source tree: name its top folder" "$weft" prepare --all \
	--source "$work" --vmlinux "$image" --config "$config" --plugin "$plugin"
rm "$work/built/.config" && sed -i 's/echo 6.1.7/echo 6.1.70/' "$work/built/Makefile"
refuses "a source of another version" 7 'is the source of Linux 6.1.70' "$weft" prepare --all \
	--source "$work/built" --vmlinux "$image" --config "$config" --plugin "$plugin"
check "the database of before is still there" same_instructions
cp -r "$source" "$work/edited"
{ printf '\n%.0s' {1..30}; cat "$source/kernel/carry.c"; } >"$work/edited/kernel/carry.c"
rm -rf "$kept"
refuses "a source that was edited" 7 'another source than the image: kernel/carry.c, line' \
	"$weft" prepare --all --source "$work/edited" --vmlinux "$image" --config "$config" \
	--plugin "$plugin"
check "leaves no database" test ! -e "$kept/vmlinux.weft"
sed -i '$aint broken(' "$work/edited/drivers/scale.c"
cp "$source/kernel/carry.c" "$work/edited/kernel/carry.c"
refuses "a unit that cannot be compiled is named" 0 'drivers/scale.c could not be compiled' \
	"$weft" prepare --all --source "$work/edited" --vmlinux "$image" --config "$config" \
	--plugin "$plugin"
check "and the others are there" "$weft" points -d "$kept/vmlinux.weft" parcel.deliver
refuses "no unit that can be compiled" 1 'no unit could be compiled: .*rror' \
	"$weft" prepare drivers/scale.c --source "$work/edited" --vmlinux "$image" \
	--config "$config" --plugin "$plugin"

# in_small_folder UNIT BYTES: prepares into a file system that has only BYTES free from the time on
# when the UNIT is compiled. Prints databases that are left there.
in_small_folder() {
	cat >"$work/filling" <<-END
		#!/bin/sh
		case " \$* " in
		*" $1.o "*)
			head -c 300M /dev/zero >"$work/small/fill" 2>/dev/null
			truncate -s -$2 "$work/small/fill" ;;
		esac
		exec gcc "\$@"
	END
	chmod +x "$work/filling"
	mkdir -p "$work/small"
	# shellcheck disable=SC2016 # expanded inside
	WEFT_PREPARED=$work/small unshare --mount bash -c '
		mount -t tmpfs -o size=240M none "$WEFT_PREPARED" || exit 99
		"$@"
		status=$?
		find "$WEFT_PREPARED" -name "*.weft*" >&2
		exit $status' small "$weft" prepare --source "$source" --vmlinux "$image" \
		--config "$config" --plugin "$plugin" --all --jobs 1 --compiler "$work/filling"
}
if [ "$(id -u)" = 0 ]; then
	for unit in kernel/carry drivers/scale; do
		refuses "no space for $unit" 1 \
			'compiled: .*prepare.log: make room, or set WEFT_PREPARED .*: it goes on' \
			in_small_folder $unit 0
	done
	refuses "no space for the database" 1 'vmlinux.weft: no space left there: make room$' \
		in_small_folder drivers/scale 100000
else
	echo "skip   no space left: a small file system takes root"
	skipped=$((skipped + 1))
fi

# ---- interrupted, and two at a time ----

rm -rf "$kept"
cp -r "$source" "$work/slow"
sed -i 's/^\(>@\[ .*\)/>@sleep 120 \& echo $$! >$(O)\/sleeper; wait\n\1/' "$work/slow/Makefile"
slow() {
	"$weft" prepare --source "$work/slow" --vmlinux "$image" --config "$config" \
		--plugin "$plugin" --all
}
slow >/dev/null 2>"$work/interrupted" &
job=$!
for _ in {1..100}; do [ ! -s "$kept/objects/sleeper" ] || break; sleep 0.1; done
refuses "two at a time" 10 'another .weft prepare. works in' slow
weft_pid=$(pgrep -P $job | head -n 1)
kill -INT "${weft_pid:-$job}"
status=0
wait $job || status=$?
check "interrupted: exit 1, one line, the remedy" test "$status:$(wc -l <"$work/interrupted"):$(
	grep -c 'interrupted; run it again: it goes on' "$work/interrupted")" = 1:1:1
check "what make was doing is not waited for" kill -0 "$(cat "$kept/objects/sleeper")"
[ ! -s "$kept/objects/sleeper" ] || kill "$(cat "$kept/objects/sleeper")" 2>/dev/null
check "leaves no database" test ! -e "$kept/vmlinux.weft"
check "and a run after it goes on" named --all
rm -rf "$kept"
slow >/dev/null 2>&1 &
job=$!
for _ in {1..100}; do [ ! -s "$kept/objects/sleeper" ] || break; sleep 0.1; done
kill -KILL "$(pgrep -P $job | head -n 1)"
wait $job
# ended: succeeds if no make works in the folder any more.
ended() {
	local at

	for _ in {1..100}; do
		pgrep -f "make.*O=$kept/objects" >/dev/null || return 0
		sleep 0.1
	done
	return 1
}
check "killed: make ends, too" ended
kill "$(cat "$kept/objects/sleeper")" 2>/dev/null
check "and a run after it goes on" named --all

# ---- `weft prepare` takes sources and debug information from packages ----

rm -rf "$kept"
make_packages "$work/packages" "$source" "$image" "$config"
NO_NETWORK=1 refuses "no network" 1 'cannot be downloaded: E: Failed to fetch' fetched --all
TRUNCATE=linux-source refuses "a truncated package" 6 'linux-source-6.1=6.1.7-3 is damaged' \
	fetched --all
check "is removed" test ! -e "$kept/downloads/linux-source-6.1_${version}_amd64.deb"
check "and nothing half-unpacked is left" test -z "$(find "$kept" -name '*.new')"
SIZE=1000000000000000 refuses "no space" 1 'are needed: make room, or set WEFT_PREPARED' \
	fetched --all
rm "$work/packages/downloads"
# Links to all programs of this machine, except some, which are then missing.
mkdir "$work/packages/few"
for name in $(compgen -c | sort -u); do
	case $name in flex | bison | pahole) continue ;; esac
	path=$(type -P "$name") && ln -s "$path" "$work/packages/few/$name"
done
rm -rf "$kept"
lacking() { PATH=$work/packages/bin:$work/packages/few "$weft" prepare --plugin "$plugin" "$@"; }
refuses "programs that are missing: all in one command" 1 'apt-get install flex bison pahole$' \
	lacking --kernel "$release" --all
check "before anything is fetched" test ! -e "$work/packages/downloads"
refuses "where the configuration is here: with the compiler that it names" 1 \
	'apt-get install flex bison gcc-12=12\.9-1$' with_config \
	's/^CONFIG_CC_V.*/CONFIG_CC_VERSION_TEXT="gcc-12 (Debian 12.9-1) 12.9.0"/' \
	lacking --kernel "$release" --config "$config" --all

mkdir -p "$kept/downloads"
for old in {1..30}; do : >"$kept/downloads/linux-source-6.1_6.1.6-${old}_amd64.deb"; done
check "what would be fetched is said before" \
	prints "linux-source-6.1=$version" fetched --dry-run --all
check "kbuild's programs in the version that there is" \
	grep -q "  linux-kbuild-6.1=$kbuild_version\$" "$work/out"
check "and not fetched" test ! -e "$work/packages/downloads"
check "from packages to a database, beside what is left of other versions" fetched --all
check "it is the same" same_instructions
check "headers know their place" \
	grep -qx "include $kept/headers-packages/usr/src/linux-headers-6.1-common/Makefile" \
	"$kept/headers/Makefile"
check "a second run fetches nothing" fetched --all
check "nothing was fetched twice" test "$(wc -l <"$work/packages/downloads")" = 1
mv "$work/packages/debs/linux-source-6.1_${version}_amd64.deb" "$work"
rm -rf "$kept"
refuses "a package that there is none of" 1 'do not have linux-source-6.1=' fetched --all
mv "$work/linux-source-6.1_${version}_amd64.deb" "$work/packages/debs"
check "again" fetched --all

# ---- databases that are exported for other machines ----

# take FOLDER ARGUMENT...: runs weft as on another machine, with FOLDER for its prepared kernels.
take() {
	local folder=$1
	shift
	WEFT_PREPARED=$folder PATH=$work/packages/bin:$PATH "$weft" prepare "$@"
}
check "export" fetched --export "$work/shared"
check "import" take "$work/other" --kernel "$release" --import "$work/shared"
check "is the database" cmp "$kept/vmlinux.weft" "$work/other/$release/vmlinux.weft"
refuses "import of another release than runs" 7 'is of Linux 6.1.7-small-amd64, and not of' \
	take "$work/third" --import "$work/shared"
refuses "import of another release than asked" 7 'and not of 6.1.8' \
	take "$work/third" --kernel 6.1.8 --import "$work/shared"
sed -i 's/parcel->state = 3/parcel->state = 4/' "$source/kernel/carry.c"
make_image "$source" "$work/other-image"
refuses "import of another build" 7 'with the build-id [0-9a-f]{40}, and .* has [0-9a-f]{40}' \
	take "$work/third" --vmlinux "$work/other-image" --import "$work/shared"
head -c -50 "$work/shared" >"$work/cut"
refuses "a truncated file" 6 'cut is truncated or damaged' \
	take "$work/third" --kernel "$release" --import "$work/cut"
cp "$work/shared" "$work/flipped"
printf 'XXXX' | dd of="$work/flipped" bs=1 seek=$(($(stat -c %s "$work/shared") / 2)) \
	conv=notrunc status=none
refuses "a damaged file" 6 'flipped is truncated or damaged' \
	take "$work/third" --kernel "$release" --import "$work/flipped"
refuses "a file of another kind" 6 'not a file of .weft prepare --export' \
	take "$work/third" --kernel "$release" --import "$config"
refuses "no such file" 1 'No such file' take "$work/third" --import "$work/none"
refuses "export of what is not prepared" 1 'run .weft prepare. first' \
	take "$work/fourth" --kernel "$release" --export "$work/x"
check "no file is left by what failed" test -z "$(find "$work/third" "$work" -maxdepth 2 \
	\( -name 'vmlinux.weft*' -path '*third*' -o -name 'x*' -o -name 'shared.*' \))"

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
