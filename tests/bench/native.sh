#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints the time of a hit on this processor, and the throughput of the buffer of records, with
# goals. Usage: native.sh NATIVE-NS RECORDS
set -euo pipefail
. "$(dirname "$0")/goals.sh"
figures=$(taskset -c 0 "$1")
of() { awk -v name="$1" '$1 == name { print $2 }' <<<"$figures"; }
times() { awk -v a="$(of "$1")" -v b="$(of call)" 'BEGIN { printf "%.2f", a / b }'; }

row "native: a compiled-in call to an empty function" "$(of call)" ns
row "native: counter" "$(of counter)" ns
row "native: C function with nothing in it" "$(of advice)" ns
row "native: counter, of the compiled-in call" "$(times counter)" x at-most 1.5
row "native: C function, of the compiled-in call" "$(times advice)" x at-most 3
figures=$("$2")
row "native: a record of three values, written" "$(of write)" ns
row "native: the same, read" "$(of read)" ns
row "native: records through the buffer of one CPU" "$(of through)" /s
row "native: offered by a writer that waits for nobody" "$(of offered)" /s
row "native: of those read, the others counted as lost" "$(of kept)" %
row "native: records into a file, buffer of 4 MiB" "$(of recorded)" /s at-least 10000000
row "native: neither read nor counted as lost, or wrong" "$(of unaccounted)" '' at-most 0
end
