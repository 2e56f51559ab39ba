# SPDX-License-Identifier: GPL-2.0-or-later
#
# Scripts of tests/oracle and tests/kernels source this file, which defines shell variables for the
# numbers in a database, by their names in the headers (docs/database.md): $WEFT_KIND_GET,
# $WEFT_EFFECT_CALL (a shadow's access effect), $WEFT_PRECISION_EXACT, $WEFT_FIELD_TYPEDEF,
# $WV_SYMBOL_LABEL, $WV_CHOSEN_OWN, $WV_OWNER_EXCEPTION and the like. The headers are searched
# upwards from the script's folder: a script may run in any directory, and in sh a sourced file
# cannot find its own path.
_top=$(dirname "$0")
until [ -e "$_top/runtime/abi.h" ]; do _top=$_top/..; done
_members='WEFT_(KIND|EFFECT|PRECISION|FATE)_[A-Z_]+|WV_CHOSEN_[A-Z]+|WV_OWNER_[A-Z_]+'
_macros='WEFT_FIELD_[A-Z]+|WV_SYMBOL_[A-Z_]+|WV_IMAGE_[A-Z_]+'
_names=$(sed -nE \
	-e "s/^\t($_members) = ([0-9]+),.*/\1=\3/p" \
	-e "s/^#define ($_macros) ((0x)?[0-9a-f]+)u?( .*)?\$/\1=\2/p" \
	"$_top/runtime/abi.h" "$_top/runtime/joinpoint-table.h" "$_top/weaver/database/schema.h" \
	"$_top/weaver/image/patch-sites.h")
eval "$_names"

# sql_name COLUMN PREFIX: prints SQL that turns a column's number into its name without PREFIX, in
# lower case: sql_name kind WEFT_KIND_ gives get, set, rmw and so on.
sql_name() {
	printf '%s\n' "$_names" | awk -F = -v column="$1" -v prefix="$2" '
		index($1, prefix) == 1 {
			name = tolower(substr($1, length(prefix) + 1))
			cases = cases " WHEN " $2 " THEN \"" name "\""
		}
		END { gsub(/"/, "\047", cases); print "CASE " column cases " END" }'
}
