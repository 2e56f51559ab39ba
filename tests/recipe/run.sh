#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests modules that are built by the recipe instead of kbuild: both must make equal modules of this
# tree's aspects. Then makes the recipe stale, or impossible to learn, in many ways: the module must
# be built all the same. --verbose of weft says by which way it was built. `make check-recipe` calls
# this script. Usage: run.sh WEFT KERNEL DB KMOD RUNTIME
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
weft=$1 kernel=$2 db=$3 kmod=$4 runtime=$5
work=$(mktemp -d)
disk=$work/small-disk
trap 'umount -q "$disk"; rm -rf "$work"' EXIT
# weft finds only the recipes that this script makes.
export XDG_CACHE_HOME=$work/cache TMPDIR=$work/tmp
mkdir "$work/tmp"
recipes=$XDG_CACHE_HOME/weft/recipes
skipped=0
. tests/recipe/lib.sh
small=tests/vm/aspects/bench_comm.xml

compile() {
	"$weft" compile --kernel "$kernel" --db "$db" --at-most 20000 "$@"
}

# by WAY ARGUMENT...: compiles the small aspect; weft must say that it was made by WAY.
by() {
	local way=$1

	shift
	rm -f "$work/small.ko"
	compile --verbose "$@" "$small" -o "$work/small.ko" >"$work/said" 2>&1 &&
		grep -q "^weft: made by $way" "$work/said" && [ -s "$work/small.ko" ] && return
	sed 's/^/    /' "$work/said"
	return 1
}

# bare MODULE OUTPUT: copies the module without what differs from build to build: the names of
# temporary folders, and the build-id, which is a hash over debug information with such names.
bare() {
	objcopy --remove-section .note.gnu.build-id "$1" "$2" &&
		sed -i "s#$TMPDIR/weft-......#$TMPDIR/weft-folder#g" "$2"
}
equal() {
	bare "$1" "$work/one" && bare "$2" "$work/two" && cmp "$work/one" "$work/two"
}

# ---- modules by the recipe are equal to kbuild's -------------------------------------------------

all=(aspects/*.xml tests/vm/aspects/*.xml) aspects=()
# Takes a third of the aspects, which WEFT_SEED chooses, or with WEFT_LONG all.
for ((i = 0; i < ${#all[@]}; i++)); do
	if [ -n "${WEFT_LONG:-}" ] || ((i % 3 == ${WEFT_SEED:-1} % 3)); then
		aspects+=("${all[i]}")
	fi
done
mkdir "$work/recipe" "$work/kbuild"
compile --verbose --kmod "$kmod" "${aspects[@]}" -o "$work/recipe" >"$work/by-recipe" 2>&1
check "the aspects compile by the recipe" [ $? = 0 ]
check "none of them by kbuild" [ "$(grep -c '^weft: made by kbuild' "$work/by-recipe")" = 0 ]
compile --kbuild --kmod "$kmod" "${aspects[@]}" -o "$work/kbuild" >"$work/by-kbuild" 2>&1
check "the aspects compile by kbuild" [ $? = 0 ]
for aspect in "${aspects[@]}"; do
	name=$(basename "$aspect" .xml)
	check "$name.ko" equal "$work/recipe/$name.ko" "$work/kbuild/$name.ko"
done

# ---- a recipe lists all files that it depends on -------------------------------------------------

for file in .config Makefile include/generated/autoconf.h include/config/auto.conf \
	include/linux/sched.h scripts/Makefile.build scripts/module.lds tools/objtool/objtool \
	scripts/mod/modpost; do
	check "it depends on $file" grep -q " $kernel/$file\$" <(tr -s / <"$kmod/recipe/recipe" |
		sed 's#/\./#/#g')
done
for program in "$(command -v gcc)" "$(gcc -print-prog-name=cc1)" "$(command -v as)" \
	"$(command -v ld)"; do
	check "it depends on $program" grep -q " $program\$" "$kmod/recipe/recipe"
done

# ---- recipes that are learned, become stale, and are learned anew --------------------------------

# Makes the folders of a weft that has learned nothing yet.
mkdir "$work/kmod"
cp "$kmod/Module.symvers" "$work/kmod"
cp -rL "$runtime" "$work/runtime"
ours=(--kmod "$work/kmod" --runtime "$work/runtime")
beside=$work/kmod/recipe

check "the first compile learns" by "the recipe in $recipes" "${ours[@]}"
first=$(stat -c %i "$recipes"/*/recipe)
check "the second one does not" by "the recipe in $recipes" "${ours[@]}"
check "nothing was learned then" [ "$(stat -c %i "$recipes"/*/recipe)" = "$first" ]
check "an aspect that exports is kbuild's" [ "$(compile --verbose "${ours[@]}" \
	<(sed 's#<counter.*#<before pointcut="there">(void)"EXPORT_SYMBOL";</before>#' "$small") \
	-o "$work/x.ko" 2>&1 | grep -c 'made by')" = 0 ]

