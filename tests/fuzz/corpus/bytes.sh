#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes the inputs that are kept as text: writes the bytes of each NAME.hex in FOLDER to TO/NAME.
# The text after a '#' is a comment. Usage: bytes.sh FOLDER TO
set -eu
mkdir -p "$2"
for hex in "$1"/*.hex; do
	perl -0777 -ne 's/#.*//g; s/\s+//g;
		die "$ARGV: not hexadecimal\n" if /[^0-9a-f]/ || length() % 2;
		print pack "H*", $_' "$hex" >"$2/$(basename "$hex" .hex)"
done
