// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Functions that test_liveness.c runs step by step. They are compiled as a kernel is, without
 * vector registers and jump tables, and have each kind of instruction that GCC makes of C: carries,
 * shifts by cl, divisions, conditional moves, indirect calls, recursion.
 */
#include <stdarg.h>

#include "samples.h"

static unsigned int random_state;

static unsigned int next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 17;
	random_state ^= random_state << 5;
	return random_state;
}

static int ascending(const void *a, const void *b)
{
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static int descending(const void *a, const void *b)
{
	return -ascending(a, b);
}

static void swap(char *a, char *b, unsigned long size)
{
	while (size--) {
		char byte = *a;

		*a++ = *b;
		*b++ = byte;
	}
}

static void sift(char *base, unsigned long root, unsigned long n, unsigned long size,
		 int (*compare)(const void *, const void *))
{
	for (;;) {
		unsigned long child = 2 * root + 1;

		if (child >= n)
			return;
		if (child + 1 < n && compare(base + child * size, base + (child + 1) * size) < 0)
			child++;
		if (compare(base + root * size, base + child * size) >= 0)
			return;
		swap(base + root * size, base + child * size, size);
		root = child;
	}
}

static void heap_sort(void *base, unsigned long n, unsigned long size,
		      int (*compare)(const void *, const void *))
{
	for (unsigned long i = n / 2; i--;)
		sift(base, i, n, size, compare);
	while (n-- > 1) {
		swap(base, (char *)base + n * size, size);
		sift(base, 0, n, size, compare);
	}
}

static unsigned int crc32(const unsigned char *bytes, unsigned long n)
{
	unsigned int crc = ~0u;

	while (n--) {
		crc ^= *bytes++;
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

static unsigned long gcd(unsigned long a, unsigned long b)
{
	return b ? gcd(b, a % b) : a;
}

static unsigned long mix(unsigned long a, unsigned int by)
{
	unsigned __int128 wide = (unsigned __int128)a * 0x9e3779b97f4a7c15;

	wide += (unsigned __int128)by << 63 | a;
	a = (unsigned long)(wide >> 64) ^ (unsigned long)wide;
	return a << (by & 63) | a >> (-by & 63);
}

static int classify(int c)
{
	switch (c) {
	case '0' ... '9': return 1;
	case 'a' ... 'f': return 2;
	case 'A' ... 'F': return 3;
	case ' ': case '\t': return 4;
	default: return c < 0 ? -1 : 0;
	}
}

static unsigned long fibonacci(unsigned int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static void to_text(long value, unsigned int base, char *to)
{
	char digits[72], *at = digits;
	unsigned long left = value < 0 ? -(unsigned long)value : (unsigned long)value;

	do
		*at++ = "0123456789abcdef"[left % base];
	while (left /= base);
	if (value < 0)
		*to++ = '-';
	while (at > digits)
		*to++ = *--at;
	*to = '\0';
}

/* ---- one function for each kind of prototype, whose arguments are in known registers --------- */

struct small {
	int a, b;
};

struct pair {
	long a, b;
};

struct large {
	long a, b, c;
};

__attribute__((noipa)) unsigned long given_nothing(void)
{
	return random_state;
}

__attribute__((noipa)) unsigned long given_two(unsigned long a, unsigned char b)
{
	return a * 3 + b;
}

__attribute__((noipa)) unsigned long given_unused(unsigned long a, unsigned long unused,
						  const void *unused_as_well)
{
	return a + 1;
}

__attribute__((noipa)) unsigned long given_small(struct small a, unsigned long b)
{
	return a.a ^ a.b ^ b;
}

__attribute__((noipa)) unsigned long given_pair(struct pair a, unsigned long b)
{
	return a.a - a.b + b;
}

__attribute__((noipa)) unsigned long given_large(struct large a, unsigned long b)
{
	return a.a + a.b * a.c + b;
}

__attribute__((noipa)) struct large gives_large(unsigned long a, unsigned long b)
{
	return (struct large){ .a = a, .b = b, .c = a ^ b };
}

__attribute__((noipa)) unsigned long given_wide(unsigned __int128 a, unsigned long b)
{
	return (a >> 60) + b;
}

__attribute__((noipa)) unsigned long given_seven(long a, long b, long c, long d, long e, long f,
						 long g)
{
	return a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f + 13 * g;
}

__attribute__((noipa)) unsigned long given_any(int n, ...)
{
	unsigned long sum = 0;
	va_list list;

	va_start(list, n);
	while (n--)
		sum = sum * 3 + va_arg(list, unsigned long);
	va_end(list);
	return sum;
}

/* Computes values that stay in registers until a later call, while other functions are called. */
static unsigned long call_all(unsigned long a, unsigned long b)
{
	struct large large = gives_large(a, b);
	unsigned long sum = given_two(a, b) + given_nothing();

	sum += given_unused(sum, a, &sum) ^ given_small((struct small){ .a = a, .b = sum }, b);
	sum = sum * 5 + given_pair((struct pair){ .a = sum, .b = a }, b);
	sum = sum * 5 + given_large(large, given_wide((unsigned __int128)sum << 50 | a, b));
	return sum + given_seven(a, b, sum, a ^ b, a + sum, large.a, large.c) +
	       given_any(5, sum, a, b, a + b, sum ^ b);
}

/*
 * Reads the flags of a comparison after a division and after a multiplication, which leave these
 * flags undefined. Compilers do not write such code, but assembler written by hand may: it works on
 * processors where both instructions leave the flags as they are. So liveness must not call the
 * flags dead before such an instruction.
 */
static unsigned long surviving_flags(unsigned long a, unsigned long b)
{
	unsigned long quotient = a, remainder = 0;
	unsigned char below, equal;

	b |= 1;
	asm("cmp %4, %0\n\t"
	    "div %4\n\t"
	    "setb %2\n\t"
	    "cmp %4, %1\n\t"
	    "imul %4, %0\n\t"
	    "sete %3"
	    : "+a"(quotient), "+d"(remainder), "=&r"(below), "=&r"(equal)
	    : "r"(b)
	    : "cc");
	return quotient + remainder + 2 * below + equal;
}

unsigned long sample_run(unsigned int seed, int n)
{
	static int numbers[SAMPLES_MAX];
	unsigned long sum = 0;
	char text[80];

	random_state = seed | 1;
	for (int i = 0; i < n; i++)
		numbers[i] = (int)next_random();
	heap_sort(numbers, n, sizeof(int), seed & 2 ? descending : ascending);
	sum = crc32((unsigned char *)numbers, n * sizeof(int));
	for (int i = 0; i < n; i++) {
		sum = mix(sum, numbers[i]) + gcd(sum >> 40, next_random() >> 12);
		sum += classify((int)(sum & 127) - 8) * 7L;
		sum += call_all(sum, next_random());
		sum += surviving_flags(sum >> (i & 31), next_random());
		to_text(sum, 2 + (i & 14), text);
		for (char *at = text; *at; at++)
			sum = sum * 31 + *at;
	}
	return sum ^ fibonacci(4 + n / 8 + (seed & 1));
}
