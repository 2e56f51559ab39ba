#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# deb.sh FOLDER VERSION [OBJECTS]: builds the Debian packages of this tree into FOLDER, for the
# release of Debian that it runs on. The release is added to the version (0.1~deb12), so that an
# upgrade to the next release takes that release's packages. Builds in a copy: nothing is written
# into the tree. Everything is compiled anew, since the times of copied files do not show whether an
# older object is still valid; unless OBJECTS names a folder of objects of exactly this tree.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=$1
# shellcheck source=/dev/null
version=$2~deb$(. /etc/os-release && echo "${VERSION_ID:-0}")
source=$folder/source

missing=$(cd "$top" && dpkg-checkbuilddeps 2>&1) || {
	printf 'deb: %s\ndeb: apt-get build-dep %s\n' "${missing#dpkg-checkbuilddeps: error: }" \
		"$top" >&2
	exit 1
}
rm -rf "$source" "$folder"/*.{deb,changes,buildinfo}
mkdir -p "$source"
"$top/packaging/copy-tree.sh" "$source"
sed -i "1s/(.*)/($version)/" "$source/debian/changelog"
cd "$source"
if [ $# -gt 2 ]; then export WEFT_OBJECTS=$3; fi
export DEB_BUILD_OPTIONS="nocheck noautodbgsym parallel=$(nproc)"
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u O -u V -u ASAN -u VERSION -u DEPS \
	dpkg-buildpackage --no-sign -b >"$folder/build.log" 2>&1 || {
	tail -n 20 "$folder/build.log" >&2
	echo "deb: the packages do not build; all of it is in $folder/build.log" >&2
	exit 1
}
cd "$top"
rm -rf "$source"
printf '%s\n' "$folder"/*.deb
