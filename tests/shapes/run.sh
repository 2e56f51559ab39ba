#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Indexes a module as it was built, and in the shapes in which distributions ship it: the answers
# must be the same. What cannot be indexed must be refused in one line, and no database may be left.
# OTHER is another module, for wrong debug files. `make check-shapes` calls this script. Usage:
# run.sh WEFT IMAGE MODULE OTHER
set -uo pipefail
weft=$1 image=$2 module=$3 other=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
name=$(basename "$module")
# weft must not find debug files of this machine.
export WEFT_DEBUG=$work/nothing

pass() { passed=$((passed + 1)); }
fail() {
	failed=$((failed + 1))
	printf 'FAILED %s\n' "$@"
}
skip() {
	skipped=$((skipped + 1))
	printf 'skip   %s\n' "$1"
}

# answers DATABASE QUERY...: prints the joinpoints of all queries.
answers() {
	local query

	for query in "${@:2}"; do "$weft" points "$query" --json --db "$1"; done
}

# same WHAT FILE: the database with FILE instead of the module must give the same answers.
same() {
	local said

	rm -f "$work/shape.weft"
	if ! said=$("$weft" index "$image" "$2" --no-accesses -o "$work/shape.weft" 2>&1); then
		fail "$1" "$said"
	elif cmp -s "$wanted" <(answers "$work/shape.weft" "${queries[@]}"); then
		pass
	else
		fail "$1"
		diff "$wanted" <(answers "$work/shape.weft" "${queries[@]}") | head
	fi
}

# refused WHAT WORDS ARGUMENT...: `weft index ARGUMENT...` must refuse in one line with these words,
# and leave no database.
refused() {
	local said

	rm -f "$work/none.weft"
	said=$("$weft" index "$image" "${@:3}" -o "$work/none.weft" 2>&1) && said="accepted: $said"
	if [[ $said == *"$2"* ]] && [ "$(wc -l <<<"$said")" = 1 ] &&
		[ ! -e "$work/none.weft" ]; then
		pass
	else
		fail "$1" "wanted: $2" "got: $said"
	fi
}

build_id() { readelf -n "$1" | sed -n 's/.*Build ID: *//p'; }

# by_build_id FILE [OF]: copies FILE to where weft looks for the debug file of OF in the tree of
# build-ids; OF is FILE by default.
by_build_id() {
	local id

	id=$(build_id "${2:-$1}")
	mkdir -p "$WEFT_DEBUG/.build-id/${id:0:2}"
	cp "$1" "$WEFT_DEBUG/.build-id/${id:0:2}/${id:2}.debug"
}

