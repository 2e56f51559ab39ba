// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the aspect of `weft drill`; see drill-aspect.h. */
#include <stdio.h>
#include <string.h>

#include "aspect/oneliner/drill-aspect.h"
#include "aspect/xml/xml-writer.h"
#include "base/cleanup.h"
#include "runtime/abi.h"

/*
 * C that keeps a list for each task: the timed calls that the task has begun and not ended, the
 * innermost last. The entry of a call has the value that the stack pointer had at the call
 * instruction. The stack grows down, so every call that is still running has a greater stack
 * pointer than a call that begins now. An entry whose stack pointer is not greater is of a call
 * whose end was missed, and is removed when the next call begins.
 */
static const char calls_of_task[] =
	"    /* The calls that a task is in, of those that are timed; the first is the whole. */\n"
	"    struct drill_call {\n"
	"      u64 id;\n"
	"      unsigned long stack;\n"
	"      const void *function;\n"
	"    };\n"
	"    struct drill {\n"
	"      u32 n;\n"
	"      struct drill_call call[1 + %u];\n"
	"    };\n"
	"\n"
	"    static void drill_leave(struct drill *drill, unsigned long stack)\n"
	"    {\n"
	"      while (drill->n && drill->call[drill->n - 1].stack <= stack)\n"
	"        drill->n--;\n"
	"    }\n"
	"\n"
	"    static bool drill_begin(struct drill *drill, const void *function,\n"
	"                            unsigned long stack)\n"
	"    {\n"
	"      if (!in_task())\n"
	"        return false;\n"
	"      drill_leave(drill, stack);\n"
	"      if (drill->n)\n"
	"        return false;\n"
	"      drill->call[drill->n++] = (struct drill_call){ %u, stack, function };\n"
	"      return true;\n"
	"    }\n"
	"\n"
	"    /* A call by function @from counts if the task is in a call of @from that counts. */\n"
	"    static bool drill_enter(struct drill *drill, const void *from, u32 site,\n"
	"                            const void *to, unsigned long stack)\n"
	"    {\n"
	"      const struct drill_call *in;\n"
	"      u64 id;\n"
	"\n"
	"      if (!in_task())\n"
	"        return false;\n"
	"      drill_leave(drill, stack);\n"
	"      if (!drill->n || drill->n == ARRAY_SIZE(drill->call))\n"
	"        return false;\n"
	"      in = &drill->call[drill->n - 1];\n"
	"      if (in->function != from)\n"
	"        return false;\n"
	"      id = (in->id + site + 1) * 0x9e3779b97f4a7c15ull ^ (unsigned long)to;\n"
	"      id *= 0xff51afd7ed558ccdull;\n"
	"      drill->call[drill->n++] = (struct drill_call){ id ^ id >> 32, stack, to };\n"
	"      return true;\n"
	"    }\n"
	"\n"
	"    /* The function in which a call is, if that is not in a cold part of it. */\n"
	"    static inline const void *drill_function(unsigned long site,\n"
	"                                             const struct weft_joinpoint *call)\n"
	"    {\n"
	"      return (const void *)(site - call->symbol_offset);\n"
	"    }\n"
	"\n"
	"    static bool drill_is_in(const struct drill *drill, unsigned long stack)\n"
	"    {\n"
	"      return in_task() && drill->n && drill->call[drill->n - 1].stack == stack;\n"
	"    }\n"
	"\n"
	"    static u64 drill_id(const struct drill *drill, u32 up)\n"
	"    {\n"
	"      return drill->n > up ? drill->call[drill->n - 1 - up].id : 0;\n"
	"    }\n";

/*
 * maximum number of rows of a metric of calls (attribute `rows`); a call instruction takes one row
 * for each chain of calls that has led to it
 */
#define ROWS "128"

struct maker {
	const struct wv_drill_asked *asked;
	struct wv_xml_writer xml;
};

/* ---- writing the aspect's elements ----------------------------------------------------------- */

static void write_declare(struct maker *maker)
{
	_cleanup_str_ struct wv_str text = { 0 };

	wv_str_addf(&text, calls_of_task, maker->asked->depth, WV_DRILL_ROOT_ID);
	maker->xml.out->failed |= text.failed;
	wv_xml_begin(&maker->xml, "declare");
	wv_xml_lines(&maker->xml, wv_str_text(&text));
	wv_xml_end(&maker->xml, "declare");
	wv_xml_begin(&maker->xml, "task");
	wv_xml_attribute(&maker->xml, "name", "drill");
	wv_xml_attribute(&maker->xml, "type", "struct drill");
	wv_xml_end(&maker->xml, "task");
}

/* Writes the name of the pointcut that picks the calls in functions[@index]. */
static void calls_name(size_t index, char text[32])
{
	snprintf(text, 32, "calls%zu", index);
}

static void write_pointcuts(struct maker *maker)
{
	struct wv_xml_writer *xml = &maker->xml;

	wv_xml_begin(xml, "pointcut");
	wv_xml_attribute(xml, "name", "whole");
	wv_xml_begin(xml, "function");
	wv_xml_attribute(xml, "name", maker->asked->functions[0]);
	wv_xml_end(xml, "function");
	wv_xml_end(xml, "pointcut");
	for (size_t i = 0; i < maker->asked->n; i++) {
		char name[32];

		calls_name(i, name);
		wv_xml_begin(xml, "pointcut");
		wv_xml_attribute(xml, "name", name);
		wv_xml_begin(xml, "call");
		wv_xml_attribute(xml, "from", maker->asked->functions[i]);
		wv_xml_end(xml, "call");
		wv_xml_end(xml, "pointcut");
	}
}

