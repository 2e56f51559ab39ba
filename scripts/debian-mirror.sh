#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# debian-mirror.sh LABEL: prints the address from which this machine's apt gets packages of that
# label: Debian, or Debian-Security. Fails, with a one-line message, if apt's package lists have
# none.
set -eu
found=$(apt-get indextargets --format '$(LABEL) $(COMPONENT) $(REPO_URI)' 'Created-By: Packages' \
	2>/dev/null | awk -v label="$1" '$1 == label && $2 == "main" { print $3; exit }')
[ -n "$found" ] || {
	echo "debian-mirror.sh: apt knows no archive of $1: name one in sources.list, and run" \
		"apt-get update" >&2
	exit 1
}
echo "$found"
