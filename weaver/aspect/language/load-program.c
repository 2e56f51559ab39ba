// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loads and checks the programs that pointcuts are for; see load-program.h. At a joinpoint in a
 * program the kernel calls the advice before an instruction. So nothing can take the place of a
 * function or call there, and the advice has the process's registers and memory, not those of the
 * kernel.
 */
#include <stdlib.h>
#include <string.h>

#include "aspect/language/load-program.h"
#include "runtime/frame.h"

void wv_load_program(struct wv_loader *loader, const struct wv_xml_node *node,
		     struct wv_aspect_pointcut *pointcut)
{
	const struct wv_xml_attribute *program = wv_load_attribute(node, "program");

	if (!program)
		return;
	if (program->value[0] != '/')
		wv_report_error(&loader->list, program->value_location,
				"'%s' is not a path from the root folder, such as /usr/bin/bash; "
				"the kernel finds the program by it",
				program->value);
	pointcut->program_location = program->value_location;
	pointcut->program = strdup(program->value);
	loader->list.no_memory |= !pointcut->program;
}

static bool is_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Reports each <ref> in @pick to a pointcut that is not for @pointcut's program. */
static void check_refs(struct wv_loader *loader, const struct wv_aspect_pointcut *pointcut,
		       const struct wv_pick *pick)
{
	const struct wv_aspect_pointcut *meant;

	if (pick->type == WV_PICK_REF) {
		meant = &loader->aspect->pointcuts.data[pick->index];
		if (!is_same(meant->program, pointcut->program))
			wv_report_error(&loader->list, pick->name_location,
					"pointcut '%s' is for %s, and this one for %s", pick->name,
					meant->program ? meant->program : "the kernel",
					pointcut->program ? pointcut->program : "the kernel");
	}
	wv_vec_for_each(part, &pick->parts)
		check_refs(loader, pointcut, *part);
}

static void check_advice(struct wv_loader *loader, const struct wv_aspect_advice *advice)
{
	const char *what = NULL;

	for (size_t i = 0; i < wv_nr_variables; i++)
		if (advice->code.variables & WV_VARIABLE_BIT(i) &&
		    wv_variables[i].needs & WR_BIT(WR_TARGET))
			what = "$target is";
	wv_vec_for_each(named, &advice->code.named)
		if (named->kind == WV_REFERENCE_SYMBOL)
			what = "$sym() is";
	if (advice->code.stack)
		what = "stacks are";
	if (advice->once)
		what = "advice that runs once is";
	if (advice->around)
		what = "around-advice is";
	if (advice->tag)
		what = "a <tag> is";
	if (what)
		wv_report_error(&loader->list, advice->code.location,
				"%s for the kernel only, and this pointcut is for %s", what,
				loader->aspect->pointcuts.data[advice->pointcut].program);
}

void wv_load_check_programs(struct wv_loader *loader)
{
	const struct wv_aspect *aspect = loader->aspect;

	wv_vec_for_each(pointcut, &aspect->pointcuts) {
		if (pointcut->pick)
			check_refs(loader, pointcut, pointcut->pick);
		if (!pointcut->program)
			continue;
		if (pointcut->flows.n)
			wv_report_error(&loader->list, pointcut->location,
					"<cflow> is for the kernel only, and this pointcut is for "
					"%s", pointcut->program);
		if (pointcut->tagged.n)
			wv_report_error(&loader->list, pointcut->location,
					"<xflow> is for the kernel only, and this pointcut is for "
					"%s", pointcut->program);
		if (pointcut->may_pick & WV_MAY_TRACEPOINT)
			wv_report_error(&loader->list, pointcut->location,
					"tracepoints are the kernel's, and this pointcut is for %s",
					pointcut->program);
	}
	wv_vec_for_each(advice, &aspect->advices)
		if (aspect->pointcuts.data[advice->pointcut].program)
			check_advice(loader, advice);
}
