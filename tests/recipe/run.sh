#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make check-recipe`: run.sh WEFT KERNEL DB KMOD RUNTIME. Builds aspects of this tree by the recipe
# and by kbuild: the modules have to be equal. Then makes the recipe stale, or impossible to learn,
# in every way: the module has to be built all the same. --verbose says by which way it was built.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
weft=$1 kernel=$2 db=$3 kmod=$4 runtime=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Lets weft find no recipes but those that this script makes.
export XDG_CACHE_HOME=$work/cache TMPDIR=$work/tmp
mkdir "$work/tmp"
recipes=$XDG_CACHE_HOME/weft/recipes
passed=0 failed=0
small=tests/vm/aspects/bench_comm.xml

check() { # WHAT COMMAND...
	if "${@:2}"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'FAILED %s\n' "$1"
	fi
}

compile() {
	"$weft" compile --kernel "$kernel" --db "$db" --at-most 20000 "$@"
}

# by WAY ARGUMENT...: compiles the small aspect; weft has to say that it was made by WAY
by() {
	local way=$1

	shift
	rm -f "$work/small.ko"
	compile --verbose "$@" "$small" -o "$work/small.ko" >"$work/said" 2>&1 &&
		grep -q "^weft: made by $way" "$work/said" && [ -s "$work/small.ko" ] && return
	sed 's/^/    /' "$work/said"
	return 1
}

# bare MODULE OUTPUT: copies the module without what differs from build to build. That is the names
# of temporary folders, and the build-id, which is a hash over debug information with such names.
bare() {
	objcopy --remove-section .note.gnu.build-id "$1" "$2" &&
		sed -i "s#$TMPDIR/weft-......#$TMPDIR/weft-folder#g" "$2"
}
equal() {
	bare "$1" "$work/one" && bare "$2" "$work/two" && cmp "$work/one" "$work/two"
}

# ---- the same modules --------------------------------------------------------------------------

all=(aspects/*.xml tests/vm/aspects/*.xml) aspects=()
# A third of the aspects, which the commit chooses; with WEFT_LONG all.
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

# ---- what a recipe depends on ------------------------------------------------------------------

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

# ---- learned, stale and learned anew -----------------------------------------------------------

# Makes the folders of a weft that has learned nothing yet.
mkdir "$work/kmod"
cp "$kmod/Module.symvers" "$work/kmod"
cp -rL "$runtime" "$work/runtime"
ours=(--kmod "$work/kmod" --runtime "$work/runtime")
learned() { echo "$recipes"/*; }

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

# A compiler at another path. It is the same compiler here, but weft cannot know that.
mkdir "$work/bin"
printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v gcc)" >"$work/bin/gcc"
chmod +x "$work/bin/gcc"
first=$(stat -c %i "$recipes"/*/recipe)
PATH=$work/bin:$PATH check "another compiler" by "the recipe in $recipes" "${ours[@]}"
check "it was learned anew for that" [ "$(stat -c %i "$recipes"/*/recipe)" != "$first" ]

# ---- where nothing can be learned --------------------------------------------------------------

XDG_CACHE_HOME=/dev/null check "a cache that cannot be written" by kbuild "${ours[@]}"
chmod o+w "$recipes"
check "a cache that others can write to" by kbuild "${ours[@]}"
chmod o-w "$recipes"
cp -r "$recipes"/* "$work/kmod/recipe"
chmod o+w "$work/kmod/recipe"
XDG_CACHE_HOME=/dev/null check "a recipe that others can write to" by kbuild "${ours[@]}"
rm -r "$work/kmod/recipe"

# ---- two at once, and an end in the middle -----------------------------------------------------

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
check "then it is learned" by "the recipe in" "${ours[@]}"

echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
