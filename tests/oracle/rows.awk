# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints readelf --debug-dump=decodedline as lines "ADDRESS ORDER FILE:LINE". Where a table ends, it
# prints "ADDRESS 0 -". When they are sorted by the first two, stably, the last line of an address
# is the one that the instruction there belongs to.
#
# readelf names the file in a separate heading. It prints a unit's first file without its folder,
# until the table comes back to that file.

function flush_unit(   i) {
	for (i = 1; i <= n; i++) {
		if (line[i] !~ /^[0-9]+$/)
			print address[i], 0, "-"
		else if (line[i] > 0)
			print address[i], 1,
				(file[i] == first && whole != "" ? whole : file[i]) ":" line[i]
	}
	n = 0
	whole = ""
}

/^File name +Line number/ {
	flush_unit()
	first = heading
	next
}
/^[^ \t]+:$/ {
	heading = substr($0, 1, length($0) - 1)
	sub(/^\.\//, "", heading)
	if (first != "" && substr(heading, length(heading) - length(first)) == "/" first)
		whole = heading
	next
}
# A row is: NAME LINE 0xADDRESS [VIEW] [x], or NAME - 0xADDRESS at the end of a table.
$3 ~ /^0xf/ && $2 ~ /^([0-9]+|-)$/ {
	n++
	address[n] = substr($3, 3)
	line[n] = $2
	file[n] = heading
}
END { flush_unit() }
