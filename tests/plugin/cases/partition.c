// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests code that GCC puts into another section: each section's part of a function is a separate range. kinds.c says how the expected accesses are written. */
struct error {
	int code;
	int line;
	void (*report)(struct error *);
};

__attribute__((cold)) void report(int);

int checked(struct error *e, int v)
{
	if (__builtin_expect(v < 0, 0)) {
		e->code = v; /* EXPECT set error.code store */
		report(e->line); /* EXPECT get error.line load */
		e->report(e); /* EXPECT call error.report load+call */
		report(2);
	}
	return e->code; /* EXPECT get error.code load */
}
