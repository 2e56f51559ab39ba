// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests the reader of the aspect language: what valid aspects become, and that each error is
 * reported with its line and column.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmocka-all.h"

#include "aspect/language/aspect-model.h"
#include "aspect/language/body.h"
#include "aspect/language/load.h"
#include "aspect/language/metric-elements.h"
#include "aspect/language/rules.h"
#include "aspect/language/variables.h"
#include "files.h"
#include "runtime/joinpoint-table.h"

static char path[64];

static int load_all(const char *text, struct wv_aspect **ret, struct wv_errors *errors,
		    struct wv_error *error)
{
	FILE *stream;
	int failed;

	strcpy(path, "/tmp/weft-test-XXXXXX");
	close(mkstemp(path));
	stream = fopen(path, "w");
	assert_non_null(stream);
	assert_true(fputs(text, stream) >= 0);
	fclose(stream);
	failed = wv_aspect_load_all(path, ret, errors, error);
	unlink(path);
	return failed;
}

static struct wv_aspect *load(const char *text)
{
	struct wv_error error = { 0 };
	struct wv_aspect *aspect = NULL;

	if (load_all(text, &aspect, NULL, &error))
		fail_msg("%u:%u: %s", error.line, error.column, error.message);
	return aspect;
}

static void refuse(const char *text, unsigned int line, unsigned int column, const char *message)
{
	struct wv_error error = { 0 };
	struct wv_aspect *aspect = NULL;

	assert_int_equal(load_all(text, &aspect, NULL, &error), -WV_E_ASPECT);
	assert_null(aspect);
	assert_contains(error.message, message);
	assert_int_equal(error.line, line);
	assert_int_equal(error.column, column);
}

/* Returns an aspect with one pointcut and one advice, whose body begins at 3:16. */
static const char *with_body(const char *pointcut, const char *body)
{
	static char text[4096];

	snprintf(text, sizeof(text),
		 "<aspect "
		 "name=\"a\">\n<pointcut>%s</pointcut>\n<before-advice>%s</before-advice></aspect>",
		 pointcut, body);
	return text;
}

static const char *around(const char *inside)
{
	static char text[4096];

	snprintf(text, sizeof(text), "<aspect name=\"a\">\n%s</aspect>", inside);
	return text;
}

static uint64_t variable(const char *name)
{
	int index = wv_variable_find(name, strlen(name));

	assert_true(index >= 0);
	return WV_VARIABLE_BIT(index);
}

static void form_of_klas(void **state)
{
	struct wv_aspect *aspect =
		load("<aspect name=\"log_mbuf_clean\">\n  <pointcut>\n"
		     "    <member-access name=\"ext_free\" struct=\"m_ext\" />\n  </pointcut>\n"
		     "  <before-advice>\n    int f(long eip) { return eip; }\n"
		     "    printf(\"x\", f($eip), $ebp);\n  </before-advice>\n</aspect>\n");
	const struct wv_aspect_pointcut *pointcut = aspect->pointcuts.data;

	assert_string_equal(aspect->name, "log_mbuf_clean");
	assert_int_equal(aspect->pointcuts.n, 1);
	assert_null(pointcut->name);
	assert_int_equal(pointcut->pick->pointcut.type, WV_POINTCUT_MEMBER);
	assert_string_equal(pointcut->pick->pointcut.structure, "m_ext");
	assert_string_equal(pointcut->pick->pointcut.member, "ext_free");
	assert_int_equal(pointcut->pick->pointcut.kinds,
			 WV_KIND_BIT(WEFT_KIND_GET) | WV_KIND_BIT(WEFT_KIND_SET) |
				 WV_KIND_BIT(WEFT_KIND_RMW) | WV_KIND_BIT(WEFT_KIND_CALL));
	assert_int_equal(pointcut->location.line, 3);
	assert_int_equal(pointcut->location.column, 5);
	assert_int_equal(aspect->advices.n, 1);
	assert_int_equal(aspect->advices.data[0].pointcut, 0);
	assert_true(aspect->advices.data[0].code.variables ==
		    (variable("$eip") | variable("$ebp")));
	wv_aspect_destroy(aspect);
}

