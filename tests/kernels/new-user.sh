#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs the transcripts of docs/stock-kernels.md and docs/install.md as a new user of weft would, on
# a fresh Debian 13 with its stock cloud kernel and weft's packages. The machine is made from
# nothing: an overlay over a root that debootstrap and apt have made, thrown away afterwards. The
# documents' blocks are
#
#   ```console install, prepare, enable    run in a chroot in that root, since compiling in an
#                                          emulator takes an hour; in a chroot the host's kernel
#                                          runs, so `uname -r` is made to print the guest's release
#   ```console guest                       run in a guest that boots that root's own kernel; the
#                                          chroot has compiled its aspects (fill_cache)
#   ```console boot                        run in a guest that boots that root's systemd too
#   ```xml NAME.xml                        a file in the folder where the commands are run
#
# Their output has to be what the document shows, except numbers. Then the figures are printed: the
# time and the processor time of each step.
#
# Usage: new-user.sh [--shell]. --shell starts a shell in the guest instead of the blocks `guest`.
#
# Needs root, and the network for packages that are not in the cache (tests/packages/chroots.sh,
# 0.9 GB more for this; a run takes 4 GB there). Skipped if root or network is missing. Environment:
# O, XDG_CACHE_HOME.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
O=$(realpath -m "${O:-$top/build}")
export O
suite=trixie
documents=("$top/docs/stock-kernels.md" "$top/docs/install.md")
virtiofsd=/usr/lib/qemu/virtiofsd
run_mb=5000
guest_timeout_s=900
passed=0 failed=0

die() { skip "$*"; }
pass() { printf 'ok     %s\n' "$1"; passed=$((passed + 1)); }
fail() { printf 'FAILED %s: %s\n' "$1" "$2"; failed=$((failed + 1)); finish; }
finish() {
	printf '%d passed, %d failed, 0 skipped\n' $passed $failed
	[ $failed = 0 ]
	exit
}
skip() {
	printf 'skip   new user: %s\n%d passed, %d failed, 1 skipped\n' "$*" $passed $failed
	exit 0
}

. "$top/tests/packages/chroots.sh"
. "$top/tests/vm/transcripts.sh"
machine=$cache/machine
work=$out/new-user
home=/root/weft # The folder in which the user has put the packages.

check_needs() {
	local free

	[ "$(id -u)" = 0 ] || skip "a chroot takes root"
	[ -x $virtiofsd ] || skip "no $virtiofsd: apt-get install qemu-system-common"
	mkdir -p "$cache" "$work"
	free=$(df -Pm "$cache" | awk 'NR == 2 { print $4 }')
	[ "$free" -ge $run_mb ] || skip "$cache has $free MB free, and $run_mb MB are needed"
}

# Makes the root of a machine as it is after Debian was installed: with Debian's kernel, init, and
# network tools. Packages that are installed later bring the packages that they recommend along, as
# is Debian's default.
make_machine() {
	[ ! "$machine" -nt "$cache/ready" ] || return 0
	rm -rf --one-file-system "$machine" "$machine.new"
	cp -a --reflink=auto "$cache/empty" "$machine.new"
	sed -i 's/APT::Install-Recommends "false"; //' \
		"$machine.new/etc/apt/apt.conf.d/90packages"
	enter "$machine.new" sh -c 'apt-get update && apt-get -y upgrade &&
		apt-get -y --no-install-recommends install linux-image-cloud-amd64 systemd-sysv \
			udev iproute2 procps' >"$work/machine.log" 2>&1 ||
		die "the machine's packages cannot be installed: $work/machine.log"
	touch "$machine.new"
	mv -T "$machine.new" "$machine"
}

