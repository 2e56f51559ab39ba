#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make bench-hit`: runs the benchmark in a guest that counts instructions, so that the figures are the same on every machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
tests/vm/vm.sh --quiet --icount --timeout 300 --env "O=$O" --env "WEFT_DB=$O/vmlinux.weft" tests/bench/guest.sh
