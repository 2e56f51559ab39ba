// SPDX-License-Identifier: GPL-2.0-or-later
/* A unit without any access emits nothing. */
int nothing(int x)
{
	return x + 1;
}