static void every_pointcut(void **state)
{
	struct wv_aspect *aspect = load(
		around("<include header=\"linux/fs.h\"/><include header=\"net/sock.h\"/>"
		       "<pointcut name=\"a\"><function name=\"vfs_read\"/></pointcut>"
		       "<before-advice pointcut=\"d\"/>"
		       "<pointcut name=\"b\"><line file=\"fs/namei.c\" line=\"2400\"/></pointcut>"
		       "<pointcut name=\"c\"><instruction symbol=\"do_x.cold\" "
		       "offset=\"0x12\"/></pointcut>"
		       "<pointcut name=\"d\"><member-access struct=\"s\" name=\"m\" "
		       "kind=\"get|set\"/></pointcut>"
		       "<before-advice pointcut=\"a\"/><before-advice pointcut=\"d\"/>"));
	const struct wv_aspect_pointcut *p = aspect->pointcuts.data;

	assert_int_equal(aspect->includes.n, 2);
	assert_string_equal(aspect->includes.data[1].header, "net/sock.h");
	assert_int_equal(p[0].pick->pointcut.type, WV_POINTCUT_ENTRY);
	assert_string_equal(p[0].pick->pointcut.symbol, "vfs_read");
	assert_int_equal(p[1].pick->pointcut.type, WV_POINTCUT_LINE);
	assert_string_equal(p[1].pick->pointcut.file, "fs/namei.c");
	assert_int_equal(p[1].pick->pointcut.line, 2400);
	assert_int_equal(p[2].pick->pointcut.type, WV_POINTCUT_INSTRUCTION);
	assert_string_equal(p[2].pick->pointcut.symbol, "do_x.cold");
	assert_int_equal(p[2].pick->pointcut.offset, 0x12);
	assert_int_equal(p[3].pick->pointcut.kinds,
			 WV_KIND_BIT(WEFT_KIND_GET) | WV_KIND_BIT(WEFT_KIND_SET));
	assert_int_equal(aspect->advices.n, 3);
	assert_int_equal(aspect->advices.data[0].pointcut, 3);
	assert_int_equal(aspect->advices.data[1].pointcut, 0);
	assert_int_equal(aspect->advices.data[2].pointcut, 3);
	wv_aspect_destroy(aspect);
}

/*
 * Each pointcut refers twice to the one before it, so the number of paths doubles with each. A
 * reader that follows each path separately would not end.
 */
static void references_in_references(void **state)
{
	struct wv_aspect *aspect;
	struct wv_str text = { 0 };

	wv_str_add(&text, "<aspect name=\"a\"><pointcut name=\"p0\">"
			  "<member-access struct=\"s\" name=\"m\" kind=\"call\"/></pointcut>");
	for (int i = 1; i < 200; i++)
		wv_str_addf(&text, "<pointcut name=\"p%d\"><or><ref pointcut=\"p%d\"/>"
				   "<ref pointcut=\"p%d\"/></or></pointcut>", i, i - 1, i - 1);
	wv_str_add(&text, "<before-advice pointcut=\"p199\">f($target);</before-advice></aspect>");
	aspect = load(text.data);
	assert_int_equal(aspect->pointcuts.n, 200);
	assert_int_equal(aspect->pointcuts.data[199].may_pick, WV_MAY_CALL);
	assert_true(aspect->pointcuts.data[0].referred);
	assert_false(aspect->pointcuts.data[199].referred);
	wv_aspect_destroy(aspect);
	wv_str_deinit(&text);
}

