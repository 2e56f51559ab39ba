// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests that the plugin emits nothing for a unit without any access. */
int nothing(int x)
{
	return x + 1;
}
