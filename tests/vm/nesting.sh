#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prints an aspect with one shadow, which gets a splice of the wanted kind and is executed once each
# time tests/vm/nesting/nesting.c calls the shadow's function. The advice calls that function once
# more, takes a while, and logs a record if it runs on top of other advice. Usage: nesting.sh KIND
# WEFT DB
set -euo pipefail
kind=$1 weft=$2 db=$3 slot=
function=in4_pton
call='u8 address[4]; in4_pton("x", 1, address, 0, NULL);'
plan() {
	"$weft" plan --db "$db" --alone --function "$function" |
		sed -nE "s/^$function\+(0x[0-9a-f]+) +($1)$/\1/p" | sed -n 1p
}
case $kind in
call) offset=$(plan 'callq hex_to_bin +call *') ;;
jump) offset=$(plan 'mov.* +jump *') ;;
several) offset=$(plan 'push.* +jump .* instructions') ;;
# A jump is planned for this instruction too: the cases weave the aspect with --traps.
trap) offset=$(plan 'leaq.* +jump *') ;;
springboard)
	function=set_normalized_timespec64
	call='struct timespec64 time; set_normalized_timespec64(&time, 1, 1);'
	offset=$(plan '.* +springboard .*')
	slot=$("$weft" plan --db "$db" --alone --function "$function" |
		sed -nE 's/.* springboard +slot (0x[0-9a-f]+)$/\1/p' | sed -n 1p)
	;;
esac
cat <<XML
<?xml version="1.0"?>
<!-- One shadow, spliced by $kind; its slot in the image is at ${slot:-none}. -->
<aspect name="nest_$kind">
  <include header="linux/inet.h"/>
  <include header="linux/time64.h"/>
  <declare>static DEFINE_PER_CPU(int, depth);</declare>
  <pointcut><instruction symbol="$function" offset="$offset"/></pointcut>
  <before-advice><![CDATA[
    int depth_here = this_cpu_inc_return(depth);

    if (depth_here > 1)
      weft_log("on top in %s", in_nmi() ? "nmi" : in_hardirq() ? "interrupt" : "softirq");
    for (int i = 0; i < 200; i++)
      cpu_relax();
    $call
    this_cpu_dec(depth);
  ]]></before-advice>
</aspect>
XML