/* The condition is put before the body, and each token of both keeps its line and column. */
static void condition_keeps_places(void **state)
{
	struct wv_aspect *aspect =
		load(around("<pointcut><function name=\"f\"/></pointcut>\n"
			    "<before-advice\ncondition=\"$rdi &amp;&amp;\n f(1)\">g();\n"
			    "h($rsi);</before-advice>"));
	const struct wv_aspect_advice *advice = aspect->advices.data;
	struct wv_str out = { 0 };

	assert_int_equal(wv_body_line(&advice->code), 4);
	wv_body_write(&advice->code, &out);
	assert_string_equal(out.data, " weft_when($rdi &&\n f(1)) g();\nh($rsi);\n");
	assert_true(advice->code.variables == (variable("$rdi") | variable("$rsi")));
	wv_str_deinit(&out);
	wv_aspect_destroy(aspect);
}

static void unknown_names(void **state)
{
	refuse("<aspct name=\"a\"/>", 1, 1, "<aspct>");
	refuse(around("  <pointcutt/>"), 2, 3, "did you mean pointcut?");
	refuse(around("<pointcut><function nam=\"x\" name=\"y\"/></pointcut>"), 2, 21,
	       "did you mean name?");
	refuse(around("<pointcut><whatever/></pointcut>"), 2, 11, "member-access, function");
	refuse(around("<include header=\"a\"><pointcut/></include>"), 2, 21, "which has none");
	refuse(around("<pointcut xmlns=\"x\"><function name=\"y\"/></pointcut>"), 2, 11,
	       "'xmlns'");
	refuse("<aspect name=\"a\" x:y=\"1\" xmlns:x=\"u\"/>", 1, 18, "'x:y'");
	refuse(around("<pointcut><function name=\"f\"/></pointcut> oops"), 2, 43, "text");
}

static void missing_and_wrong_values(void **state)
{
	refuse("<aspect/>", 1, 1, "'name'");
	refuse(around(""), 1, 1, "at least one <pointcut>");
	refuse(around("<pointcut/>"), 2, 1, "holds one element");
	refuse(around("<pointcut><function name=\"f\"/><function name=\"g\"/></pointcut>"), 2, 31,
	       "holds one element");
	refuse(around("<pointcut><member-access struct=\"s\"/></pointcut>"), 2, 11, "'name'");
	refuse(around("<pointcut><member-access struct=\"struct s\" name=\"m\"/></pointcut>"), 2,
	       34, "the tag alone");
	refuse(around("<pointcut><member-access struct=\"s\" name=\"m\" "
		      "kind=\"gett\"/></pointcut>"),
	       2, 52, "gett");
	refuse(around("<pointcut><function name=\"a b\"/></pointcut>"), 2, 27, "not a name");
	refuse(around("<pointcut><line file=\"f.c\" line=\"x\"/></pointcut>"), 2, 34,
	       "not a number");
	refuse(around("<pointcut><line file=\"f.c\" line=\"0\"/></pointcut>"), 2, 34,
	       "out of range");
	refuse(around("<pointcut><line file=\"\" line=\"1\"/></pointcut>"), 2, 23, "no file");
	refuse(around("<pointcut><instruction symbol=\"f\" offset=\"-1\"/></pointcut>"), 2, 43,
	       "not a number");
	refuse(around("<include header=\"&lt;linux/fs.h>\"/>"), 2, 18, "not a header");
}

static void name_of_the_aspect(void **state)
{
	refuse("<aspect name=\"log-skb 1\"/>", 1, 15, "'log_skb_1'");
	refuse("<aspect name=\"1st\"/>", 1, 15, "'_st'");
	refuse("<aspect name=\"\"/>", 1, 15, "letters");
	refuse("<aspect name=\"weft\"/>", 1, 15, "weft itself");
	refuse("<aspect name=\"a123456789012345678901234567890123456789012345678901234567890\"/>",
	       1, 15, "at most 55");
}

