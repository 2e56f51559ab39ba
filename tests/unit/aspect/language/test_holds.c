// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests which C is believed to hold nothing, such as a lock. */
#include <string.h>

#include "cmocka-all.h"

#include "aspect/language/holds.h"

static bool may_hold(const char *text)
{
	const struct wv_aspect_code code = {
		.text.bytes = { .data = (char *)text, .n = strlen(text) },
	};

	return wv_code_may_hold(&code);
}

static void test_nothing(void **state)
{
	static const char *const texts[] = {
		"",
		"weft_proceed();",
		"if (!READ_ONCE(off)) { weft_proceed(); return; }\n$return = ERR_PTR(-12);",
		"static unsigned long lock, irqs, preempted;",
		"$return = (long)$arg1 + (1 + 2) * sizeof (int);",
		"weft_log(\"preempt_disable() %ld\", $return); /* local_irq_save(x) */ // a(b)",
		"while (i < max(1, 2) || (x > (y))) i++;",
		"if (strcmp /* a ( */ (\n$field(name.text), \"#\\\"(\")) for (;;) sink[1]++;",
		"weft_proceed(); $task(depth) = a % b ? : c;",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (may_hold(texts[i]))
			fail_msg("%s", texts[i]);
	assert_false(wv_code_may_hold(&(struct wv_aspect_code){ 0 }));
}

static void test_something(void **state)
{
	static const char *const texts[] = {
		"idr_preload(GFP_ATOMIC);",
		"spin_lock(&lock);",
		"static void take(void);",
		"#define TAKE preempt_disable",
		"\t%:define TAKE preempt_disable",
		"ops->take (x);",
		"ops->take\n/* and */\n(x);",
		"(*take)(x);",
		"takes[0](x);",
		"takes<:0:>(x);",
		"asm(\"cli\");",
		"asm volatile (\"cli\");",
		"lo\\\nif (x);",
		"int x __attribute__((cleanup(give))) = 0;",
		"READ_ONCE(*take(x));",
		"guard(preempt)();",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (!may_hold(texts[i]))
			fail_msg("%s", texts[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_something),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
