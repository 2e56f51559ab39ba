#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# deps.sh [all|demo|build|page]: prints the Debian packages that weft needs and this machine lacks,
# each with its purpose. If root runs it, installs them; otherwise prints the command that installs
# them, and fails. demo: without packages that only tests and benchmarks need. build: only packages
# with which the plugin, the weaver and modules are built, for a kernel that is there already. page:
# only what `make check-page` needs. If nothing is missing, dpkg-query runs only once.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
gcc=$("$here/release.sh" gcc) linux=$("$here/release.sh" linux) clang=$("$here/release.sh" clang)

# Packages that the build needs, one per line.
build_packages="
make                the build
gcc                 weaver, kernel modules, demo kernel
g++                 the GCC plugin
gcc-$gcc-plugin-dev   headers for the GCC plugin
libc6-dev           the C library headers
binutils            assembler and linker
pkg-config          finding the libraries
libelf-dev          weaver: ELF files; the kernel build
libdw-dev           weaver: debug information: lines, types, scopes, locations, frames
libxml2-dev         weaver: aspects
libmicrohttpd-dev   weaver: weft serve
libcapstone-dev     weaver: decoding instructions
libsqlite3-dev      weaver: the joinpoint database
protobuf-c-compiler  weaver: weft export
libprotobuf-c-dev   weaver: weft export
zlib1g-dev          weaver, plugin: compressed tables
liblzma-dev         weaver: compressed modules
kmod                loading modules
xz-utils            unpacking a kernel's source
flex                configuring and building a kernel
bison               configuring and building a kernel
bc                  building a kernel
perl                building a kernel
python3             building a kernel: BTF tools
libssl-dev          building a kernel
pahole              building a kernel: BTF
"
# Further packages, for the demo kernel and the guest.
demo_packages="
linux-source-$linux    the demo kernel
lz4                 building the demo kernel: boot image
cpio                the guest: initramfs
busybox-static      the guest: initramfs
qemu-system-x86     the guest
"
# Further packages, for tests and benchmarks.
test_packages="
libxml2-utils       xmllint in the tests
sqlite3             reading the joinpoint database in the tests
libcmocka-dev       unit tests
python3-pyasn1      reads ASN.1 in the tests
python3-prometheus-client  reads metrics in the tests, as Prometheus does
man-db              reading and checking the man pages
mandoc              checking the man pages
libclang1-19        the oracle of joinpoint records in the tests
clang-$clang            compiling the fuzzers in the tests
libclang-rt-$clang-dev  the fuzzers in the tests: libFuzzer and the sanitizers
stress-ng           a load in the guest
bpftrace            a rival in the benchmarks
strace              counts system calls in the guest
babeltrace2         reads recordings in the guest
protobuf-compiler   reads traces of Perfetto in the tests
openssl             keys that modules are signed with, and ASN.1, in the tests
tcl                 makes the source of SQLite, a program in the guest
debootstrap         chroots of releases of Debian in the tests
debian-archive-keyring  the keys of their packages
"
page_packages="
chromium            shows the HTML page
"
# A Node.js that is not Debian's has an npm of its own, and Debian's package npm would remove it.
command -v npm >/dev/null || page_packages+="npm                 brings what drives chromium
"
case ${1:-all} in
all) packages=$build_packages$demo_packages$test_packages ;;
demo) packages=$build_packages$demo_packages ;;
build) packages=$build_packages ;;
page) packages=$page_packages ;;
*) echo "usage: deps.sh [all|demo|build|page]" >&2; exit 2 ;;
esac

missing_packages() {
	local names

	names=$(awk 'NF { print $1 }' <<<"$packages")
	# A package that dpkg has never heard of is missing, too. It makes dpkg-query fail, so only
	# the output of dpkg-query is used, not its exit status.
	{
		# shellcheck disable=SC2086
		dpkg-query -W -f '${Package} ${db:Status-Abbrev}\n' $names 2>/dev/null || true
		echo end
		printf '%s\n' "$names"
	} | awk '$1 == "end" { listing = 1; next }
		!listing { if ($2 == "ii" || $2 == "hi") have[$1] = 1; next }
		!($1 in have) { print $1 }'
}

# Another apt may be running: wait until it has released its lock.
install() {
	DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 \
		install -y --no-install-recommends "$@"
}
install_packages() {
	# The package lists of a fresh machine may be old or absent. But to fetch them takes longer
	# than to try without them first.
	install "$@" && return
	echo "deps: installing failed; fetching the package lists and trying again"
	apt-get update
	install "$@"
}

command -v dpkg-query >/dev/null || {
	echo "deps: no dpkg on this machine; weft's build knows Debian only" >&2
	exit 1
}
mapfile -t missing < <(missing_packages)
[ ${#missing[@]} -gt 0 ] || exit 0

for name in "${missing[@]}"; do
	printf 'deps: missing %-18s %s\n' "$name" \
		"$(awk -v n="$name" '$1 == n { $1 = ""; print substr($0, 2) }' <<<"$packages")"
done
if [ "$(id -u)" != 0 ]; then
	printf 'deps: run this as root:\n  apt-get install -y --no-install-recommends %s\n' \
		"${missing[*]}" >&2
	exit 1
fi
# Several makes may install the same packages at once: the second one waits, and finds them
# installed.
exec 9>/run/lock/weft-deps
flock 9
mapfile -t missing < <(missing_packages)
[ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
mapfile -t missing < <(missing_packages)
[ ${#missing[@]} = 0 ] || { echo "deps: still missing: ${missing[*]}" >&2; exit 1; }