static void advice_to_pointcut(void **state)
{
	static const char two[] = "<pointcut name=\"reads\"><function name=\"f\"/></pointcut>\n"
				  "<pointcut name=\"writes\"><function name=\"g\"/></pointcut>\n";
	char text[512];

	snprintf(text, sizeof(text), "%s<before-advice pointcut=\"raeds\"/>", two);
	refuse(around(text), 4, 26, "did you mean reads?");
	snprintf(text, sizeof(text), "%s<before-advice/>", two);
	refuse(around(text), 4, 1, "which pointcut");
	refuse(around("<pointcut name=\"x\"><function name=\"f\"/></pointcut>\n"
		      "<pointcut name=\"x\"><function name=\"g\"/></pointcut>"),
	       3, 17, "already");
	refuse(around("<pointcut name=\"x\"><function name=\"f\"/></pointcut>\n"
		      "<pointcut><function name=\"g\"/></pointcut>"),
	       3, 11, "each needs a name");
}

static void several_errors_at_once(void **state)
{
	struct wv_errors errors = { 0 };
	struct wv_error error = { 0 };
	struct wv_aspect *aspect = NULL;

	assert_int_equal(
		load_all("<aspect name=\"a b\">\n<pointcut>\n<function nme=\"x\"/></pointcut>\n"
			 "<before-advice>$foo $bar</before-advice></aspect>",
			 &aspect, &errors, &error),
		-WV_E_ASPECT);
	/* The errors are at "a b", `nme`, the missing `name`, $foo and $bar. */
	assert_int_equal(errors.list.n, 5);
	for (size_t i = 1; i < errors.list.n; i++)
		assert_true(errors.list.data[i - 1].line <= errors.list.data[i].line);
	assert_int_equal(error.line, 1);
	assert_int_equal(errors.list.data[4].column, 21);
	wv_errors_deinit(&errors);
}

static void blocks(void **state)
{
	struct wv_aspect *aspect =
		load("<aspect name=\"a\"><end>e();</end><declare>int d;</declare>"
		     "<pointcut><function name=\"f\"/></pointcut>\n<start>s();</start></aspect>");

	assert_int_equal(aspect->declares.n, 1);
	assert_string_equal(aspect->start.text.bytes.data, "s();");
	assert_int_equal(aspect->start.location.line, 2);
	assert_string_equal(aspect->end.text.bytes.data, "e();");
	assert_int_equal(aspect->advices.n, 0);
	wv_aspect_destroy(aspect);
	aspect = load(with_body("<function name=\"f\"/>", ";"));
	assert_int_equal(aspect->start.location.line, 0);
	assert_int_equal(aspect->end.location.line, 0);
	wv_aspect_destroy(aspect);
	refuse("<aspect name=\"a\">\n<end>f($obj);</end></aspect>", 2, 8, "<end> has none");
	refuse("<aspect name=\"a\">\n<start/><start/></aspect>", 2, 9,
	       "there is a <start> already (2:1)");
	refuse("<aspect name=\"a\">\n<start>return (1;</start></aspect>", 2, 15,
	       "this '(' is not closed");
}

static void state_of_tasks(void **state)
{
	static const char rest[] =
		"<pointcut><function name=\"f\"/></pointcut>\n<before-advice>$task(t) = 1; $task "
		"(t);</before-advice>"
		"<counter condition=\"$task(u)\" by=\"$task(t)\"/></aspect>";
	char text[512];
	struct wv_aspect *aspect;

	snprintf(text, sizeof(text),
		 "<aspect name=\"a\" tasks=\"100\"><task name=\"t\" type=\"u64\"/>"
		 "<task name=\"u\" type=\"char[4]\"/>\n%s",
		 rest);
	aspect = load(text);
	assert_int_equal(aspect->tasks.n, 2);
	assert_string_equal(aspect->tasks.data[1].type.text.bytes.data, "char[4]");
	assert_int_equal(aspect->task_bits, 6); /* 64 buckets of 8. */
	assert_int_equal(aspect->advices.data[0].code.tasks.n, 1);
	assert_int_equal(aspect->advices.data[0].code.named.n, 0);
	assert_int_equal(aspect->advices.data[1].code.tasks.n, 2);
	wv_aspect_destroy(aspect);
	snprintf(text, sizeof(text), "<aspect name=\"a\"><task name=\"t\" type=\"u64\"/>\n%s",
		 rest);
	refuse(text, 3, 76, "$task(u): the aspect has no <task name=\"u\"/>");
	refuse("<aspect name=\"a\">\n<task name=\"t\" type=\"u64\"/><task name=\"t\" "
	       "type=\"u64\"/></aspect>",
	       2, 40, "already");
	refuse("<aspect name=\"a\">\n<task name=\"t\" type=\" \"/></aspect>", 2, 22,
	       "type is empty");
	refuse("<aspect name=\"a\">\n<task name=\"t\" type=\"u64) x; (int\"/></aspect>", 2, 25,
	       "closes nothing");
	refuse("<aspect name=\"a\">\n<task name=\"weft_t\" type=\"u64\"/></aspect>", 2, 13,
	       "weft's own");
	refuse("<aspect name=\"a\" tasks=\"0\"/>", 1, 25, "out of range");
	refuse("<aspect name=\"a\" budget=\"99us\"/>", 1, 26, "from 100us to 1min");
	refuse("<aspect name=\"a\" share=\"half\"/>", 1, 25, "from 1% to 100%");
	refuse(with_body("<function name=\"f\"/>", "$task;"), 3, 16, "as in $task(name)");
	refuse("<aspect name=\"a\">\n<start>$task(t)++;</start></aspect>", 2, 8,
	       "$task belongs to a joinpoint");
}

