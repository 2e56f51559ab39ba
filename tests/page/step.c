// SPDX-License-Identifier: GPL-2.0-or-later
/* Source that the test's page shows beside hits. Its lines count: make-page.c names some. */
int step(int now)
{
	if (now < 0)
		return -1;

	/* </script><img src=x onerror=alert(2)> is text here. */
	while (now > 100)
		now -= 100;
	switch (now) {
	case 0:
		return 1;
	case 1:
		return 7;
	}

	return now +
	       1;
	/* the last joinpoint is on line 20 */
}
