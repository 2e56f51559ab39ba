# SPDX-License-Identifier: GPL-2.0-or-later
#
# The tests: each folder that needs something built has a build.mk. Every test program or script
# prints its lines and at the end one line `N passed, N failed, N skipped`.

include $(wildcard tests/*/build.mk tests/*/*/build.mk)
