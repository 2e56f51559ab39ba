#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# deb.sh FOLDER VERSION: builds the Debian packages of this tree into FOLDER, for the release of
# Debian that it runs on; that is added to the version (0.1~deb12), so that an upgrade to the next
# release takes that one's packages. Builds in a copy: nothing is written into the tree.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=$1
# shellcheck source=/dev/null
version=$2~deb$(. /etc/os-release && echo "${VERSION_ID:-0}")
source=$folder/weft-$version

missing=$(cd "$top" && dpkg-checkbuilddeps 2>&1) || {
	printf 'deb: %s\ndeb: apt-get build-dep %s\n' "${missing#dpkg-checkbuilddeps: error: }" \
		"$top" >&2
	exit 1
}
rm -rf "$folder"
mkdir -p "$source"
(cd "$top" && git ls-files -z --cached --others --exclude-standard |
	tar --null --ignore-failed-read --files-from=- -cf -) | tar -xf - -C "$source"
sed -i "1s/(.*)/($version)/" "$source/debian/changelog"
cd "$source"
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u O -u V -u ASAN DEB_BUILD_OPTIONS="nocheck \
	parallel=$(nproc)" dpkg-buildpackage --no-sign -b >"$folder/build.log" 2>&1 || {
	tail -n 20 "$folder/build.log" >&2
	echo "deb: the packages do not build; all of it is in $folder/build.log" >&2
	exit 1
}
cd "$top"
rm -rf "$source"
printf '%s\n' "$folder"/*.deb
