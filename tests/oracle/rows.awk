# SPDX-License-Identifier: GPL-2.0-or-later
#
# readelf --debug-dump=decodedline as lines "ADDRESS ORDER FILE:LINE", where a table ends "ADDRESS 0
# -". Sorted by the first two, stably, the last line of an address is what the instruction there
# belongs to.
#
# readelf names the file in a heading of its own, but a unit's first one without its folder, until
# the table comes back to it.

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
# NAME LINE 0xADDRESS [VIEW] [x]; NAME - 0xADDRESS
$3 ~ /^0xf/ && $2 ~ /^([0-9]+|-)$/ {
	n++
	address[n] = substr($3, 3)
	line[n] = $2
	file[n] = heading
}
END { flush_unit() }
