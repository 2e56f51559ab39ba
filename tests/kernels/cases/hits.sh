#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Measures what a hit costs on the kernel as shipped, in guest instructions, with goals.
# ../hit-aspects.sh makes the aspects.
#
# vm.sh: --icount
. "$(dirname "$0")/../../vm/cases/lib.sh"
. "$(dirname "$0")/../../bench/goals.sh"
. "$(dirname "$0")/../../bench/hit-rows.sh"
load_weft
measure_bare
echo "$(uname -r): guest instructions per hit above the bare function"
weft_row "weft, jump, counter" count jump --optimized 3
weft_row "weft, jump, C function with nothing in it" empty jump --optimized 18
weft_row "weft, trap, C function with nothing in it" trap trap --traps 130
end