static void flows(void **state)
{
	struct wv_aspect *aspect = load("<aspect name=\"a\"><pointcut name=\"p\"><and><cflow "
					"function=\"b\"/><function name=\"f\"/>"
					"<not><cflow function=\"c*\"/></not></and></pointcut>"
					"<pointcut name=\"q\"><and><function name=\"g\"/><cflow "
					"function=\"b\"/></and></pointcut>"
					"<counter pointcut=\"q\"/><before-advice "
					"pointcut=\"p\">x();</before-advice></aspect>");
	const struct wv_aspect_advice *advices = aspect->advices.data;

	assert_int_equal(aspect->flows.n, 2); /* Each function is listed once. */
	assert_string_equal(aspect->flows.data[0].function, "b");
	assert_string_equal(aspect->flows.data[1].function, "c*");
	assert_int_equal(aspect->pointcuts.n, 4);
	assert_int_equal(aspect->pointcuts.data[0].flows.n, 2);
	assert_false(aspect->pointcuts.data[0].flows.data[0].absent);
	assert_true(aspect->pointcuts.data[0].flows.data[1].absent);
	assert_int_equal(aspect->pointcuts.data[1].flows.data[0].flow, 0);
	/*
	 * The advices that note flows come first; the other advices are still bound to their own
	 * pointcuts.
	 */
	assert_int_equal(aspect->advices.n, 6);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(advices[i].flow, i / 2 + 1);
		assert_int_equal(advices[i].after, i % 2);
		assert_int_equal(advices[i].pointcut, 2 + i / 2);
	}
	assert_true(advices[4].metric && advices[4].pointcut == 1);
	assert_true(!advices[5].metric && advices[5].pointcut == 0);
	wv_aspect_destroy(aspect);
	refuse(with_body("<or><function name=\"f\"/><cflow function=\"g\"/></or>", ";"), 2, 35,
	       "picks nothing by itself");
	refuse(with_body("<and><cflow function=\"f\"/><cflow function=\"g\"/></and>", ";"), 2, 11,
	       "nothing in this <and>");
}

/*
 * Advice that tags before a joinpoint must come first; advice that tags after a joinpoint, and
 * advice that untags, last. All other advice asks the tags of its own pointcut.
 */