echo '/* changed */' >>"$work/runtime/advice.h"
check "a header changed: it is learned anew" by "the recipe in $recipes" "${ours[@]}"
check "and is another one" [ "$(stat -c %i "$recipes"/*/recipe)" != "$first" ]

truncate -s -1 "$recipes"/*/aspect.h.gch
first=$(stat -c %i "$recipes"/*/recipe)
check "a precompiled header is damaged" by "the recipe in $recipes" "${ours[@]}"
check "it was learned anew" [ "$(stat -c %i "$recipes"/*/recipe)" != "$first" ]

# Adds a compiler at another path. It is the same compiler, but weft cannot know that.
mkdir "$work/bin"
printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v gcc)" >"$work/bin/gcc"
chmod +x "$work/bin/gcc"
first=$(stat -c %i "$recipes"/*/recipe)
PATH=$work/bin:$PATH check "another compiler" by "the recipe in $recipes" "${ours[@]}"
check "it was learned anew for that" [ "$(stat -c %i "$recipes"/*/recipe)" != "$first" ]

# ---- if no recipe can be learned, kbuild makes the module ----------------------------------------

XDG_CACHE_HOME=/dev/null check "a cache that cannot be written" by kbuild "${ours[@]}"
chmod o+w "$recipes"
check "a cache that others can write to" by kbuild "${ours[@]}"
chmod o-w "$recipes"

# If there is no room for the precompiled header, weft cannot make a recipe. weft must not keep this
# as the reason why a kernel has no recipe, since there may be room later.
mkdir "$disk"
if mount -t tmpfs -o size=8m none "$disk" 2>/dev/null; then
	XDG_CACHE_HOME=$disk check "no room for a recipe" by kbuild "${ours[@]}"
	mount -o remount,size=400m "$disk"
	XDG_CACHE_HOME=$disk check "now there is" by "the recipe in $disk" "${ours[@]}"
	umount "$disk"
else
	echo "skip   no room for a recipe: nothing can be mounted here"
	skipped=$((skipped + 1))
fi
# A reason that does not pass is kept.
printf '#!/bin/sh\ncase "$*" in *c-header*) exit 1 ;; esac\nexec %s "$@"\n' \
	"$(command -v gcc)" >"$work/bin/gcc"
precompiles() { PATH=$work/bin:$PATH by "kbuild: aspect.h cannot be precompiled" "${ours[@]}"; }
rm -r "$recipes"
check "a compiler that precompiles nothing" precompiles
first=$(stat -c %i "$recipes"/*/recipe)
check "it is kbuild again" precompiles
check "and is not learned again" [ "$(stat -c %i "$recipes"/*/recipe)" = "$first" ]

# ---- several aspects at once, of which one does not compile --------------------------------------

"$weft" learn --kernel "$kernel" "${ours[@]}" >/dev/null
check "weft learn" [ $? = 0 ]
mkdir "$work/no-make" "$work/many"
printf '#!/bin/sh\nexit 1\n' >"$work/no-make/make"
chmod +x "$work/no-make/make"
for name in first broken last; do
	sed "s/<aspect name=\"[a-z_]*\"/<aspect name=\"$name\"/" "$small" >"$work/$name.xml"
done
sed -i 's#</aspect>#<before-advice pointcut="there">no_such_thing;</before-advice>&#' \
	"$work/broken.xml"
many=("$work"/{first,broken,last}.xml -o "$work/many")
PATH=$work/no-make:$PATH compile --verbose "${ours[@]}" "${many[@]}" >"$work/said" 2>&1
check "one of three fails: it is named" \
	grep -q "^$work/broken.xml:.* error: 'no_such_thing' undeclared" "$work/said"
check "the others are made, without kbuild" [ "$(ls "$work/many" | tr '\n' ' ')" = \
	"first.ko last.ko " ]

