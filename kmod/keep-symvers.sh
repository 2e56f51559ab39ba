#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# keep-symvers.sh FOLDER: run by DKMS in the folder in which weft.ko was built, before it removes
# that. Keeps what `weft compile` needs of weft.ko: weaver/module/kernel-folders.c looks there.
exec install -m 644 Module.symvers "$1/Module.symvers"
