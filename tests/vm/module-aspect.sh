#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints the C source of an aspect with shadows in a module. Usage: module-aspect.sh NAME VMLINUX
# MODULE.ko KIND PLACE...
#
# KIND is count, an advice that counts; clobber, a C function that changes all registers that it may
# change; gated, which counts and has a start block that waits until Y is written to the aspect's
# parameter "open"; or once, a C function that runs once at each joinpoint. A PLACE is FUNCTION, all
# instructions of a function of the module; FUNCTION@N, its Nth instruction; or kernel:FUNCTION@N,
# an instruction of vmlinux. objdump lists where the instructions are. Each splice in the module
# displaces as many instructions as a jump needs, even if a branch leads into their middle, which
# weft.ko has to refuse.
#
# Environment, for tables that no weaver would write: FORGE has C initializers of struct
# weft_text_part for the module; FORGE_REACH is a number of bytes that is added to the offsets of
# joinpoints in vmlinux. REQUIRED=1 makes the aspect need all of its joinpoints.
set -euo pipefail
name=$1 vmlinux=$2 module=$3 kind=$4
shift 4
build_id() { readelf -n "$1" 2>/dev/null | sed -n 's/.*Build ID: *//p' | sed 's/../0x&, /g'; }

# instructions FILE FUNCTION: prints "SECTION OFFSET LENGTH FUNCTION+OFFSET" for each instruction,
# without ftrace's call and endbr64.
instructions() {
	objdump -dw --insn-width=15 --disassemble="$2" "$1" | awk -v wanted="$2" '
		/^Disassembly of section/ { section = $4; sub(/:$/, "", section) }
		/^[0-9a-f]+ <.*>:$/ { start = $1; in_it = $2 == "<" wanted ">:" }
		in_it && /^ *[0-9a-f]+:\t/ {
			split($0, field, "\t")
			sub(/^ */, "", field[1]); sub(/:$/, "", field[1])
			n = split(field[2], bytes, " ")
			place = "0x" substr("0000000000000000" field[1], length(field[1]) + 1)
			if (field[3] !~ /__fentry__|^endbr64/ && field[2] !~ /^e8 00 00 00 00/)
				print section, place, n, wanted, "0x" start
		}'
}

