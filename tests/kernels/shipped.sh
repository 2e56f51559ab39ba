#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Puts Debian's cloud kernels as shipped, and compilers for them, into the cache. Nothing is
# installed on this machine: packages are unpacked, and if a kernel is of another release than this
# machine, a chroot of that release has the compiler.
#
#   shipped.sh suites            print the suites that are known
#   shipped.sh fetch SUITE...    complete the folder of each suite's newest kernel; a suite that has
#                                a folder already is left as it is
#   shipped.sh newest SUITE...   the same, but ask the archive first whether there is a newer one
#   shipped.sh path SUITE        print the folder of the suite's kernel; fails if there is none
#   shipped.sh source SUITE      unpack its source, and print that folder
#   shipped.sh chroot SUITE      make the chroot in which modules for this suite's kernels are
#                                compiled, with what the plugin, the weaver and modules need; does
#                                nothing if this machine is of that release
#   shipped.sh ready SUITE       succeeds if kernel and compiler are there; uses no network
#   shipped.sh in SUITE COMMAND  run a command where that suite's compiler is. Tree, cache and
#                                object folder have the same names there
#
# SUITE is bookworm (Linux 6.1), trixie (6.12), trixie-backports (7.3 or what it has today) or forky
# (7.2, GCC 16). apt, with separate lists, finds the kernel's release. A kernel's folder is
# ${XDG_CACHE_HOME:-~/.cache}/weft/stock-RELEASE. A link stock-SUITE beside it leads to the newest
# folder of the suite. In a kernel's folder are:
#
#   root/                        the packages: image, modules, headers, kbuild, debug, source
#   vmlinux, config, headers/, source.tar.xz    links into root/; headers/ has a link vmlinux, too
#   bzImage, guest-modules, modules/    for tests/vm/vm.sh --kernel FOLDER
#   weft-shipped                 suite, version and release, one per line
#
# A folder gets its name when it is complete; until then its name ends in .new, and an interrupted
# run is continued there. A lock for each suite and each chroot keeps two runs apart.
#
# Environment: XDG_CACHE_HOME; O (the object folder that is visible to `in`).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
O=${O:-$top/build}
cache=${XDG_CACHE_HOME:-$HOME/.cache}/weft
suites='bookworm trixie trixie-backports forky'
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
keep_folders=2
lists_mb=300 # The size of a release's package lists.
chroot_mb=2500 # The size of a chroot, with what make adds to it.

die() { printf 'shipped.sh: %s\n' "$*" >&2; exit 1; }
say() { printf 'shipped: %s\n' "$*"; }

# need_space MB WHAT: fails if the cache's file system has less than MB free.
need_space() {
	local free

	mkdir -p "$cache"
	free=$(df -Pm "$cache" | awk 'NR == 2 { print $4 }')
	say "$2 takes $1 MB of the $free MB free in $cache"
	[ "$free" -ge "$1" ] || die "$cache: $2 needs $1 MB, and $free MB are free"
}

# lock NAME: takes the lock NAME, which is held until this process ends.
lock() {
	mkdir -p "$cache"
	exec 9>"$cache/$1.lock"
	flock -n 9 || { say "another run makes $1; waiting"; flock 9; }
}

# Prints the release of Debian that a suite's kernels are compiled in.
release_of() { echo "${1%-backports}"; }
# shellcheck source=/dev/null
is_native() { [ "$(. /etc/os-release && echo "${VERSION_CODENAME:-}")" = "$(release_of "$1")" ]; }

check_suite() {
	case " $suites " in
	*" ${1:-} "*) ;;
	*) die "'${1:-}' is no suite that is known: $suites" ;;
	esac
}

# ---- packages from Debian's archive ----

# mirror LABEL: prints the mirror that this machine uses for packages.
mirror() { "$top/scripts/debian-mirror.sh" "$1"; }

# sources SUITE: prints the lines of sources.list for the suite. A suite of backports needs the
# lines of backports only, since the kernel packages there depend only on each other.
sources() {
	local debian security

	debian=$(mirror Debian)
	security=$(mirror Debian-Security)
	if [ "$1" != "$(release_of "$1")" ]; then
		echo "deb [signed-by=$keyring] $debian $1 main"
		return
	fi
	printf "deb [signed-by=$keyring] %s main\n" "$debian $1" "$debian $1-updates" \
		"$security $1-security"
}

# Prints apt's first error, in one line.
first_error() { grep -E '^(E|W|Err|error)' "$1" | head -n 1; }

