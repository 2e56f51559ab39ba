#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Debian's cloud kernel as shipped, from packages to a woven aspect: records from the source
# package, shadows from the debug package, modules against the headers package, weaving in a guest
# that boots the image package. Nothing is installed: packages are unpacked below
# ${XDG_CACHE_HOME:-~/.cache}/weft/stock-VERSION, 3.5 GB, and stay there. Prints the figures that
# docs/performance.md quotes. PARTS chooses the folders of the source; JOBS, O as everywhere.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
O=${O:-$top/build}
parts=${PARTS:-fs net/core net/ipv4 kernel/sched mm}
package=linux-source-6.1
weft=$O/weft
plugin=$O/gcc-plugin/weft_joinpoints.so
passed=0 failed=0

die() { printf 'stock.sh: %s\n' "$*" >&2; exit 1; }
pass() { printf 'ok     %s\n' "$1"; passed=$((passed + 1)); }
fail() { printf 'FAILED %s: %s\n' "$1" "$2"; failed=$((failed + 1)); }

# refuses NAME STATUS PATTERN COMMAND...: exits with that status and says one line that matches.
refuses() {
	local name=$1 want=$2 pattern=$3 status=0 said
	shift 3
	said=$("$@" 2>&1 >/dev/null) || status=$?
	if [ "$status" != "$want" ]; then
		fail "$name" "exit $status instead of $want: $said"
	elif [ "$(wc -l <<<"$said")" != 1 ] || ! grep -qE "$pattern" <<<"$said"; then
		fail "$name" "it says: $said"
	else
		pass "$name"
	fi
}

