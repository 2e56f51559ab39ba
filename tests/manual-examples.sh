#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Extracts the examples of the language's manual, docs/aspect-language.md: writes each aspect to
# FOLDER/NAME.xml. Usage: manual-examples.sh FOLDER
awk -v folder="$1" '/^```xml/ { on = 1; file = ""; next } /^```/ { on = 0 }
	on && match($0, /<aspect name="[^"]*"/) {
		file = folder "/" substr($0, 15, RLENGTH - 15) ".xml"
	}
	on && file { print > file }' docs/aspect-language.md