# deaf FOLDER: changes the recipe in FOLDER so that its compiler fails and prints nothing.
deaf() {
	python3 - "$1/recipe" <<'END'
import re, sys
text = re.sub(rb'(command-0 \d+\n)gcc\n', rb'\1false\n', open(sys.argv[1], 'rb').read(), count=1)
text = text[:text.rindex(b'end ')]
value = 0xcbf29ce484222325
for byte in text:
    value = (value ^ byte) * 0x100000001b3 % 2 ** 64
open(sys.argv[1], 'wb').write(text + b'end %016x\n' % value)
END
}
rm "$work/many"/*
cp "$beside/recipe" "$work/kept"
deaf "$beside"
compile --verbose "${ours[@]}" "$work"/{first,last}.xml -o "$work/many" >"$work/said" 2>&1
check "a recipe fails and names no module: all are made" [ "$(ls "$work/many" | wc -l)" = 2 ]
check "by one run of kbuild" [ "$(grep -c 'made by kbuild: a command' "$work/said")" = 1 ]
mv "$work/kept" "$beside/recipe"

# ---- only recipes that no other user can write are used ------------------------------------------

# trusted WHAT, untrusted WHAT: checks that the recipe beside weft.ko is used, or that it is not.
trusted() { XDG_CACHE_HOME=/dev/null check "$1" by "the recipe in $beside" "${ours[@]}"; }
# weft would not use $work/tmp while others can write to $work.
untrusted() { XDG_CACHE_HOME=/dev/null TMPDIR=/tmp check "$1" by kbuild "${ours[@]}"; }
trusted "a recipe beside weft.ko"
for path in "$beside" "$beside/recipe" "$work/kmod" "$work"; do
	for who in o g; do
		chmod $who+w "$path"
		untrusted "$who can write to $path"
		chmod $who-w "$path"
	done
done
chmod 1777 "$work/kmod"
trusted "others can make files beside it, and not take it away"
chmod 755 "$work/kmod"
if [ "$(id -u)" = 0 ]; then
	for path in "$beside" "$beside/recipe" "$work/kmod"; do
		chown 4321 "$path"
		untrusted "$path is somebody else's"
		chown 0 "$path"
	done
fi
mv "$beside/recipe" "$work/kept"
ln -s "$work/kept" "$beside/recipe"
untrusted "its file is a link"
rm "$beside/recipe"
mv "$work/kept" "$beside/recipe"
mv "$beside" "$work/elsewhere"
ln -s "$work/elsewhere" "$beside"
XDG_CACHE_HOME=/dev/null check "a link to a recipe" by "the recipe in $work/elsewhere" "${ours[@]}"
chmod o+w "$work/elsewhere"
untrusted "a link to one that others can write to"
rm -r "$beside" "$work/elsewhere"

# ---- two compilations at once, and one that is killed --------------------------------------------

rm -r "$recipes"
compile "${ours[@]}" "$small" -o "$work/a.ko" >/dev/null 2>&1 & one=$!
compile "${ours[@]}" "$small" -o "$work/b.ko" >/dev/null 2>&1 & two=$!
wait $one
check "the first of two at once" [ $? = 0 ]
wait $two
check "the second of two at once" [ $? = 0 ]
check "they leave one recipe" [ "$(find "$recipes" -mindepth 1 -maxdepth 1 | wc -l)" = 1 ]
check "which is valid" by "the recipe in $recipes" "${ours[@]}"
check "the modules are equal" equal "$work/a.ko" "$work/b.ko"

rm -r "$recipes"
for after in 0.3 1 2; do
	timeout -s INT $after "$weft" learn --kernel "$kernel" "${ours[@]}" >/dev/null 2>&1
	timeout -s INT $after "$weft" compile --kernel "$kernel" --db "$db" "${ours[@]}" "$small" \
		-o "$work/c.ko" >/dev/null 2>&1
	check "ended after $after s: nothing half is left" [ -z "$(find "$work/kmod" "$recipes" \
		-name '*.??????' -o -name '*.old' 2>/dev/null)" ]
	check "ended after $after s: no temporary folder is left" \
		[ -z "$(find "$TMPDIR" -name "weft-*")" ]
done
# weft makes two folders before it runs another program. A signal comes when it has just made one.
for nth in 1 2; do
	rm -rf "$recipes"
	strace -qq -o "$work/trace" -e trace=mkdir -e inject=mkdir:signal=TERM:when=$nth \
		"$weft" learn --kernel "$kernel" "${ours[@]}" >/dev/null 2>&1
	check "a signal came with folder $nth" grep -q 'SIGTERM' "$work/trace"
	check "ended at folder $nth: nothing is left" [ -z "$(find "$TMPDIR" "$work/kmod" \
		"$recipes" -name 'weft-*' -o -name '*.??????' -o -name '*.old' 2>/dev/null)" ]
done
check "then it is learned" by "the recipe in" "${ours[@]}"

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