# Makes an apt with the suite's lists, which ignores what this machine has installed.
open_archive() {
	local lists=$cache/apt-$1 said

	[ -e $keyring ] || die "$keyring is missing: apt-get install debian-archive-keyring"
	command -v apt-get >/dev/null || die "apt-get is missing: this takes Debian's packages"
	mkdir -p "$lists"/{lists,cache}
	sources "$1" >"$lists/sources.list"
	: >"$lists/status"
	apt_options=(-q -o "Dir::Etc::sourcelist=$lists/sources.list"
		-o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferencesparts=/dev/null
		-o Dir::Etc::preferences=/dev/null -o "Dir::State=$lists"
		-o "Dir::State::status=$lists/status" -o "Dir::Cache=$lists/cache"
		-o "APT::Sandbox::User=$(id -un)" -o APT::Architecture=amd64
		-o APT::Architectures::=amd64 -o Acquire::Languages=none
		-o Acquire::http::Timeout=20 -o Acquire::Retries=3)
	said=$lists/said
	apt-get "${apt_options[@]}" -o APT::Update::Error-Mode=any update >"$said" 2>&1 ||
		die "the lists of $1 cannot be fetched: $(first_error "$said")"
}

apt_show() { apt-cache "${apt_options[@]}" show "$1" 2>/dev/null; }

# field PACKAGE VERSION NAME: prints the field NAME of that version, or of the first if VERSION is
# '', in one line.
field() {
	apt_show "$1" | awk -v wanted="$2" -v name="$3:" '
		function end() {
			if (value != "" && !found && (wanted == "" || wanted == version)) {
				print value
				found = 1
			}
			value = version = ""
		}
		/^$/ { end() }
		$1 == "Version:" { version = $2 }
		$1 == name { sub(/^[^ ]* /, ""); value = $0 }
		END { end() }'
}

# depends PACKAGE VERSION: prints the package's dependencies, the first of each group of
# alternatives.
depends() {
	field "$1" "$2" Depends | tr ',' '\n' | sed -E 's/\|.*//; s/\(.*//; s/:any//; s/ //g'
}

# version_of NAME: prints the version of that package: that of the kernel, or, if there is none,
# the newest. One linux-kbuild may serve several versions of a kernel.
version_of() {
	if [[ $1 = linux-kbuild-* ]] && [ -z "$(field "$1" "$version" Filename)" ]; then
		field "$1" '' Version
	else
		echo "$version"
	fi
}

# Follows linux-image-cloud-amd64, which depends on the newest kernel, and finds that kernel's
# packages of image, headers and debug information. Sets version, release, and packages.
choose() {
	local meta=linux-image-cloud-amd64 name of_this todo

	version=$(field $meta '' Version)
	release=$(depends $meta "$version" | sed -n 's/^linux-image-//p' | head -n 1)
	[ -n "$release" ] || die "$1 has no $meta that leads to an image"
	todo=(linux-image-"$release" linux-headers-"$release" linux-image-"$release"-dbg
		linux-source-"$(sed -E 's/^([0-9]+\.[0-9]+).*/\1/' <<<"$version")")
	packages=()
	while [ ${#todo[@]} -gt 0 ]; do
		name=${todo[0]}
		todo=("${todo[@]:1}")
		case " ${packages[*]-} " in *" $name "*) continue ;; esac
		of_this=$(version_of "$name")
		[ -n "$(field "$name" "$of_this" Filename)" ] ||
			die "$1 has no $name of version $version yet, or no more: try later"
		packages+=("$name")
		mapfile -t -O ${#todo[@]} todo < <(depends "$name" "$of_this" | grep -E \
			'^linux-(base-[0-9]|binary-|modules-|image-|headers-|kbuild-)' || true)
	done
}

# sum FIELD: prints the sum of the field over all packages.
sum() {
	local name

	for name in "${packages[@]}"; do field "$name" "$(version_of "$name")" "$1"; done |
		awk '{ n += $1 } END { printf "%d", n }'
}

download() {
	local name of_this said=$work.said

	mkdir -p "$work/debs" "$work/root"
	for name in "${packages[@]}"; do
		[ ! -e "$work/$name.unpacked" ] || continue
		of_this=$(version_of "$name")
		say "$name $of_this"
		(cd "$work/debs" && apt-get "${apt_options[@]}" download "$name=$of_this") \
			>"$said" 2>&1 || die "$name cannot be downloaded: $(first_error "$said")"
		dpkg-deb -x "$work/debs/${name}"_*.deb "$work/root" 2>"$said" ||
			die "$name cannot be unpacked: $(head -n 1 "$said")"
		rm -f "$work/debs/${name}"_*.deb
		: >"$work/$name.unpacked"
	done
	rm -rf "$said" "$work/debs" "$work"/*.unpacked
}

# first FILE...: prints the first of these files that exists below the folder $work.
first() {
	local file

	for file; do
		[ ! -e "$work/$file" ] || { echo "$file"; return; }
	done
	die "the packages of $release have no ${1##*/}"
}

