#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# release.sh gcc|linux|clang: prints which version this machine's release of Debian has: of gcc, of
# the kernel's source package, or of the newest clang with libFuzzer. No other file has these
# version numbers. Fails if the release is not in the table below.
set -euo pipefail

# codename, gcc, linux, clang
table='
bookworm  12  6.1   14
trixie    14  6.12  19
forky     16  7.2   19
'
# shellcheck source=/dev/null
codename=$(. /etc/os-release 2>/dev/null && echo "${VERSION_CODENAME:-}") || true
row=$(awk -v name="$codename" '$1 == name' <<<"$table")
if [ -z "$row" ]; then
	echo "weft's build knows Debian$(awk 'NF { printf "%s %s", n++ ? "," : "", $1 }' \
		<<<"$table"), and this is ${codename:-none of them}" >&2
	exit 1
fi
read -r _ gcc linux clang <<<"$row"
case ${1:-} in
gcc | linux | clang) echo "${!1}" ;;
*) echo "usage: release.sh gcc|linux|clang" >&2; exit 2 ;;
esac