# shapes MODULE: compares the answers for each shape of MODULE with those for MODULE as it was
# built.
shapes() {
	local whole=$1 base=${1##*/} folder
	folder=$work/shapes-$base
	mkdir -p "$folder"/{plain,stripped,packed}
	wanted=$work/wanted-$base
	"$weft" index "$image" "$whole" --no-accesses -o "$work/plain.weft" >/dev/null 2>&1 ||
		fail "$base as it was built"
	answers "$work/plain.weft" "${queries[@]}" >"$wanted"
	[ "$(wc -l <"$wanted")" -ge 5 ] || fail "$base: queries that find little"

	export WEFT_DEBUG=$folder/none
	objcopy --strip-debug "$whole" "$folder/stripped/$base"
	refused "$base, stripped, without its debug file" \
		"information, and there is no $WEFT_DEBUG/.build-id/" "$folder/stripped/$base"
	export WEFT_DEBUG=$folder/whole
	by_build_id "$whole"
	same "$base, stripped, and the whole one by build-id" "$folder/stripped/$base"
	export WEFT_DEBUG=$folder/only-debug
	objcopy --only-keep-debug "$whole" "$folder/only.debug"
	by_build_id "$folder/only.debug" "$whole"
	same "$base, stripped, and its debug information by build-id" "$folder/stripped/$base"
	export WEFT_DEBUG=$folder/by-path
	mkdir -p "$WEFT_DEBUG$(realpath "$folder/stripped")"
	cp "$folder/only.debug" "$WEFT_DEBUG$(realpath "$folder/stripped")/$base.debug"
	same "$base, stripped, and its debug information by path" "$folder/stripped/$base"

	export WEFT_DEBUG=$folder/only-debug
	xz -k --check=crc32 -c "$folder/stripped/$base" >"$folder/packed/$base.xz"
	same "$base.xz, stripped" "$folder/packed/$base.xz"
	gzip -c "$whole" >"$folder/packed/$base.gz"
	same "$base.gz, whole" "$folder/packed/$base.gz"
	if command -v zstd >/dev/null; then
		zstd -q -c "$folder/stripped/$base" >"$folder/packed/$base.zst"
		same "$base.zst, stripped" "$folder/packed/$base.zst"
		head -c 300 "$folder/packed/$base.zst" >"$folder/cut.ko.zst"
		refused "$base.zst, truncated" "zstd data that is truncated or damaged" \
			"$folder/cut.ko.zst" --no-accesses
	else
		skip "$base.zst: zstd is missing: apt-get install zstd"
	fi
	head -c $(($(stat -c %s "$folder/packed/$base.xz") / 2)) "$folder/packed/$base.xz" \
		>"$folder/cut.ko.xz"
	refused "$base.xz, truncated" "xz data that is truncated or damaged" "$folder/cut.ko.xz" \
		--no-accesses
	head -c 100 "$folder/packed/$base.gz" >"$folder/cut.ko.gz"
	refused "$base.gz, truncated" "gzip data that is truncated or damaged" "$folder/cut.ko.gz" \
		--no-accesses
	head -c $(($(stat -c %s "$whole") / 2)) "$whole" >"$folder/cut.ko"
	refused "$base, truncated" "truncated: the section headers end at byte" "$folder/cut.ko" \
		--no-accesses
}

queries=('*%entry' carrier:check%exit packet_grow%callers carrier.c:15 carrier_take%calls
	'carrier_*%blocks' carrier:parcel.weight)
# This module has accesses. Stripping it removes the plugin's table together with the debug
# information, so weft has to read the table from the debug file.
shapes "$module"

# ---- a module that was built again, with the debug file of the old build ----

again=$work/again
mkdir -p "$again"
export WEFT_DEBUG=$again/debug
objcopy --strip-debug "$module" "$again/$name"
by_build_id "$other" "$module"
refused "a debug file of another build, by its build-id" "is of another build" "$again/$name"
export WEFT_DEBUG=$again/debug-by-path
mkdir -p "$WEFT_DEBUG$(realpath "$again")"
cp "$other" "$WEFT_DEBUG$(realpath "$again")/$name"
refused "a debug file of another build, by its path" "is of another build" "$again/$name"
# This debug file has the build-id of the module, but other sections.
objcopy --dump-section .note.gnu.build-id="$again/note" "$module" "$again/unused"
objcopy --update-section .note.gnu.build-id="$again/note" "$other" "$again/other-sections"
export WEFT_DEBUG=$again/debug-other-sections
by_build_id "$again/other-sections" "$module"
refused "a debug file with other sections" "is not the debug file of" "$again/$name"

# ---- modules are found in folders of a distribution and of a build ----

folder=$work/folder
mkdir -p "$folder/kernel/net"
xz -c "$module" >"$folder/kernel/net/$name.xz"
listed() {
	"$weft" index "$image" --modules "$folder" --no-accesses -o "$work/folder.weft" |
		sed -n 's/ images:.*//p'
}
[ "$(listed)" = 2 ] && pass || fail "a folder with a compressed module"
echo "kernel/net/$name" >"$folder/modules.order"
[ "$(listed)" = 2 ] && pass || fail "modules.order names a compressed module"
# In a build folder of Linux 6.3 and later, modules.order has the names of objects.
cp "$module" "$folder/kernel/net/$name"
: >"$folder/kernel/net/${name%.ko}.o"
echo "kernel/net/${name%.ko}.o" >"$folder/modules.order"
[ "$(listed)" = 2 ] && pass || fail "modules.order names the object of a module"

# ---- a module of a kernel as distributions ship it ----

shipped=${XDG_CACHE_HOME:-$HOME/.cache}/weft/stock-trixie/root/usr/lib
release=$(ls "$shipped/modules" 2>/dev/null | head -n 1)
file=kernel/net/netfilter/nf_conntrack.ko
if [ -e "$shipped/debug/lib/modules/$release/$file" ] &&
	[ -e "$shipped/modules/$release/$file.xz" ]; then
	queries=('nf_ct_*%entry' 'nf_ct_*%callers' nf_conntrack_in%calls
		nf_conntrack_core.c:2001)
	wanted=$work/wanted-shipped
	"$weft" index "$image" "$shipped/debug/lib/modules/$release/$file" --no-accesses \
		-o "$work/plain.weft" >/dev/null 2>&1
	answers "$work/plain.weft" "${queries[@]}" >"$wanted"
	export WEFT_DEBUG=$shipped/debug
	same "nf_conntrack.ko.xz of Linux $release, and its debug file" \
		"$shipped/modules/$release/$file.xz"
else
	skip "a shipped module: tests/kernels/shipped.sh fetch trixie"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
