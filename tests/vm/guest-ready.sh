# SPDX-License-Identifier: GPL-2.0-or-later
#
# The guest's interactive shell (`make vm`) sources this file: it loads weft.ko, sets the database,
# and puts `weft` and `traffic` in the PATH. For another kernel than the demo kernel, $WEFT_KO,
# $WEFT_DB and $WEFT_ASPECTS are set. In an emulator the first hit of an advice takes longer than
# the default budget, and advice takes a larger share of a CPU, so both limits are lifted here.
export PATH=$O:$O/vm/programs:$PATH WEFT_DB=${WEFT_DB:-$O/vmlinux.weft}
insmod "${WEFT_KO:-$O/kmod/weft.ko}" share_percent=0 budget_us=1000000 && cat <<END
weft.ko is loaded; aspects are in ${WEFT_ASPECTS:-$O/vm/aspects}; \`traffic 10\` makes some network
traffic. All files are there that your machine has. What you write is gone when you \`exit\`, but
for /share: that is $O/vm/share.
To begin with, type what docs/tutorial.md has: weft points vfs_open
END
