#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a hit costs on the kernel as shipped, in guest instructions, beside the goals: those of the
# demo kernel (tests/bench/guest.sh), and two more from 7.0 on, where the preemption count has 64
# bits. The aspects are made by ../hit-aspects.sh.
#
# vm.sh: --icount
. "$(dirname "$0")/../../vm/cases/lib.sh"
. "$(dirname "$0")/../../bench/goals.sh"
. "$(dirname "$0")/../../bench/hit-rows.sh"
release=$(uname -r)
more=0
if [ "${release%%.*}" -ge 7 ]; then more=2; fi
load_weft
measure_bare
echo "$release: guest instructions per hit above the bare function"
weft_row "weft, jump, counter" count jump --optimized $((3 + more))
weft_row "weft, jump, C function with nothing in it" empty jump --optimized $((18 + more))
weft_row "weft, trap, C function with nothing in it" trap trap --traps $((130 + more))
end
