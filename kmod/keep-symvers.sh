#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# keep-symvers.sh FOLDER: DKMS runs this in the folder in which weft.ko was built, before it removes
# that folder. Copies Module.symvers, which `weft compile` needs, to FOLDER.
# weaver/module/kernel-folders.c looks for it there.
exec install -m 644 Module.symvers "$1/Module.symvers"
