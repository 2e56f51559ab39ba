// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program whose accesses, calls and functions are looked up (tests/oracle/program.sh) and woven.
 * It sells things, one after the other, and keeps its own counts.
 *
 * shop SALES [FILE]: makes SALES sales. If FILE is given, every tenth sale reads 512 bytes of it.
 * With $SHOP_FORK, a child makes as many sales first. With $SHOP_WAIT, the program waits for a line
 * on its standard input before each tenth sale.
 *
 * With $SHOP_TIME it prints the nanoseconds of processor time of the sales, and nothing else.
 * Otherwise, at the end, it prints "sold N worth M reads R clerks C".
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct item {
	char name[24];
	int price;
	struct item *next;
};

struct shop;

/* What the shop has done so far. */
struct journal {
	long reads;
	unsigned short clerks;
	unsigned int open : 3, rush : 5;
};

struct shop {
	struct item *shelf;
	long sold, worth;
	long (*pay)(struct shop *shop, int price);
	struct journal journal;
};

static long pay_cash(struct shop *shop, int price)
{
	shop->journal.clerks++;
	return shop->worth + price;
}

static long pay_card(struct shop *shop, int price)
{
	shop->journal.clerks += 2;
	return shop->worth + price;
}

/* Reads 512 bytes of the file. */
__attribute__((noinline)) static void restock(struct shop *shop, int file)
{
	char block[512];

	if (pread(file, block, sizeof(block), 0) < 0)
		err(1, "read");
	shop->journal.reads++;
}

__attribute__((noinline)) static struct item *take(struct shop *shop, int price)
{
	struct item *item = shop->shelf;

	item->price = price;
	shop->shelf = item->next;
	item->next = NULL;
	return item;
}

__attribute__((noinline)) static void put_back(struct shop *shop, struct item *item)
{
	item->next = shop->shelf;
	shop->shelf = item;
}

__attribute__((noinline)) long sell(struct shop *shop, int price)
{
	struct item *item = take(shop, price);
	long before = shop->worth;

	shop->sold++;
	shop->worth = shop->pay(shop, item->price);
	shop->journal.rush = price & 31;
	put_back(shop, item);
	return shop->worth - before;
}

static void wait_for_line(void)
{
	char byte;

	while (read(0, &byte, 1) == 1 && byte != '\n')
		;
}

static void sell_all(struct shop *shop, long sales, int file)
{
	for (long i = 0; i < sales; i++) {
		if (i % 10 == 0 && getenv("SHOP_WAIT"))
			wait_for_line();
		if (i % 10 == 0 && file >= 0)
			restock(shop, file);
		shop->pay = i % 2 ? pay_card : pay_cash;
		if (sell(shop, i % 100) != i % 100)
			errx(1, "wrong price at sale %ld", i);
	}
}

static long cpu_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec * 1000000000L + time.tv_nsec;
}

int main(int argc, char **argv)
{
	struct item items[4] = { { .name = "apple", .next = &items[1] },
				 { .name = "pear", .next = &items[2] },
				 { .name = "plum", .next = &items[3] },
				 { .name = "quince" } };
	struct shop shop = { .shelf = items, .journal.open = 1 };
	const long sales = argc > 1 ? atol(argv[1]) : 10;
	const int file = argc > 2 ? open(argv[2], O_RDONLY) : -1;
	long start = cpu_ns();
	int status = 0;

	if (getenv("SHOP_FORK")) {
		pid_t child = fork();

		sell_all(&shop, sales, file);
		if (!child)
			_exit(0);
		if (waitpid(child, &status, 0) != child || status)
			errx(1, "the child failed: %#x", status);
	} else {
		sell_all(&shop, sales, file);
	}
	if (getenv("SHOP_TIME")) {
		printf("%ld\n", cpu_ns() - start);
		return 0;
	}
	printf("sold %ld worth %ld ", shop.sold, shop.worth);
	printf("reads %ld clerks %u\n", shop.journal.reads, shop.journal.clerks);
	return 0;
}