# The image of the very version that the source package has.
choose() {
	local image

	version=$(dpkg-query -W -f '${Version}' $package 2>/dev/null) ||
		die "package $package is not installed: make deps"
	release=''
	for image in $(apt-cache pkgnames linux-image-6.1.0- |
		grep -E '^linux-image-6\.1\.0-[0-9]+-cloud-amd64$'); do
		if apt-cache show "$image" 2>/dev/null |
			grep -xF "Version: $version" >/dev/null; then
			release=${image#linux-image-}
		fi
	done
	[ -n "$release" ] || die "the package lists have no cloud kernel of version $version," \
		"which is $package's: apt-get update"
	cache=${XDG_CACHE_HOME:-$HOME/.cache}/weft/stock-$version
	root=$cache/root
	vmlinux=$root/usr/lib/debug/boot/vmlinux-$release
	headers=$root/usr/src/linux-headers-$release
	config=$root/boot/config-$release
	echo "stock: $release, version $version, in $cache"
}

fetch() {
	local deb
	local names=(linux-image-"$release" linux-image-"$release"-dbg linux-headers-"$release"
		linux-headers-"${release%-cloud-amd64}"-common)

	[ ! -e "$cache/fetched" ] || return 0
	mkdir -p "$cache/debs" "$root"
	[ "$(df -Pm "$cache" | awk 'NR == 2 { print $4 }')" -ge 5000 ] ||
		die "$cache: less than 5 GB free"
	(cd "$cache/debs" &&
		apt-get -q -o APT::Sandbox::User=root download \
			"${names[@]/%/=$version}" "linux-kbuild-6.1=$version") ||
		die "the packages of version $version cannot be downloaded"
	for deb in "$cache"/debs/*.deb; do dpkg -x "$deb" "$root"; done
	# The headers know themselves by their place in an installed system.
	sed -i "s#/usr/src/linux-headers-#$root/usr/src/linux-headers-#" "$headers/Makefile"
	ln -sfn "$vmlinux" "$headers/vmlinux"
	depmod -b "$root" "$release"
	rm -rf "$cache/debs"
	touch "$cache/fetched"
}

unpack_source() {
	[ ! -e "$cache/source/Kbuild" ] || return 0
	rm -rf "$cache/source.new"
	mkdir -p "$cache/source.new"
	tar -C "$cache/source.new" --strip-components=1 -xf /usr/src/$package.tar.xz
	mv "$cache/source.new" "$cache/source"
}

# What vm.sh calls a kernel folder: the image, and the modules without which it finds no root.
make_guest() {
	local module

	mkdir -p "$cache/guest"
	ln -sfn "$root/boot/vmlinuz-$release" "$cache/guest/bzImage"
	for module in virtio_pci virtiofs overlay virtio_console; do
		modprobe -d "$root" -S "$release" --show-depends $module
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' >"$cache/guest/guest-modules"
	touch "$cache/guest/weft-kernel-ok"
}

make_database() {
	local status=0

	# shellcheck disable=SC2086 # a list of words
	"$top/scripts/records.sh" --source "$cache/source" --config "$config" \
		--out "$cache/records" --plugin "$plugin" --jobs "${JOBS:-$(nproc)}" $parts ||
		status=$?
	[ $status = 0 ] || die "records.sh ended with $status"
	db=$O/stock/$release.weft
	mkdir -p "$O/stock"
	rm -f "$db"
	if [ -x /usr/bin/time ]; then
		/usr/bin/time -f "weft index: %e s, %U s of processor, %M KiB" "$weft" index \
			"$vmlinux" --records "$cache/records" -o "$db"
	else
		"$weft" index "$vmlinux" --records "$cache/records" -o "$db"
	fi
}

# What a call's shadow has to be can be seen.
check_database() {
	local shadows calls what

	"$weft" points -d "$db" --kind call sk_buff.destructor >"$O/stock/points"
	tail -n 1 "$O/stock/points"
	shadows=$(grep -c '^sk_buff.destructor call' "$O/stock/points")
	calls=$(grep '^sk_buff.destructor call' "$O/stock/points" |
		grep -cE '(call|jmp)q? +(\*|__x86_indirect)')
	what="of sk_buff.destructor's calls is an indirect call"
	if [ "$shadows" = "$calls" ] && [ "$shadows" -gt 10 ]; then
		pass "each of the $shadows shadows $what"
	else
		fail "each shadow $what" "$calls of $shadows"
	fi
}

check_bad_input() {
	local bad=$O/stock/bad unit=net/core/dst.c command cc

	rm -rf "$bad"
	mkdir -p "$bad/empty" "$bad/version" "$bad/shifted/net/core" "$bad/source"
	refuses "a folder without records" 6 'no folder of records' \
		"$weft" index "$vmlinux" --records "$bad/empty" -o "$bad/db"
	echo "version 6.1.19" >"$bad/version/weft-records"
	refuses "records of another version" 7 'of Linux 6.1.19, and .* is .Linux version' \
		"$weft" index "$vmlinux" --records "$bad/version" -o "$bad/db"
	# The same version, but somebody edited a file: thirty lines more at its top.
	{ printf '\n%.0s' {1..30}; cat "$cache/source/$unit"; } >"$bad/source/dst.c"
	cp "$cache/records/weft-records" "$bad/shifted"
	command=$(sed -n 's/^cmd_net\/core\/dst\.o := [^ ]* \(.* -o \)net\/core\/dst\.o .*/\1/p' \
		"$cache/records/net/core/.dst.o.cmd")
	command=${command//-Wp,-MMD,net\/core\/.dst.o.d/}
	cc=$(sed -n 's/^compiler \([^ ]*\).*/\1/p' "$cache/records/weft-records")
	(cd "$cache/records" && eval "$cc $command /dev/null $bad/source/dst.c \
		-I$cache/source/net/core -fsyntax-only -w \
		-fdebug-prefix-map=$bad/source/=net/core/ -fdebug-prefix-map=$cache/source/= \
		-fplugin=$plugin -fplugin-arg-weft_joinpoints-records=$bad/dst.s")
	as --64 -o "$bad/shifted/net/core/dst.o" "$bad/dst.s"
	refuses "a source file that was edited" 7 \
		'another source than the image: net/core/dst.c, line' "$weft" index "$vmlinux" \
		--records "$bad/shifted" -o "$bad/db"
	sed 's/^\(# Linux\/.*\) 6\.1\.[0-9]* /\1 6.1.19 /' "$config" >"$bad/config"
	refuses "a configuration of another version" 7 'is of Linux 6.1.19, and' \
		"$top/scripts/records.sh" --source "$cache/source" --config "$bad/config" \
		--out "$bad/out" --plugin "$plugin" net/core
	refuses "a source tree that is none" 1 "not a kernel's source tree" \
		"$top/scripts/records.sh" --source "$bad" --config "$config" --out "$bad/out" \
		--plugin "$plugin"
}

make_modules() {
	local kmod=$O/stock/kmod

	mkdir -p "$O/stock/aspects"
	"$top/scripts/link-kmod.sh" "$kmod"
	# Headers alone cannot make BTF; and genksyms, which MODVERSIONS wants, has been seen to
	# take all memory there is.
	(
		ulimit -v 8000000
		env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u O -u V make -s -C "$headers" \
			M="$kmod" KCFLAGS= CONFIG_DEBUG_INFO_BTF_MODULES= modules
	) || die "weft.ko does not build against $headers"
	"$weft" compile "$top/aspects/log_skb_destructor.xml" --kernel "$headers" --db "$db" \
		--kmod "$kmod" -o "$O/stock/aspects/log_skb_destructor.ko"
}

run_guest() {
	local status=0 p f s

	"$top/tests/vm/vm.sh" --kernel "$cache/guest" --timeout 200 --out "$O/vm/stock" \
		--env "STOCK_KMOD=$O/stock/kmod" --env "STOCK_ASPECTS=$O/stock/aspects" \
		"$here/cases/destructor.sh" 2>&1 |
		tee "$O/stock/output" || status=$?
	read -r p _ f _ s _ < <(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' \
		"$O/stock/output" | tail -n 1) || true
	passed=$((passed + ${p:-0})) failed=$((failed + ${f:-0}))
	if [ $status != 0 ] && [ "${f:-0}" = 0 ]; then
		fail guest "ended with status $status (logs in $O/vm/stock)"
	fi
}

choose
fetch
unpack_source
make_guest
make_database
check_database
check_bad_input
make_modules
run_guest
printf '%d passed, %d failed, 0 skipped\n' $passed $failed
[ $failed = 0 ]