static void tags(void **state)
{
	struct wv_aspect *aspect = load(
		"<aspect name=\"a\"><pointcut name=\"p\"><and><function name=\"f\"/>"
		"<xflow tag=\"late\" object=\"$arg2\"/><not><xflow tag=\"early\" "
		"object=\"$arg1\"/></not></and></pointcut>"
		"<pointcut name=\"q\"><function name=\"g\"/></pointcut>"
		"<tag name=\"early\" from=\"q\" object=\"$arg1\" until=\"q\" "
		"until-object=\"$arg2\" objects=\"100\"/>"
		"<tag name=\"late\" from=\"q\" object=\"$ret\" until=\"q\" "
		"until-object=\"$arg1\"/>"
		"<counter pointcut=\"p\"/></aspect>");
	const struct wv_aspect_advice *advices = aspect->advices.data;
	const struct wv_aspect_pointcut *p = &aspect->pointcuts.data[0];

	assert_int_equal(aspect->tags.n, 2);
	assert_int_equal(aspect->tags.data[0].bits, 6); /* 64 buckets of 8 slots */
	assert_int_equal(aspect->tags.data[1].bits, 11);
	assert_int_equal(p->tagged.n, 2);
	assert_int_equal(p->tagged.data[0].tag, 1);
	assert_false(p->tagged.data[0].absent);
	assert_int_equal(p->tagged.data[1].tag, 0);
	assert_true(p->tagged.data[1].absent);

	assert_int_equal(aspect->advices.n, 5);
	assert_int_equal(advices[0].tag, 1);
	assert_false(advices[0].untags || advices[0].after);
	assert_int_equal(advices[0].pointcut, 1);
	assert_non_null(advices[1].metric);
	/* The counter's two objects are $arg1 and $arg2. */
	assert_int_equal(__builtin_popcountll(advices[1].code.variables), 2);
	assert_int_equal(advices[2].tag, 2);
	assert_true(advices[2].after && !advices[2].untags);
	for (int i = 3; i < 5; i++) {
		assert_true(advices[i].untags && !advices[i].after);
		assert_int_equal(advices[i].pointcut, 1);
	}
	wv_aspect_destroy(aspect);
	refuse("<aspect name=\"a\"><pointcut name=\"p\"><and><function name=\"f\"/>\n"
	       "<cflow function=\"g\"/></and></pointcut>\n"
	       "<tag name=\"t\" from=\"p\" object=\"$arg1\" until=\"p\" "
	       "until-object=\"$arg1\"/></aspect>", 3, 46, "has to see every object");
}

static void whose_hits(void **state)
{
	struct wv_aspect *aspect =
		load("<aspect name=\"a\"><pointcut name=\"p\"><function name=\"f\"/></pointcut>"
		     "<before-advice pid=\"1|22\" comm=\"x y|z\" uid=\"0\">;</before-advice>"
		     "<before-advice>;</before-advice><elapsed from=\"p\" to=\"p\" pid=\"3\"/>"
		     "<elapsed from=\"p\" to=\"p\" comm=\"c\"/><elapsed from=\"p\" to=\"p\" "
		     "pid=\"3\" key=\"1\"/></aspect>");
	const struct wv_hit_filter *filter = aspect->advices.data[0].filter;

	assert_int_equal(filter->pids.n, 2);
	assert_int_equal(filter->pids.data[1], 22);
	assert_int_equal(filter->comms.n, 2);
	assert_string_equal(filter->comms.data[0], "x y");
	assert_string_equal(filter->comms.data[1], "z");
	assert_int_equal(filter->uids.n, 1);
	assert_int_equal(filter->uids.data[0], 0);
	assert_null(aspect->advices.data[1].filter);
	/*
	 * If the start of a pair needs another filter than its end, the filter is asked at the
	 * start, and its answer is kept.
	 */
	assert_ptr_equal(aspect->advices.data[2].filter, aspect->advices.data[3].filter);
	assert_false(aspect->metrics.data[0]->guarded);
	assert_true(aspect->metrics.data[1]->guarded);
	assert_true(aspect->metrics.data[2]->guarded);
	wv_aspect_set_filtered(aspect);
	assert_true(aspect->metrics.data[0]->guarded);
	wv_aspect_destroy(aspect);
}

