#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs in the guest that counts instructions: measures what weaving and unweaving many shadows costs
# per shadow, whatever the machine. When memory is cleared or copied by a string instruction, each
# byte counts as an instruction.
set -eu
. "$(dirname "$0")/../vm/cases/lib.sh"
. "$(dirname "$0")/goals.sh"
load_weft
each() { awk -v n="$shadows" -v ms="$1" 'BEGIN { printf "%.0f", ms * 1e6 / n }'; }

read -r shadows weave _ _ _ _ weaving _ <<<"$(weave-rate 1 "$O/vm/aspects/bench_many.ko")"
echo "guest instructions per shadow, of $shadows, on one CPU"
row "the first weave, everything" "$(each "$weave")" ''
row "  of it the requests that weave, which decode the functions" "$(each "$weaving")" ''
read -r shadows weave _ _ text _ weaving _ unweaving _ \
	<<<"$(weave-rate 3 "$O/vm/aspects/bench_many.ko")"
row "another weave, everything" "$(each "$weave")" ''
row "  of it the requests that weave, with their checks" "$(each "$weaving")" ''
row "requests that read text, weaving and unweaving" "$(each "$text")" ''
row "the request that unweaves" "$(each "$unweaving")" ''
end
