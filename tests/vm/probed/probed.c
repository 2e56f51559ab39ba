// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs functions of the kernel that nobody else calls while a test is on, with arguments that take
 * them through their branches: the same way each time. A write of "N" to /dev/probed calls all of
 * them N times on the writer's CPU, in its context.
 */
#include <linux/bitmap.h>
#include <linux/fs.h>
#include <linux/gcd.h>
#include <linux/if_ether.h>
#include <linux/inet.h>
#include <linux/kernel.h>
#include <linux/lcm.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/prandom.h>
#include <linux/reciprocal_div.h>
#include <linux/sched.h>
#include <linux/string_helpers.h>
#include <linux/time64.h>

static const char *const texts[] = {
	"",	     "x",		   "10.0.0.1",	    "255.256.1.1",	   "1.2.3",
	"fe80::1",   "::ffff:10.0.0.1",	   "1:2:3:4:5:6:7:8", "02:00:5e:10:00:fF", "02:00:5g:10:00:fF",
	"a\\tb\\\\", "\\x41\\101\\e\\q\\n", "0123456789abcdefABCDEF", "12345,f0f0f0f0",
};

/* What the functions return is not looked at; this keeps the compiler from leaving them out. */
static unsigned long unused;

static void call_with_text(const char *text)
{
	unsigned int length = strlen(text);
	DECLARE_BITMAP(bits, 128);
	u8 address[16];
	char to[64];

	in4_pton(text, length, address, '%', NULL);
	in6_pton(text, length, address, '%', NULL);
	mac_pton(text, address);
	WRITE_ONCE(unused, hex2bin(address, text, min_t(unsigned int, length / 2, 16)));
	strscpy(to, text, sizeof(to));
	string_unescape(to, to, sizeof(to), UNESCAPE_ANY);
	bitmap_parse(text, length, bits, 128);
}

static void call_with_number(unsigned int number)
{
	struct timespec64 time;
	struct rnd_state state;
	char to[64];

	WRITE_ONCE(unused, gcd(number, 360));
	WRITE_ONCE(unused, lcm(number, 84));
	WRITE_ONCE(unused, int_sqrt(number));
	WRITE_ONCE(unused, int_pow(number, 5));
	WRITE_ONCE(unused, reciprocal_value(number | 1).m);
	string_get_size(number, 512, number & 1 ? STRING_UNITS_2 : STRING_UNITS_10, to, sizeof(to));
	set_normalized_timespec64(&time, number, (s64)number * NSEC_PER_USEC - NSEC_PER_SEC);
	prandom_seed_state(&state, number);
	prandom_bytes_state(&state, to, number % sizeof(to));
}

static ssize_t run(struct file *file, const char __user *buffer, size_t size, loff_t *offset)
{
	static const unsigned int numbers[] = { 0, 1, 7, 240, 65537, 1U << 20, 123456789, U32_MAX };
	unsigned long n;
	int ret = kstrtoul_from_user(buffer, size, 0, &n);

	if (ret)
		return ret;
	for (unsigned long i = 0; i < n; i++) {
		for (unsigned int at = 0; at < ARRAY_SIZE(texts); at++)
			call_with_text(texts[at]);
		for (unsigned int at = 0; at < ARRAY_SIZE(numbers); at++)
			call_with_number(numbers[at]);
		cond_resched();
	}
	return size;
}

static const struct file_operations operations = { .owner = THIS_MODULE, .write = run };

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "probed",
	.fops = &operations,
};

module_misc_device(device);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("calls functions that nobody else calls, for a test of weft");
