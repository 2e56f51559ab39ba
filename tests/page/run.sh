#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Looks at pages of invented metrics in headless Chromium, and leaves pictures of them in FOLDER.
# PAGE is the folder of the page's parts, as they were built. Skipped if Chromium, npm or the plots
# are missing. Usage: run.sh FOLDER PAGE
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$1 page=$2

skip() {
	printf 'skipped: %s\n0 passed, 0 failed, 1 skipped\n' "$1"
	exit 0
}
for program in chromium npm node; do
	command -v "$program" >/dev/null ||
		skip "$program is missing: apt-get install chromium npm"
done
[ -s "$page/licence.txt" ] || skip 'weft was built without the plotting library'
if ! cmp -s "$here/package-lock.json" "$folder/package-lock.json" ||
	! [ -d "$folder/node_modules/playwright-core" ]; then
	cp "$here/package.json" "$folder"
	(cd "$folder" && cp "$here/package-lock.json" . &&
		npm ci --ignore-scripts --no-audit --no-fund >npm.log 2>&1) || {
		rm -f "$folder/package-lock.json"
		skip "npm could not fetch playwright-core ($folder/npm.log)"
	}
fi
for kind in small large totals drill live content; do
	"$folder/make-page" "$kind" "$here" >"$folder/$kind.html"
done
for kind in a b; do "$folder/make-page" "$kind" "$here" >"$folder/$kind.json"; done
(cd "$folder" && ./make-page compare a.json b.json >compare.html)
# Makes the page that a weft which was built without npm writes: its script lacks the library.
sed '/^<script>\/\*$/,/^(() => {$/c\<script>(() => {' "$folder/small.html" >"$folder/plain.html"
cp "$here/look.mjs" "$folder"
cd "$folder" && exec node look.mjs "$(command -v chromium)"