static void names_in_bodies(void **state)
{
	static const char entry[] = "<function name=\"f\"/>";
	struct wv_aspect *aspect;

	aspect = load(with_body(entry, "f(\"$rxx\", '$', /* $rxx */ $rax); // $rxx\n$rbx;"));
	assert_true(aspect->advices.data[0].code.variables ==
		    (variable("$rax") | variable("$rbx")));
	wv_aspect_destroy(aspect);
	/*
	 * A $ inside a name is an ordinary character to GCC, so no variable begins there. A number
	 * is one word, with its point, exponent and sign.
	 */
	aspect = load(with_body(entry, "int a$b = 0x1f; a$b += 1.5e+3;"));
	assert_true(!aspect->advices.data[0].code.variables);
	wv_aspect_destroy(aspect);
	refuse(with_body(entry, "f($rxa);"), 3, 18, "did you mean $rax");
	refuse(with_body(entry, "f($qqqqqq);"), 3, 18, "There are $rax $rbx");
	refuse(with_body(entry, "a &lt; $rxa;"), 3, 23, "$rxa");
	refuse(with_body(entry, "\n\n <![CDATA[ $rxa ]]>"), 5, 12, "$rxa");
	refuse(with_body(entry, "f($);"), 3, 18, "$ wants one name between brackets");
	refuse(with_body(entry, "f(\"a\\\"$rxx\", $r16);"), 3, 29, "did you mean $r1");
}

static void brackets_and_ends(void **state)
{
	static const char entry[] = "<function name=\"f\"/>";

	refuse(with_body(entry, "} evil {"), 3, 16, "closes nothing");
	refuse(with_body(entry, "f(\n(x);"), 3, 17, "not closed");
	refuse(with_body(entry, "f(]);"), 3, 18, "meets a '('");
	refuse(with_body(entry, "x /* y"), 3, 18, "comment is not closed");
	refuse(with_body(entry, "f(\"x);\n"), 3, 18, "string is not closed");
	wv_aspect_destroy(load(with_body(entry, "f(\"}\", '{', /* ( */ 1); // [\n")));
	wv_aspect_destroy(load(with_body(entry, "\n#if X\nif (a) {\n#else\nif (b) {\n#endif\n}")));
	refuse(with_body(entry, "if (x) <b>y</b>"), 3, 23, "CDATA");
}

static void calls_only(void **state)
{
	refuse(with_body("<member-access struct=\"s\" name=\"m\" kind=\"get\"/>", "f($target);"), 3,
	       18, "call or a function's entry");
	refuse(with_body("<member-access struct=\"s\" name=\"m\" kind=\"set\"/>", "f($arg2);"), 3,
	       18, "call or a function's entry");
	wv_aspect_destroy(load(with_body("<member-access struct=\"s\" name=\"m\"/>", "f($arg1);")));
	wv_aspect_destroy(load(with_body("<function name=\"f\"/>", "f($arg1);")));
}

/*
 * Compares the text that GCC gets with @expected: every token must be in its column, and blank
 * lines around the body must be gone.
 */
static void assert_written(const char *body, unsigned int line, const char *expected)
{
	struct wv_aspect *aspect = load(with_body("<function name=\"f\"/>", body));
	struct wv_str out = { 0 };

	wv_body_write(&aspect->advices.data[0].code, &out);
	assert_string_equal(out.data ? out.data : "", expected);
	assert_int_equal(wv_body_line(&aspect->advices.data[0].code), line);
	wv_str_deinit(&out);
	wv_aspect_destroy(aspect);
}

static void columns_are_kept(void **state)
{
	assert_written("a();", 3, "               a();\n");
	assert_written("\n\n\ta(); \n  \n", 5, "\ta();\n");
	assert_written("\na &lt; b &amp;&amp; c\nd", 4, "a <    b &&         c\nd\n");
	assert_written("\n<![CDATA[a<b]]>+c", 4, "         a<b   +c\n");
	assert_written("\nf(\"&lt;\", x)", 4, "f(\"<\"   , x)\n");
	assert_written("\na<!-- x -->b", 4, "a          b\n");
	assert_written("\na \\", 4, "a \\\n\n");
	assert_written("  \n  ", 4, "");
}

