#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# build.sh NAME PLUGIN PROGRAM: compiles a program that others wrote with weft's plugin, and writes
# it to PROGRAM. NAME is sqlite3 or nginx. The source is Debian's, of the release that this machine
# runs; apt fetches it, and checks its signature. It stays in the cache, and so does the program,
# by the plugin and the source that it was made of: compiling SQLite takes a minute.
#
# Environment: XDG_CACHE_HOME; CC.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../../.." && pwd)
name=$1 plugin=$(realpath "$2") program=$3
cc=${CC:-gcc}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/weft/others
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
die() { printf 'others: %s: %s\n' "$name" "$*" >&2; exit 1; }

# Another run may want the same source.
mkdir -p "$cache" "$(dirname "$program")"
exec 9>"$cache/$name.lock"
flock 9
work=$(mktemp -d "$cache/$name.XXXXXX")
trap 'rm -rf "$work"' EXIT

# Fetches the source package into $cache/NAME.
fetch() {
	local debian release
	local -a apt

	debian=$("$top/scripts/debian-mirror.sh" Debian)
	# shellcheck source=/dev/null
	release=$(. /etc/os-release && echo "$VERSION_CODENAME")
	mkdir -p "$work"/{lists,cache,source}
	echo "deb-src [signed-by=$keyring] $debian $release main" >"$work/list"
	apt=(apt-get -q -o "Dir::Etc::sourcelist=$work/list" -o Dir::Etc::sourceparts=/dev/null
		-o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work/cache"
		-o "APT::Sandbox::User=$(id -un)" -o Acquire::http::Timeout=20
		-o Acquire::Retries=3 -o APT::Update::Error-Mode=any)
	"${apt[@]}" update && (cd "$work/source" &&
		"${apt[@]}" source --download-only --only-source "$name") || return
	mv -T "$work/source" "$cache/$name"
}
[ -d "$cache/$name" ] || fetch >"$work/said" 2>&1 ||
	die "the source cannot be fetched: $(grep -E '^(E|W|Err)' "$work/said" | head -n 1)"

made=$cache/$name-$(cat "$plugin" "$0" "$cache/$name"/*.dsc | sha256sum | cut -c 1-16)

compile_sqlite3() {
	"$work/tree/configure" --disable-tcl --disable-readline &&
		make sqlite3.c shell.c &&
		"$cc" -O2 -g "-fplugin=$plugin" -DUSE_PREAD sqlite3.c shell.c -o made \
			-ldl -lpthread -lm
}
compile_nginx() {
	cd "$work/tree" &&
		./configure "--with-cc=$cc" "--with-cc-opt=-g -fplugin=$plugin" \
			--without-http_rewrite_module --without-http_gzip_module &&
		make -j2 && mv objs/nginx "$work/objects/made"
}
if [ ! -x "$made" ]; then
	rm -f "$cache/$name"-*
	mkdir "$work"/{tree,objects}
	tar -xf "$(echo "$cache/$name/${name}"_*.orig.tar.*)" -C "$work/tree" --strip-components=1
	(cd "$work/objects" && "compile_$name") >"$cache/$name.log" 2>&1 ||
		die "it does not compile; see $cache/$name.log"
	mv "$work/objects/made" "$made"
fi
cp "$made" "$program"
