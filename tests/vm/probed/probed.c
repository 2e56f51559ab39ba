// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs functions of the kernel that nobody else calls while a test is on, with arguments that take
 * them through their branches: the same way each time. A write of "N" to /dev/probed calls all of
 * them N times on the writer's CPU, in its context.
 */
#include <linux/clocksource.h>
#include <linux/fs.h>
#include <linux/in.h>
#include <linux/inet.h>
#include <linux/kernel.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtc.h>
#include <linux/sched.h>
#include <linux/socket.h>
#include <linux/time.h>
#include <net/net_namespace.h>

static const char *const texts[] = {
	"",	   "x",	      "10.0.0.1",	 "255.256.1.1",	     "1.2.3",	     "..",
	"fe80::1", "::",      "::ffff:10.0.0.1", "1:2:3:4:5:6:7:8", "eth0",	     "a/b",
	"1::2::3", "1:2:g::", "12345::",	 "a name that is longer than any may be",
};

/* What the functions return is not looked at; this keeps the compiler from leaving them out. */
static unsigned long unused;

static void call_with_text(const char *text)
{
	struct sockaddr_storage socket;
	u8 address[16];

	in4_pton(text, -1, address, '%', NULL);
	in6_pton(text, -1, address, '%', NULL);
	WRITE_ONCE(unused, in_aton(text));
	WRITE_ONCE(unused, dev_valid_name(text));
	memset(&socket, 0, sizeof(socket));
	inet_pton_with_scope(&init_net, AF_UNSPEC, text, "80", &socket);
	WRITE_ONCE(unused, inet_addr_is_any((struct sockaddr *)&socket));
}

static void call_with_number(unsigned int number)
{
	struct timespec64 time;
	struct rtc_time rtc;
	struct tm tm;
	u32 mult, shift;

	set_normalized_timespec64(&time, number, (s64)number * NSEC_PER_USEC - NSEC_PER_SEC);
	time64_to_tm(number, number % 7200 - 3600, &tm);
	WRITE_ONCE(unused, mktime64(1970 + number % 100, 1 + number % 12, 1, 0, 0, 0));
	clocks_calc_mult_shift(&mult, &shift, 1 + number / 2, NSEC_PER_SEC, number % 3600);
	memset(&rtc, 0, sizeof(rtc));
	rtc.tm_year = 70 + number % 100;
	rtc.tm_mon = number % 13;
	rtc.tm_mday = number % 33;
	rtc.tm_hour = number % 25;
	WRITE_ONCE(unused, rtc_valid_tm(&rtc));
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
