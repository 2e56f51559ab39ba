/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * weft_log(), with which advice writes records. Included by advice.h. A statement has a static
 * struct that weft.ko completes at the first record; then the words of its arguments are passed to
 * weft_record_few() or, if they are more than three, to weft_record_many().
 */
#ifndef WEFT_LOG_H
#define WEFT_LOG_H

/*
 * One weft_log() statement. @values: the arguments as the author wrote them, which readers get as
 * the values' names.
 */
struct weft_statement {
	/* made by weft.ko at the first record; 0 until then */
	unsigned char kind; /* how its arguments are stored (kmod/record/record-state.h) */
	/* the next members are set only if arguments are stored as they are passed */
	unsigned char is_last_wide; /* 1: the last argument is stored as eight bytes */
	unsigned char at[12]; /* where each argument is, in bytes from the first one */
	/*
	 * where the last three arguments are, in bytes from the beginning of a narrow record, and
	 * of a tight one; 0: there is no such argument
	 */
	unsigned char few[3], tight[3];
	unsigned char tight_head; /* weft_raw_tight.head */
	unsigned short head;  /* weft_raw_record.head */
	unsigned short size;  /* bytes of a narrow record; .step is wr_ring_step() of that */
	/* bit n: argument n is stored as eight bytes; the bit after the last one is set, too */
	unsigned short wide;
	/*
	 * weft_record_few() is for joinpoints below this, and makes tight records for those below
	 * ->tight_below; 0: for none
	 */
	unsigned int few_below, tight_below;
	u64 step, tight_step; /* ->tight_step: of a tight record */
	void *rings; /* per-CPU address of the aspect's rings */
	/* constant: set at compile time */
	struct weft_aspect *aspect;
	const char *format, *values;
	unsigned int nr; /* arguments */
};

/* Never called: the compiler compares the format with the arguments. */
int wr_check_format(const char *format, ...) __printf(1, 2);

/* The number of arguments; at most WR_ARGUMENTS_MAX (log-format.h). */
#define WR_NTH_(_0, _1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, _15, _16, _17, \
		_18, _19, _20, _21, _22, _23, _24, n, ...) n
#define WR_COUNT(...)                                                                           \
	WR_NTH_(0, ##__VA_ARGS__, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, \
		8, 7, 6, 5, 4, 3, 2, 1, 0)
/* The number of arguments as a token for WR_LOG_(): 0, 1, 2, 3, or MANY. */
#define WR_COUNT_WORD(...)                                                                     \
	WR_NTH_(0, ##__VA_ARGS__, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY,  \
		MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, MANY, 3, 2, 1, 0)

/* Each argument as a number of eight bytes, with commas between them. */
#define WR_EXPAND(...) WR_EXPAND_3(WR_EXPAND_3(WR_EXPAND_3(__VA_ARGS__)))
#define WR_EXPAND_3(...) WR_EXPAND_2(WR_EXPAND_2(WR_EXPAND_2(__VA_ARGS__)))
#define WR_EXPAND_2(...) WR_EXPAND_1(WR_EXPAND_1(WR_EXPAND_1(__VA_ARGS__)))
#define WR_EXPAND_1(...) __VA_ARGS__
#define WR_NOTHING
#define WR_WORDS_AGAIN() WR_WORDS_
#define WR_WORDS_(a, ...) (u64)(a), __VA_OPT__(WR_WORDS_AGAIN WR_NOTHING ()(__VA_ARGS__))
#define WR_WORDS(...) WR_EXPAND(WR_WORDS_(__VA_ARGS__))

/* The last argument is always @c, since that is the one that need not be stored as eight bytes. */
#define WR_LOG_FEW(a, b, c) weft_record_few(weft->shadow->index, &weft_statement, a, b, c)
#define WR_LOG_0() WR_LOG_FEW(0, 0, 0)
#define WR_LOG_1(c) WR_LOG_FEW(0, 0, (u64)(c))
#define WR_LOG_2(b, c) WR_LOG_FEW(0, (u64)(b), (u64)(c))
#define WR_LOG_3(a, b, c) WR_LOG_FEW((u64)(a), (u64)(b), (u64)(c))
#define WR_LOG_MANY(...)                                       \
	weft_record_many(weft->shadow->index, &weft_statement, \
			 (const u64[]){ WR_WORDS(__VA_ARGS__) })
#define WR_LOG__(count) WR_LOG_##count
#define WR_LOG_(count) WR_LOG__(count)

/*
 * The text is formatted when the record is read, so the format must be a literal; the "" in front
 * enforces that.
 */
#define weft_log(format_, ...)                                               \
	({                                                                   \
		static struct weft_statement weft_statement = {              \
			.aspect = &weft_aspect,                              \
			.format = "" format_,                                \
			.values = #__VA_ARGS__,                              \
			.nr = WR_COUNT(__VA_ARGS__),                         \
		};                                                           \
		(void)sizeof(wr_check_format("" format_, ##__VA_ARGS__));    \
		WR_LOG_(WR_COUNT_WORD(__VA_ARGS__))(__VA_ARGS__);            \
	})

/* Only inside weft_log(): evaluates to the value. Readers find the unit in the argument's text. */
#define weft_unit(value, unit) (value)

#endif /* WEFT_LOG_H */