# mount_root: mounts the overlay, with the tree and the object folder at the same paths as on this
# machine.
mount_root() {
	root=$scratch/root
	mkdir -p "$root" "$scratch/upper" "$scratch/work"
	mount -t overlay overlay -o \
		"lowerdir=$machine,upperdir=$scratch/upper,workdir=$scratch/work" "$root" ||
		skip "no overlay can be mounted in $cache"
	mkdir -p "$root$top" "$root$O" "$root$home"
	mount --bind "$top" "$root$top"
	mount --bind "$O" "$root$O"
	cp -L /etc/resolv.conf "$root/etc/resolv.conf"
	cp "$out/$(packages_version)"/*.deb "$root$home"
	# In the emulator the first hit, whose code has to be translated, takes longer than the
	# default budget.
	echo 'options weft share_percent=0 budget_us=1000000' >"$root/etc/modprobe.d/emulator.conf"
}

# blocks KIND: prints the blocks of that KIND of all documents.
blocks() {
	local document

	for document in "${documents[@]}"; do block "$document" "$1"; done
}

# Writes the files that the documents show.
write_files() {
	local name

	for name in $(sed -n 's/^```xml \([a-z_]*\.xml\)$/\1/p' "${documents[@]}"); do
		blocks "xml $name" >"$root$home/$name"
	done
}

# in_chroot KIND: runs the commands in the blocks of that KIND in the chroot.
in_chroot() {
	blocks "console $1" >"$work/$1"
	{
		echo "cd $home"
		# shellcheck disable=SC2016
		echo 'uname() {
			if [ "$*" = -r ]; then echo '"$release"'; else command uname "$@"; fi
		}'
		commands '#' <"$work/$1" | script '#' "$work/$1.times"
	} >"$work/$1.sh"
	rm -f "$work/$1.times"
	enter "$root" bash "$work/$1.sh" >"$work/$1.found" 2>&1 ||
		fail "$1" "exit $?: $(tail -n 3 "$work/$1.found")"
	compare "$1"
}

compare() {
	if transcript_differs "$work/$1" "$work/$1.found" >"$work/$1.diff"; then
		fail "$1: the commands print something else than the documents say" \
			"$(cat "$work/$1.diff")"
	fi
	pass "$1: the commands print what the documents say"
}

# Puts the packages that `weft prepare` would download into its folder, from the cache. So the
# figures are for packages that are there already.
fetch_packages() {
	local folder=/var/lib/weft/$release/downloads packages

	packages=$(enter "$root" weft prepare --kernel "$release" --all --dry-run |
		sed -n 's/^  \([^ ]*=[^ ]*\)$/\1/p') ||
		fail "packages" "weft prepare --dry-run ended with $?"
	# shellcheck disable=SC2016,SC2086
	enter "$root" sh -ec 'folder=$1
		shift
		mkdir -p "$folder"
		cd /var/cache/apt/archives
		apt-get -q -o APT::Sandbox::User=root download "$@"
		for package; do cp "${package%%=*}"_*.deb "$folder"; done' fetch "$folder" \
		$packages >"$work/fetch.log" 2>&1 ||
		skip "the packages of Linux $release cannot be downloaded: see $work/fetch.log"
}

# Compiles, in the chroot, the aspects that the blocks `guest` and `boot` weave, since one aspect
# takes minutes in the emulator. The modules go into root's cache and into that of weft@.service,
# where the guests find them. The chroot has no weft.ko, so nothing is woven.
fill_cache() {
	local weave="weft weave --kernel /lib/modules/$release/build" aspect

	{
		printf '%s\n' "cd $home" 'failed() { [ $? = 9 ]; }'
		blocks "console guest" | commands '#' | grep -oE '[^ ]+\.xml' |
			while read -r aspect; do
				echo "$weave $aspect || failed"
			done | script '#' "$work/compile.times"
		blocks "console guest" | commands '#' |
			sed -nE 's/^(weft ktrace .*) -- .*/\1/p' | while read -r ktrace; do
				echo "$ktrace --xml >/tmp/ktrace.xml"
				echo "weft compile --kernel ${weave##*--kernel } --filtered" \
					/tmp/ktrace.xml
			done
		for aspect in "$root"/etc/weft/aspects/*.xml; do
			echo "XDG_CACHE_HOME=/var/cache $weave ${aspect#"$root"} || failed"
		done
	} >"$work/compile.sh"
	rm -f "$work/compile.times"
	enter "$root" bash "$work/compile.sh" >"$work/compile.found" 2>&1 ||
		fail "compile" "exit $?: $(tail -n 3 "$work/compile.found")"
}

make_kernel() {
	kernel=$work/guest-$suite
	rm -rf "$kernel"
	mkdir -p "$kernel"
	ln -s "$root/boot/vmlinuz-$release" "$kernel/bzImage"
	"$here/guest-modules.sh" "$root" "$release" "$kernel"
	: >"$kernel/weft-kernel-ok"
}

# write_guest_script KIND: writes a script with the commands in the blocks of that KIND. The script
# runs them with only a login's environment variables.
write_guest_script() {
	blocks "console $1" >"$work/$1"
	{
		echo 'cd '$home
		echo 'for name in $(compgen -e); do unset "$name"; done'
		echo 'export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 TERM=dumb'
		commands '#' <"$work/$1" | script '#'
	} >"$work/$1.sh"
}

boot() {
	(cd "$top" && tests/vm/vm.sh --quiet --root "$root" --kernel "$kernel" --memory 2G \
		--timeout $guest_timeout_s --out "$O/vm/new-user" "$@")
}

# in_guest KIND [OPTION]: runs the commands in the blocks of that KIND in a guest that vm.sh boots
# with OPTION.
in_guest() {
	local kind=$1

	shift
	write_guest_script "$kind"
	boot "$@" "$work/$kind.sh" >"$work/$kind.found" 2>"$work/$kind.log" ||
		fail "$kind" "exit $?: $(tail -n 5 "$work/$kind.found" "$work/$kind.log")"
	compare "$kind"
}

print_figures() {
	awk '
		function say(what, seconds, cpu) {
			printf "figure %s: %.0f s, %.0f s of processors\n", what, seconds, cpu
		}
		FNR > 1 { more += $1; more_cpu += $2 + $3; next }
		FILENAME ~ /install/ { what = "apt install" }
		FILENAME ~ /prepare/ { what = "weft prepare" }
		FILENAME ~ /compile/ { what = "compiling the aspect" }
		{ say(what, $1, $2 + $3); all += $1; cpu += $2 + $3 }
		END {
			say("to the first record", all, cpu)
			say("for the module beside", more, more_cpu)
		}' \
		"$work"/install.times "$work"/prepare.times "$work"/compile.times
}

# inside SCRATCH: runs all blocks. It is called in a mount namespace, so that everything that it
# mounts is gone when this process ends.
inside() {
	scratch=$1
	release=$(basename "$(echo "$machine"/lib/modules/*cloud-amd64)")
	mount_root
	write_files
	in_chroot install
	fetch_packages
	in_chroot prepare
	in_chroot enable
	fill_cache
	make_kernel
	if [ $shell = 1 ]; then
		boot --shell
	else
		in_guest guest
		in_guest boot --systemd
	fi
	print_figures
	finish
}

shell=0
if [ "${1:-}" = --shell ]; then shell=1; shift; fi
if [ "${1:-}" = --inside ]; then inside "$2"; fi
[ $# = 0 ] || { sed -n 's/^# \(new-user.sh .*\): the.*/usage: \1/p' "$0" >&2; exit 2; }
check_needs
lock_chroots
(make_chroots)
[ -e "$cache/ready" ] || exit 0
make_machine
copy_sources
build_packages "$(packages_version)" || fail packages "they do not build: $out/deb/build.log"
scratch=$(mktemp -d "$cache/run.XXXXXX")
trap 'rm -rf --one-file-system "$scratch"' EXIT
arguments=(--inside "$scratch")
if [ $shell = 1 ]; then arguments=(--shell "${arguments[@]}"); fi
unshare --mount --propagation private "$0" "${arguments[@]}"