# arrange: makes links whose names are the same for each kernel. The headers contain the path that
# they have in an installed system; here they get their path in the finished folder.
arrange() {
	local boot=root/boot modules=root/usr/lib/modules/$release headers

	[ -e "$work/root/lib" ] || ln -s usr/lib "$work/root/lib"
	[ -e "$work/$modules" ] || modules=root/lib/modules/$release
	headers=root/usr/src/linux-headers-$release
	sed -i "s#/usr/src/linux-headers-#$folder/root/usr/src/linux-headers-#" \
		"$work/$headers/Makefile"
	(
		cd "$work"
		ln -sfn "$(first $boot/vmlinuz-"$release" "$modules/vmlinuz")" bzImage
		ln -sfn "$(first $boot/config-"$release" "$modules/config")" config
		ln -sfn "$(first root/usr/lib/debug/boot/vmlinux-"$release" \
			"root/usr/lib/debug/lib/modules/$release/vmlinux")" vmlinux
		ln -sfn "$(first "$headers")" headers
		ln -sfn "$(first root/usr/src/linux-source-*.tar.xz)" source.tar.xz
		ln -sfn "$folder/vmlinux" "$headers/vmlinux"
	)
	depmod -b "$work/root" "$release"
	"$here/guest-modules.sh" "$work/root" "$release" "$work"
	printf '%s\n' "suite $suite" "version $version" "release $release" >"$work/weft-shipped"
}

# Removes all but the newest $keep_folders folders of the suite. The file weft-shipped in a folder
# says which suite the folder is for.
prune() {
	local old

	grep -lsxF "suite $suite" "$cache"/stock-[0-9]*/weft-shipped | xargs -r ls -t |
		tail -n +$((keep_folders + 1)) | while read -r old; do
			say "removing the old ${old%/*}"
			rm -rf "${old%/*}"
		done
}

# fetch_suite SUITE ASK: completes the suite's folder. If ASK is 1, asks the archive even if there
# is a folder.
fetch_suite() {
	suite=$1
	if [ "$2" = 0 ] && path "$suite" >/dev/null; then return; fi
	lock "stock-$suite"
	if [ "$2" = 0 ] && path "$suite" >/dev/null; then return; fi
	[ "$(df -Pm "$cache" | awk 'NR == 2 { print $4 }')" -ge $lists_mb ] ||
		die "$cache: less than $lists_mb MB free"
	open_archive "$suite"
	choose "$suite"
	folder=$cache/stock-$release
	work=$folder.new
	if [ ! -e "$folder/weft-shipped" ]; then
		mkdir -p "$work"
		say "$suite has Linux $release, version $version: $(($(sum Size) / 1000000)) MB" \
			"to download"
		need_space $((($(sum Size) / 1000 + $(sum Installed-Size)) / 1000)) "$release"
		download
		arrange
		: >"$work/weft-kernel-ok"
		sync -f "$work"
		mv -T "$work" "$folder"
	fi
	ln -sfnT "stock-$release" "$cache/stock-$suite"
	prune
	say "Linux $release is in $folder"
}

path() {
	local link=$cache/stock-$1

	if [ ! -e "$link/weft-shipped" ]; then return 1; fi
	realpath "$link"
}

need_path() {
	path "$1" || die "no kernel of $1 in $cache: tests/kernels/shipped.sh fetch $1"
}

unpack_source() {
	local folder

	folder=$(need_path "$1")
	lock "stock-$1"
	if [ ! -d "$folder/source" ]; then
		need_space 1800 "the source of ${folder##*/stock-}" >&2
		rm -rf "$folder/source.new"
		mkdir "$folder/source.new"
		tar -C "$folder/source.new" --strip-components=1 -xf "$folder/source.tar.xz" ||
			die "$folder/source.tar.xz cannot be unpacked"
		mv "$folder/source.new" "$folder/source"
	fi
	echo "$folder/source"
}

# ---- chroots with the compiler of a suite ----