/* All @attributes of an element must be named in the element's @item of the manual. */
static void check_item(const char *item, const char *const *attributes)
{
	const char *next = strstr(item, "\n- "), *blank = strstr(item, "\n\n");
	char *text, name[64];

	next = next && next < blank ? next : blank;
	assert_non_null(next);
	text = strndup(item, next - item);
	for (size_t i = 0; i < wv_rule_count(attributes); i++) {
		snprintf(name, sizeof(name), "`%s`", attributes[i]);
		assert_contains(text, name);
	}
	free(text);
}

/* Every element, attribute, variable and function that an author may use must be in the manual. */
static void the_manual_has_every_name(void **state)
{
	static const char *const others[] = {
		"`weft_log(", "`weft_peek(", "`weft_read(", "`weft_read_string(",
		"`weft_read_user(", "`weft_str(", "`weft_now(", "`weft_when(", "`weft_unit(",
	};
	char name[64];
	size_t size;
	unsigned char *bytes = files_read("docs/aspect-language.md", &size);
	char *manual = strndup((char *)bytes, size);

	for (size_t i = 0; i < wv_nr_rules; i++) {
		const char *item;

		snprintf(name, sizeof(name), "\n- **`%s`**", wv_rules[i].name);
		item = strstr(manual, name);
		if (!item)
			fail_msg("<%s> is in no list of the manual", wv_rules[i].name);
		check_item(item + 1, wv_rules[i].required);
		check_item(item + 1, wv_rules[i].optional);
		snprintf(name, sizeof(name), "<%s", wv_rules[i].name);
		if (!strstr(manual, name))
			fail_msg("the manual has no example of <%s>", wv_rules[i].name);
	}
	for (size_t i = 0; i < wv_nr_variables; i++) {
		snprintf(name, sizeof(name), "`%s`", wv_variables[i].name);
		if (!strstr(manual, name))
			fail_msg("%s is not in the manual", name);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (!strstr(manual, others[i]))
			fail_msg("%s is not in the manual", others[i]);
	free(manual);
	free(bytes);
}

/*
 * Any number of counters must be accepted, but no more than 512 metrics that need more than a
 * number per CPU.
 */
static void many_metrics(void **state)
{
	static const char *const kinds[] = { "counter", "counter by=\"comm\"" };
	struct wv_error error = { 0 };

	for (size_t kind = 0; kind < 2; kind++) {
		struct wv_aspect *aspect = NULL;
		struct wv_str text = { 0 };

		wv_str_add(&text,
			   "<aspect name=\"a\"><pointcut><function name=\"f\"/></pointcut>\n");
		for (int i = 0; i < 513; i++)
			wv_str_addf(&text, "<%s name=\"m%d\"/>\n", kinds[kind], i);
		wv_str_add(&text, "</aspect>\n");
		if (kind)
			refuse(text.data, 514, 1,
			       "there is room for 512 metrics besides counters without 'by'");
		else
			assert_int_equal(load_all(text.data, &aspect, NULL, &error), 0);
		wv_aspect_destroy(aspect);
		wv_str_deinit(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(form_of_klas),
		cmocka_unit_test(every_pointcut),
		cmocka_unit_test(references_in_references),
		cmocka_unit_test(condition_keeps_places),
		cmocka_unit_test(unknown_names),
		cmocka_unit_test(missing_and_wrong_values),
		cmocka_unit_test(name_of_the_aspect),
		cmocka_unit_test(advice_to_pointcut),
		cmocka_unit_test(several_errors_at_once),
		cmocka_unit_test(blocks),
		cmocka_unit_test(state_of_tasks),
		cmocka_unit_test(flows),
		cmocka_unit_test(tags),
		cmocka_unit_test(whose_hits),
		cmocka_unit_test(names_in_bodies),
		cmocka_unit_test(brackets_and_ends),
		cmocka_unit_test(calls_only),
		cmocka_unit_test(columns_are_kept),
		cmocka_unit_test(the_manual_has_every_name),
		cmocka_unit_test(many_metrics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
