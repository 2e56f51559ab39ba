#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs one of the benchmarks of `make bench-hit`, `make bench-weave`, `make bench-oneliners` and
# `make bench-records` in the guest. That of a hit, and parts of the others, run in a guest that
# counts instructions, so that the figures are the same on every machine. Usage: run.sh BENCHMARK
set -euo pipefail
cd "$(dirname "$0")/../.."
case $1 in
hit) set -- --icount tests/bench/guest.sh ;;
records) set -- tests/bench/records.sh ;;
# A step of a string instruction counts as an instruction; on this processor it is eight bytes.
records-count) set -- --icount --cpu max,la57=off,erms=off,fsrm=off tests/bench/records-count.sh ;;
weave) set -- --memory 2G tests/bench/weave.sh ;;
oneliners) set -- --memory 2G tests/bench/oneliners.sh 3 ;;
oneliners-count) set -- --memory 2G --icount tests/bench/oneliners.sh 3 1 ;;
stall) set -- --memory 2G --accel parallel tests/bench/stall.sh ;;
weave-count) set -- --memory 2G --icount tests/bench/weave-count.sh ;;
esac
tests/vm/vm.sh --quiet --timeout 900 --env "O=$O" --env "WEFT_DB=$O/vmlinux.weft" "$@"