places() {
	local place function only file
	for place; do
		function=${place#kernel:} only=p file=$module
		[ "$function" = "$place" ] || file=$vmlinux
		[ "${function%@*}" = "$function" ] || only=${function#*@}p
		instructions "$file" "${function%@*}" | sed -n "s/^/${file##*/} /; $only"
	done | sort -u -k 2,2 -k 3,3
}

text=0x$(nm "$vmlinux" | sed -n 's/ T _text$//p')
# Prints "SECTION SYMBOL OFFSET SIZE" for each section, with a symbol whose name is unique in the
# symbol table.
anchors() {
	{ readelf -SW "$module" | sed 's/^ *\[ */S /; s/\]//'; readelf -sW "$module"; } | awk '
		$1 == "S" && $2 ~ /^[0-9]+$/ { section[$2] = $3; size[$3] = $7 }
		$1 ~ /^[0-9]+:$/ && $4 != "SECTION" && $7 != "UND" && $8 != "" {
			n[$8]++; at[$8] = $7; value[$8] = $2
		}
		END {
			for (name in n)
				if (n[name] == 1 && at[name] in section && !(at[name] in found)) {
					found[at[name]] = 1
					s = section[at[name]]
					print s, name, "0x" value[name], "0x" size[s]
				}
		}'
}

module_name=$(basename "$module" .ko | tr - _)
{ anchors | sed 's/^/anchor /'; places "$@" | sed 's/^/place /'; } | awk \
	-v text="$text" -v name="$name" -v kind="$kind" -v module="$module_name" \
	-v kernel_id="$(build_id "$vmlinux")" -v module_id="$(build_id "$module")" \
	-v vmlinux="${vmlinux##*/}" -v forge="${FORGE:-}" -v reach="${FORGE_REACH:-0}" \
	-v required="${REQUIRED:-0}" '
	# Reads only the last eight digits, since awk does not compute larger numbers exactly.
	function number(hex,  i, value) {
		i = length(hex) > 10 ? length(hex) - 7 : 3
		for (; i <= length(hex); i++)
			value = value * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
		return value
	}
	function string(s) {
		if (!(s in strings)) {
			strings[s] = offset
			offset += length(s) + 1
			table = table "\n\t\"" s "\\0\""
		}
		return strings[s]
	}
	BEGIN { offset = 1; table = "\n\t\"\\0\"" }
	$1 == "anchor" { anchor[$2] = $3; anchor_at[$2] = $4; size[$2] = $5; next }
	{
		n++
		kernel[n] = $2 == vmlinux
		where[n] = kernel[n] ? "" : $3
		at[n] = number($4) - (kernel[n] ? number(text) : 0)
		long[n] = $5; symbol[n] = $6; into[n] = number($4) - number($7)
		if (!kernel[n] && !(where[n] in part)) {
			part[where[n]] = ++parts
			in_order[parts] = where[n]
		}
	}
	# Groups instructions that follow each other, so that each group is as long as a jump.
	function group(first,  last, total) {
		total = long[first]
		for (last = first; total < 5 && last < n && symbol[last + 1] == symbol[first] &&
				at[last + 1] == at[last] + long[last]; total += long[last])
			last++
		for (; first <= last; first++) {
			before[first] = at[first] - at[last] - long[last] + total
			displaced[first] = total < 5 ? 0 : total
		}
		return last
	}
	function row(p, i) {
		return sprintf("\t{ .part = %u, .text_offset = 0x%x + %s,\n", p, at[i], \
				p ? 0 : reach) \
			sprintf("\t  .symbol = %u, .symbol_offset = 0x%x,\n", \
				string(symbol[i]), into[i]) \
			sprintf("\t  .what = %u, .function = %u,\n", \
				string("instruction"), string(symbol[i])) \
			sprintf("\t  .before = %u, .displaced = %u,\n", before[i], displaced[i]) \
			"\t  .live = WEFT_LIVE_UNKNOWN, .required = " required ",\n" \
			"\t  .precision = WEFT_PRECISION_SYMBOL },\n"
	}
	END {
		for (i = 1; i <= n; i++)
			if (kernel[i])
				before[i] = displaced[i] = 0
			else
				i = group(i)
		print "/* Made by module-aspect.sh. */\n#include \"advice.h\"\n"
		print "WEFT_ASPECT_BEGIN\n"
		if (kind == "clobber") {
			print "static void weft_entry_0(struct weft_frame *frame,"
			print "\t\t\t const struct weft_shadow *shadow)\n{"
			n_reg = split("rcx rdx rsi rdi r8 r9 r10 r11", register, " ")
			print "\tasm volatile(\"xor %%eax, %%eax; stc\" ::: \"rax\", \"cc\");"
			for (i = 1; i <= n_reg; i++)
				printf "\tasm volatile(\"mov %%%%rax, %%%%%s\" ::: \"%s\");\n",
					register[i], register[i]
			print "}\n"
		}
		if (kind == "once")
			print "static void weft_entry_0(struct weft_frame *frame," \
				"\n\t\t\t const struct weft_shadow *shadow)\n{" \
				"\n\tcmpxchg(shadow->once, WEFT_ONCE_WAITING," \
				" WEFT_ONCE_HIT);\n}\n"
		if (kind == "gated")
			print "#include <linux/delay.h>\n\nstatic bool open;\n" \
				"module_param(open, bool, 0644);\n\n" \
				"static int weft_start(void)\n{\n\twhile (!READ_ONCE(open))" \
				"\n\t\tmsleep(10);\n\treturn 0;\n}\n"
		print "static const struct weft_advice weft_advices[] = { {" \
			(kind == "clobber" || kind == "once" ? " .entry = weft_entry_0" : "") \
			(kind == "once" ? ", .once = true" : "") " } };\n"
		body = ""
		for (p = 0; p <= parts; p++)
			for (i = 1; i <= n; i++)
				if ((kernel[i] ? 0 : part[where[i]]) == p)
					body = body row(p, i)
		rows = "\t{ .build_id = { " kernel_id "}, .build_id_size = 20 },\n"
		for (p = 1; p <= parts; p++) {
			s = in_order[p]
			rows = rows sprintf("\t{ .module = %u, .section = %u, .anchor = %u, " \
				".anchor_offset = %u, .size = %u,\n\t  .build_id = { %s},\n" \
				"\t  .build_id_size = 20, %s },\n", string(module), string(s), \
				string(anchor[s]), number(anchor_at[s]), number(size[s]), \
				module_id, forge)
		}
		print "static const char weft_strings[] __used"
		print "\t__section(\".weft.strings\") =" table ";\n"
		print "static const struct weft_text_part weft_parts[] __used"
		print "\t__section(\".weft.parts\") = {\n" rows "};\n"
		print "static const struct weft_joinpoint weft_joinpoints[] __used"
		print "\t__section(\".weft.joinpoints\") = {\n" body "};\n"
		print "static const struct weft_aspect_header weft_aspect_header __used"
		print "\t__section(\".weft.aspect\") = {\n\t.magic = WEFT_ASPECT_MAGIC,"
		print "\t.abi = WEFT_ABI_VERSION,\n\t.name = \"" name "\","
		print "\t.nr_joinpoints = ARRAY_SIZE(weft_joinpoints),"
		print "\t.nr_advices = ARRAY_SIZE(weft_advices),"
		print "\t.nr_parts = ARRAY_SIZE(weft_parts),\n\t.content = 1,\n};\n"
		print "WEFT_ASPECT_END(\"" name "\"" \
			(kind == "gated" ? ", .start = weft_start" : "") ");"
	}'
