#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# copy-tree.sh FOLDER: copies this tree into FOLDER: the files that git tracks or would add. If the
# tree is no work tree of git, copies all files except those in build/.
set -euo pipefail
folder=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [ -e .git ]; then
	git ls-files -z --cached --others --exclude-standard
else
	find . -path ./build -prune -o ! -type d -print0
fi | tar --null --ignore-failed-read --files-from=- -cf - 2>/dev/null | tar -xf - -C "$folder"