chroot_of() { echo "$cache/chroot-$(release_of "$1")"; }

need_root() { [ "$(id -u)" = 0 ] || die "a chroot takes root: run this as root"; }

make_chroot() {
	local folder release work said archive script

	if is_native "$1"; then return; fi
	need_root
	folder=$(chroot_of "$1") release=$(release_of "$1")
	work=$folder.new said=$folder.log
	lock "${folder##*/}"
	if [ ! -d "$folder" ]; then
		command -v debootstrap >/dev/null ||
			die "debootstrap is missing: apt-get install debootstrap"
		say "a chroot of $release for its compiler: some 400 MB to download"
		need_space $chroot_mb "the chroot of $release"
		rm -rf --one-file-system "$work"
		mkdir -p "$cache/debs-$release"
		archive=$(mirror Debian)
		# An older debootstrap has no script for a newer release. The script `sid` serves.
		script=/usr/share/debootstrap/scripts/$release
		[ -e "$script" ] || script=${script%/*}/sid
		debootstrap --variant=minbase --arch=amd64 --keyring=$keyring \
			--cache-dir="$cache/debs-$release" "$release" "$work" "$archive" \
			"$script" >"$said" 2>&1 ||
			die "debootstrap fails: $(first_error "$said"); the log is $said"
		sources "$release" >"$work/etc/apt/sources.list"
		printf '%s\n' 'Acquire::http::Timeout "20";' 'Acquire::Retries "3";' \
			'APT::Keep-Downloaded-Packages "false";' >"$work/etc/apt/apt.conf.d/weft"
		sync -f "$work"
		mv -T "$work" "$folder"
		rm -rf "$cache/debs-$release"
	fi
	enter "$folder" scripts/deps.sh build >"$said" 2>&1 ||
		die "the packages for compiling cannot be installed: $(first_error "$said");" \
			"the log is $said"
}

# enter FOLDER COMMAND...: runs COMMAND in the chroot, in a separate mount namespace, so that
# nothing stays mounted. The tree, the object folder and the cache have the same names as outside.
enter() {
	local folder=$1 shown

	shift
	mkdir -p "$O"
	for shown in "$top" "$(realpath "$O")" "$cache"; do mkdir -p "$folder$shown"; done
	cp -L /etc/resolv.conf "$folder/etc/resolv.conf"
	# shellcheck disable=SC2016 # expanded inside
	CHROOT=$folder SHOWN="$top $(realpath "$O") $cache" unshare --mount bash -ec '
		mount -t proc proc "$CHROOT/proc"
		mount --rbind /dev "$CHROOT/dev"
		for folder in $SHOWN; do mount --bind "$folder" "$CHROOT$folder"; done
		exec chroot "$CHROOT" env -i HOME="$HOME" LC_ALL=C TERM="${TERM:-dumb}" "$@"
	' enter PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		"XDG_CACHE_HOME=${cache%/weft}" O="$O" DEBIAN_FRONTEND=noninteractive \
		bash -ec 'cd "$0" && exec "$@"' "$top" "$@"
}

run_in() {
	local suite=$1 folder

	shift
	[ $# -gt 0 ] || die "no command given"
	if is_native "$suite"; then exec "$@"; fi
	need_root
	folder=$(chroot_of "$suite")
	[ -d "$folder" ] || die "no chroot of $suite: tests/kernels/shipped.sh chroot $suite"
	enter "$folder" "$@"
}

is_ready() {
	path "$1" >/dev/null || return 1
	is_native "$1" || [ -d "$(chroot_of "$1")" ]
}

main() {
	local command=${1:-} suite

	[ $# = 0 ] || shift
	case $command in
	suites) echo "$suites" ;;
	fetch | newest)
		[ $# -gt 0 ] || die "which? $suites"
		for suite; do check_suite "$suite"; done
		for suite; do
			(fetch_suite "$suite" "$([ $command = fetch ] && echo 0 || echo 1)")
		done
		;;
	path) check_suite "${1:-}"; need_path "$1" ;;
	source) check_suite "${1:-}"; unpack_source "$1" ;;
	chroot) check_suite "${1:-}"; make_chroot "$1" ;;
	ready) check_suite "${1:-}"; is_ready "$1" ;;
	in) check_suite "${1:-}"; run_in "$@" ;;
	*)
		sed -n 's/^#   \(shipped.sh .*\)/\1/p' "${BASH_SOURCE[0]}" >&2
		exit 2
		;;
	esac
}

main "$@"; exit