/*
 * Returns the name of a metric's element: <elapsed> if it measures the time that passes,
 * <concurrency> if it measures the time on a CPU. Of the time on a CPU only the sum is needed. A
 * <concurrency> has this sum, and does not spend memory on a histogram.
 */
static const char *element_of(bool cpu)
{
	return cpu ? "concurrency" : "elapsed";
}

/*
 * Begins the element of a metric, with the attributes that both metrics of a pair have. @cpu: the
 * metric is the pair's second one, which measures time on a CPU.
 */
static void begin_metric(struct maker *maker, const char *what, const char *of, bool cpu)
{
	enum { NAME_BYTES = 64 }; /* maximum length of a metric's name, with the NUL */
	static const char on_cpu[] = ", on a CPU";
	const struct wv_drill_asked *asked = maker->asked;
	char name[NAME_BYTES];

	snprintf(name, sizeof(name), "%.*s%s", (int)(sizeof(name) - sizeof(on_cpu)), what,
		 cpu ? on_cpu : "");
	wv_xml_begin(&maker->xml, element_of(cpu));
	wv_xml_attribute(&maker->xml, "name", name);
	wv_xml_attribute(&maker->xml, "of", of);
	wv_xml_attribute(&maker->xml, "clock", cpu ? "cpu" : NULL);
	wv_xml_attribute(&maker->xml, "key", cpu ? NULL : "$rsp");
	wv_xml_attribute(&maker->xml, "nest", cpu ? NULL : "no");
	wv_xml_attribute(&maker->xml, "pid", asked->pid);
	wv_xml_attribute(&maker->xml, "comm", asked->comm);
	wv_xml_attribute(&maker->xml, "uid", asked->uid);
}

/*
 * Writes the two metrics for the pointcut @of. @calls: @of picks the calls in a function; false: it
 * picks the drilled function as a whole. The first metric measures the time that passes, the second
 * one the time on a CPU. The first one begins before the second and ends after it: at its start the
 * call is added to the list of the task's calls, and at its end it is removed from the list.
 */
static void write_pair(struct maker *maker, const char *what, const char *of, const char *condition,
		       bool calls)
{
	begin_metric(maker, what, of, false);
	wv_xml_attribute(&maker->xml, "condition", condition);
	wv_xml_attribute(&maker->xml, "by",
			 calls ? "drill_id(&$task(drill), 0), drill_id(&$task(drill), 1), "
				"joinpoint, target" : NULL);
	wv_xml_attribute(&maker->xml, "rows", calls ? ROWS : NULL);
	wv_xml_lines(&maker->xml, "    drill_leave(&$task(drill), $rsp);\n");
	wv_xml_end(&maker->xml, element_of(false));
	begin_metric(maker, what, of, true);
	wv_xml_attribute(&maker->xml, "condition", "drill_is_in(&$task(drill), $rsp)");
	wv_xml_attribute(&maker->xml, "by", calls ? "drill_id(&$task(drill), 0)" : NULL);
	wv_xml_attribute(&maker->xml, "rows", calls ? ROWS : NULL);
	wv_xml_end(&maker->xml, element_of(true));
}

bool wv_drill_is_dotted(const char *function)
{
	return strchr(function, '.');
}

/*
 * Adds C for the address of @function. A name with a dot, such as "f.isra.0", is not allowed in
 * $sym(); for such a function the C finds the address at the hit, by drill_function().
 */
static void add_function(const char *function, struct wv_str *out)
{
	if (wv_drill_is_dotted(function))
		wv_str_add(out, "drill_function($rip, weft->shadow->joinpoint)");
	else
		wv_str_addf(out, "$sym(%s)", function);
}

static void write_calls(struct maker *maker, size_t index)
{
	const char *function = maker->asked->functions[index];
	_cleanup_str_ struct wv_str enter = { 0 }, what = { 0 };
	char of[32];

	calls_name(index, of);
	wv_str_addf(&what, "%zu. calls in %s", index + 1, function);
	wv_str_add(&enter, "drill_enter(&$task(drill), ");
	add_function(function, &enter);
	wv_str_add(&enter, ", $jp, $target, $rsp)");
	maker->xml.out->failed |= enter.failed || what.failed;
	write_pair(maker, wv_str_text(&what), of, wv_str_text(&enter), true);
}

static void write_metrics(struct maker *maker)
{
	const char *whole = maker->asked->functions[0];
	_cleanup_str_ struct wv_str begin = { 0 };

	wv_str_add(&begin, "drill_begin(&$task(drill), ");
	add_function(whole, &begin);
	wv_str_add(&begin, ", $rsp)");
	maker->xml.out->failed |= begin.failed;
	write_pair(maker, whole, "whole", wv_str_text(&begin), false);
	for (size_t i = 0; i < maker->asked->n; i++)
		write_calls(maker, i);
}

int wv_drill_make(const struct wv_drill_asked *asked, struct wv_oneliner_made *ret,
		  struct wv_error *error)
{
	struct maker maker = { .asked = asked, .xml.out = &ret->xml };
	char name[WEFT_NAME_MAX];

	*ret = (struct wv_oneliner_made){ 0 };
	if (asked->name)
		snprintf(name, sizeof(name), "%s", asked->name);
	else
		snprintf(name, sizeof(name), "drill_%s", asked->functions[0]);
	for (char *at = name; *at; at++)
		if (*at == '.')
			*at = '_';
	snprintf(ret->file, sizeof(ret->file), "%s.xml", name);
	wv_xml_begin(&maker.xml, "aspect");
	wv_xml_attribute(&maker.xml, "name", name);
	write_declare(&maker);
	write_pointcuts(&maker);
	write_metrics(&maker);
	wv_xml_end(&maker.xml, "aspect");
	if (!ret->xml.failed)
		return 0;
	wv_oneliner_made_deinit(ret);
	return wv_no_memory(error);
}
